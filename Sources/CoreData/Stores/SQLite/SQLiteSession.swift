import Foundation

/// A connection to a store's file, with what is prepared on it for reading. One thread at a time uses it.
final class SQLiteSession {
    let connection: SQLiteConnection
    let schema: SQLSchema
    /// The store that the session reads, which keeps it; set when the store is there.
    unowned var store: SQLiteStore?
    /// The thread that has the session, while one has it; see ``SQLiteReaders``.
    var holder: pthread_t?

    private var readers: [ReaderKey: RowReader] = [:]

    init(_ connection: SQLiteConnection, _ schema: SQLSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Closes the connection; no call may follow.
    func close() {
        readers.removeAll()
        connection.close()
    }

    /// How an entity's rows are read, worked out once.
    func reader(for layout: EntityLayout, includesSubentities: Bool) -> RowReader {
        let key = ReaderKey(entity: layout.number, includesSubentities: includesSubentities)
        if let known = readers[key] { return known }
        let reader = RowReader(layout, includesSubentities: includesSubentities, schema: schema)
        readers[key] = reader
        return reader
    }

    // MARK: What the store knows

    var layouts: ModelLayout { owner.layouts }
    var token: StoreToken { owner.token }
    var persistentStoreCoordinator: NSPersistentStoreCoordinator? { owner.persistentStoreCoordinator }

    func externalData(_ raw: Data) throws -> Data? { try owner.externalData(raw) }

    /// Runs `body`, with what SQLite reports as Cocoa errors.
    func cocoa<R>(_ body: () throws -> R) throws -> R { try owner.cocoa(body) }

    private var owner: SQLiteStore {
        guard let store else { preconditionFailure("a session is used before it has its store") }
        return store
    }

    private struct ReaderKey: Hashable {
        let entity: Int32
        let includesSubentities: Bool
    }
}
