import Foundation
import ModelDocument

/// A mapping model that is being edited: the document, and what it means.
///
/// All elements have the identifiers that their objects have in the document.
struct EditedMapping: Sendable, Hashable {
    private(set) var document: XMLStoreDocument
    private(set) var mapping: MappingModel

    /// Stands for the mapping model itself.
    static let rootID = "mapping"

    /// - Throws: `ModelDocumentError` for a document that holds no mapping model.
    init(_ document: XMLStoreDocument) throws {
        self.document = document
        mapping = try MappingModel(document)
    }

    /// Changes what the document says; the objects that say the same stay as they are.
    ///
    /// - Throws: `invalidEdit` for what a document can't hold.
    mutating func change(_ body: (inout MappingModel) throws -> Void) throws {
        var changed = mapping
        try body(&changed)
        guard changed != mapping else { return }
        var document = document
        document.update(with: changed)
        do {
            _ = try document.data()
            self = try EditedMapping(document)
        } catch let error as ModelDocumentError {
            throw StudioError(.invalidEdit, error.message)
        }
    }

    // MARK: Elements

    /// Where an element is.
    enum Place: Sendable, Hashable {
        case root
        case entity(Int)
        case attribute(Int, Int)
        case relationship(Int, Int)

        /// The place of the entity mapping that the element is, or belongs to.
        var entity: Int? {
            switch self {
            case .root: nil
            case .entity(let entity), .attribute(let entity, _), .relationship(let entity, _): entity
            }
        }
    }

    /// - Throws: `unknownElement`.
    func place(of id: String) throws -> Place {
        if id == Self.rootID { return .root }
        for (index, entity) in mapping.entityMappings.enumerated() {
            if entity.objectID == id { return .entity(index) }
            if let place = entity.attributeMappings.firstIndex(where: { $0.objectID == id }) {
                return .attribute(index, place)
            }
            if let place = entity.relationshipMappings.firstIndex(where: { $0.objectID == id }) {
                return .relationship(index, place)
            }
        }
        throw StudioError(.unknownElement, "That element is not in the mapping model any more.")
    }

    /// - Throws: `unknownElement` for what is no entity mapping.
    func entityIndex(of id: String) throws -> Int {
        guard case .entity(let index) = try place(of: id) else {
            throw StudioError(.unknownElement, "That element is no entity mapping.")
        }
        return index
    }

    /// The identifiers of all elements.
    var identifiers: Set<String> {
        Set(
            mapping.entityMappings.flatMap { entity in
                [entity.objectID] + (entity.attributeMappings + entity.relationshipMappings).map(\.objectID)
            }.compactMap { $0 } + [Self.rootID])
    }
}

extension MappingModel {
    /// A property mapping at a place.
    subscript(place: EditedMapping.Place) -> PropertyMapping? {
        get {
            switch place {
            case .attribute(let entity, let index): entityMappings[entity].attributeMappings[index]
            case .relationship(let entity, let index): entityMappings[entity].relationshipMappings[index]
            case .root, .entity: nil
            }
        }
        set {
            guard let newValue else { return }
            switch place {
            case .attribute(let entity, let index): entityMappings[entity].attributeMappings[index] = newValue
            case .relationship(let entity, let index): entityMappings[entity].relationshipMappings[index] = newValue
            case .root, .entity: break
            }
        }
    }
}
