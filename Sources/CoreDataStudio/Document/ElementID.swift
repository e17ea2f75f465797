/// The identifier of one element of the document that is being edited.
///
/// It is the session's own and says nothing about the element; it stays with it through renaming, moving, undo and
/// redo.
struct ElementID: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    var rawValue: String

    init(rawValue: String) { self.rawValue = rawValue }

    init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    var description: String { rawValue }
}

/// What an element is.
enum ElementKind: String, Sendable, Hashable, Codable, CaseIterable {
    case version, entity, attribute, relationship, fetchedProperty, fetchRequest, configuration, composite, index
    case indexElement, constraint, compoundIndex, userInfo

    /// What identifiers of the kind begin with; a letter helps the reader of a trace.
    var prefix: String {
        switch self {
        case .version: "v"
        case .entity: "e"
        case .attribute: "a"
        case .relationship: "r"
        case .fetchedProperty: "f"
        case .fetchRequest: "q"
        case .configuration: "c"
        case .composite: "k"
        case .index: "i"
        case .indexElement: "j"
        case .constraint: "n"
        case .compoundIndex: "o"
        case .userInfo: "u"
        }
    }

    /// The kind as menus and sentences name it.
    var title: String {
        switch self {
        case .version: "Version"
        case .entity: "Entity"
        case .attribute: "Attribute"
        case .relationship: "Relationship"
        case .fetchedProperty: "Fetched Property"
        case .fetchRequest: "Fetch Request"
        case .configuration: "Configuration"
        case .composite: "Composite"
        case .index: "Index"
        case .indexElement: "Index Element"
        case .constraint: "Constraint"
        case .compoundIndex: "Compound Index"
        case .userInfo: "User Info Entry"
        }
    }

    /// The field of the owner's record that lists elements of the kind.
    var listName: String {
        switch self {
        case .version: "versions"
        case .entity: "entities"
        case .attribute: "attributes"
        case .relationship: "relationships"
        case .fetchedProperty: "fetchedProperties"
        case .fetchRequest: "fetchRequests"
        case .configuration: "configurations"
        case .composite: "composites"
        case .index: "indexes"
        case .indexElement: "elements"
        case .constraint: "constraints"
        case .compoundIndex: "compoundIndexes"
        case .userInfo: "userInfo"
        }
    }
}
