import CoreData
import PostgreSQLClient
import Synchronization

/// The keys of new rows: handed out in blocks, which the database's sequences give to one store object each.
///
/// No transaction waits for another one's keys. Keys that are left when a store is closed stay unused.
final class PostgreSQLKeys: Sendable {
    /// How many keys one step of a sequence gives.
    static let blockSize = 100

    private let rest = Mutex<[Int32: Range<Int64>]>([:])

    /// Takes successive keys.
    ///
    /// - Parameter more: Gives some successive blocks, by the first key.
    func take(_ count: Int, root: Int32, more: (_ blocks: Int) throws -> Int64) throws -> Int64 {
        if let first = rest.withLock({ $0[root]?.take(count) }) { return first }
        let blocks = (count + Self.blockSize - 1) / Self.blockSize
        let first = try more(blocks)
        let end = first + Int64(blocks * Self.blockSize)
        rest.withLock { rest in
            // The longer rest is worth keeping.
            let new = first + Int64(count)..<end
            if new.count > rest[root]?.count ?? 0 { rest[root] = new }
        }
        return first
    }

    func forget() { rest.withLock { $0.removeAll() } }

    /// The first key of some successive blocks.
    ///
    /// Other clients take blocks at the same time. Where they came between, the blocks are taken anew, and those that
    /// were taken stay unused.
    static func blocks(_ count: Int, of sequence: String, _ connection: PostgreSQLConnection) throws -> Int64 {
        for _ in 0..<1_000 {
            let found = try values(count, of: PostgreSQLDialect().identifier(sequence), connection)
            if let first = found.min(), let last = found.max(), last - first == Int64((count - 1) * blockSize) {
                return first
            }
        }
        throw NSError.cocoa(
            NSPersistentStoreSaveError, "The store could not give \(count * blockSize) successive keys.",
            reason: "Other clients take keys all the time. Save fewer objects at once.")
    }

    /// Keys for a table of another program, from the sequence that belongs to its key, or numbers from its
    /// ``PostgreSQLKeyBook``.
    ///
    /// There may be gaps between them: other programs take values of the sequence, too, and it may have steps.
    ///
    /// - Throws: 134030 for a table whose key has no sequence.
    static func single(
        _ count: Int, of table: PostgreSQLMappedTable, _ connection: PostgreSQLConnection
    ) throws -> [Int64] {
        var parameters = PostgreSQLParameters()
        try parameters.append(text: table.identifier)
        try parameters.append(text: table.key)
        try parameters.append(text: PostgreSQLKeyBook.identifier(of: table.entity))
        let found = try connection.execute(
            """
            SELECT CASE WHEN to_regclass($3::text) IS NULL THEN pg_get_serial_sequence($1::text, $2::text) \
            ELSE pg_get_serial_sequence($3::text, 'row') END
            """, parameters)
        guard let sequence = try found.string(0, 0) else {
            throw NSError.cocoa(
                NSPersistentStoreSaveError, "No object of \(table.entity) can be saved for the first time.",
                reason:
                    "No sequence belongs to the column “\(table.key)” of \(table.identifier). ALTER SEQUENCE … OWNED BY says which does."
            )
        }
        return try values(count, of: sequence, connection)
    }

    /// So many values of a sequence.
    private static func values(
        _ count: Int, of sequence: String, _ connection: PostgreSQLConnection
    ) throws -> [Int64] {
        var parameters = PostgreSQLParameters()
        try parameters.append(text: sequence)
        parameters.append(int32: Int32(count))
        let rows = try connection.execute(
            "SELECT nextval($1::text::regclass) FROM generate_series(1, $2::int)", parameters)
        return try (0..<rows.rowCount).map { try rows.int($0, 0) }
    }
}

extension Range<Int64> {
    /// Takes so many from the front; nil where there are fewer.
    fileprivate mutating func take(_ count: Int) -> Int64? {
        guard self.count >= count else { return nil }
        defer { self = lowerBound + Int64(count)..<upperBound }
        return lowerBound
    }
}
