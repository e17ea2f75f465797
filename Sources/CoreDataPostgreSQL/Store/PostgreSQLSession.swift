import CoreData
import PostgreSQLClient
import Synchronization

/// The connections to a store's database, and what is worked out once for its tables.
final class PostgreSQLSession: Sendable {
    let pool: PostgreSQLPool
    let schema: SQLSchema
    let place: PostgreSQLPlace
    /// Servers that answer reads in the place of the first one; nil for none.
    let replicas: PostgreSQLReplicas?
    /// Where connections keep their sessions; nil for none but ``place``.
    let direct: PostgreSQLPlace?
    /// Whether the store has the tables of persistent history.
    let hasHistory: Bool
    /// The tables of another program that the store is over; nil for tables of its own.
    let mapping: PostgreSQLMapping?
    /// The columns whose large values stay in the database.
    let largeValues: PostgreSQLLargeValues
    /// How the rows are spread over nodes.
    let distribution: PostgreSQLDistribution
    /// Whether triggers change rows.
    let hasTriggers: Bool
    /// The states of the store that are held.
    let holds = PostgreSQLHolds()
    /// Where clients are told of commits.
    let channel: String
    private let readers = Mutex<[ReaderKey: PostgreSQLRowReader]>([:])
    private let writers = Mutex<[Int32: PostgreSQLEntityWriter]>([:])

    private struct ReaderKey: Hashable {
        let entity: Int32
        let includesSubentities: Bool
        let part: RowPart?
    }

    init(
        pool: PostgreSQLPool, schema: SQLSchema, place: PostgreSQLPlace, hasHistory: Bool,
        replicas: PostgreSQLReplicas? = nil, direct: PostgreSQLPlace? = nil, mapping: PostgreSQLMapping? = nil
    ) {
        (self.pool, self.schema, self.place, self.hasHistory) = (pool, schema, place, hasHistory)
        (self.replicas, self.direct, self.mapping) = (replicas, direct, mapping)
        largeValues = PostgreSQLLargeValues(schema)
        distribution = PostgreSQLDistribution(schema)
        hasTriggers =
            mapping != nil || schema.layouts.layouts.contains { schema.contains($0) && !$0.derivedSlots.isEmpty }
        channel = PostgreSQLDialect.shortened("_coredata." + place.schema)
    }

    /// Runs `body`, which reads, with a connection that no other thread uses meanwhile. Where the connection breaks,
    /// `body` runs again with another one.
    ///
    /// - Throws: ``StoreIsClosed``; what the server reports, as Cocoa errors; what `body` throws.
    func connected<R>(_ body: (PostgreSQLConnection) throws -> R) throws -> R {
        try place.cocoa {
            var tries = 0
            while true {
                do { return try pool.withConnection(body) } catch let error as PostgreSQLError {
                    // The coordinator asks the store that took the place of this one.
                    if error.kind == .poolClosed { throw StoreIsClosed() }
                    guard error.isConnectionLost, tries < Self.mostRetries else { throw error }
                    tries += 1
                }
            }
        }
    }

    /// The text of a statement whose joins are of rows on one node.
    func text(of statement: SQLStatement) -> String { PostgreSQLDialect().text(of: distribution.spread(statement)) }

    func close() {
        holds.endAll()
        pool.close()
        replicas?.close()
    }

    /// How often a reader asks again that lost its connection: as often as the pool has connections, which may all be
    /// broken.
    private static let mostRetries = 8

    func reader(for layout: EntityLayout, includesSubentities: Bool, part: RowPart? = nil) -> PostgreSQLRowReader {
        let key = ReaderKey(entity: layout.number, includesSubentities: includesSubentities, part: part)
        return readers.withLock { readers in
            if let known = readers[key] { return known }
            let reader = PostgreSQLRowReader(
                layout, includesSubentities: includesSubentities, part: part, schema: schema, large: largeValues)
            readers[key] = reader
            return reader
        }
    }

    func writer(for layout: EntityLayout) throws -> PostgreSQLEntityWriter {
        try writers.withLock { writers in
            if let known = writers[layout.number] { return known }
            let writer = try PostgreSQLEntityWriter(
                layout, schema: schema, large: largeValues, distribution: distribution)
            writers[layout.number] = writer
            return writer
        }
    }
}
