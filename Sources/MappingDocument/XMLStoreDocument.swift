import Foundation
import ModelFormat

/// An XML store of Core Data as a plain value: metadata and objects, as the file lists them.
///
/// ```swift
/// let document = try XMLStoreDocument(contentsOf: URL(filePath: "League2ToLeague3.xcmappingmodel"))
/// for object in document.objects { print(object.id, object.entityName, object.text("name") ?? "") }
/// ```
///
/// Xcode saves its mapping models (`.xcmappingmodel`) in such a store. ``MappingModel`` says what its objects mean.
/// What these types have no property for is kept. A file that Apple's framework wrote has the same bytes when it is
/// read and written.
public struct XMLStoreDocument: Sendable, Hashable, Codable {
    /// Whether the document calls itself standalone.
    ///
    /// Apple's frameworks of different years say yes, say no, or are silent (`nil`). It is written as it was read.
    public var isStandalone: Bool? = true

    /// The version of the framework's store format.
    ///
    /// In the document it is `version`, in the element `databaseInfo`.
    public var version = "134481920"

    /// The store's UUID. A new value has a new one.
    ///
    /// In the document it is `UUID`, in the element `databaseInfo`.
    public var identifier = UUID().uuidString

    /// The number of the object identifier that was given out last: 102 for `z102`.
    ///
    /// ``update(with:)`` counts it up for each object that it makes.
    public var nextObjectID = 102

    /// The store's metadata, by key: `NSStoreModelVersionHashes`, for example.
    ///
    /// In the document it is a property list, in the element `databaseInfo`.
    public var metadata: [String: Model.UserInfoValue] = [:]

    /// The objects. Files of Apple's framework have them in the order of their identifiers.
    public var objects: [Object] = []

    /// How the text is laid out where nothing else says it.
    public var layout = Model.DocumentInfo.Layout()

    /// What the root element says beyond these properties.
    ///
    /// It is written again. Leave it as it was read.
    public var foreign = ForeignContent()

    /// An empty store with a new UUID.
    public init() {}

    /// The object of an identifier, or `nil`. It looks through all objects.
    public func object(_ id: String) -> Object? {
        objects.first { $0.id == id }
    }
}

extension XMLStoreDocument {
    /// An object: the values of its attributes, and the identifiers of the objects that it is related to.
    public struct Object: Sendable, Hashable, Codable, Identifiable {
        /// The entity's name in capital letters, such as `XDDEVENTITYMAPPING`.
        ///
        /// In the document it is `type`.
        public var entityName: String

        /// The object's identifier in the document, such as `z102`.
        ///
        /// It is unique there, and relationships name it.
        public var id: String

        /// The attributes that are not null, in the document's order.
        public var attributes: [Attribute]

        /// The relationships, also those without objects, in the document's order.
        public var relationships: [Relationship]

        /// What the element says beyond these properties.
        ///
        /// It is written again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// An object with an identifier that no other object of the document has.
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
        ///
        /// Look a value up with ``Object/text(_:)`` or ``Object/data(_:)``.
        public var name: String

        /// The type: `string`, `int16`, `bool`, `binary` and so on.
        ///
        /// The document spells it, and no value is checked against it but `binary`.
        public var type: String

        /// The value: a text, or bytes for the type `binary`.
        public var value: Value

        /// The attribute's name, which is unique in its object.
        public var id: String { name }

        /// An attribute of a name, a type and a value. They are not checked against each other.
        public init(name: String, type: String, value: Value) {
            self.name = name
            self.type = type
            self.value = value
        }
    }

    /// What an attribute has: a text as the document spells it, or bytes.
    ///
    /// The document spells bytes as Base64.
    public enum Value: Sendable, Hashable, Codable {
        /// A value of any type but `binary`, as the document spells it.
        case text(String)
        /// The bytes of a `binary`.
        case data(Data)
    }

    /// A relationship with the objects at its other end.
    public struct Relationship: Sendable, Hashable, Codable, Identifiable {
        /// The relationship's name in small letters.
        ///
        /// Look its objects up with ``Object/objectIDs(_:)``.
        public var name: String

        /// The least and the greatest number of objects: `1/1` for a to-one, `0/0` without limits.
        ///
        /// In the document it is `type`.
        public var counts: String

        /// The destination entity's name in capital letters.
        public var destination: String

        /// The identifiers of the objects at the other end, such as `z103`.
        ///
        /// In the document it is `idrefs`, with spaces between them. Their order has no meaning.
        public var objectIDs: [String]

        /// What the element says beyond these properties.
        ///
        /// It is written again. Leave it as it was read.
        public var foreign = ForeignContent()

        /// The relationship's name, which is unique in its object.
        public var id: String { name }

        /// A relationship to some objects of a destination entity.
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
    ///
    /// - Parameter name: The attribute's name in small letters.
    public func text(_ name: String) -> String? {
        if case .text(let text)? = attributes.first(where: { $0.name == name })?.value { text } else { nil }
    }

    /// The bytes of an attribute; `nil` where it is null or no `binary`.
    ///
    /// - Parameter name: The attribute's name in small letters.
    public func data(_ name: String) -> Data? {
        if case .data(let data)? = attributes.first(where: { $0.name == name })?.value { data } else { nil }
    }

    /// The identifiers of the objects at the other end of a relationship; empty where there is no such relationship.
    ///
    /// - Parameter name: The relationship's name in small letters.
    public func objectIDs(_ name: String) -> [String] {
        relationships.first { $0.name == name }?.objectIDs ?? []
    }
}
