/// Packs rectangles into a page of about a given shape: in rows, the tallest first.
struct Packing {
    private let sizes: [Size]
    /// The page's width by its height.
    private let shape: Double
    private static let gap = 64.0
    /// Single boxes stand closer than what has lines.
    private static let smallGap = 32.0

    init(sizes: [Size], shape: Double) {
        self.sizes = sizes
        self.shape = shape
    }

    /// The upper left corners.
    func origins() -> [Point] {
        let width = pageWidth()
        var origins = sizes.map { _ in Point(x: 0, y: 0) }
        var (x, y, height) = (0.0, 0.0, 0.0)
        let order = sizes.indices.sorted { (-sizes[$0].height, $0) < (-sizes[$1].height, $1) }
        for index in order {
            let size = sizes[index]
            let gap = size.width > Metrics.maximumWidth ? Self.gap : Self.smallGap
            if x > 0, x + size.width > width {
                (x, y, height) = (0, y + height + gap, 0)
            }
            origins[index] = Point(x: x, y: y)
            x += size.width + gap
            height = max(height, size.height)
        }
        return origins
    }

    private func pageWidth() -> Double {
        let area = sizes.reduce(0) { $0 + ($1.width + Self.smallGap) * ($1.height + Self.smallGap) }
        return max((area * shape * 1.0625).squareRoot(), sizes.map(\.width).max() ?? 0)
    }
}
