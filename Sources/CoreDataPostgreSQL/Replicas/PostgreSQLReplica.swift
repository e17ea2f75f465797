import CoreData
import Foundation
import PostgreSQLClient
import Synchronization

/// A replica has not replayed the log so far as a read asks for.
struct PostgreSQLReplicaIsBehind: Error {}

/// A server that answers reads.
final class PostgreSQLReplica: Sendable {
    private let place: PostgreSQLPlace
    private let pool: PostgreSQLPool
    /// Whether it answers.
    private let presence = PostgreSQLAvailability()
    /// Whether it replays what reads ask for.
    private let progress = PostgreSQLAvailability()
    /// The position that it told last.
    private let reached = Atomic<Int64>(0)

    /// How long a read waits for a connection.
    private static let patience = Duration.seconds(3)
    /// The longest pauses of a replica that is away, and of one that is behind.
    private static let longestPauses = (away: Duration.seconds(10), behind: Duration.seconds(1))

    /// - Parameters:
    ///   - identifier: The store's UUID. A server with another store is not asked.
    ///   - limit: The most connections; the pool's own limit if nil.
    ///   - isMapped: Whether another program has made the tables.
    init(_ place: PostgreSQLPlace, identifier: String, limit: Int?, isMapped: Bool) {
        self.place = place
        pool = place.pool(limit: limit, isMapped: isMapped) { options in
            // Another server answers meanwhile.
            options.reconnectLimit = .zero
            options.connection.connectTimeout = Self.patience
        } prepare: { connection in
            let store = try connection.execute("SELECT \"uuid\" FROM \"_coredata\"")
            if store.rowCount > 0, try store.string(0, 0) == identifier { return }
            throw PostgreSQLError(.unsupported, "The server has another store.")
        }
    }

    func close() { pool.close() }

    /// Runs `body`, which reads, if the replica can be asked and is new enough.
    ///
    /// - Parameters:
    ///   - position: What the replica must have replayed.
    ///   - limit: Until when to wait for that.
    ///   - told: Gets what it has replayed.
    /// - Returns: Nil if another server is to be asked.
    func read<R>(
        _ position: Int64, until limit: ContinuousClock.Instant, told: (PostgreSQLPosition) -> Void,
        _ body: (PostgreSQLConnection) throws -> R
    ) throws -> R? {
        let isNew = position <= reached.load(ordering: .relaxed)
        guard presence.take(), isNew || progress.take() else { return nil }
        do {
            let result = try pool.withConnection(timeout: Self.patience) { connection in
                try read(position, until: limit, told, connection, body)
            }
            presence.noteSuccess()
            progress.noteSuccess()
            return result
        } catch is PostgreSQLReplicaIsBehind {
            presence.noteSuccess()
            progress.noteFailure(longest: Self.longestPauses.behind)
        } catch let error as PostgreSQLError {
            try note(error)
        }
        return nil
    }

    private func read<R>(
        _ position: Int64, until limit: ContinuousClock.Instant, _ told: (PostgreSQLPosition) -> Void,
        _ connection: PostgreSQLConnection, _ body: (PostgreSQLConnection) throws -> R
    ) throws -> R {
        while true {
            var found: PostgreSQLPosition?
            let preamble = PostgreSQLPosition.preamble { now in
                self.reached.store(now.number, ordering: .relaxed)
                guard now.number >= position else { throw PostgreSQLReplicaIsBehind() }
                found = now
            }
            do {
                let result = try connection.withPreamble(preamble) { try body(connection) }
                if let found { told(found) }
                return result
            } catch is PostgreSQLReplicaIsBehind {
                try wait(for: position, until: limit, connection)
            }
        }
    }

    /// Asks for the position alone until it is reached.
    private func wait(
        for position: Int64, until limit: ContinuousClock.Instant, _ connection: PostgreSQLConnection
    ) throws {
        var pause = 0.000_5
        while ContinuousClock.now < limit {
            Thread.sleep(forTimeInterval: pause)
            pause *= 2
            let statement = try connection.statement(PostgreSQLPosition.query)
            if try PostgreSQLPosition(connection.execute(statement)).number >= position { return }
        }
        throw PostgreSQLReplicaIsBehind()
    }

    /// The primary answers in its place, and has the last word: an error of the request comes from there.
    ///
    /// - Throws: ``StoreIsClosed``; 134090 for a statement that ran as long as the app lets it.
    private func note(_ error: PostgreSQLError) throws {
        if error.kind == .poolClosed { throw StoreIsClosed() }
        if error.isCancelled, place.statementTimeout != nil {
            presence.noteSuccess()
            throw error.cocoaError(place)
        }
        // A busy replica works, and so does one that broke off a read for the sake of what it replays.
        if error.kind == .poolExhausted || error.isRetryable { return }
        if presence.noteFailure(longest: Self.longestPauses.away) {
            NSManagedObjectModel.warn("The replica \(place.name) is left out until it answers: \(error.message)")
        }
    }
}
