import CoreData
import PostgreSQLClient

extension PostgreSQLStore: ExplainingStore {
    /// A fetch's statement with the server's plan for it. The fetch itself is not carried out.
    func explain(_ fetch: StoreFetch) throws -> FetchExplanation {
        let session = session
        return try session.connected { connection in
            let reader = reader(connection, session)
            let (query, select) = try reader.query(for: fetch)
            // Not prepared: the server plans it for these very values.
            let rows = try connection.execute("EXPLAIN " + query.text, query.values)
            let lines = try (0..<rows.rowCount).map { try rows.string($0, 0) ?? "" }
            let names = try connection.execute("SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()")
            let indexes = Set(try (0..<names.rowCount).compactMap { try names.string($0, 0) })
            let plan = PostgreSQLPlan(lines)
            let advice = FetchIndexAdvice(fetch, session.schema, select).findings(
                looksAtAll: plan.looksAtAll && fetch.hasCondition, sorts: plan.sorts, isFound: plan.isFound,
                hasIndex: { indexes.contains(PostgreSQLDialect.shortened($0)) })
            return FetchExplanation(
                text: query.text, parameterMark: "$", bindings: query.parameters.map(\.shown), plan: lines,
                sentences: plan.sentences(of: fetch) + advice.sentences, indexes: advice.indexes)
        }
    }
}

extension PostgreSQLParameter {
    /// The value; of an array a text with its elements.
    fileprivate var shown: SQLValue {
        guard isArray else { return values.first ?? .null }
        let dialect = PostgreSQLDialect()
        return .text("{" + values.map { dialect.literal($0) }.joined(separator: ", ") + "}")
    }
}
