import ModelDocument

/// A point of Xcode's diagram.
struct DiagramPoint: Codable, Sendable, Hashable {
    var x: Double
    var y: Double
    var width: Double?
    var height: Double?

    /// The place in the diagram of an entity; what it had stays where the point does not say otherwise.
    ///
    /// - Throws: `invalidRequest` for what is no place.
    func element(for entity: Model.Entity, formerly: Model.DiagramElement?) throws -> Model.DiagramElement {
        let numbers = [x, y, width ?? 0, height ?? 0]
        guard numbers.allSatisfy({ $0.isFinite && abs($0) < 1e7 }) else {
            throw StudioError(.invalidRequest, "A position has to consist of numbers of a sensible size.")
        }
        var element = formerly ?? Model.DiagramElement(name: entity.name, width: 128, height: entity.diagramHeight)
        (element.positionX, element.positionY) = (x, y)
        element.width = width ?? element.width
        element.height = height ?? element.height
        return element
    }
}

extension Model.Entity {
    /// The height that Xcode gives to the entity's box.
    fileprivate var diagramHeight: Double {
        44 + 15 * Double(attributes.count + relationships.count + fetchedProperties.count)
    }
}

/// A new entity.
struct AddEntity: EditAction {
    static let kind = "addEntity"
    var version: ElementID
    var name: String?
    var parent: ElementID?
    var position: DiagramPoint?

    func title(in document: EditedDocument) -> String { "Add Entity" }

    func apply(to editor: inout Editor) throws {
        let version = try editor.location(of: version, .version).version
        let parentName = try editor.entityName(parent, version: version)
        try editor.edit(version) { model in
            let name = try ActionChecks.free(name, "Entity", among: model.entities.map(\.name))
            var entity = Model.Entity(name: name)
            entity.representedClass = ClassReference(name)
            entity.codeGeneration = .classDefinition
            entity.parentName = parentName
            model.entities.insertAsXcode(entity)
            // Xcode keeps places of all entities or, since version 14, of none.
            guard position != nil || !model.diagramElements.isEmpty else { return }
            let point = position ?? DiagramPoint(x: 0, y: 0)
            model.diagramElements.insertAsXcode(try point.element(for: entity, formerly: nil))
        }
    }
}

/// Entities get their places in the diagram.
struct Place: EditAction {
    static let kind = "place"
    var positions: [String: DiagramPoint]

    func title(in document: EditedDocument) -> String {
        let ids = positions.keys.map(ElementID.init(rawValue:))
        return ids.count == 1 ? "Move \(document.title(of: ids[0]))" : "Move Entities"
    }

    func apply(to editor: inout Editor) throws {
        for (id, point) in positions.sorted(by: { $0.key < $1.key }) {
            let location = try editor.location(of: ElementID(rawValue: id), .entity)
            try editor.edit(location.version) { model in
                let entity = model.entities[location.place.index]
                let former = model[diagramElement: entity.name]
                let element = try point.element(for: entity, formerly: former)
                if former == nil {
                    model.diagramElements.insertAsXcode(element)
                } else {
                    model[diagramElement: entity.name] = element
                }
            }
        }
    }
}
