/// Option: the ``NSStagedMigrationManager`` that migrates a store of an older model step by step.
///
/// ```swift
/// description.setOption(NSStagedMigrationManager(stages), forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// ``NSMigratePersistentStoresAutomaticallyOption`` must be true, too.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"

/// Option: whether a lightweight migration leaves for later what takes time, an `NSNumber`.
///
/// ``NSPersistentStoreCoordinator/finishDeferredLightweightMigration()`` does the rest.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
