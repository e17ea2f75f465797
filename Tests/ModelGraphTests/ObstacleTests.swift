import RandomSeeds
import Testing

@testable import ModelGraph

/// The grid finds the box that looking at every box finds.
@Suite struct ObstacleTests {
    @Test(arguments: 0..<50) func theGridFindsTheNearestBoxInTheWay(number: Int) {
        var random = SeededGenerator(seed: SeededGenerator.seed &+ UInt64(number))
        let extent = [300.0, 3000, 30_000][number % 3]
        let boxes = (0..<(number * 4)).map { _ in
            Rectangle(
                origin: Point(
                    x: .random(in: -extent...extent, using: &random).rounded(),
                    y: .random(in: -extent...extent, using: &random).rounded()),
                size: Size(
                    width: .random(in: 100...300, using: &random).rounded(),
                    height: .random(in: 30...1500, using: &random).rounded()))
        }
        let grid = ObstacleGrid(boxes)
        for turn in 0..<50 {
            let start = Point(
                x: .random(in: -extent...extent, using: &random), y: .random(in: -extent...extent, using: &random))
            var end = Point(
                x: .random(in: -extent...extent, using: &random), y: .random(in: -extent...extent, using: &random))
            // Upright and level lines, too.
            if turn % 5 == 0 { end.x = start.x }
            if turn % 5 == 1 { end.y = start.y }
            let expected = boxes.filter { ObstacleGrid.crosses($0, start, end) }
                .min { abs($0.center.x - start.x) < abs($1.center.x - start.x) }
            #expect(grid.nearest(from: start, to: end) == expected, "\(start) \(end)")
        }
    }
}
