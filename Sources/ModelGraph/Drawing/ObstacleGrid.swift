/// The boxes that lines go round, sorted into the cells of a grid, so that a line meets those near it alone.
struct ObstacleGrid {
    private let obstacles: [Rectangle]
    private var cells: [Cell: [Int]] = [:]
    /// Half the width of the widest box.
    private let greatestReach: Double
    private static let width = 360.0
    private static let height = 240.0
    /// A line that passes through more columns of cells than these goes straight through whatever is further away.
    private static let mostColumns = 2000

    private struct Cell: Hashable {
        let column: Int
        let row: Int
    }

    init(_ obstacles: [Rectangle]) {
        self.obstacles = obstacles
        greatestReach = (obstacles.map(\.size.width).max() ?? 0) / 2
        for (index, frame) in obstacles.enumerated() {
            for column in Self.column(frame.minX)...Self.column(frame.maxX) {
                for row in Self.row(frame.minY)...Self.row(frame.maxY) {
                    cells[Cell(column: column, row: row), default: []].append(index)
                }
            }
        }
    }

    private static func column(_ x: Double) -> Int { Int((x / width).rounded(.down)) }
    private static func row(_ y: Double) -> Int { Int((y / height).rounded(.down)) }

    /// Of the boxes that a line passes through, the one with its middle nearest to the line's start from left to right.
    func nearest(from start: Point, to end: Point) -> Rectangle? {
        let isRight = end.x >= start.x
        let (first, last) = (Self.column(start.x), Self.column(end.x))
        var best: (distance: Double, index: Int)?
        for step in 0...min(abs(last - first), Self.mostColumns) {
            let column = first + (isRight ? step : -step)
            let (left, right) = (Double(column) * Self.width, Double(column + 1) * Self.width)
            let (low, high) = Self.heights(start, end, from: left, to: right)
            for row in Self.row(low)...Self.row(high) {
                for index in cells[Cell(column: column, row: row)] ?? [] {
                    let frame = obstacles[index]
                    let distance = abs(frame.center.x - start.x)
                    if let best, (best.distance, best.index) <= (distance, index) { continue }
                    if Self.crosses(frame, start, end) { best = (distance, index) }
                }
            }
            // What the line meets in the columns to come reaches into them: its middle is not far before them.
            let passed = isRight ? right - start.x : start.x - left
            if let best, best.distance <= passed - greatestReach { break }
        }
        return best.map { obstacles[$0.index] }
    }

    /// How high and how low a line is between two places from left to right.
    private static func heights(_ start: Point, _ end: Point, from left: Double, to right: Double) -> (Double, Double) {
        guard start.x != end.x else { return (min(start.y, end.y), max(start.y, end.y)) }
        let slope = (end.y - start.y) / (end.x - start.x)
        let bounds = (min(start.x, end.x), max(start.x, end.x))
        let ends = [left, right].map { x in start.y + (min(max(x, bounds.0), bounds.1) - start.x) * slope }
        return (min(ends[0], ends[1]), max(ends[0], ends[1]))
    }

    /// Whether a line from point to point passes through the rectangle (Liang and Barsky).
    static func crosses(_ frame: Rectangle, _ a: Point, _ b: Point) -> Bool {
        var (enter, leave) = (0.0, 1.0)
        let delta = b - a
        let sides = [
            (-delta.x, a.x - frame.minX), (delta.x, frame.maxX - a.x), (-delta.y, a.y - frame.minY),
            (delta.y, frame.maxY - a.y),
        ]
        for (slope, distance) in sides {
            if slope == 0 {
                if distance <= 0 { return false }
            } else if slope < 0 {
                enter = max(enter, distance / slope)
            } else {
                leave = min(leave, distance / slope)
            }
        }
        return enter < leave
    }
}
