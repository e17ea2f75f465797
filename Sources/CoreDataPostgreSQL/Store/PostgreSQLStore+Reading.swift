import CoreData
import PostgreSQLClient

extension PostgreSQLStore {
    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult { try reading { try $0.fetch(fetch) } }

    /// The row is retained once for the caller.
    func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>? {
        try reading { try $0.row(rootedAt: root, key: key) }
    }

    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        try reading { try $0.rows(rootedAt: root, keys: keys) }
    }

    func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot] { try reading { try $0.rows(part, keys: keys) } }

    func rows(rootedAt root: EntityLayout, after key: Int64, most: Int) throws -> [RowSnapshot] {
        try reading { try $0.rows(rootedAt: root, after: key, most: most) }
    }

    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        try reading { try $0.members(of: source, slot: slot) }
    }

    func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers {
        try reading { try $0.members(ofAll: sources, in: layout, slot: slot) }
    }

    func externalData(_ raw: Data) throws -> Data? {
        guard raw.first == DistantData.lead else { return raw.first == 1 ? raw.dropFirst() : nil }
        return try session.largeValues.cache.value(raw) ?? reading { try $0.externalData(raw) }
    }

    private func reading<R>(_ body: (PostgreSQLReader) throws -> R) throws -> R {
        let session = session
        return try session.reading { try body(reader($0, session)) }
    }

    func reader(_ connection: PostgreSQLConnection, _ session: PostgreSQLSession) -> PostgreSQLReader {
        PostgreSQLReader(session, token, connection, objectIDAt: objectID(at:))
    }
}

extension PostgreSQLStore: SteadyStore {
    func steadily<R>(_ body: (any StoreReader) throws -> R) throws -> R {
        let session = session
        defer { session.replicas?.freshness.noteCommit() }
        // No other connection has this state: `body` runs once.
        return try session.place.cocoa {
            try session.pool.withConnection { connection in
                try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                    try body(PostgreSQLReader(session, token, connection, objectIDAt: objectID(at:)))
                }
            }
        }
    }
}

/// Reads by one connection.
struct PostgreSQLReader: StoreReader {
    private let session: PostgreSQLSession
    private let token: StoreToken
    private let connection: PostgreSQLConnection
    private let objectIDAt: (String) -> NSManagedObjectID?

    private var schema: SQLSchema { session.schema }
    private var layouts: ModelLayout { session.schema.layouts }

    init(
        _ session: PostgreSQLSession, _ token: StoreToken, _ connection: PostgreSQLConnection,
        objectIDAt: @escaping (String) -> NSManagedObjectID? = { _ in nil }
    ) {
        (self.session, self.token, self.connection, self.objectIDAt) = (session, token, connection, objectIDAt)
    }

    func externalData(_ raw: Data) throws -> Data? {
        try session.largeValues.cache.value(raw) ?? session.largeValues.data(raw, connection)
    }

    // MARK: Fetches

    /// The statement of a fetch, and its tree before it was given types.
    func query(for fetch: StoreFetch) throws -> (PostgreSQLQuery, SQLSelect) {
        let columns = reader(for: fetch).columns
        return (try translator.translate(fetch, rowColumns: columns), try translator.tree(for: fetch))
    }

    private var translator: PostgreSQLTranslator {
        PostgreSQLTranslator(schema: schema, store: token.number, large: session.largeValues)
    }

    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult {
        let reader = reader(for: fetch)
        let query = try translator.translate(fetch, rowColumns: reader.columns)
        let result = try execute(query, fetch.monitor)
        switch query.result {
        case .rows: return .rows(try reader.readAll(result, fetch.monitor))
        case .references: return .references(try references(result, of: fetch.entity))
        case .count: return .count(result.rowCount > 0 ? Int(try result.int(0, 0)) : 0)
        case .dictionaries(let columns): return .dictionaries(try dictionaries(result, columns))
        }
    }

    /// An asynchronous fetch that is cancelled has the server give up.
    private func execute(_ query: PostgreSQLQuery, _ monitor: ReadMonitor?) throws -> PostgreSQLResult {
        let (connection, values) = (connection, try query.values)
        guard let monitor else { return try connection.execute(preparing: query.text, values) }
        return try monitor.cancelling(by: connection.cancel) { try connection.execute(preparing: query.text, values) }
    }

    private func reader(for fetch: StoreFetch) -> PostgreSQLRowReader {
        if case .parts(let part) = fetch.output {
            return session.reader(for: part.entity, includesSubentities: true, part: part)
        }
        return session.reader(for: fetch.entity, includesSubentities: fetch.includesSubentities)
    }

    private func references(_ result: PostgreSQLResult, of entity: EntityLayout) throws -> [ObjectReference] {
        let isSole = result.columnCount == 1
        return try (0..<result.rowCount).map { row in
            let number = isSole ? nil : schema.layoutNumber(of: try result.int(row, 1))
            return ObjectReference(key: try result.int(row, 0), entity: number ?? entity.number, store: token.number)
        }
    }

