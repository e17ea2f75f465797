import CSQLite
import FoundationGaps

extension SQLiteStore: ExplainingStore {
    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult {
        try reading(for: fetch.purpose) { try $0.fetch(fetch) }
    }

    func mergedDictionaries(
        _ fetch: StoreFetch, of readers: [any StoreReader], _ layouts: ModelLayout,
        objectIDAt: @escaping (String) -> NSManagedObjectID?
    ) throws -> [NSDictionary]? {
        guard let stores = readers as? [SQLiteStore] else { return nil }
        let merge = try DictionaryMerge(fetch, layouts, objectIDAt: objectIDAt)
        for store in stores { try store.reading { try merge.add($0) } }
        return try merge.results()
    }

    /// A fetch's statement, with SQLite's plan for it, one line per step, and what the plan means.
    func explain(_ fetch: StoreFetch) throws -> FetchExplanation { try reading { try $0.explain(fetch) } }
}

extension StoreFetch {
    /// Groups are gathered along an index where there is one, from rows all over the file.
    fileprivate var purpose: ReadPurpose {
        if case .dictionaries(_, let groupBy, _, _) = output, !groupBy.isEmpty { .lookup } else { .search }
    }
}

extension SQLiteSession: StoreReader {
    func mergedDictionaries(
        _ fetch: StoreFetch, of readers: [any StoreReader], _ layouts: ModelLayout,
        objectIDAt: @escaping (String) -> NSManagedObjectID?
    ) throws -> [NSDictionary]? {
        guard let sessions = readers as? [SQLiteSession] else { return nil }
        let merge = try DictionaryMerge(fetch, layouts, objectIDAt: objectIDAt)
        for session in sessions { try merge.add(session) }
        return try merge.results()
    }

    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult {
        let reader = reader(for: fetch)
        let query = try translator.translate(fetch, rowColumns: reader.columns)
        return try cocoa {
            let statement = try connection.statement(query.text)
            for (index, value) in query.bindings.enumerated() { value.bind(to: statement, Int32(index + 1)) }
            let monitor = fetch.monitor
            monitor?.watch(connection)
            defer {
                statement.reset()
                monitor?.leave(connection)
            }
            switch query.result {
            case .rows:
                if let monitor { return .rows(try reader.readAll(statement, monitor)) }
                return .rows(try reader.readAll(statement))
            case .references: return .references(try references(statement, of: fetch.entity, monitor))
            case .count: return .count(try statement.step() ? Int(statement.int(0)) : 0)
            case .dictionaries(let columns): return .dictionaries(try dictionaries(statement, columns, monitor))
            }
        }
    }

    /// A fetch's statement, with SQLite's plan for it, one line per step, and what the plan means.
    func explain(_ fetch: StoreFetch) throws -> FetchExplanation {
        let reader = reader(for: fetch)
        let query = try translator.translate(fetch, rowColumns: reader.columns)
        return try cocoa {
            let statement = try SQLiteStatement("EXPLAIN QUERY PLAN " + query.text, on: connection)
            for (index, value) in query.bindings.enumerated() { value.bind(to: statement, Int32(index + 1)) }
            var plan: [String] = []
            while try statement.step() { plan.append(statement.text(3) ?? "") }
            let reader = PlanReader(
                fetch, schema, try translator.tree(for: fetch).0, text: query.text, plan: plan,
                storeIndexes: try connection.names(ofKind: "index"))
            return FetchExplanation(
                text: query.text, parameterMark: "?", bindings: query.bindings, plan: plan,
                sentences: reader.sentences, indexes: reader.indexes)
        }
    }

    private func reader(for fetch: StoreFetch) -> RowReader {
        if case .parts(let part) = fetch.output { return reader(for: part) }
        return reader(for: fetch.entity, includesSubentities: fetch.includesSubentities)
    }

    var translator: SQLTranslator {
        SQLTranslator(schema: schema, dialect: connection.dialect, store: token.number)
    }

    private func references(
        _ statement: SQLiteStatement, of entity: EntityLayout, _ monitor: ReadMonitor?
    ) throws -> [ObjectReference] {
        var found: [ObjectReference] = []
        let store = token.number
        let isSole = statement.columnCount == 1
        // Most often all are of one entity.
        var (number, layout) = (Int64.min, entity.number)
        while try statement.step() {
            monitor?.noteRow()
            let next = isSole ? number : statement.int(1)
            if next != number { (number, layout) = (next, schema.layoutNumber(of: next) ?? entity.number) }
            found.append(ObjectReference(key: statement.int(0), entity: layout, store: store))
        }
        return found
    }

    private func dictionaries(
        _ statement: SQLiteStatement, _ columns: [SQLResultColumn], _ monitor: ReadMonitor?
    ) throws -> [NSDictionary] {
        let reader = dictionaryReader(columns)
        var found: [NSDictionary] = []
        while try statement.step() {
            monitor?.noteRow()
            found.append(try reader.read(statement))
        }
        return found
    }

    /// What turns rows with these columns into dictionaries.
    func dictionaryReader(_ columns: [SQLResultColumn]) -> DictionaryReader {
        let (token, layouts, schema) = (token, layouts, schema)
        return DictionaryReader(
            columns, layouts: layouts, objectIDAt: objectID(at:),
            objectID: { key, number in
                NSManagedObjectID(
                    ObjectReference(key: key, entity: number, store: token.number), entity: layouts[number].entity,
                    token: token)
            }, entity: { schema.layoutNumber(of: $0) }, externalData: externalData)
    }
}

extension SQLiteConnection {
    /// The statement of a tree, prepared once for each text.
    func statement(_ tree: SQLStatement) throws -> SQLiteStatement { try statement(dialect.text(of: tree)) }

    /// A statement of its own of a tree.
    func newStatement(_ tree: SQLStatement) throws -> SQLiteStatement {
        try SQLiteStatement(dialect.text(of: tree), on: self)
    }

    /// The SQL that this connection's library understands.
    var dialect: SQLiteDialect {
        SQLiteDialect(
            hasJSON: hasJSON, maximumParameters: Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)))
    }
}
