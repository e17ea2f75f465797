import ModelDocument

/// What a window asks to have changed in a mapping model.
enum MappingAction: Sendable, Decodable {
    /// A mapping of an entity to another, with a mapping for each property of the destination.
    case addEntityMapping(source: String?, destination: String?, name: String?)
    /// A mapping for a property of the destination entity.
    case addPropertyMapping(owner: String, name: String, expression: String?)
    /// Mappings for all properties of the destination entity that have none.
    case addMissingProperties(element: String)
    /// Other values of an element's fields.
    case set(element: String, changes: [String: JSON])
    /// Another name of an entity mapping, also where expressions name it.
    case rename(element: String, name: String)
    /// The expression that the compiler would make for a relationship, written down.
    case generate(element: String)
    /// An entity mapping at another place in the order, from 0.
    case move(element: String, to: Int)
    case duplicate(element: String)
    case delete(elements: [String])

    /// The step's name in the menu.
    var title: String {
        switch self {
        case .addEntityMapping: "Add Entity Mapping"
        case .addPropertyMapping: "Add Property Mapping"
        case .addMissingProperties: "Add Missing Properties"
        case .set(_, let changes): "Change \(MappingField.title(of: changes.keys.sorted().first))"
        case .rename: "Rename Mapping"
        case .generate: "Write Expression"
        case .move: "Move Mapping"
        case .duplicate: "Duplicate Mapping"
        case .delete(let elements): elements.count == 1 ? "Delete Mapping" : "Delete Mappings"
        }
    }

    private enum Keys: String, CodingKey {
        case kind, source, destination, name, owner, expression, element, changes, to, elements
    }

    enum Kind: String, Decodable, CaseIterable {
        case addEntityMapping, addPropertyMapping, addMissingProperties, set, rename, generate, move, duplicate, delete
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Keys.self)
        func text(_ key: Keys) throws -> String { try members.decode(String.self, forKey: key) }
        func optional(_ key: Keys) throws -> String? { try members.decodeIfPresent(String.self, forKey: key) }
        switch try members.decode(Kind.self, forKey: .kind) {
        case .addEntityMapping:
            self = .addEntityMapping(
                source: try optional(.source), destination: try optional(.destination), name: try optional(.name))
        case .addPropertyMapping:
            self = .addPropertyMapping(
                owner: try text(.owner), name: try text(.name), expression: try optional(.expression))
        case .addMissingProperties: self = .addMissingProperties(element: try text(.element))
        case .set:
            self = .set(
                element: try text(.element), changes: try members.decode([String: JSON].self, forKey: .changes))
        case .rename: self = .rename(element: try text(.element), name: try text(.name))
        case .generate: self = .generate(element: try text(.element))
        case .move: self = .move(element: try text(.element), to: try members.decode(Int.self, forKey: .to))
        case .duplicate: self = .duplicate(element: try text(.element))
        case .delete: self = .delete(elements: try members.decode([String].self, forKey: .elements))
        }
    }
}