    private func dictionaries(_ result: PostgreSQLResult, _ columns: [SQLResultColumn]) throws -> [NSDictionary] {
        let (token, layouts, schema) = (token, layouts, schema)
        let reader = DictionaryReader(
            columns, layouts: layouts, objectIDAt: objectIDAt,
            objectID: { key, number in
                NSManagedObjectID(
                    ObjectReference(key: key, entity: number, store: token.number), entity: layouts[number].entity,
                    token: token)
            }, entity: { schema.layoutNumber(of: $0) }, externalData: { $0 })
        return try (0..<result.rowCount).map { try reader.read(PostgreSQLResultRow(result, row: $0)) }
    }

    // MARK: Rows by their keys

    /// The row is retained once for the caller.
    func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>? {
        let reader = session.reader(for: root, includesSubentities: true)
        var parameters = PostgreSQLParameters()
        parameters.append(int64: key)
        let result = try connection.execute(preparing: reader.byKey, parameters)
        try reader.check(result)
        return result.rowCount > 0 ? try reader.read(result, 0) : nil
    }

    func rows(rootedAt root: EntityLayout, after key: Int64, most: Int) throws -> [RowSnapshot] {
        let reader = session.reader(for: root, includesSubentities: true)
        var parameters = PostgreSQLParameters()
        parameters.append(int64: key)
        let result = try connection.execute(preparing: reader.behindKey(most: most), parameters)
        return try reader.readAll(result).drained()
    }

    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        try rows(keys, session.reader(for: root, includesSubentities: true))
    }

    func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot] {
        try rows(keys, session.reader(for: part.entity, includesSubentities: true, part: part))
    }

    private func rows(_ keys: [Int64], _ reader: PostgreSQLRowReader) throws -> [RowSnapshot] {
        try reader.readAll(try execute(reader.byKeys, keys: keys)).drained()
    }

    // MARK: Members

    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        guard let link = schema.link(of: layouts[source.entity], slot: slot.index) else { return [] }
        let select = SQLMembersSelect(link, target: schema.table(of: layouts[slot.destination]).name)
        var parameters = PostgreSQLParameters()
        parameters.append(int64: source.key)
        let text = session.text(of: select.ofOne(["Z_PK", "Z_ENT"]))
        let result = try connection.execute(preparing: text, parameters)
        return try (0..<result.rowCount).map { row in
            let entity = schema.layoutNumber(of: try result.int(row, 1)) ?? slot.destination
            return ObjectReference(key: try result.int(row, 0), entity: entity, store: source.store)
        }
    }

    func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers {
        let found = StoreMembers()
        guard let link = schema.link(of: layout, slot: slot.index) else { return found }
        let destination = layouts[slot.destination]
        let target = schema.table(of: destination).name
        let select = SQLMembersSelect(link, target: target)
        if case .joinTable = link {
            let result = try execute(select.ofAll(["Z_PK", "Z_ENT"], in: .array(parameter: 1)), keys: sources)
            for row in 0..<result.rowCount {
                let entity = schema.layoutNumber(of: try result.int(row, 1)) ?? slot.destination
                let member = ObjectReference(key: try result.int(row, 0), entity: entity, store: token.number)
                found.append(member, of: try result.int(row, 2))
            }
            return found
        }
        // The rows that carry their owner's key are the members themselves.
        let reader = session.reader(for: destination, includesSubentities: true)
        let members = select.ofAll(reader.columns, in: .array(parameter: 1))
        let result = try execute(session.largeValues.reading(members, of: target), keys: sources)
        try reader.check(result)
        for row in 0..<result.rowCount {
            guard let snapshot = try reader.read(result, row) else { continue }
            found.append(snapshot, store: token.number, of: try result.int(row, reader.columns.count))
        }
        return found
    }

    // MARK: Uniqueness

    /// Another row with the values that a row has in a uniqueness constraint.
    func twin(of row: RowSnapshot, _ constraint: [String]) throws -> ObjectReference? {
        var parameters = PostgreSQLParameters()
        let writer = try session.writer(for: row.layout)
        guard let text = try writer.twin(row, constraint, &parameters) else { return nil }
        let result = try connection.execute(preparing: text, parameters)
        guard result.rowCount > 0 else { return nil }
        let entity = schema.layoutNumber(of: try result.int(0, 1)) ?? row.layout.number
        return ObjectReference(key: try result.int(0, 0), entity: entity, store: token.number)
    }

    private func execute(_ statement: SQLStatement, keys: [Int64]) throws -> PostgreSQLResult {
        try execute(session.text(of: statement), keys: keys)
    }

    private func execute(_ text: String, keys: [Int64]) throws -> PostgreSQLResult {
        var parameters = PostgreSQLParameters()
        try parameters.append(int64s: keys)
        return try connection.execute(preparing: text, parameters)
    }
}
