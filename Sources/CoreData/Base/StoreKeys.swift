import FoundationGaps

/// A store in an SQLite file, laid out as Apple's framework lays it out.
public let NSSQLiteStoreType = "SQLite"
/// A store that is nowhere but in memory: each one that is added has content of its own, which goes with its coordinator.
public let NSInMemoryStoreType = "InMemory"

/// Metadata: the kind of store.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata: the store's UUID.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Metadata: the version hash of each entity of the model that the store was made with, 32 bytes of `Data` by name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata: the version identifiers of that model.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// Metadata: the checksum of that model, as `NSManagedObjectModel.versionChecksum` gives it.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

/// Option: the store is only read (`NSNumber`).
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: whether a store of another model version is migrated (`NSNumber`).
///
/// Migration is yet to come: such a store is refused with 134100 whether the option is set or not.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Option: whether the mapping of a migration is inferred from the two models (`NSNumber`).
///
/// See ``NSMigratePersistentStoresAutomaticallyOption``.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: pragmas for SQLite, by name.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: whether opening the store gathers statistics, by which SQLite chooses among indexes (`NSNumber`).
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option: whether opening the store writes its file anew, without the room that deleted objects left (`NSNumber`).
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Option: seconds to wait for a locked store (`NSNumber`).
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"

/// Option: the greatest number of connections by which a store is read beside the one that writes (`NSNumber`).
///
/// Without it there are as many as processors, two at least and eight at most, each opened when it is first needed. With 0, and
/// for stores without a write-ahead log, one connection reads and writes, and readers wait for writers.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"

/// Option of `destroyPersistentStore`: whether a file that is no store, or that another process has locked, is removed
/// (`NSNumber`).
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
