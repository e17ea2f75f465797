/// The way of a link over the drawing. The browser's graph finds the same (`Resources/scripts/graph/routes.js`).
package struct Route: Sendable, Hashable {
    /// Where the link leaves its source and meets its target.
    package let start: Landing
    package let end: Landing
    /// The points between which the line swings: the ends of the straight parts at the boxes, and what it goes round.
    package let bends: [Point]
    /// Whether the line leaves and arrives at upper and lower edges.
    package let isVertical: Bool

    /// A point on a box's edge, and the way out from there.
    package struct Landing: Sendable, Hashable {
        package var point: Point
        package var direction: Point
        /// How far the line goes straight out.
        package var stub: Double

        var outside: Point { point + direction * stub }
    }
}

/// Finds the ways of links between boxes, round the boxes that stand between.
struct Router {
    private let boxes: [Diagram.Box]
    private let obstacles: ObstacleGrid
    private static let clearance = 8.0
    private static let detour = 14.0

    init(_ boxes: [Diagram.Box]) {
        self.boxes = boxes
        obstacles = ObstacleGrid(boxes.map { $0.frame.insetBy(-Self.clearance) })
    }

    /// - Parameters:
    ///   - link: The link to draw.
    ///   - number: Its position among the links: neighbours that go round the same box do so side by side.
    func route(_ link: Diagram.Link, number: Int) -> Route {
        let (start, end, isVertical) = landings(link)
        guard !link.isLoop, !isVertical else {
            return Route(start: start, end: end, bends: [start.outside, end.outside], isVertical: isVertical)
        }
        let detour = Self.detour + Double(number % 5 - 2) * 2
        let way = path(from: start.outside, to: end.outside, detour: detour, depth: 4)
        return Route(start: start, end: end, bends: [start.outside] + way + [end.outside], isVertical: false)
    }

    // MARK: Where a link ends

    private func landings(_ link: Diagram.Link) -> (Route.Landing, Route.Landing, isVertical: Bool) {
        let (a, b) = (boxes[link.source.box].frame, boxes[link.target.box].frame)
        if link.isLoop {
            let start = landing(link.source, link.kind, onRight: true, stub: Metrics.stub)
            return (start, landing(link.target, link.kind, onRight: true, stub: Metrics.stub), false)
        }
        if link.kind == .inheritance, let vertical = verticalLandings(a, b) { return vertical }
        let gap = max(b.minX - a.maxX, a.minX - b.maxX)
        if gap < 24 {
            let onRight = abs(a.maxX - b.maxX) <= abs(a.minX - b.minX)
            let start = landing(link.source, link.kind, onRight: onRight, stub: Metrics.stub)
            return (start, landing(link.target, link.kind, onRight: onRight, stub: Metrics.stub), false)
        }
        let stub = min(Metrics.stub, gap / 2)
        let isRight = a.maxX < b.minX
        return (
            landing(link.source, link.kind, onRight: isRight, stub: stub),
            landing(link.target, link.kind, onRight: !isRight, stub: stub),
            false
        )
    }

    private func landing(
        _ end: Diagram.End, _ kind: Diagram.Link.Kind, onRight: Bool, stub: Double
    ) -> Route.Landing {
        let frame = boxes[end.box].frame
        let point = Point(
            x: onRight ? frame.maxX : frame.minX, y: frame.minY + boxes[end.box].offset(ofRow: end.row, kind))
        return Route.Landing(point: point, direction: Point(x: onRight ? 1 : -1, y: 0), stub: stub)
    }

    /// A subentity below or above its parent is joined from edge to edge.
    private func verticalLandings(_ child: Rectangle, _ parent: Rectangle) -> (Route.Landing, Route.Landing, Bool)? {
        let overlap = min(child.maxX, parent.maxX) - max(child.minX, parent.minX)
        let gap = max(child.minY - parent.maxY, parent.minY - child.maxY)
        guard overlap > 40, gap >= 24 else { return nil }
        let isBelow = child.minY > parent.minY
        func landing(_ frame: Rectangle, atTop: Bool) -> Route.Landing {
            let point = Point(x: frame.center.x, y: atTop ? frame.minY : frame.maxY)
            return Route.Landing(point: point, direction: Point(x: 0, y: atTop ? -1 : 1), stub: min(20, gap / 2))
        }
        return (landing(child, atTop: isBelow), landing(parent, atTop: !isBelow), true)
    }

    // MARK: Round what stands between

    /// The bends on the way: above or below each box that is in the way.
    private func path(from start: Point, to end: Point, detour: Double, depth: Int) -> [Point] {
        guard depth > 0, let obstacle = obstacles.nearest(from: start, to: end) else { return [] }
        let frame = obstacle.insetBy(Self.clearance)
        let (above, below) = (frame.minY - detour, frame.maxY + detour)
        let y = climb(start, end, above) < climb(start, end, below) ? above : below
        let left = Point(x: frame.minX - detour, y: y)
        let right = Point(x: frame.maxX + detour, y: y)
        var (first, second) = start.x <= end.x ? (left, right) : (right, left)
        // A route that starts or ends above or below the box need not go along all of it.
        let heading = start.x <= end.x ? 1.0 : -1
        if (start.x - first.x) * heading > 0 { first.x = start.x }
        if (second.x - end.x) * heading > 0 { second.x = end.x }
        if (second.x - first.x) * heading <= 0 { second.x = first.x + heading }
        return path(from: start, to: first, detour: detour, depth: depth - 1) + [first, second]
            + path(from: second, to: end, detour: detour, depth: depth - 1)
    }

    /// How far up and down a way over that height leads.
    private func climb(_ start: Point, _ end: Point, _ y: Double) -> Double {
        abs(start.y - y) + abs(end.y - y)
    }
}

extension Diagram {
    /// The ways of all links, in their order.
    package func routes() -> [Route] {
        let router = Router(boxes)
        return links.enumerated().map { router.route($0.element, number: $0.offset) }
    }
}
