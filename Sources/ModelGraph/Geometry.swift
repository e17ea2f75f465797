/// A point of a drawing: x to the right, y down, in points.
package struct Point: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
    static func * (point: Point, factor: Double) -> Point { Point(x: point.x * factor, y: point.y * factor) }

    /// The distance from the origin.
    var length: Double { (x * x + y * y).squareRoot() }

    /// A quarter turn.
    var perpendicular: Point { Point(x: -y, y: x) }
}

/// Width and height, in points.
package struct Size: Sendable, Hashable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// A rectangle with sides that are parallel to the axes.
package struct Rectangle: Sendable, Hashable {
    package var origin: Point
    package var size: Size

    package init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

    package var minX: Double { origin.x }
    package var minY: Double { origin.y }
    package var maxX: Double { origin.x + size.width }
    package var maxY: Double { origin.y + size.height }
    package var center: Point { Point(x: origin.x + size.width / 2, y: origin.y + size.height / 2) }

    /// The rectangle with its sides moved outward.
    package func insetBy(_ distance: Double) -> Rectangle {
        Rectangle(
            origin: Point(x: minX + distance, y: minY + distance),
            size: Size(width: size.width - 2 * distance, height: size.height - 2 * distance))
    }

    /// Whether the two share an area; touching sides do not count.
    package func intersects(_ other: Rectangle) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    /// The smallest rectangle around both.
    func union(_ other: Rectangle) -> Rectangle {
        let origin = Point(x: min(minX, other.minX), y: min(minY, other.minY))
        return Rectangle(
            origin: origin,
            size: Size(width: max(maxX, other.maxX) - origin.x, height: max(maxY, other.maxY) - origin.y))
    }
}
