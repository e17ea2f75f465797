import ModelDocument
import ModelGraph

extension StudioSession {
    /// Where the boxes of the graph stand.
    ///
    /// - Parameters:
    ///   - id: The version to draw.
    ///   - placement: `automatic`: by the layout, whatever the document has; anything else: as the document has it,
    ///     where that can be drawn.
    ///   - aspect: The shape that a layout is to fill, its width by its height.
    func graphPlaces(ofVersion id: ElementID, placement: String?, aspect: Double?) throws -> JSON {
        let version = try graphVersion(id)
        let diagram = Diagram(version.model, placement: placement == "automatic" ? .automatic : .stored, aspect: aspect)
        return [
            "places": GraphPlaces.json(diagram, version.tree),
            // Boxes that were spread out to make room do not stand where the document has them.
            "areas": GraphPlaces.areas(diagram, version.tree),
            "areStored": .bool(diagram.usesStoredPlaces && GraphPlaces.agree(diagram, version.model)),
        ]
    }

    /// The drawing of a version as an SVG file.
    ///
    /// - Parameter isForPaper: Whether it is to be printed.
    func graphSVG(ofVersion id: ElementID, isForPaper: Bool) throws -> JSON {
        let version = try graphVersion(id)
        return ["text": .text(Diagram(version.model).svg(title: version.name, isForPaper: isForPaper))]
    }

    private func graphVersion(_ id: ElementID) throws -> (model: Model, tree: VersionTree, name: String) {
        guard let index = document.trees.firstIndex(where: { $0.id == id }) else {
            throw StudioError(.unknownElement, "There is no version ‘\(id)’.")
        }
        let version = document.document.versions[index]
        return (version.model, document.trees[index], version.name)
    }
}

/// The places of a drawing's boxes by the identifiers of the entities.
enum GraphPlaces {
    /// The entities of each area, with the name of the one that has the most links.
    static func areas(_ diagram: Diagram, _ tree: VersionTree) -> JSON {
        let ids = tree.node.ids(.entity)
        var degrees = [Int](repeating: 0, count: diagram.boxes.count)
        for link in diagram.links {
            degrees[link.source.box] += 1
            degrees[link.target.box] += 1
        }
        return .array(
            diagram.areas.map { boxes in
                let middle = boxes.reduce(boxes[0]) { degrees[$1] > degrees[$0] ? $1 : $0 }
                return [
                    "name": .text(diagram.boxes[middle].name),
                    "entities": .array(boxes.map { .text(ids[$0].rawValue) }),
                ]
            })
    }

    static func json(_ diagram: Diagram, _ tree: VersionTree) -> JSON {
        let ids = tree.node.ids(.entity)
        let places = zip(ids, diagram.boxes).map { id, box in
            (id.rawValue, JSON.object(["x": .number(box.frame.minX), "y": .number(box.frame.minY)]))
        }
        return .object(Dictionary(places) { first, _ in first })
    }

    /// Whether every box stands exactly where the document has it.
    static func agree(_ diagram: Diagram, _ model: Model) -> Bool {
        let elements = Dictionary(model.diagramElements.map { ($0.name, $0) }) { first, _ in first }
        return diagram.boxes.allSatisfy { box in
            guard let element = elements[box.name] else { return false }
            return box.frame.minX == element.positionX && box.frame.minY == element.positionY
        }
    }
}
