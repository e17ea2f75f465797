/// A table that finds the rows of another one by the words of their texts.
///
/// SQLite has it as a virtual table, PostgreSQL as a table of `tsvector`s.
package struct SQLSearchTable: Equatable, Sendable {
    package let name: String
    /// The table with the texts.
    package let source: String
    /// The columns with the texts.
    package let columns: [String]
    package let tokenizer: TextTokenizer

    /// The column with the key of the row that was found.
    package static let key = "rowid"
    /// How the names of all search tables begin. Core Data itself has no such names.
    package static let prefix = "Z_FTS_"
}

/// A statement about a search table.
package enum SQLSearchStatement: Equatable, Sendable {
    case create(SQLSearchTable)
    /// Enters all rows that fulfil the conditions.
    case fill(SQLSearchTable, where: [SQLExpression])
    /// Enters a row of a trigger.
    case enter(SQLSearchTable, SQLAlias)
    /// Takes a row of a trigger out. Its texts are those with which it was entered.
    case leave(SQLSearchTable, SQLAlias)
}

/// A search in a table that a statement reads.
package struct SQLSearch: Equatable, Sendable {
    package let table: SQLSearchTable
    /// What the statement calls the table.
    package let alias: SQLAlias
    /// The columns to look into; nil: all.
    package let columns: [String]?
    package let query: TextQuery
}

/// What is asked of a search.
package enum SQLSearchValue: Equatable, Sendable {
    /// Whether the row matches.
    case match
    /// How well it does: the lower, the better.
    case rank
    /// A piece of the text around what was found, which stands between the markers.
    case snippet
}

// MARK: - The tables of a model

extension SQLSchema {
    /// A search table in its parts.
    package struct SearchParts {
        package let table: SQLSearchTable
        package let triggers: [SQLTrigger]
        /// What brings all rows into the table.
        let filling: SQLStatement

        /// What makes the table and fills it.
        package var statements: [SQLStatement] {
            [.search(.create(table)), filling] + triggers.map { .createTrigger($0) }
        }
    }

    /// The search tables that the model asks for.
    ///
    /// - Throws: 134020 for a mark that can't be kept.
    package func searchParts() throws -> [SearchParts] {
        try tables.compactMap { table in
            let root = layouts[table.root]
            return try searchTable(of: root).map { try parts($0, root) }
        }
    }

    /// The search table of an entity's tree; nil where no attribute is marked.
    ///
    /// - Throws: 134020 for a mark that can't be kept.
    package func searchTable(of layout: EntityLayout) throws -> SQLSearchTable? {
        let root = layouts[layout.rootNumber]
        let marks = try root.textMarks()
        var columns: [String] = []
        for layout in root.selfAndDescendants where contains(layout) {
            for slot in marks.slots(of: layout) {
                guard let name = column(of: layout, slot: slot.index)?.name, !columns.contains(name) else { continue }
                columns.append(name)
            }
        }
        guard !columns.isEmpty else { return nil }
        let source = table(of: root).name
        return SQLSearchTable(
            name: SQLSearchTable.prefix + source, source: source, columns: columns, tokenizer: marks.tokenizer)
    }

    /// Rows of entities without a marked attribute are not in the table.
    private func parts(_ table: SQLSearchTable, _ root: EntityLayout) throws -> SearchParts {
        let marks = try root.textMarks()
        let all = root.selfAndDescendants.filter { contains($0) && !$0.isAbstract }
        let searched = all.filter { !marks.slots(of: $0).isEmpty }
        let numbers = searched.compactMap { number(of: $0) }.map { SQLExpression.integer(Int($0)) }
        func condition(_ alias: SQLAlias) -> SQLExpression? {
            searched.count == all.count ? nil : .isOne(.column("Z_ENT", of: alias), of: numbers)
        }
        let enter = SQLTrigger.Action.run(.search(.enter(table, .newRow)))
        let leave = SQLTrigger.Action.run(.search(.leave(table, .oldRow)))
        let isChanged = SQLExpression.disjunction(
            table.columns.map { .not(.isSame(.column($0, of: .oldRow), .column($0, of: .newRow))) })
        let change = SQLExpression.conjunction([condition(.newRow), isChanged].compactMap { $0 })
        return SearchParts(
            table: table,
            triggers: [
                SQLTrigger(table.name, .insert, on: table.source, when: condition(.newRow), do: [enter]),
                SQLTrigger(
                    table.name, .update(of: table.columns), on: table.source, when: change, do: [leave, enter]),
                SQLTrigger(table.name, .delete, on: table.source, when: condition(.oldRow), do: [leave]),
            ],
            filling: .search(.fill(table, where: [condition(.only)].compactMap { $0 })))
    }
}

extension SQLSchema.SearchParts {
    /// The names of the table and of its triggers.
    var names: [String] { [table.name] + triggers.map(\.name) }

    /// Whether a store has the table and its triggers.
    ///
    /// - Parameter texts: The statements that made the store's tables and triggers, by name.
    func matches(_ texts: [String: String], _ dialect: any SQLDialect) -> Bool {
        texts[table.name] == dialect.text(of: .search(.create(table)))
            && triggers.allSatisfy { texts[$0.name] == dialect.text(of: .createTrigger($0)) }
    }
}
