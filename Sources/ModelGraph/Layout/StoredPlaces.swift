import ModelDocument

/// The places that Xcode's diagram has for the entities.
///
/// A document that was never arranged has all entities on a heap, and one from which the diagram was left out has none;
/// neither says anything. Boxes are drawn larger here than Xcode drew them, so what is close together is drawn apart.
struct StoredPlaces {
    private let places: [Point?]
    private let sizes: [Size]
    /// How far a diagram may be stretched to make room, in steps.
    private static let stretches = stride(from: 1, through: 2.5, by: 0.125)
    private static let gap = 12.0

    init(_ model: Model, boxes: [Diagram.Box]) {
        let elements = Dictionary(
            model.diagramElements.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        places = boxes.map { box in
            guard let element = elements[box.name] else { return nil }
            let isSane = [element.positionX, element.positionY].allSatisfy { $0.isFinite && abs($0) < 100_000 }
            return isSane ? Point(x: element.positionX, y: element.positionY) : nil
        }
        sizes = boxes.map(\.frame.size)
    }

    /// The boxes' places; `nil` if the document has none for most, or so that boxes would overlap however they are
    /// drawn.
    func origins() -> [Point]? {
        let placed = places.indices.filter { places[$0] != nil }
        guard !placed.isEmpty, placed.count * 3 >= places.count * 2 else { return nil }
        for stretch in Self.stretches {
            var origins = places.map { $0.map { Point(x: $0.x * stretch, y: $0.y * stretch) } }
            guard !overlaps(placed, origins) else { continue }
            addMissing(to: &origins, placed)
            return origins.compactMap { $0 }
        }
        return nil
    }

    private func overlaps(_ placed: [Int], _ origins: [Point?]) -> Bool {
        let frames = placed.compactMap { index in
            origins[index].map { Rectangle(origin: $0, size: sizes[index]).insetBy(-Self.gap / 2) }
        }.sorted { $0.minX < $1.minX }
        for (index, frame) in frames.enumerated() {
            for other in frames[(index + 1)...] {
                if other.minX >= frame.maxX { break }
                if frame.intersects(other) { return true }
            }
        }
        return false
    }

    /// Places the entities that the document has no place for in rows below the others.
    private func addMissing(to origins: inout [Point?], _ placed: [Int]) {
        let frames = placed.compactMap { index in origins[index].map { Rectangle(origin: $0, size: sizes[index]) } }
        guard let left = frames.map(\.minX).min(), let bottom = frames.map(\.maxY).max() else { return }
        let right = max(frames.map(\.maxX).max() ?? left, left + 600)
        var (x, y, height) = (left, bottom + 4 * Self.gap, 0.0)
        for index in origins.indices where origins[index] == nil {
            if x > left, x + sizes[index].width > right {
                (x, y, height) = (left, y + height + 2 * Self.gap, 0)
            }
            origins[index] = Point(x: x, y: y)
            x += sizes[index].width + 2 * Self.gap
            height = max(height, sizes[index].height)
        }
    }
}
