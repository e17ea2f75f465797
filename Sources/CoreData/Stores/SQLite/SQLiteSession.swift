import Foundation

/// A connection to a store's file, with what is prepared on it for reading. One thread at a time uses it.
final class SQLiteSession {
    let connection: SQLiteConnection
    let schema: SQLSchema
    let purpose: ReadPurpose
    // Exclusive access is not checked at run time: one thread at a time uses the session, and no method calls foreign
    // code while it changes a property.

    /// The store that the session reads; set when the store is there. The store keeps the session, or the code that has
    /// the session keeps the store. Every row asks for it: references are not counted.
    @exclusivity(unchecked) unowned(unsafe) var store: SQLiteStore?
    /// The thread that has the session, while one has it; see ``SQLiteReaders``.
    @exclusivity(unchecked) var holder: pthread_t?
    /// Whether the transaction has been kept for long enough; see ``SQLiteReaders``.
    @exclusivity(unchecked) var isWorn = false

    private var readers: [ReaderKey: RowReader] = [:]
    /// The reader that was asked for last, which most often is the one that is asked for next.
    @exclusivity(unchecked) private var last: (key: ReaderKey, reader: RowReader)?
    /// The statements for the members of one object, by relationship.
    @exclusivity(unchecked) var memberReads: [MemberRead.Key: MemberRead] = [:]
    @exclusivity(unchecked) private var transaction = SQLiteReadTransaction()
    private var partReaders: [RowPart: RowReader] = [:]
    /// How many ways to read parts of rows are kept.
    private static let mostPartReaders = 64

    init(_ connection: SQLiteConnection, _ schema: SQLSchema, for purpose: ReadPurpose = .search) {
        self.connection = connection
        self.schema = schema
        self.purpose = purpose
    }

    /// Closes the connection; no call may follow.
    func close() {
        readers.removeAll()
        last = nil
        memberReads.removeAll()
        partReaders.removeAll()
        connection.close()
    }

    // MARK: Reads that share a transaction

    /// Has the reads that come see everything that was committed by now.
    func beginRead() throws { try transaction.prepare(connection) }

    /// A read has ended.
    ///
    /// - Returns: Whether its transaction is kept for the next one.
    func keepsTransaction() -> Bool { transaction.settle(connection) }

    /// Ends the transaction that is kept. Where that fails the connection is of no use, which the next read reports.
    func endTransaction() { try? transaction.end(connection) }

    /// How an entity's rows are read, worked out once.
    func reader(for layout: EntityLayout, includesSubentities: Bool) -> RowReader {
        let key = ReaderKey(entity: layout.number, includesSubentities: includesSubentities)
        if let last, last.key == key { return last.reader }
        let reader =
            readers[key]
            ?? RowReader(
                layout, includesSubentities: includesSubentities, schema: schema, isUTF8: connection.isUTF8)
        readers[key] = reader
        last = (key, reader)
        return reader
    }

    /// How a part of an entity's rows is read, those of its subentities too.
    func reader(for part: RowPart) -> RowReader {
        if let known = partReaders[part] { return known }
        if partReaders.count >= Self.mostPartReaders { partReaders.removeAll() }
        let reader = RowReader(
            part.entity, includesSubentities: true, part: part, schema: schema, isUTF8: connection.isUTF8)
        partReaders[part] = reader
        return reader
    }

    // MARK: What the store knows

    var layouts: ModelLayout { owner.layouts }
    var token: StoreToken { owner.token }

    /// The ID of the object that a URI means.
    func objectID(at uri: String) -> NSManagedObjectID? { owner.objectID(at: uri) }

    func externalData(_ raw: Data) throws -> Data? { try owner.externalData(raw) }

    /// Runs `body`, with what SQLite reports as Cocoa errors: only then the store is asked for.
    func cocoa<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch { return try owner.cocoa { throw error } }
    }

    private var owner: SQLiteStore {
        guard let store else { defect("A session is used before it has its store.") }
        return store
    }

    private struct ReaderKey: Hashable {
        let entity: Int32
        let includesSubentities: Bool
    }
}
