/// Option: the ``NSStagedMigrationManager`` that migrates a store of an older model step by step.
///
/// ```swift
/// description.setOption(NSStagedMigrationManager(stages), forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// ``NSMigratePersistentStoresAutomaticallyOption`` must be true, too.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"

/// Option: whether a lightweight migration leaves indexes for later, an `NSNumber`. Metadata: whether it has left any.
///
/// ``NSPersistentStoreCoordinator/finishDeferredLightweightMigration()`` makes them. It has an effect for SQLite stores
/// together with ``NSInferMappingModelAutomaticallyOption``.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
