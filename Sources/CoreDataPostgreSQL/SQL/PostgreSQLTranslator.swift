import CoreData

/// A request as a statement of PostgreSQL: its text, the values of its parameters, and what its rows are.
///
/// The text depends on the request's shape alone, so a statement prepared once serves all requests of that shape.
struct PostgreSQLQuery {
    let text: String
    let parameters: [PostgreSQLParameter]
    let result: SQLResult

    init(text: String, parameters: [PostgreSQLParameter] = [], result: SQLResult = .count) {
        (self.text, self.parameters, self.result) = (text, parameters, result)
    }

    /// - Parameter statement: A tree with types.
    init(_ statement: SQLStatement, result: SQLResult = .count) {
        var writer = SQLWriter(dialect: PostgreSQLDialect())
        if case .select(let select) = statement { writer.sharesParameters = select.comparesExpressions }
        writer.statement(statement)
        self.init(text: writer.text, parameters: writer.typedBindings.map(PostgreSQLParameter.init), result: result)
    }
}

/// The value of a parameter, with its type.
struct PostgreSQLParameter: Hashable {
    /// One value; of an array all elements. None is of another kind than the type wants: a Boolean is the integer 0 or
    /// 1, a timestamp is a double of seconds since the reference date, a UUID is its 16 bytes, a numeric is a text of
    /// digits (or `NaN`, `Infinity`).
    let values: [SQLValue]
    let type: PostgreSQLType
    let isArray: Bool

    init(_ value: SQLTypedValue) {
        guard let type = PostgreSQLType(rawValue: value.type) else { defect("PostgreSQL has no type \(value.type).") }
        (values, self.type, isArray) = (value.values, type, value.isArray)
    }

    /// The type's number in the catalogue `pg_type`.
    var oid: UInt32 { isArray ? type.arrayOID : type.oid }
}

/// Translates fetches into statements of PostgreSQL, for one store.
///
/// The trees are those of SQLite's statements; ``PostgreSQLTyping`` gives them types.
struct PostgreSQLTranslator {
    private let translator: SQLTranslator
    private let typing: PostgreSQLTyping
    private let large: PostgreSQLLargeValues?
    private let dialect = PostgreSQLDialect()

    /// - Parameters:
    ///   - schema: A schema with ``PostgreSQLNaming``.
    ///   - store: The store's number in references; objects of other stores match nothing.
    ///   - large: The columns whose large values do not come with their rows.
    init(schema: SQLSchema, store: Int32, large: PostgreSQLLargeValues? = nil) {
        self.large = large
        // PostgreSQL needs no tables beside for boxes around values.
        translator = SQLTranslator(schema: schema.withoutVirtualTables, dialect: dialect, store: store)
        typing = PostgreSQLTyping(schema)
    }

    /// Translates a fetch.
    ///
    /// - Parameters:
    ///   - fetch: A fetch for an entity of this store's configuration.
    ///   - rowColumns: The columns of the entity's table that a fetch for whole rows reads, in this order.
    /// - Throws: CocoaError 134091 with a sentence where a SQL store can't answer the request.
    func translate(_ fetch: StoreFetch, rowColumns: [String] = []) throws -> PostgreSQLQuery {
        let (select, result) = try translator.tree(for: fetch, rowColumns: rowColumns)
        var typed = try typing.typed(select)
        if case .rows = result, let large {
            typed = large.reading(typed, of: translator.schema.table(of: fetch.entity).name)
        }
        return try query(.select(typed), result)
    }

    /// The tree of a fetch, without types.
    func tree(for fetch: StoreFetch) throws -> SQLSelect { try translator.tree(for: fetch).0 }

    /// Translates a change of all rows that a fetch finds. Its rows are references, where these are wanted.
    ///
    /// - Throws: As ``translate(_:rowColumns:)``.
    func translate(_ update: StoreBatchUpdate) throws -> PostgreSQLQuery {
        try query(.update(try typing.typed(translator.tree(for: update))), .references)
    }

    /// Translates a deletion of all rows that a fetch finds. Its rows are references, where these are wanted.
    ///
    /// - Throws: As ``translate(_:rowColumns:)``.
    func translate(_ deletion: StoreBatchDeletion) throws -> PostgreSQLQuery {
        try query(.delete(try typing.typed(translator.tree(for: deletion))), .references)
    }

    private func query(_ statement: SQLStatement, _ result: SQLResult) throws -> PostgreSQLQuery {
        let query = PostgreSQLQuery(statement, result: result)
        guard query.parameters.count <= dialect.maximumParameters else {
            throw PostgreSQLTypingError.unsupported(
                "it has \(query.parameters.count) values, and a statement takes \(dialect.maximumParameters) of them")
        }
        return query
    }
}

extension SQLSelect {
    /// Whether the database looks for an expression in others: equal parameters then need one number.
    fileprivate var comparesExpressions: Bool {
        if !groups.isEmpty || isDistinct { return true }
        if case .select(let inner) = source { return inner.comparesExpressions }
        return false
    }
}

extension PostgreSQLType {
    /// The type's number in the catalogue `pg_type`.
    var oid: UInt32 {
        switch self {
        case .boolean: 16
        case .bytes: 17
        case .bigint: 20
        case .smallint: 21
        case .integer: 23
        case .text: 25
        case .double: 701
        case .timestamp: 1184
        case .numeric: 1700
        case .uuid: 2950
        }
    }

    /// The number of the type of arrays of it.
    var arrayOID: UInt32 {
        switch self {
        case .boolean: 1000
        case .bytes: 1001
        case .bigint: 1016
        case .smallint: 1005
        case .integer: 1007
        case .text: 1009
        case .double: 1022
        case .timestamp: 1185
        case .numeric: 1231
        case .uuid: 2951
        }
    }
}
