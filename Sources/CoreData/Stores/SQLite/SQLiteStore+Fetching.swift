import CSQLite
import FoundationGaps

extension SQLiteStore {
    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult {
        try reading(for: fetch.purpose) { try $0.fetch(fetch) }
    }

    /// A fetch's statement, with SQLite's plan for it, one line per step, and what the plan means.
    package func explain(_ fetch: StoreFetch) throws -> FetchExplanation { try reading { try $0.explain(fetch) } }
}

extension StoreFetch {
    /// Groups are gathered along an index where there is one, from rows all over the file.
    fileprivate var purpose: ReadPurpose {
        if case .dictionaries(_, let groupBy, _, _) = output, !groupBy.isEmpty { .lookup } else { .search }
    }
}

extension SQLiteSession {
    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult {
        let reader = reader(for: fetch.entity, includesSubentities: fetch.includesSubentities)
        let query = try translator.translate(fetch, rowColumns: reader.columns)
        return try cocoa {
            let statement = try connection.statement(query.text)
            for (index, value) in query.bindings.enumerated() { value.bind(to: statement, Int32(index + 1)) }
            let monitor = ReadMonitor.current
            monitor?.watch(connection)
            defer {
                statement.reset()
                monitor?.leave(connection)
            }
            switch query.result {
            case .rows:
                if let monitor { return .rows(try reader.readAll(statement, monitor)) }
                return .rows(try reader.readAll(statement))
            case .references: return .references(try references(statement, of: fetch.entity))
            case .count: return .count(try statement.step() ? Int(statement.int(0)) : 0)
            case .dictionaries(let columns): return .dictionaries(try dictionaries(statement, columns))
            }
        }
    }

    /// A fetch's statement, with SQLite's plan for it, one line per step, and what the plan means.
    func explain(_ fetch: StoreFetch) throws -> FetchExplanation {
        let reader = reader(for: fetch.entity, includesSubentities: fetch.includesSubentities)
        let query = try translator.translate(fetch, rowColumns: reader.columns)
        return try cocoa {
            let statement = try SQLiteStatement("EXPLAIN QUERY PLAN " + query.text, on: connection)
            for (index, value) in query.bindings.enumerated() { value.bind(to: statement, Int32(index + 1)) }
            var plan: [String] = []
            while try statement.step() { plan.append(statement.text(3) ?? "") }
            let reader = PlanReader(
                fetch, schema, try translator.tree(for: fetch).0, text: query.text, plan: plan,
                storeIndexes: try indexNames())
            return FetchExplanation(
                text: query.text, bindings: query.bindings, plan: plan, sentences: reader.sentences)
        }
    }

    private func indexNames() throws -> Set<String> {
        let statement = try SQLiteStatement("SELECT name FROM sqlite_master WHERE type = 'index'", on: connection)
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.text(0) ?? "") }
        return names
    }

    private var translator: SQLTranslator {
        SQLTranslator(schema: schema, dialect: connection.dialect, store: token.number)
    }

    private func references(_ statement: SQLiteStatement, of entity: EntityLayout) throws -> [ObjectReference] {
        var found: [ObjectReference] = []
        let (store, monitor) = (token.number, ReadMonitor.current)
        // Most often all are of one entity.
        var (number, layout) = (Int64.min, entity.number)
        while try statement.step() {
            monitor?.noteRow()
            let next = statement.int(1)
            if next != number { (number, layout) = (next, schema.layoutNumber(of: next) ?? entity.number) }
            found.append(ObjectReference(key: statement.int(0), entity: layout, store: store))
        }
        return found
    }

    private func dictionaries(_ statement: SQLiteStatement, _ columns: [SQLResultColumn]) throws -> [[String: Any]] {
        var found: [[String: Any]] = []
        let monitor = ReadMonitor.current
        while try statement.step() {
            monitor?.noteRow()
            var row: [String: Any] = [:]
            for column in columns { row[column.name] = try value(of: column, in: statement) }
            found.append(row)
        }
        return found
    }

    private func value(of column: SQLResultColumn, in statement: SQLiteStatement) throws -> Any? {
        let index = Int32(column.index)
        if statement.isNull(index) { return nil }
        switch column.kind {
        case .reference(let entity):
            return ObjectReference(key: statement.int(index), entity: entity, store: token.number)
        case .referenceWithEntity:
            guard let entity = schema.layoutNumber(of: statement.int(index + 1)) else { return nil }
            return ObjectReference(key: statement.int(index), entity: entity, store: token.number)
        case .value(let type): return try value(index, type, in: statement)
        }
    }

    /// A value as key-value coding boxes it.
    private func value(_ index: Int32, _ type: SQLType, in statement: SQLiteStatement) throws -> Any? {
        switch type {
        case .boolean: return NSNumber(value: statement.double(index) != 0)
        case .integer, .entity: return NSNumber(value: statement.int(index))
        case .double: return NSNumber(value: statement.double(index))
        case .float: return NSNumber(value: Float(statement.double(index)))
        case .date: return Date(timeIntervalSinceReferenceDate: statement.double(index))
        case .decimal: return DecimalNumber(text: DecimalText.plain(statement.text(index) ?? ""))
        case .string: return statement.text(index)
        case .data: return statement.blob(index)
        case .externalData: return try statement.blob(index).flatMap { try externalData($0) }
        case .uuid: return Self.uuid(statement, index)
        case .uri: return statement.text(index).flatMap { URL(string: $0) }
        case .transformable(let entity, let slot):
            return try statement.blob(index).flatMap { try layouts[entity].slots[slot].transform($0) }
        case .objectID:
            return statement.text(index).flatMap { persistentStoreCoordinator?.managedObjectID(for: $0) }
        case .object(let entity): return ObjectReference(key: statement.int(index), entity: entity, store: token.number)
        case .unknown: return Self.untyped(statement, index)
        }
    }

    private static func uuid(_ statement: SQLiteStatement, _ index: Int32) -> UUID? {
        let bytes = statement.blobBytes(index)
        return bytes.count == 16
            ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : statement.text(index).flatMap { UUID(uuidString: $0) }
    }

    private static func untyped(_ statement: SQLiteStatement, _ index: Int32) -> Any? {
        switch SQLValue(statement, index) {
        case .null: nil
        case .int(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .text(let value): value
        case .blob(let value): value
        }
    }
}

extension SQLiteConnection {
    /// The SQL that this connection's library understands.
    var dialect: SQLiteDialect {
        SQLiteDialect(
            hasJSON: hasJSON, maximumParameters: Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)))
    }
}
