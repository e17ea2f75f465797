import ModelDocument

/// A model as a drawing: a box for each entity, a link for each relationship with its inverse and for each parent, all
/// of them placed.
///
/// ```swift
/// let diagram = Diagram(model)
/// try diagram.svg(title: "League").write(to: file, atomically: true, encoding: .utf8)
/// ```
///
/// Boxes stand where Xcode's diagram has them, if the document says so and they have room there; otherwise where a
/// layered layout puts them. They never overlap.
package struct Diagram: Sendable {
    /// One for each entity, in the model's order.
    package var boxes: [Box]
    package let links: [Link]
    /// Whether the boxes stand where the document has them.
    package private(set) var usesStoredPlaces = false
    /// By the names of entities, where the entity stands among the named configurations; for colours.
    package let configurations: [String: Int]

    /// How boxes find their places.
    package enum Placement: Sendable, Hashable {
        /// As the document has it, where that can be drawn; otherwise by the layout.
        case stored
        /// By the layout, whatever the document has.
        case automatic
    }

    /// - Parameters:
    ///   - model: The model to draw; it may be wrong in any way.
    ///   - placement: Where the boxes are to stand.
    ///   - aspect: The shape that the layout is to fill, its width by its height; nil stands for a page in landscape.
    package init(_ model: Model, placement: Placement = .stored, aspect: Double? = nil) {
        boxes = model.entities.map(Box.init)
        links = LinkFinder(model).links()
        configurations = Dictionary(
            model.configurations.enumerated().flatMap { index, configuration in
                configuration.entityNames.map { ($0, index) }
            }, uniquingKeysWith: { first, _ in first })
        if placement == .stored, let origins = StoredPlaces(model, boxes: boxes).origins() {
            usesStoredPlaces = true
            place(origins)
        } else {
            place(LayeredLayout(sizes: boxes.map(\.frame.size), links: links).origins(filling: aspect))
        }
    }

    /// The areas of the model: boxes, by their places among ``boxes``, that are linked more with each other than with
    /// the rest; the largest first. None where the model is small, or where all is linked with all.
    package var areas: [[Int]] {
        guard boxes.count >= 12 else { return [] }
        let groups = Areas(of: Array(boxes.indices), links).groups.filter { $0.count > 1 }
        return groups.count > 1 ? groups : []
    }

    /// The smallest rectangle around all boxes.
    package var bounds: Rectangle {
        guard let first = boxes.first else {
            return Rectangle(origin: Point(x: 0, y: 0), size: Size(width: 0, height: 0))
        }
        return boxes.dropFirst().reduce(first.frame) { $0.union($1.frame) }
    }

    private mutating func place(_ origins: [Point]) {
        for (index, origin) in origins.enumerated() { boxes[index].frame.origin = origin }
    }
}
