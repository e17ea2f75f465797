import FoundationGaps

/// Translates fetches into queries, for one store.
///
/// A fetch becomes a tree (``SQLSelect``), and the dialect writes the tree. Values become parameters, so requests that
/// differ in their values alone have the same text.
///
/// In SQL an unknown value (NULL) matches neither `==` nor `!=` with a value, and the negation of an unknown is unknown
/// too: `x != 'v'` and `NOT (x == 'v')` leave out the rows with nil for `x`, as Apple's SQLite store does. What asks
/// for the members of a collection (ANY, ALL, NONE, SUBQUERY, IN) is true or false, never unknown.
package struct SQLTranslator: Sendable {
    package let schema: SQLSchema
    package let dialect: any SQLDialect
    /// The store's number in references; objects of other stores match nothing.
    package let store: Int32

    package init(schema: SQLSchema, dialect: any SQLDialect, store: Int32) {
        self.schema = schema
        self.dialect = dialect
        self.store = store
    }

    /// Translates a fetch.
    ///
    /// - Parameters:
    ///   - fetch: A fetch for an entity of this store's configuration.
    ///   - rowColumns: The columns of the entity's table that a fetch for whole rows reads, in this order.
    /// - Throws: CocoaError 134091 with a sentence where a SQL store can't answer the request.
    package func translate(_ fetch: StoreFetch, rowColumns: [String] = []) throws -> SQLQuery {
        let (select, result) = try tree(for: fetch, rowColumns: rowColumns)
        return try query(.select(select), result)
    }

    /// Translates a change of all rows that a fetch finds. Its rows are references, where these are wanted.
    ///
    /// - Throws: As ``translate(_:rowColumns:)``.
    package func translate(_ update: StoreBatchUpdate) throws -> SQLQuery {
        try query(.update(try tree(for: update)), .references)
    }

    /// Translates a deletion of all rows that a fetch finds. Its rows are references, where these are wanted.
    ///
    /// - Throws: As ``translate(_:rowColumns:)``.
    package func translate(_ deletion: StoreBatchDeletion) throws -> SQLQuery {
        try query(.delete(try tree(for: deletion)), .references)
    }

    private func query(_ statement: SQLStatement, _ result: SQLResult) throws -> SQLQuery {
        var writer = SQLWriter(dialect: dialect)
        writer.statement(statement)
        guard writer.bindings.count <= dialect.maximumParameters else {
            throw SQLTranslationError.unsupported(
                "it has \(writer.bindings.count) values, and a statement takes \(dialect.maximumParameters) of them")
        }
        return SQLQuery(text: writer.text, bindings: writer.bindings, result: result)
    }

    private func translation(for fetch: StoreFetch) throws -> SQLTranslation {
        guard schema.contains(fetch.entity) else { throw SQLTranslationError.elsewhere(fetch.entity) }
        return SQLTranslation(schema: schema, store: store, root: fetch.entity, dialect: dialect)
    }

    /// What a dictionary fetch over several stores asks of this one, and what it computes of all their answers.
    ///
    /// - Throws: As ``translate(_:rowColumns:)``.
    func merging(of fetch: StoreFetch) throws -> SQLMerging {
        let translation = try translation(for: fetch)
        let (select, result) = try translation.select(for: fetch, rowColumns: [])
        guard case .dictionaries(let results) = result else { defect("Only dictionaries are merged.") }
        return SQLMerging(select, results, objects: translation.objects)
    }

    /// A fetch as a tree, and what its rows are.
    ///
    /// - Throws: As ``translate(_:rowColumns:)``.
    package func tree(for fetch: StoreFetch, rowColumns: [String] = []) throws -> (SQLSelect, SQLResult) {
        try translation(for: fetch).select(for: fetch, rowColumns: rowColumns)
    }

    /// A change of all rows that a fetch finds, as a tree.
    ///
    /// - Throws: As ``translate(_:rowColumns:)``.
    package func tree(for update: StoreBatchUpdate) throws -> SQLUpdate {
        try translation(for: update.fetch).update(update)
    }

    /// A deletion of all rows that a fetch finds, as a tree.
    ///
    /// - Throws: As ``translate(_:rowColumns:)``.
    package func tree(for deletion: StoreBatchDeletion) throws -> SQLDelete {
        try translation(for: deletion.fetch).delete(deletion)
    }
}
