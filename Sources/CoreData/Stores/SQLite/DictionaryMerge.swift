import FoundationGaps

/// Computes the dictionaries of a fetch over several SQLite stores: a database of its own takes what each store has,
/// and answers.
///
/// It lies in memory until it is large, then in a temporary file, which SQLite removes.
final class DictionaryMerge {
    private let connection: SQLiteConnection
    private let fetch: StoreFetch
    private let layouts: ModelLayout
    private let objectIDAt: (String) -> NSManagedObjectID?
    /// The first store's; another's differs in the names of tables at most.
    private var merging: SQLMerging?
    private var insertion: SQLiteStatement?
    /// The stores. Keys of objects are told apart by the places of their stores.
    private var stores: [StoreToken] = []

    /// How many bits of a key are the store's own.
    private static let keyBits: Int64 = 48

    /// - Parameter objectIDAt: The ID of the object that a URI means.
    init(_ fetch: StoreFetch, _ layouts: ModelLayout, objectIDAt: @escaping (String) -> NSManagedObjectID?) throws {
        (self.fetch, self.layouts, self.objectIDAt) = (fetch, layouts, objectIDAt)
        connection = try Self.cocoa {
            // SQLite's name for a database that no other connection sees.
            let connection = try SQLiteConnection(path: "", access: .create)
            try connection.registerQueryFunctions()
            return connection
        }
    }

    /// Takes what a store has.
    func add(_ session: SQLiteSession) throws {
        let merging = try session.translator.merging(of: fetch)
        stores.append(session.token)
        if self.merging == nil { try begin(merging) }
        let insertion = try insertion ?? connection.statement(insertionText(merging))
        self.insertion = insertion
        try session.forEachRow(of: merging.part, fetch.monitor) { row in
            for (index, column) in merging.columns.enumerated() {
                try copy(row, Int32(index), column, session, to: insertion)
            }
            try Self.cocoa { try insertion.run() }
        }
    }

    /// What the request wants to know of all that was added.
    func results() throws -> [NSDictionary] {
        guard let merging else { return [] }
        let reader = DictionaryReader(
            merging.results, layouts: layouts, objectIDAt: objectIDAt,
            objectID: { [stores, layouts] key, number in
                let (token, key) = (stores[Int(key >> Self.keyBits)], key & (1 << Self.keyBits - 1))
                return NSManagedObjectID(
                    ObjectReference(key: key, entity: number, store: token.number), entity: layouts[number].entity,
                    token: token)
            }, entity: { Int32(truncatingIfNeeded: $0) }, externalData: { try ExternalFiles.data($0, folder: nil) })
        return try Self.cocoa {
            try connection.execute("COMMIT")
            var found: [NSDictionary] = []
            try connection.forEachRow(of: merging.whole, fetch.monitor) { found.append(try reader.read($0)) }
            return found
        }
    }

    // MARK: Copying

    private func begin(_ merging: SQLMerging) throws {
        self.merging = merging
        let columns = merging.columns.indices.map { SQLMerging.name(of: $0) }.joined(separator: ", ")
        try Self.cocoa { try connection.execute("CREATE TABLE \(SQLMerging.table) (\(columns)); BEGIN") }
    }

    private func insertionText(_ merging: SQLMerging) -> String {
        let places = Array(repeating: "?", count: merging.columns.count).joined(separator: ", ")
        return "INSERT INTO \(SQLMerging.table) VALUES (\(places))"
    }

    private func copy(
        _ row: SQLiteStatement, _ index: Int32, _ column: SQLMerging.PartColumn, _ session: SQLiteSession,
        to insertion: SQLiteStatement
    ) throws {
        let parameter = index + 1
        if row.isNull(index) { return insertion.bindNull(parameter) }
        switch column {
        case .value: insertion.bind(parameter, copyOf: row, index)
        case .key: insertion.bind(parameter, int: try key(row.int(index)))
        case .entity: insertion.bind(parameter, int: Int64(session.schema.layoutNumber(of: row.int(index)) ?? 0))
        case .externalData:
            guard let data = try row.blob(index).flatMap({ try session.externalData($0) }) else {
                return insertion.bindNull(parameter)
            }
            insertion.bind(parameter, blob: Data([1]) + data)
        }
    }

    /// A key of the last store, told apart from those of the others.
    private func key(_ key: Int64) throws -> Int64 {
        guard key >> Self.keyBits == 0 else {
            throw SQLTranslationError.unsupported(
                "it has an object with the key \(key), which is too large to be told apart from other stores' objects")
        }
        return key | Int64(stores.count - 1) << Self.keyBits
    }

    private static func cocoa<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError { throw error.cocoaError(path: "") }
    }
}

extension SQLiteConnection {
    /// Runs a select.
    fileprivate func forEachRow(
        of select: SQLSelect, _ monitor: ReadMonitor?, _ body: (SQLiteStatement) throws -> Void
    ) throws {
        var writer = SQLWriter(dialect: dialect)
        writer.select(select)
        let statement = try statement(writer.text)
        for (index, value) in writer.bindings.enumerated() { value.bind(to: statement, Int32(index + 1)) }
        monitor?.watch(self)
        defer {
            statement.reset()
            monitor?.leave(self)
        }
        while try statement.step() {
            monitor?.noteRow()
            try body(statement)
        }
    }
}

extension SQLiteSession {
    fileprivate func forEachRow(
        of select: SQLSelect, _ monitor: ReadMonitor?, _ body: (SQLiteStatement) throws -> Void
    ) throws {
        try cocoa { try connection.forEachRow(of: select, monitor, body) }
    }
}
