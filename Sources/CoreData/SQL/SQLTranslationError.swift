import Foundation

/// Why a request can't be answered by a SQL store.
///
/// What a SQL store can't do at all (a block, a transient key, a function of one's own) has Apple's code 134091; a key
/// path that the model doesn't have and a value of the wrong type, which raise an exception at Apple, have the same
/// one.
enum SQLTranslationError {
    static func unsupported(_ what: String) -> CocoaError { error("A SQL store can't answer this request: \(what).") }

    static func unknown(keyPath: String, in layout: EntityLayout) -> CocoaError {
        error(
            "keypath \(keyPath) not found in entity \(layout.name). Keys are case-sensitive; those of the entity are "
                + layout.slots.map(\.name).sorted().joined(separator: ", ") + ".")
    }

    static func elsewhere(_ layout: EntityLayout) -> CocoaError {
        unsupported("the entity \(layout.name) is not in this store's configuration, its objects are in another store")
    }

    static func toMany(_ what: String) -> CocoaError {
        error(
            "to-many key not allowed here: \(what). Compare its members with ANY, ALL, NONE, CONTAINS or SUBQUERY, or its "
                + "@count.")
    }

    static func unsuitable(_ value: Any, for type: SQLType) -> CocoaError {
        error("The value \(value) of type \(Swift.type(of: value)) can't be compared with \(type.description).")
    }

    static func external(_ what: String) -> CocoaError {
        unsupported("in \(what), binary data that may be stored in a file can be compared with nil only")
    }

    private static func error(_ reason: String) -> CocoaError {
        CocoaError(
            .persistentStoreUnsupportedRequestType,
            userInfo: [NSLocalizedDescriptionKey: reason, NSLocalizedFailureReasonErrorKey: reason])
    }
}

extension SQLType {
    /// How an error names the type.
    var description: String {
        switch self {
        case .integer: "an integer"
        case .boolean: "a Boolean"
        case .double, .float: "a floating-point number"
        case .decimal: "a decimal number"
        case .string: "a string"
        case .date: "a date"
        case .data: "binary data"
        case .externalData: "binary data that may be stored in a file"
        case .uuid: "a UUID"
        case .uri: "a URI"
        case .transformable: "a transformable attribute"
        case .objectID: "an object ID"
        case .object: "an object"
        case .entity: "an entity"
        case .unknown: "a value of unknown type"
        }
    }
}
