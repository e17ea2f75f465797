import FoundationGaps

/// The store type of an SQLite file, laid out as Apple's framework lays it out. Its value is `"SQLite"`.
///
/// The file can be opened by Apple's framework, and files made there open here. The URL `file:///dev/null` gives a
/// private store in memory. See <doc:Stores>.
public let NSSQLiteStoreType = "SQLite"

/// The store type of a store that exists only in memory: `"InMemory"`.
///
/// Each store that is added has its own content, which is lost when the store is removed or its coordinator is
/// released. It needs no URL. Of the options, only ``NSReadOnlyPersistentStoreOption`` has a meaning. It fetches by
/// SQL, so predicates find the same objects as in a file.
public let NSInMemoryStoreType = "InMemory"

/// The store type of an XML file, as Apple's framework writes it: `"XML"`.
///
/// The whole store is in memory, and each save replaces the file. See <doc:Stores>.
public let NSXMLStoreType = "XML"

/// The store type of a file in this framework's own binary format: `"Binary"`.
///
/// The whole store is in memory, and each save replaces the file. The file has a checksum of each part, and the model
/// that made the store. Apple's framework can't open it, nor can this framework open binary stores that Apple's made.
/// See <doc:Stores>.
public let NSBinaryStoreType = "Binary"

/// Metadata: the kind of store, a `String` like `"SQLite"`. To set it for an open store has no effect.
public let NSStoreTypeKey = "NSStoreType"

/// Metadata: the store's UUID, a `String`. The URIs of the store's objects have it as their host.
///
/// A new store gets a new UUID. To set it in metadata changes the identity of the store and of all its objects.
public let NSStoreUUIDKey = "NSStoreUUID"

/// Metadata: the version hashes of the model that the store was made with, a `[String: Data]`.
///
/// It has 32 bytes for each entity, by the entity's name. A store opens only with a model that has the same hashes;
/// otherwise opening throws `NSPersistentStoreIncompatibleVersionHashError` (134100). That error's `userInfo` has the
/// model's hashes under this key.
///
/// ```swift
/// let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
/// let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
/// let changed = model.entityVersionHashesByName.filter { stored[$0.key] != $0.value }.keys
/// print("entities of another version:", changed.sorted())
/// ```
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata: the version identifiers of the model that the store was made with, a sorted `[String]`. Often empty.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"

/// Metadata: the checksum of the model that the store was made with, a `String`.
///
/// It is what `NSManagedObjectModel.versionChecksum` returns. Stores that older releases of Apple's framework made have
/// none.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

/// Option: whether the store is only read, an `NSNumber`. The default is false.
///
/// ```swift
/// let bundled = NSPersistentStoreDescription(url: url)
/// bundled.isReadOnly = true       // sets this option
/// container.persistentStoreDescriptions.append(bundled)
/// ```
///
/// The file must exist; it is not changed, and may be in a folder without write permission. New objects are saved to
/// another store. To save a change of an object of this store throws 513. The store is read by one connection, and has
/// no query generations.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"

/// Option: whether a store of another model version is migrated, an `NSNumber`.
///
/// ```swift
/// try coordinator.addPersistentStore(
///     ofType: NSSQLiteStoreType, configurationName: nil, at: url,
///     options: [
///         NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
///     ])
/// ```
///
/// Without the option such a store is refused with ``NSPersistentStoreIncompatibleVersionHashError`` (134100), and
/// stays as it is. A description sets it unless
/// ``NSPersistentStoreDescription/shouldMigrateStoreAutomatically`` is set to false. A store that is opened read-only
/// is not migrated.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"

/// Option: whether the version hashes of a store are left unread, an `NSNumber`.
///
/// The default is false. With true, XML and binary stores open with every model that has the entities and properties of
/// the store's objects. What the model has beyond them is nil. If the model lacks something that the file has, opening
/// throws 259. The store keeps its own hashes.
///
/// A store in SQLite or PostgreSQL opens if its tables have all that the model asks for. It has the model's hashes from
/// then on. Otherwise opening throws `NSPersistentStoreIncompatibleSchemaError` (134020), unless the store is opened
/// read-only.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"

/// Option: whether the mapping of a migration is inferred from the two models, an `NSNumber`.
///
/// It has an effect together with ``NSMigratePersistentStoresAutomaticallyOption``. An SQLite store is then migrated
/// where it is, in one transaction and without loading an object: <doc:Stores> lists what can be inferred. If nothing
/// can be inferred, opening throws ``NSMigrationMissingMappingModelError`` (134140). A description sets the option
/// unless ``NSPersistentStoreDescription/shouldInferMappingModelAutomatically`` is set to false.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"

