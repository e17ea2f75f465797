import Foundation
import ModelFormat

/// Reads the values of a model from its keyed archive, entity by entity.
struct ModelReader {
    /// The classes that the archives of models consist of.
    private static let allowedClasses: Set<String> = ArchivedObject.collectionClasses
        .union(ArchivedPredicateReader.classes)
        .union(ModelReader.valueClasses)
        .union([
            "NSManagedObjectModel", "NSEntityDescription", "NSAttributeDescription", "NSDerivedAttributeDescription",
            "NSCompositeAttributeDescription", "NSRelationshipDescription", "NSFetchedPropertyDescription",
            "NSPropertyDescriptionProxy", "_NSPropertyDescriptionProxy", "NSExpressionDescription",
            "NSFetchIndexDescription", "NSFetchIndexElementDescription", "NSFetchRequest", "NSSortDescriptor",
            "NSString", "NSMutableString",
        ])

    let archive: KeyedArchive
    let predicates: ArchivedPredicateReader
    /// Where parts that are left out are noted; nil: the reader throws instead.
    let notes: ReadingNotes?

    /// - Throws: `CocoaError.fileReadCorruptFile` (259) where the data is no keyed archive.
    init(_ data: Data, notes: ReadingNotes? = nil) throws {
        self.notes = notes
        archive = try KeyedArchive(data, allowing: Self.allowedClasses)
        predicates = ArchivedPredicateReader(archive: archive)
    }

    func model() throws -> Model {
        guard let root = try archive.root().object, root.className == "NSManagedObjectModel" else {
            throw corruptArchive("The keyed archive holds no NSManagedObjectModel.")
        }
        var composites: [Model.Composite] = []
        var model = Model()
        model.entities = try root.entries("NSEntities").map { try entity($0.key, $0.value, &composites) }
        model.composites = composites.sorted { $0.name < $1.name }
        model.fetchRequests = try parts(root, "NSFetchRequestTemplates", "fetch request template", template)
        model.configurations = try parts(root, "NSConfigurations", "configuration", configuration)
        let fields = fields(root, "the model")
        model.versionIdentifiers = try fields.elements("NSVersionIdentifiers") {
            guard let text = $0.string else { throw root.unexpected("NSVersionIdentifiers", "set of strings") }
            return text
        }.sorted()
        model.localizationDictionary = try fields.optional(ArchiveKey.localizationDictionary) { try localization(root) }
        try checkParents(model)
        return model
    }

    private func localization(_ root: ArchivedObject) throws -> [String: String]? {
        let entries = try root.entries(ArchiveKey.localizationDictionary)
        guard !entries.isEmpty else { return nil }
        return try entries.reduce(into: [:]) { texts, entry in
            guard let text = entry.value.string else {
                throw root.unexpected(ArchiveKey.localizationDictionary, "dictionary of strings")
            }
            texts[entry.key] = text
        }
    }

    private func configuration(_ name: String, _ value: ArchivedValue) throws -> Model.Configuration {
        guard let members = try value.object?.elements() else {
            throw corruptArchive("The compiled model is damaged: the configuration “\(name)” is no list of entities.")
        }
        let names = try members.compactMap { member in
            try part("An entity of the configuration “\(name)”") { try entityName(member) }
        }
        return Model.Configuration(name: name, entityNames: names.sorted())
    }

    func entityName(_ value: ArchivedValue) throws -> String {
        guard let entity = value.object else {
            if case .unknown(let name) = value {
                throw corruptArchive("An object of the unknown class “\(name)” stands where an entity belongs.")
            }
            throw corruptArchive("The compiled model is damaged: an entity is missing.")
        }
        return try entityName(entity)
    }

    /// The way up from an entity must end at one without a parent.
    private func checkParents(_ model: Model) throws {
        let parents = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, $0.parentName) })
        var rooted: Set<String> = []
        for start in model.entities.map(\.name) {
            var path: Set<String> = []
            var next: String? = start
            while let name = next, !rooted.contains(name) {
                guard let parent = parents[name], path.insert(name).inserted else {
                    throw corruptArchive("The compiled model is damaged: “\(start)” has no line of parents that ends.")
                }
                next = parent
            }
            rooted.formUnion(path)
        }
    }
}

/// Keys for what Apple's archives are known to hold, but for which no sample shows the key. A reader that does not know
/// a key passes over it.
enum ArchiveKey {
    static let localizationDictionary = "NSLocalizationDictionary"
    static let spotlightName = "NSCoreSpotlightDisplayNameExpression"
    static let isIndexedBySpotlight = "NSIsIndexedBySpotlight"
    static let isStoredInExternalRecord = "NSIsStoredInExternalRecord"
    static let allowsCloudEncryption = "NSAllowsCloudEncryption"
    static let compositeElements = "NSElements"
    static let compositeName = "NSCompositeName"
}
