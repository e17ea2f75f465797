import FoundationGaps

/// Migrates a store from one model to another by a mapping model.
///
/// ```swift
/// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
/// let observation = manager.observe(\.migrationProgress) { manager, _ in print(manager.migrationProgress) }
/// try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: copy, type: .sqlite)
/// ```
///
/// Use it for steps that Core Data does not do by itself: several versions one after another, or another kind of store.
/// A coordinator with ``NSMigratePersistentStoresAutomaticallyOption`` makes a manager of its own.
///
/// The source store is only read. The destination comes to its place when everything has succeeded. After an error
/// there is no file.
///
/// An SQLite store is read and written in batches, so that its size does not matter. A destination of another kind is
/// saved at once at the end.
///
/// See ``NSEntityMigrationPolicy`` for the order of the work.
open class NSMigrationManager: NSObject, @unchecked Sendable {
    // Unchecked: what other threads may ask is under the status' lock; the rest belongs to the thread that migrates.

    private let models: (source: NSManagedObjectModel, destination: NSManagedObjectModel)
    let status = MigrationStatus()
    var run: MigrationRun?
    private lazy var stacks = makeStacks()

    /// Makes a manager for two models.
    ///
    /// The manager works with copies of them. Their entities have the class `NSManagedObject`, so that a migration does
    /// not depend on the app's classes of today.
    ///
    /// - Parameters:
    ///   - sourceModel: The model of the store that there is.
    ///   - destinationModel: The model of the store that is wanted.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        models = (sourceModel.copyForMigration(), destinationModel.copyForMigration())
        super.init()
    }

    // MARK: Models, mapping and contexts

    /// The manager's copy of the source model.
    ///
    /// Its entities have the class `NSManagedObject`.
    open var sourceModel: NSManagedObjectModel { models.source }

    /// The manager's copy of the destination model.
    ///
    /// Its entities have the class `NSManagedObject`.
    open var destinationModel: NSManagedObjectModel { models.destination }

    /// The mapping model of the migration that runs. Traps if none runs.
    ///
    /// Ask for it in a policy.
    open var mappingModel: NSMappingModel { requiredRun.mapping }

    /// The context of the source store's objects.
    ///
    /// Use it on the thread that migrates. Outside a migration it has no store.
    open var sourceContext: NSManagedObjectContext { stacks.source.context }

    /// The context of the destination store's objects.
    ///
    /// A policy inserts into it. Use it on the thread that migrates, and leave saving to the manager.
    open var destinationContext: NSManagedObjectContext { stacks.destination.context }

    /// The entity mapping that is worked off. Traps if no migration runs.
    ///
    /// It may be asked for on any thread, and observed by `observe(_:options:changeHandler:)`.
    open var currentEntityMapping: NSEntityMapping {
        guard let mapping = status.mapping else {
            programmerError("NSMigrationManager.currentEntityMapping: no migration runs; ask in a policy's methods.")
        }
        return mapping
    }

    /// How far the migration is, from 0 to 1.
    ///
    /// It may be asked for on any thread, and observed by `observe(_:options:changeHandler:)`.
    open var migrationProgress: Float { status.progress }

    /// Entries for the app's own use, for example to hand values to policies. The manager does not look at them.
    ///
    /// ```swift
    /// manager.userInfo = ["defaultTeam": "Heat"]
    /// ```
    open var userInfo: [AnyHashable: Any]?

    /// Whether a mapping model that was inferred may be carried out inside the database. The default is true.
    ///
    /// Such a migration of an SQLite store to an SQLite store loads no objects, and calls no policy. With false it goes
    /// object by object.
    open var usesStoreSpecificMigrationManager = true

    /// With how many objects that fail a migration ends. A trial looks for several, to tell of all. What the others
    /// made is not kept then, either.
    package var mostFailures = 1

    // MARK: Migrating

    /// Migrates a store.
    ///
    /// - Parameters:
    ///   - sourceURL: The store that there is. It is opened read-only.
    ///   - sStoreType: Its type, such as ``NSSQLiteStoreType``.
    ///   - sOptions: The options to open it with.
    ///   - mappings: The mapping model.
    ///   - dURL: The store that is made. There may be no store as yet.
    ///   - dStoreType: Its type.
    ///   - dOptions: The options to make it with.
    /// - Throws: Errors of `NSCocoaErrorDomain`; the source is as it was then, and there is no destination:
    ///   - `NSMigrationMissingMappingModelError` (134140) without a mapping model;
    ///   - `NSMigrationError` (134110) for a mapping model that does not fit the models;
    ///   - `NSPersistentStoreOpenError` (134080) for a URL that is none of the store type's;
    ///   - `NSMigrationManagerSourceStoreError` (134150) if the source can't be opened or read;
    ///   - `NSMigrationManagerDestinationStoreError` (134160) if the destination can't be made or written, and if there
    ///     is a store already;
    ///   - `NSEntityMigrationPolicyError` (134170) for a policy without a class, and for what a policy throws, which is
    ///     under `NSUnderlyingErrorKey`;
    ///   - `NSMigrationConstraintViolationError` (134111) for objects that violate a uniqueness constraint;
    ///   - a validation error, as ``NSManagedObjectContext/save()`` throws it, for an object that is not valid;
    ///   - the error of ``cancelMigrationWithError(_:)``.
    open func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrate(
            StoreAddress(url: sourceURL, type: sStoreType, options: sOptions),
            to: StoreAddress(url: dURL, type: dStoreType, options: dOptions), by: mappings)
    }

    /// Migrates a store.
    ///
    /// ```swift
    /// let copy = url.deletingLastPathComponent().appendingPathComponent("Migrated.sqlite")
    /// try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: copy, type: .sqlite)
    /// try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: copy, type: .sqlite)
    /// ```
    ///
    /// Parameters and errors are as in
    /// ``migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)``.
    open func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil, mapping: NSMappingModel, to destinationURL: URL,
        type destinationType: NSPersistentStore.StoreType, options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
            toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
            destinationOptions: destinationOptions)
    }

    /// Ends the migration that runs: `migrateStore` throws the error.
    ///
    /// It may be called on any thread. The migration ends before the next object. Nothing happens if none runs.
    ///
    /// ```swift
    /// manager.cancelMigrationWithError(CocoaError(.migrationCancelled))
    /// ```
    open func cancelMigrationWithError(_ error: any Error) { status.cancel(error) }

    /// Forgets which objects were made of which.
    ///
    /// The contexts stay as they are. A policy may call it when nothing is looked up any longer. The relationships of
    /// objects that are forgotten are not made.
    open func reset() { run?.forgetAssociations() }

    // MARK: Associations

    /// Notes that a destination object was made of a source object.
    ///
    /// A policy that makes objects calls it. Without it, the relationships of the object are not made, and other
    /// objects don't find it. Traps if no migration runs.
    ///
    /// - Parameters:
    ///   - sourceInstance: An object of the source context.
    ///   - destinationInstance: An object of the destination context.
    ///   - entityMapping: The mapping that made it.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        requiredRun.associate(sourceInstance, with: destinationInstance, for: entityMapping)
    }

    /// The destination objects that a mapping has made of some source objects.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the mapping. Traps for a name that the mapping model does not have.
    ///   - sourceInstances: Objects of the source context. Nil stands for all.
    /// - Returns: The objects in the order of the source objects. Objects that were deleted are left out.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        requiredRun.destinationInstances(mappingName, of: sourceInstances)
    }

    /// The source objects of which a mapping has made some destination objects.
    ///
    /// - Parameters:
    ///   - mappingName: The name of the mapping. Traps for a name that the mapping model does not have.
    ///   - destinationInstances: Objects of the destination context. Nil stands for all.
    /// - Returns: The objects in the order of the destination objects.
    open func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        requiredRun.sourceInstances(mappingName, of: destinationInstances)
    }

    /// The source entity of a mapping; nil for a mapping without one.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
    }

    /// The destination entity of a mapping; nil for a mapping without one.
    ///
    /// ```swift
    /// let entity = manager.destinationEntity(for: manager.currentEntityMapping)!
    /// let athlete = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
    /// ```
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
    }

    // MARK: Observing

    /// Tells an observer of the changes of `migrationProgress` or `currentEntityMapping`.
    ///
    /// The calls come on the thread that migrates. The observer is held weakly. Traps for another key path. See
    /// ``NSManagedObject/addObserver(_:forKeyPath:options:context:)``.
    open func addObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) {
        observers.add(observer, keyPath, options, context)
    }

    /// Ends the last observation of a key path by an observer.
    open func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
        observers.remove(observer, keyPath)
    }

    private(set) lazy var observers = MigrationObservers(self)
}

extension NSMigrationManager {
    /// The migration that runs.
    var requiredRun: MigrationRun {
        guard let run else {
            programmerError(
                "No migration runs: a migration manager knows mappings and associations while migrateStore works.")
        }
        return run
    }

    var contexts: (source: MigrationStack, destination: MigrationStack) { stacks }

    /// Contexts without stores, for another migration.
    func renewStacks() { stacks = makeStacks() }

    private func makeStacks() -> (source: MigrationStack, destination: MigrationStack) {
        (MigrationStack(sourceModel), MigrationStack(destinationModel))
    }
}

extension NSManagedObjectModel {
    /// A copy that depends on no class of the app.
    fileprivate func copyForMigration() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        ModelCopier(destination: model).add([self])
        model.isIncomplete = isIncomplete
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        return model
    }
}
