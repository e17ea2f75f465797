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
/// that nothing is lost between reading and writing.
public struct Model: Sendable, Hashable {
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

extension Model {
    /// What a document says of itself in the attributes of its root element.
    public struct DocumentInfo: Sendable, Hashable {
        /// Always `com.apple.IDECoreDataModeler.DataModel` in Xcode's documents.
        public var type: String? = "com.apple.IDECoreDataModeler.DataModel"
        public var documentVersion: String? = "1.0"
        /// The build of Xcode's modeller that saved the document last, such as `22758`.
        public var lastSavedToolsVersion: String?
        /// The build of macOS on which it was saved.
        public var systemVersion: String?
        /// The oldest Xcode that is to read the document: `Automatic` or such as `Xcode 9.0`.
        public var minimumToolsVersion: String?
        /// The language of generated classes, `Swift` or `Objective-C`; old documents do not say.
        public var sourceLanguage: String?
        public var name: String?
        public var macOSVersion: String?
        public var iOSVersion: String?
        public var isUsedWithCloudKit = false
        public var isUsedWithSwiftData = false

        public init() {}
    }
}
