import FoundationGaps

extension SQLTranslation {
    /// The condition that the words of a query are in a text, or in the texts of an object. It is true or false, never
    /// unknown.
    func match(_ left: SQLOperand, _ right: SQLOperand, _ what: String) throws -> SQLExpression {
        guard let place = try searchPlace(left, what) else { return .truth(false) }
        guard let query = try textQuery(right, what) else { return .truth(false) }
        let alias = builder.aliases.next()
        var select = SQLSelect(from: .table(place.table.name, alias))
        select.columns = [.column(SQLSearchTable.key, of: alias)]
        select.conditions = [
            .search(.match, SQLSearch(table: place.table, alias: alias, columns: place.columns, query: query))
        ]
        let isFound = SQLExpression.isFound(place.key, in: select)
        return place.isOptional ? .isTrue(isFound) : isFound
    }

    /// The value of a function of full-text search.
    func search(
        _ function: TextFunction, _ receiver: NSExpression, _ arguments: [NSExpression], _ what: String,
        _ environment: SQLEnvironment
    ) throws -> SQLTerm {
        guard arguments.count == 1 else {
            throw SQLTranslationError.unsupported("\(what) needs one text to search for")
        }
        let (left, right) = try (operand(receiver, environment), operand(arguments[0], environment))
        switch function {
        case .matches: return SQLTerm(try match(left, right, what), .boolean)
        case .rank: return SQLTerm(.search(.rank, try joinedSearch(left, right, what)), .double)
        case .snippet: return SQLTerm(.search(.snippet, try joinedSearch(left, right, what)), .string)
        }
    }

    /// A search whose table is joined to the fetched rows, so that its rank and its snippets can be asked for. All that
    /// ask for the same share it.
    private func joinedSearch(_ left: SQLOperand, _ right: SQLOperand, _ what: String) throws -> SQLSearch {
        guard let place = try searchPlace(left, what), place.key == root.key,
            let query = try textQuery(right, what)
        else {
            throw SQLTranslationError.unsupported("\(what) ranks something else than the objects that are fetched")
        }
        let known = searches.first {
            $0.table == place.table && $0.columns == place.columns && $0.query == query
        }
        if let known { return known }
        let alias = builder.aliases.next()
        let search = SQLSearch(table: place.table, alias: alias, columns: place.columns, query: query)
        builder.select.joins.append(
            SQLJoin(
                kind: .inner, table: place.table.name, alias: alias,
                condition: .all([
                    .equal(.column(SQLSearchTable.key, of: alias), place.key), .search(.match, search),
                ])))
        searches.append(search)
        return search
    }

    private func textQuery(_ operand: SQLOperand, _ what: String) throws -> TextQuery? {
        switch operand {
        case .constant(.string(let text)): return TextQuery(text)
        case .constant(.null): return nil
        default: throw SQLTranslationError.unsupported("\(what) needs a text to search for, known before the fetch")
        }
    }

    // MARK: Where to look

    private struct SearchPlace {
        let table: SQLSearchTable
        /// Nil: all.
        let columns: [String]?
        /// The key of the object with the texts.
        let key: SQLExpression
        /// Whether there may be no such object.
        let isOptional: Bool
    }

    /// - Returns: Nil for the texts of nothing.
    private func searchPlace(_ operand: SQLOperand, _ what: String) throws -> SearchPlace? {
        switch operand {
        case .object(let scope):
            return SearchPlace(
                table: try searchTable(of: scope.layout, what), columns: nil, key: scope.key,
                isOptional: scope.isOptional)
        case .term(let term):
            guard let origin = term.origin else {
                throw SQLTranslationError.unsupported("\(what) searches something else than an attribute or an object")
            }
            let layout = schema.layouts[origin.entity]
            let table = try searchTable(of: layout, what)
            guard table.columns.contains(origin.column) else { throw unmarked(origin.slot, of: layout, what) }
            return SearchPlace(
                table: table, columns: [origin.column], key: origin.key, isOptional: origin.isOptional)
        case .constant(.null): return nil
        case .members: throw SQLTranslationError.toMany(what)
        case .constant, .list:
            throw SQLTranslationError.unsupported("\(what) searches something else than an attribute or an object")
        }
    }

    /// - Throws: 134091 where there is no index.
    private func searchTable(of layout: EntityLayout, _ what: String) throws -> SQLSearchTable {
        guard let table = try schema.searchTable(of: layout) else {
            throw SQLTranslationError.unsupported(
                "\(what) searches \(layout.name), which has no attribute that is marked for full-text search; set "
                    + "\(NSFullTextSearchUserInfoKey) to YES in an attribute's user info, or “Index in Spotlight”")
        }
        guard schema.searchTables?.contains(table.name) ?? true else {
            throw SQLTranslationError.unsupported(
                "\(what) needs an index for full-text search, and the store has none of \(layout.name) as the model "
                    + "asks for it; open it with NSPersistentStoreFullTextSearchOptionKey, which makes one")
        }
        return table
    }

    private func unmarked(_ name: String, of layout: EntityLayout, _ what: String) -> CocoaError {
        SQLTranslationError.unsupported(
            "\(what) searches “\(name)” of \(layout.name), which is not marked for full-text search; set "
                + "\(NSFullTextSearchUserInfoKey) to YES in its user info, or “Index in Spotlight”")
    }
}