/// Option: pragmas for SQLite, a dictionary of values by name.
///
/// A name or value that is not a word or a number throws 134080.
///
/// ```swift
/// description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")     // sets this option
/// description.setValue("-8000" as NSString, forPragmaNamed: "cache_size")
/// ```
///
/// A store sets the following, unless the option has other values: `journal_mode` `WAL`, `synchronous` `NORMAL`, and
/// for a new file `page_size` 4096 and `auto_vacuum` 2 (incremental). Connections that look rows up have `mmap_size` 1
/// GB. Pragmas that concern a connection (`cache_size`, `mmap_size`, `temp_store`, `threads` and some more) are set on
/// each connection, all other pragmas on the connection that writes. Another `journal_mode` than `WAL` makes readers
/// wait for writers, and there are no query generations. SQLite ignores names that it does not know.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"

/// Option: whether opening the store gathers statistics, by which SQLite chooses among indexes, an `NSNumber`.
///
/// The default is false. With true, each opening runs `ANALYZE`, which reads the whole file. Set it once after many
/// objects came. A read-only store ignores it.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"

/// Option: whether opening the store rewrites its file without the space of deleted objects, an `NSNumber`.
///
/// ```swift
/// let options: [AnyHashable: Any] = [NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true]
/// try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
/// ```
///
/// The default is false. With true, each opening runs `VACUUM`. The disk needs space for a second copy of the file, and
/// opening takes as long as writing it. A read-only store ignores it.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"

/// Option: how many seconds to wait for a store that another process has locked, an `NSNumber`. The default is 10.
///
/// After this time, opening, reading and saving throw `NSPersistentStoreTimeoutError` (134090). Contexts of one
/// coordinator wait for each other without this limit.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"

/// Option: the greatest number of connections that read a store beside the connection that writes, an `NSNumber`.
///
/// The default is the number of processors, at least two and at most eight. Each connection is opened when it is first
/// needed, and takes up to 2 MB for pages. With 0, and for stores without a write-ahead log, one connection reads and
/// writes: readers wait for writers, and there are no query generations.
///
/// For a PostgreSQL store it is the greatest number of connections to the server, for reading and writing. It is at
/// least 1; the default is 8.
///
/// ```swift
/// description.setOption(2 as NSNumber, forKey: NSPersistentStoreConnectionPoolMaxSizeKey)
/// ```
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"

/// Option of `destroyPersistentStore`: whether files that can't be emptied are deleted, an `NSNumber`.
///
/// The default is false.
///
/// It deletes a file that is no store, or that another process has locked, with its log. A process that has the file
/// open keeps the deleted file.
///
/// ```swift
/// try coordinator.destroyPersistentStore(
///     at: url, type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
/// ```
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

/// Option of SQLite stores: whether the store records its changes, an `NSNumber`. The default is false.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// container.persistentStoreDescriptions = [description]
/// ```
///
/// Each save and each batch then records which objects it inserted, changed and deleted, with author, context and
/// program: ``NSPersistentHistoryChangeRequest`` reads it. The records stay until they are purged. A store that has
/// them and is opened without the option is read-only: its history would miss changes. See <doc:History>.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"

/// `userInfo` of `NSPersistentStoreRemoteChange`: the token of the store's history
/// after the change, an ``NSPersistentHistoryToken``.
///
/// It is missing if the store has no history.
public let NSPersistentHistoryTokenKey = "historyToken"

/// Option of SQLite stores: whether the coordinator posts `NSPersistentStoreRemoteChange`, an `NSNumber`.
///
/// The default is false.
///
/// ```swift
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
/// ```
///
/// Together with ``NSPersistentHistoryTrackingKey`` the coordinator takes over what others have written: rows that it
/// keeps are read anew, and contexts that merge changes automatically merge these, too. See <doc:History>.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"

/// Option: whether an SQLite store has an index for full-text search, an `NSNumber`. An extension; Apple has none.
///
/// ```swift
/// description.setOption(true as NSNumber, forKey: NSPersistentStoreFullTextSearchOptionKey)
/// ```
///
/// The default is false. With true, opening the store makes the index if the store has none, or one of other
/// attributes. From then on the database keeps it up to date with each save, also if the store is opened without the
/// option, and by Apple's framework. See <doc:FullTextSearch>.
///
/// Opening throws `NSPersistentStoreIncompatibleSchemaError` (134020) if the model marks an attribute that can't be
/// searched, or if the SQLite library lacks FTS5. A store that is opened read-only keeps the index that it has.
public let NSPersistentStoreFullTextSearchOptionKey = "NSPersistentStoreFullTextSearchOption"

/// The key in the user info of an attribute that full-text search looks into. An extension; Apple has none.
///
/// The value is `YES`, or how a text is split into words: `words`, the default, `english` or `substrings`. `NO` leaves
/// out an attribute that Spotlight indexes. See <doc:FullTextSearch>.
///
/// ```swift
/// entity.attributesByName["lastName"]?.userInfo = [NSFullTextSearchUserInfoKey: "english"]
/// ```
public let NSFullTextSearchUserInfoKey = "fullTextSearch"
