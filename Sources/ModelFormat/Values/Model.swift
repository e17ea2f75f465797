import Foundation

/// A data model as a plain value: what one version of a `.xcdatamodeld` document holds, and what a compiled model says.
///
/// `Model` is the one description of a model that everything else starts from. The document reader makes it from
/// Xcode's `contents` file, the archive reader from a compiled `.mom` or from the model cache inside a store, and
/// `CoreData` turns it into an `NSManagedObjectModel` and back. It knows no runtime: entities refer to each other by
/// name, predicates and expressions are format strings.
///
/// ```swift
/// let document = try ModelDocumentFolder(contentsOf: URL(filePath: "League.xcdatamodeld"))
/// for entity in try document.model().entities {
///     print(entity.name, entity.attributes.map(\.name))
/// }
/// ```
///
/// Whatever a document says that these types have no property for is kept in the `foreign` content of its element, so
/// that nothing is lost between reading and writing: `contents()` gives the bytes that Xcode would write for the value.
public struct Model: Sendable, Hashable, Codable {
    /// The entities, in the document's order.
    public var entities: [Entity] = []
    /// The model's own fetch request templates.
    public var fetchRequests: [FetchRequest] = []
    /// The named subsets of entities; the default configuration, which holds every entity, is not listed.
    public var configurations: [Configuration] = []
    /// The definitions that composite attributes refer to by name.
    public var composites: [Composite] = []
    /// Where Xcode's diagram draws each entity. Empty in a compiled model.
    public var diagramElements: [DiagramElement] = []
    /// The model's version identifiers: one at most in a document, any number in a compiled model.
    public var versionIdentifiers: [String] = []
    /// The localization dictionary of a compiled model (`"Property/name/Entity/Person"` to a text). Documents have
    /// none.
    public var localizationDictionary: [String: String]?
    /// What the document says of itself: the tools that wrote it and their settings. `nil` for a compiled model.
    public var documentInfo: DocumentInfo?
    /// Comments before the document's root element.
    public var leadingComments: [String] = []
    /// Comments after the document's root element.
    public var trailingComments: [String] = []
    /// What the document says beyond these properties.
    public var foreign = ForeignContent()

    /// An empty model.
    public init() {}

    /// A model of these entities.
    public init(entities: [Entity]) {
        self.entities = entities
    }

    /// The entity of that name, if there is one.
    public func entity(named name: String) -> Entity? {
        entities.first { $0.name == name }
    }
}
