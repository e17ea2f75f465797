import Foundation

/// A data model as a plain value: what one version of a `.xcdatamodeld` document has, and what a compiled model says.
///
/// ```swift
/// let document = try ModelDocumentFolder(contentsOf: URL(filePath: "League.xcdatamodeld"))
/// for entity in try document.model().entities {
///     print(entity.name, entity.attributes.map(\.name))
/// }
/// ```
///
/// All tools start from this value. The document reader makes it from Xcode's `contents` file. The archive reader makes
/// it from a compiled `.mom`, or from the model in a store. `CoreData` turns it into an `NSManagedObjectModel` and
/// back. It does no work at run time: entities refer to each other by name, and predicates and expressions are format
/// strings.
///
/// What these types have no property for is kept in the `foreign` content of its element. So nothing is lost between
/// reading and writing, and `contents()` gives the bytes that Xcode would write.
public struct Model: Sendable, Hashable, Codable {
    /// The entities, in the document's order.
    ///
    /// Xcode writes them sorted by name. Look one up with `model[entity: "Player"]`.
    public var entities: [Entity] = []

    /// The model's own fetch request templates.
    ///
    /// Requests of fetched properties are in the entities: see ``FetchedProperty``.
    public var fetchRequests: [FetchRequest] = []

    /// The named subsets of entities.
    ///
    /// The default configuration, which has every entity, is not listed.
    public var configurations: [Configuration] = []

    /// The definitions that composite attributes refer to by name.
    ///
    /// See ``Attribute/compositeName``.
    public var composites: [Composite] = []

    /// Where Xcode's diagram draws each entity. Empty in a compiled model.
    ///
    /// They have no effect on stores, and comparisons leave them out.
    public var diagramElements: [DiagramElement] = []

    /// The model's version identifiers: one at most in a document, any number in a compiled model.
    ///
    /// In a document it is `userDefinedModelVersionIdentifier`. It is not part of version hashes.
    public var versionIdentifiers: [String] = []

    /// The localization dictionary of a compiled model (`"Property/name/Entity/Person"` to a text). Documents have
    /// none.
    ///
    /// Validation errors take names of properties and entities from it.
    public var localizationDictionary: [String: String]?

    /// What the document says of itself: the tools that wrote it and their settings.
    ///
    /// `nil` for a compiled model. A model without it is written as a new document.
    public var documentInfo: DocumentInfo?

    /// Comments before the document's root element, without `<!--` and `-->`.
    ///
    /// A license text may be here. It is written at the same place again.
    public var leadingComments: [String] = []

    /// Comments after the document's root element, without `<!--` and `-->`.
    ///
    /// They are written at the same place again.
    public var trailingComments: [String] = []

    /// What the root element says beyond these properties.
    ///
    /// It is written with the element again. Leave it as it was read.
    public var foreign = ForeignContent()

    /// An empty model. It has no ``documentInfo``.
    public init() {}

    /// A model of some entities.
    ///
    /// ```swift
    /// var player = Model.Entity(name: "Player")
    /// player.attributes = [Model.Attribute(name: "lastName", type: .string)]
    /// let model = Model(entities: [player])
    /// print(String(decoding: try model.contents(), as: UTF8.self))
    /// ```
    public init(entities: [Entity]) {
        self.entities = entities
    }

    /// The entity of a name, or `nil`.
    ///
    /// For a change in place use the subscript `model[entity:]`.
    public func entity(named name: String) -> Entity? {
        entities.first { $0.name == name }
    }
}
