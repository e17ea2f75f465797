import CoreData
import Foundation

/// The servers that the options of a store name beside its URL.
struct PostgreSQLServers {
    let direct: PostgreSQLPlace?
    private let replicas: [PostgreSQLPlace]
    private let maxStaleness: Duration

    /// - Throws: 134080 for a value that is no URL, or no number of seconds.
    init(_ options: [AnyHashable: Any]?, _ place: PostgreSQLPlace) throws {
        direct = try options?[NSPersistentStoreDirectURLKey].map {
            try Self.place($0, NSPersistentStoreDirectURLKey, place.schema)
        }
        replicas = try Self.list(options?[NSPersistentStoreReplicaURLsKey]).map {
            var replica = try Self.place($0, NSPersistentStoreReplicaURLsKey, place.schema)
            replica.statementTimeout = place.statementTimeout
            return replica
        }
        maxStaleness = try Self.seconds(options?[NSPersistentStoreReplicaMaxStalenessKey])
    }

    /// - Parameters:
    ///   - identifier: The store's UUID.
    ///   - limit: The most connections to each; the pool's own limit if nil.
    ///   - isMapped: Whether another program has made the tables.
    /// - Returns: Nil where the options name none.
    func replicas(of identifier: String, limit: Int?, isMapped: Bool) -> PostgreSQLReplicas? {
        if replicas.isEmpty { return nil }
        return PostgreSQLReplicas(
            replicas.map { PostgreSQLReplica($0, identifier: identifier, limit: limit, isMapped: isMapped) },
            maxStaleness: maxStaleness)
    }

    private static func list(_ value: Any?) throws -> [Any] {
        guard let value else { return [] }
        if let list = value as? [Any] { return list }
        throw invalid(NSPersistentStoreReplicaURLsKey, "an array of URLs")
    }

    private static func place(_ value: Any, _ key: String, _ schema: String) throws -> PostgreSQLPlace {
        guard let url = value as? URL ?? (value as? String).flatMap({ URL(string: $0) }) else {
            throw invalid(key, "a URL like postgresql://user@host/database")
        }
        return try PostgreSQLPlace(url, schema: schema)
    }

    private static func seconds(_ value: Any?) throws -> Duration {
        guard let value else { return .seconds(5) }
        let seconds = (value as? NSNumber)?.doubleValue ?? value as? Double ?? (value as? Int).map { Double($0) } ?? 0
        // A greater bound than a day is none.
        if seconds > 0 { return .seconds(min(seconds, 86_400)) }
        throw invalid(NSPersistentStoreReplicaMaxStalenessKey, "a number of seconds above 0")
    }

    /// The value is not part of the message: it may have a password.
    private static func invalid(_ key: String, _ wanted: String) -> NSError {
        .cocoa(NSPersistentStoreOpenError, "The option \(key) of a PostgreSQL store is \(wanted).")
    }
}
