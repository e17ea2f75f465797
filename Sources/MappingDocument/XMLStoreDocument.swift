import Foundation
import ModelFormat

/// An XML store of Core Data as a plain value: metadata and objects, as the file lists them.
///
/// Xcode saves its mapping models (`.xcmappingmodel`) in such a store; `MappingModel` says what its objects mean. As
/// with `Model`, whatever these types have no property for is carried along, and a file that Apple's framework wrote
/// comes out byte for byte as it was when it is read and written.
public struct XMLStoreDocument: Sendable, Hashable, Codable {
    /// Whether the document calls itself standalone; frameworks of different years say so, deny it, or are silent.
    public var isStandalone: Bool? = true
    /// The version of the framework's store format.
    public var version = "134481920"
    /// The store's UUID.
    public var identifier = UUID().uuidString
    /// The number of the identifier that was given out last.
    public var nextObjectID = 102
    /// The store's metadata: `NSStoreModelVersionHashes` and the like.
    public var metadata: [String: Model.UserInfoValue] = [:]
    /// The objects, in the order of their identifiers in files of Apple's framework.
    public var objects: [Object] = []
    /// How the text is laid out.
    public var layout = Model.DocumentInfo.Layout()
    public var foreign = ForeignContent()

    public init() {}

    /// The object of that identifier.
    public func object(_ id: String) -> Object? {
        objects.first { $0.id == id }
    }
}

extension XMLStoreDocument {
    /// An object: the values of its attributes and the identifiers of what it is related to.
    public struct Object: Sendable, Hashable, Codable, Identifiable {
        /// The entity's name in capital letters.
        public var entityName: String
        /// The object's name in the document, such as `z102`.
        public var id: String
        /// The attributes that are not null.
        public var attributes: [Attribute]
        public var relationships: [Relationship]
        public var foreign = ForeignContent()

        public init(
            entityName: String, id: String, attributes: [Attribute] = [], relationships: [Relationship] = []
        ) {
            self.entityName = entityName
            self.id = id
            self.attributes = attributes
            self.relationships = relationships
        }
    }

    /// The value of an attribute, with the name of its type.
    public struct Attribute: Sendable, Hashable, Codable, Identifiable {
        /// The attribute's name in small letters.
        public var name: String
        /// The type: `string`, `int16`, `bool`, `binary` and so on.
        public var type: String
        public var value: Value

        public var id: String { name }

        public init(name: String, type: String, value: Value) {
            self.name = name
            self.type = type
            self.value = value
        }
    }

    /// What an attribute holds.
    public enum Value: Sendable, Hashable, Codable {
        /// A value of any type but `binary`, as the document spells it.
        case text(String)
        /// The bytes of a `binary`.
        case data(Data)
    }

    /// A relationship with the objects at its other end.
    public struct Relationship: Sendable, Hashable, Codable, Identifiable {
        /// The relationship's name in small letters.
        public var name: String
        /// The least and the greatest number of objects: `1/1`, `0/0`.
        public var counts: String
        /// The destination entity's name in capital letters.
        public var destination: String
        /// The identifiers of the objects at the other end.
        public var objectIDs: [String]
        public var foreign = ForeignContent()

        public var id: String { name }

        public init(name: String, counts: String, destination: String, objectIDs: [String] = []) {
            self.name = name
            self.counts = counts
            self.destination = destination
            self.objectIDs = objectIDs
        }
    }
}

extension XMLStoreDocument.Object {
    /// The text of an attribute; `nil` where it is null or holds bytes.
    public func text(_ name: String) -> String? {
        if case .text(let text)? = attributes.first(where: { $0.name == name })?.value { text } else { nil }
    }

    /// The bytes of an attribute; `nil` where it is null or no `binary`.
    public func data(_ name: String) -> Data? {
        if case .data(let data)? = attributes.first(where: { $0.name == name })?.value { data } else { nil }
    }

    /// The identifiers of the objects at the other end of a relationship.
    public func objectIDs(_ name: String) -> [String] {
        relationships.first { $0.name == name }?.objectIDs ?? []
    }
}
