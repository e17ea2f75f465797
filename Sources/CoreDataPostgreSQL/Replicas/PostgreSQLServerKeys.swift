/// Option of a PostgreSQL store: URLs of replicas that answer its reads, an array of `URL` or `String`.
///
/// ```swift
/// let replicas: NSArray = ["postgresql://league@db2.example.com/league", "postgresql://league@db3.example.com/league"]
/// description.setOption(replicas, forKey: NSPersistentStoreReplicaURLsKey)
/// ```
///
/// A replica follows the server of the store's own URL by streaming replication. It gets reads only. Saves, history,
/// query generations and new keys go to the store's own URL.
///
/// A store reads what it has saved, and what other programs told it of: each read says how far the replica must have
/// come, and the replica checks it in the same round trip. A replica that has not come so far gets some milliseconds.
/// Then the store's own server answers. A replica that is away is left out for a while.
///
/// A URL without `schema` is for the schema of the store's own URL. Opening a store with this option throws 134080 for
/// a value that is no list of URLs.
public let NSPersistentStoreReplicaURLsKey = "NSPersistentStoreReplicaURLsKey"

/// Option of a PostgreSQL store: how many seconds old the rows of a replica may be, an `NSNumber` above 0.
///
/// The default is 5. It is about what other programs have saved: what the store itself has saved is never missed. Once
/// in that time a read goes to the store's own server, and brings its position with it.
///
/// ```swift
/// description.setOption(1.5 as NSNumber, forKey: NSPersistentStoreReplicaMaxStalenessKey)
/// ```
public let NSPersistentStoreReplicaMaxStalenessKey = "NSPersistentStoreReplicaMaxStalenessKey"

/// Option of a PostgreSQL store whose URL leads to a pooler: a URL of the server itself, a `URL` or a `String`.
///
/// A pooler such as pgbouncer gives each transaction another session. Remote changes, and indexes that are made beside
/// other programs, need a session that lasts: they use this URL. Without `schema` it is for the schema of the store's
/// own URL.
///
/// ```swift
/// let direct: NSString = "postgresql://league@db.example.com:5432/league"
/// description.setOption(direct, forKey: NSPersistentStoreDirectURLKey)
/// ```
public let NSPersistentStoreDirectURLKey = "NSPersistentStoreDirectURLKey"
