/// The statements that write the members of one to-many relationship, where the members' own rows do not say it all.
package struct SQLMemberStatements {
    private let link: SQLLink

    package init(_ link: SQLLink) { self.link = link }

    /// Whether the relationship is its own inverse, so that its table has each pair both ways.
    package var isReflexive: Bool { link.sourceColumn == SQLNaming.reflexive }

    /// Removes a pair. Parameters: the source's key, the target's key. Nil where the member's own row says it.
    package var removal: SQLStatement? {
        switch link {
        case .joinTable(let name, let source, let target, _):
            .delete(
                SQLDelete(
                    table: name,
                    conditions: [.equal(.own(source), .parameter(1)), .equal(.own(target), .parameter(2))]))
        case .sourceColumnInDestination(_, let column, _):
            release(where: [.equal(.own(column), .parameter(1)), .hasKey(parameter: 2)])
        case .foreignKey: nil
        }
    }

    /// Adds a pair. Parameters: the source's key, the target's key. Nil where the member's own row says it.
    ///
    /// Both sides of a pair may be in one save; the second finds the pair written.
    package var addition: SQLStatement? {
        switch link {
        case .joinTable(let name, let source, let target, _):
            .insert(
                SQLInsert(
                    table: name, columns: [source, target], values: [.parameter(1), .parameter(2)],
                    conflict: .keepsTheOldRow))
        case .sourceColumnInDestination(let table, let column, _):
            .update(
                SQLUpdate(
                    table: table, settings: [SQLSetting(column: column, value: .parameter(1))],
                    conditions: [.hasKey(parameter: 2)]))
        case .foreignKey: nil
        }
    }

    /// Removes all pairs of a deleted source, whose key is the parameter.
    package var removalsOfAll: [SQLStatement] { removals { .equal($0, .parameter(1)) } }

    /// Removes all pairs of some sources.
    ///
    /// - Parameter isSource: Says of a column with a key whether it is one of theirs.
    package func removals(where isSource: (SQLExpression) -> SQLExpression) -> [SQLStatement] {
        switch link {
        case .joinTable(let name, let source, let target, _):
            (isReflexive ? [source, target] : [source]).map {
                .delete(SQLDelete(table: name, conditions: [isSource(.own($0))]))
            }
        case .sourceColumnInDestination(_, let column, _): [release(where: [isSource(.own(column))])]
        case .foreignKey: []
        }
    }

    /// Takes the source's key, and the place among its members, out of members' rows.
    private func release(where conditions: [SQLExpression]) -> SQLStatement {
        let columns = [link.sourceColumn] + [link.orderColumn].compactMap { $0 }
        return .update(
            SQLUpdate(
                table: link.table, settings: columns.map { SQLSetting(column: $0, value: .null) },
                conditions: conditions))
    }

    // MARK: The order of members

    /// The members of a source with their sort keys. Parameter: the source's key. Nil for members without order.
    package var sortKeys: SQLStatement? {
        link.orderColumn.map { order in
            var select = SQLSelect(from: .table(link.table, .only))
            select.columns = [.own(link.targetColumn), .own(order)]
            select.conditions = [.equal(.own(link.sourceColumn), .parameter(1))]
            return .select(select)
        }
    }

    /// Gives a member a sort key. Parameters: the sort key, the source's key, the member's key. Nil for members without
    /// order.
    package var sortKeyUpdate: SQLStatement? {
        link.orderColumn.map { order in
            .update(
                SQLUpdate(
                    table: link.table, settings: [SQLSetting(column: order, value: .parameter(1))],
                    conditions: [
                        .equal(.own(link.sourceColumn), .parameter(2)), .equal(.own(link.targetColumn), .parameter(3)),
                    ]))
        }
    }
}

/// The select for the members of one to-many relationship.
///
/// A pair whose target has no row is left out.
package struct SQLMembersSelect {
    private let link: SQLLink
    /// The table of the members.
    private let target: String
    private let members = SQLAlias(number: 0)
    private let pairs: SQLAlias

    package init(_ link: SQLLink, target: String) {
        self.link = link
        self.target = target
        if case .joinTable = link { pairs = SQLAlias(number: 1) } else { pairs = members }
    }

    /// The members of one source, with these columns of their rows, in their order. Parameter: the source's key.
    package func ofOne(_ columns: [String]) -> SQLStatement {
        var select = select(columns)
        select.conditions = [.equal(source, .parameter(1))]
        select.order = order
        return .select(select)
    }

    /// The members of many sources, by source, each source's in their order; the source's own key is the last column.
    package func ofAll(_ columns: [String], in sources: SQLKeyList) -> SQLStatement {
        var select = select(columns)
        select.columns.append(source)
        select.conditions = [.isKey(source, in: sources)]
        select.order = [SQLOrder(source, ascending: true)] + order
        return .select(select)
    }

    private var source: SQLExpression { .column(link.sourceColumn, of: pairs) }

    private var order: [SQLOrder] {
        let columns = [link.orderColumn.map { SQLExpression.column($0, of: pairs) }, .column("Z_PK", of: members)]
        return columns.compactMap { $0 }.map { SQLOrder($0, ascending: true) }
    }

    private func select(_ columns: [String]) -> SQLSelect {
        var select: SQLSelect
        if case .joinTable(let name, _, let column, _) = link {
            select = SQLSelect(from: .table(name, pairs))
            select.joins = [
                SQLJoin(
                    kind: .inner, table: target, alias: members,
                    condition: .equal(.column("Z_PK", of: members), .column(column, of: pairs)))
            ]
        } else {
            select = SQLSelect(from: .table(target, members))
        }
        select.columns = columns.map { .column($0, of: members) }
        return select
    }
}
