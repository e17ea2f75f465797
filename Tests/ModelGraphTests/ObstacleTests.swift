import Testing

@testable import ModelGraph

/// The grid finds the box that looking at every box finds.
@Suite struct ObstacleTests {
    @Test(arguments: 0..<50) func theGridFindsTheNearestBoxInTheWay(number: Int) {
        var random = SystemRandomNumberGenerator()
        let extent = [300.0, 3000, 30_000][number % 3]
        let boxes = (0..<(number * 4)).map { _ in
            Rectangle(
                origin: Point(
                    x: .random(in: -extent...extent, using: &random).rounded(),
                    y: .random(in: -extent...extent).rounded()),
                size: Size(width: .random(in: 100...300).rounded(), height: .random(in: 30...1500).rounded()))
        }
        let grid = ObstacleGrid(boxes)
        for turn in 0..<50 {
            let start = Point(x: .random(in: -extent...extent), y: .random(in: -extent...extent))
            var end = Point(x: .random(in: -extent...extent), y: .random(in: -extent...extent))
            // Upright and level lines, too.
            if turn % 5 == 0 { end.x = start.x }
            if turn % 5 == 1 { end.y = start.y }
            let expected = boxes.filter { ObstacleGrid.crosses($0, start, end) }
                .min { abs($0.center.x - start.x) < abs($1.center.x - start.x) }
            #expect(grid.nearest(from: start, to: end) == expected, "\(start) \(end)")
        }
    }
}
