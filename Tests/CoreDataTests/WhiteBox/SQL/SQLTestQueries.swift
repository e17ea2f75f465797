import CoreData
import SQLSamples

/// The statement of a fetch for one entity.
func sqlQuery(
    _ entity: String, _ predicate: NSPredicate? = nil, _ output: StoreFetch.Output = .references, hasJSON: Bool = true,
    change: (inout StoreFetch) -> Void = { _ in }
) throws -> SQLQuery {
    var fetch = StoreFetch(entity: SQLTestModel.layout(entity), output: output)
    fetch.predicate = predicate
    change(&fetch)
    let translator = SQLTranslator(
        schema: SQLTestModel.schema, dialect: SQLiteDialect(hasJSON: hasJSON), store: SQLTestModel.store)
    return try translator.translate(fetch, rowColumns: ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
}

/// What follows the FROM of a fetch with a predicate.
func sqlClause(_ entity: String, _ format: String, _ arguments: [Any] = []) throws -> String {
    let text = try sqlQuery(entity, NSPredicate(format: format, argumentArray: arguments)).text
    // Behind "SELECT … FROM ZTABLE t0".
    let source = text.components(separatedBy: " FROM ").dropFirst().joined(separator: " FROM ")
    return source.components(separatedBy: " t0").dropFirst().joined(separator: " t0")
}
