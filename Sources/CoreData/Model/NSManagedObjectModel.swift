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
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
/// ```
///
/// A model can be changed until a coordinator uses it, or an object is made with it. From then on every setter of it
/// and of its descriptions traps, except `userInfo`. Change a copy instead (``copy(with:)``). Several coordinators, on
/// any threads, can then use one model.
///
/// Load a model once, and share it. Each load makes descriptions of its own, and ``NSManagedObject/entity()`` has to
/// choose between them. <doc:ModelFiles> describes the files.
open class NSManagedObjectModel: NSObject, NSCopying {
    /// Labels that tell the version to a developer; usually one string.
    ///
    /// A store does not decide by them. It decides by ``entityVersionHashesByName``.
    open var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireMutable() } }
    /// Names of entities and properties, and sentences of errors, in the user's language.
    ///
    /// ```swift
    /// let model = NSManagedObjectModel()
    /// model.localizationDictionary = [
    ///     "Entity/Player": "Spieler",
    ///     "Property/lastName/Entity/Player": "Nachname",
    ///     "Property/age": "Alter",
    ///     "ErrorString/%1$@ is a required value.": "%1$@ muss angegeben werden.",
    /// ]
    /// ```
    ///
    /// Validation errors use it for their `localizedDescription`. A key with an entity wins over a key without. Text
    /// that is not in the dictionary stays as it is. <doc:Behaviour> lists the sentences.
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

    /// Makes an empty model. Set its ``entities`` before a coordinator gets it.
    public required override init() {
        super.init()
    }

    deinit {
        if isSealed { EntityLookup.shared.leave(self) }
        entityStorage.forEach { $0.leaveModel() }
    }

    // MARK: Entities

    /// The entities, subentities included.
    ///
    /// ```swift
    /// let model = NSManagedObjectModel()
    /// let team = NSEntityDescription()
    /// team.name = "Team"
    /// model.entities.append(team)
    /// ```
    ///
    /// Setting it takes entities out of their former model, and out of the configurations if they are not in the new
    /// list. Traps if two have the same name, or if an entity is in a model that a coordinator uses: give a copy to
    /// this model.
    ///
    /// A coordinator that takes the model traps for an entity without a name, and for a tree of which a part is
    /// missing. It also traps for a relationship without a destination in the model.
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

    /// The entities by name. The dictionary is built at each call.
    ///
    /// ```swift
    /// let names = container.managedObjectModel.entitiesByName.keys.sorted()
    /// ```
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
            programmerError("The model has two entities named \"\(name)\"; rename one.")
        }
    }

    func requireDistinctName(_ name: String?, for entity: NSEntityDescription) {
        guard let name, entityStorage.contains(where: { $0 !== entity && $0.name == name }) else { return }
        programmerError("The model has an entity named \"\(name)\" already; choose another name.")
    }

    // MARK: Configurations

    /// The names of the configurations, sorted.
    ///
    /// A configuration is a named part of the entities; a store can hold one configuration. The default configuration
    /// holds all entities. It has no name and is not listed.
    open var configurations: [String] { configurationStorage.keys.sorted() }

    /// The entities of a configuration.
    ///
    /// A store that is added with a configuration holds objects of these entities only. An entity may be in several
    /// configurations.
    ///
    /// - Parameter configuration: A name. Nil is the default configuration with all entities.
    /// - Returns: Nil for an unknown name.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entityStorage }
        return configurationStorage[configuration]
    }

    /// The name that Apple's stores give the default configuration.
    private static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"

    /// Makes a configuration of some entities, or replaces the one with this name.
    ///
    /// ```swift
    /// let model = NSManagedObjectModel()
    /// let team = NSEntityDescription()
    /// team.name = "Team"
    /// model.entities = [team]
    /// model.setEntities([team], forConfigurationName: "Shared")
    /// ```
    ///
    /// Traps for an entity that is not in this model, and once a coordinator uses the model. A relationship between
    /// objects of two stores fails the save with 133010.
    open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        requireMutable()
        for entity in entities where entity.modelStorage !== self {
            programmerError(
                "The entity \"\(entity.name ?? "")\" can't be in the configuration \"\(configuration)\": put it into the model's entities first."
            )
        }
        configurationStorage[configuration] = entities
    }

    // MARK: Templates

    /// The fetch request templates by name.
    ///
    /// They are the stored ones: do not change them. ``fetchRequestTemplate(forName:)`` says how to use one.
    open var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] { templateStorage }

    /// The template with a name; nil if there is none. Do not change it: change a copy.
    ///
    /// ```swift
    /// let template = model.fetchRequestTemplate(forName: "AllTeams")
    /// let request = template?.copy() as? NSFetchRequest<any NSFetchRequestResult>
    /// request?.fetchLimit = 10
    /// ```
    ///
    /// Once a coordinator uses the model, changing a template traps. For a template with variables use
    /// ``fetchRequestFromTemplate(withName:substitutionVariables:)``.
    open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        templateStorage[name]
    }

    /// Stores a template under a name; nil removes the template there.
    ///
    /// Traps once a coordinator uses the model. Templates are no part of the version hash.
    open func setFetchRequestTemplate(
        _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
    ) {
        requireMutable()
        templateStorage[name] = fetchRequestTemplate
    }

    /// A copy of a template with its variables replaced by values. The copy can be changed.
    ///
    /// ```swift
    /// // "GreenTeams": uniformColor == $COLOR
    /// let request = model.fetchRequestFromTemplate(withName: "GreenTeams", substitutionVariables: ["COLOR": "Green"])
    /// ```
    ///
    /// A variable stands for a value, and never for an operator or a key. So values from users can be passed on.
    ///
    /// - Parameters:
    ///   - name: The template's name.
    ///   - variables: A value for each variable, by its name without `$`. `NSNull` stands for nil. Traps, naming the
    ///     variable, if one is missing. Other names are passed over.
    /// - Returns: Nil if there is no such template.
    open func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<any NSFetchRequestResult>? {
        request(fromTemplate: name, variables)
    }

    // MARK: Versions

    /// The version hash of each entity: 32 bytes that change with everything that storage depends on.
    ///
    /// They equal Apple's, so a store knows its model on both sides. A store has these hashes in its metadata, under
    /// `NSStoreModelVersionHashesKey`. To compare the two, use
    /// ``isConfiguration(withName:compatibleWithStoreMetadata:)``.
    open var entityVersionHashesByName: [String: Data] { versionHashes.entities }

    /// One hash over all entities, in Base64.
    ///
    /// It is the same for two models whose entities have the same version hashes. A ``NSManagedObjectModelReference``
    /// finds a version by it.
    open var versionChecksum: String { versionHashes.checksum }

    /// Whether a store fits a configuration of this model.
    ///
    /// ```swift
    /// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    /// if !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
    ///     print("The store was made with another version of the model")
    /// }
    /// ```
    ///
    /// Use it before a store is opened: opening a store that does not fit fails with 134100. The entities must be the
    /// same, and each must have the store's version hash.
    ///
    /// - Parameters:
    ///   - configuration: A configuration's name. Nil: all entities.
    ///   - metadata: The store's metadata.
    /// - Returns: False for an unknown configuration, too, and for metadata without hashes.
    open func isConfiguration(
        withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]
    ) -> Bool {
        hasConfiguration(configuration, of: metadata)
    }

    /// The checksum of each version of a model file.
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
    /// ```swift
    /// let model = NSManagedObjectModel.mergedModel(from: nil)     // a package with one model: that model
    /// ```
    ///
    /// Of a model with several versions, the current one is taken. A file that is no readable model is passed over, and
    /// standard error says so. Two models with different entities of the same name trap: see ``init(byMerging:)``.
    ///
    /// - Parameter bundles: Nil stands for the program's own: the main bundle and the resource bundles beside the
    ///   executable. An empty list means the same.
    /// - Returns: Nil if there is no model.
    open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { merging(bundles) }

    /// The model that a store was made with, out of all versions of all models that some bundles hold.
    ///
    /// Use it to read an old store: the current model may be another version.
    ///
    /// - Parameters:
    ///   - bundles: As for ``mergedModel(from:)``.
    ///   - metadata: The store's metadata, with the version hash of each entity.
    /// - Returns: Nil if the bundles hold no such version.
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
            programmerError(
                "The model has no version hashes: \((error as NSError).localizedDescription) Correct it in the model.")
        }
    }

    private func requireUsable(_ entity: NSEntityDescription) {
        guard let name = entity.name, !name.isEmpty else {
            programmerError("The model has an entity without a name; give it one.")
        }
        for relative in [entity.superentity].compactMap({ $0 }) + entity.subentities
        where relative.modelStorage !== self {
            programmerError(
                "The entity \"\(name)\" is related to \"\(relative.name ?? "")\", which is not in the model: put parents and subentities into its entities."
            )
        }
        for case let relationship as NSRelationshipDescription in entity.ownProperties
        where relationship.destinationEntity?.modelStorage !== self {
            programmerError(
                "The relationship \(relationship.place) needs a destination entity in the same model; set destinationEntity."
            )
        }
    }

    // MARK: Copying

    /// A copy with copies of everything in it. It can be changed.
    ///
    /// ```swift
    /// let changed = model.copy() as! NSManagedObjectModel
    /// changed.entitiesByName["Player"]?.managedObjectClassName = "NSManagedObject"
    /// ```
    ///
    /// The copy has the same version hashes until you change what storage depends on. Values in `userInfo` are shared.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        ModelCopier(destination: copy).add([self])
        return copy
    }

    /// Whether another model says the same, for example a copy or another load of the same file.
    ///
    /// Everything is compared, and not only what storage depends on. For that, compare ``versionChecksum``.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return other === self || saysTheSame(as: other)
    }

    /// A hash of the entities' names.
    open override var hash: Int { entityNames.hashValue }

    /// The names of the entities, sorted, for logs.
    open override var description: String {
        "<NSManagedObjectModel> entities \(entityStorage.compactMap(\.name).sorted().joined(separator: ", "))"
    }
}
