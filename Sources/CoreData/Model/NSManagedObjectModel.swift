import FoundationGaps
import ModelArchive

/// A data model: entities with their properties, configurations and fetch request templates.
///
/// A model comes from a file, from other models, or is made in code:
///
/// ```swift
/// let name = NSAttributeDescription()
/// name.name = "name"
/// name.type = .string
/// let team = NSEntityDescription()
/// team.name = "Team"
/// team.properties = [name]
/// let model = NSManagedObjectModel()
/// model.entities = [team]
/// ```
///
/// It can be changed until a coordinator uses it; from then on every setter of it and of its descriptions traps.
open class NSManagedObjectModel: NSObject, NSCopying {
    /// What identifies the version to a developer; usually one string.
    open var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireMutable() } }
    /// Names of entities and properties, and error texts, in the user's language: `"Property/name/Entity/Person"` to a
    /// text.
    open var localizationDictionary: [String: String]? { willSet { requireMutable() } }

    /// The module that the model was built into, where a build says so.
    package var moduleName: String? { willSet { requireMutable() } }
    /// Whether parts were left out that the reader of the model's file did not understand. Their version hashes are not
    /// known.
    package var isIncomplete = false
    package private(set) var isSealed = false
    private var entityStorage: [NSEntityDescription] = []
    private var configurationStorage: [String: [NSEntityDescription]] = [:]
    private var templateStorage: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
    private var layouts: ModelLayout?
    private var hashStorage: VersionHashes?

    /// An empty model.
    public required override init() {
        super.init()
    }

    deinit {
        if isSealed { EntityLookup.shared.leave(self) }
        entityStorage.forEach { $0.modelStorage = nil }
    }

    // MARK: Entities

    /// The entities. Traps if two have the same name, or if one is in a model that a coordinator uses.
    open var entities: [NSEntityDescription] {
        get { entityStorage }
        set {
            requireMutable()
            requireDistinctNames(newValue)
            newValue.forEach { $0.requireMutable() }
            entityStorage.forEach { $0.modelStorage = nil }
            for entity in newValue {
                entity.modelStorage?.remove(entity)
                entity.modelStorage = self
            }
            entityStorage = newValue
            for (name, members) in configurationStorage {
                configurationStorage[name] = members.filter { $0.modelStorage === self }
            }
        }
    }

    /// The entities by name.
    open var entitiesByName: [String: NSEntityDescription] {
        Dictionary(entityStorage.map { ($0.name ?? "", $0) }) { first, _ in first }
    }

    private func remove(_ entity: NSEntityDescription) {
        entityStorage.removeAll { $0 === entity }
        entity.modelStorage = nil
    }

    private func requireDistinctNames(_ entities: [NSEntityDescription]) {
        var names = Set<String>()
        for case let name? in entities.map(\.name) where !names.insert(name).inserted {
            fatalError("The model has two entities named \"\(name)\"; rename one.")
        }
    }

    func requireDistinctName(_ name: String?, for entity: NSEntityDescription) {
        guard let name, entityStorage.contains(where: { $0 !== entity && $0.name == name }) else { return }
        fatalError("The model has an entity named \"\(name)\" already; choose another name.")
    }

    // MARK: Configurations

    /// The names of the configurations, sorted. The default one, which holds every entity, has no name.
    open var configurations: [String] { configurationStorage.keys.sorted() }

    /// The entities of a configuration.
    ///
    /// - Parameter configuration: A name; nil is the default configuration with all entities.
    /// - Returns: nil for an unknown name.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entityStorage }
        return configurationStorage[configuration]
    }

    /// The name that Apple's stores give the default configuration.
    private static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// Makes a configuration of some entities, or replaces one. Traps for an entity of another model.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        requireMutable()
        for entity in entities where entity.modelStorage !== self {
            fatalError(
                "The entity \"\(entity.name ?? "")\" can't be in the configuration \"\(configuration)\": put it into the model's entities first."
            )
        }
        configurationStorage[configuration] = entities
    }

    // MARK: Templates

    /// The fetch request templates by name.
    open var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templateStorage }

    /// The template with a name, not to be changed: change a copy.
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templateStorage[name]
    }

    /// Stores a template under a name; nil removes the one there.
    open func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        requireMutable()
        templateStorage[name] = fetchRequestTemplate
    }

    /// A copy of a template with its variables replaced by values.
    ///
    /// ```swift
    /// // "GreenTeams": uniformColor == $COLOR
    /// let request = model.fetchRequestFromTemplate(withName: "GreenTeams", substitutionVariables: ["COLOR": "Green"])
    /// ```
    ///
    /// - Parameters:
    ///   - name: The template's name.
    ///   - variables: A value for each variable, by its name without `$`; `NSNull` stands for nil. Traps, naming the
    ///     variable, if one is missing.
    /// - Returns: nil if there is no such template.
    open func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        request(fromTemplate: name, variables)
    }

    // MARK: Versions

    /// The version hash of each entity: 32 bytes that change with whatever storage depends on.
    ///
    /// They equal Apple's, so that a store knows its model on either side.
    open var entityVersionHashesByName: [String: Data] { versionHashes.entities }

    /// One hash over all entities, in Base64, as stores and builds carry it.
    open var versionChecksum: String { versionHashes.checksum }

    /// Whether a store's entities have the version that a configuration of this model has.
    ///
    /// - Parameters:
    ///   - configuration: A configuration's name; nil: all entities.
    ///   - metadata: The store's metadata.
    open func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        hasConfiguration(configuration, of: metadata)
    }

    /// The checksum of each version of a model.
    ///
    /// - Parameter modelURL: As for ``init(contentsOf:)``.
    /// - Returns: By the version's name what ``versionChecksum`` is for it.
    /// - Throws: `ModelDocumentError`, or a Cocoa error for a damaged archive.
    open class func __checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
        try checksums(at: modelURL)
    }

    // MARK: Bundles

    /// All models that some bundles hold, merged into one.
    ///
    /// - Parameter bundles: nil stands for the program's own: the main bundle and the resource bundles beside the
    ///   executable.
    /// - Returns: nil if there is no model.
    open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { merging(bundles) }

    /// The model that a store was made with, out of all versions of all models that some bundles hold.
    ///
    /// - Returns: nil if the bundles hold no such version.
    open class func mergedModel(
        from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        merging(bundles, forStoreMetadata: metadata)
    }

    // MARK: Sealing

    func requireMutable() {
        if isSealed { refuseChange(of: "it") }
    }

    /// Makes the model immutable, and gives each entity its layout. Further calls give the same layouts.
    ///
    /// Traps, naming the fix, for a model that no store could use: a nameless entity, a relationship without
    /// destination, a hierarchy that is not all in the model.
    @discardableResult
    package func seal() -> ModelLayout {
        Self.sealing.withLock {
            if let layouts { return layouts }
            entityStorage.forEach(requireUsable)
            entityStorage.forEach { $0.seal() }
            templateStorage.values.forEach { $0.isFrozen = true }
            isSealed = true
            let layouts = ModelLayout(entities: entityStorage)
            self.layouts = layouts
            return layouts
        }
    }

    /// One lock for all models: two coordinators may be made with the same model at the same time.
    private static let sealing = NSLock()

    /// All version hashes; computed once for a sealed model.
    package var versionHashes: VersionHashes {
        guard isSealed else { return computedHashes }
        return Self.sealing.withLock {
            let hashes = hashStorage ?? computedHashes
            hashStorage = hashes
            return hashes
        }
    }

    private var computedHashes: VersionHashes {
        do {
            return try VersionHashes(document)
        } catch {
            fatalError("The model has no version hashes: \((error as NSError).localizedDescription)")
        }
    }

    private func requireUsable(_ entity: NSEntityDescription) {
        guard let name = entity.name, !name.isEmpty else {
            fatalError("The model has an entity without a name; give it one.")
        }
        for relative in [entity.superentity].compactMap({ $0 }) + entity.subentities
        where relative.modelStorage !== self {
            fatalError(
                "The entity \"\(name)\" is related to \"\(relative.name ?? "")\", which is not in the model: put parents and subentities into its entities."
            )
        }
        for case let relationship as NSRelationshipDescription in entity.ownProperties
        where relationship.destinationEntity?.modelStorage !== self {
            fatalError(
                "The relationship \(relationship.place) needs a destination entity in the same model; set destinationEntity."
            )
        }
    }

    // MARK: Copying

    /// A copy with copies of everything in it, free to be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        ModelCopier(destination: copy).add([self])
        return copy
    }

    /// Whether another model says the same, be it a copy or another load of the same file.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return other === self || saysTheSame(as: other)
    }

    open override var hash: Int { entityNames.hashValue }

    open override var description: String {
        "<NSManagedObjectModel> entities \(entityStorage.compactMap(\.name).sorted().joined(separator: ", "))"
    }
}
