import CoreData

/// How the rows of a store are spread over the nodes of a cluster: by the value of an attribute, such as `tenant`.
///
/// The model says it with ``NSPostgreSQLDistributionUserInfoKey``. Then the attribute's column is part of the primary
/// key, of each foreign key between tables that are spread, and of each join of them. An object and those that it is
/// related to have the same value: so one node has all that a join meets.
///
/// Rows of entities without the key are meant to be on all nodes, as those of a table of countries are.
struct PostgreSQLDistribution: Sendable {
    /// The column of a table of pairs that has the value. No relationship has a name with an underscore at its start.
    static let pairColumn = "_distribution"

    /// The column that a table is spread by, by table.
    private var columns: [String: String] = [:]
    /// The columns with keys of rows that have the same value, by table.
    private var keys: [String: Set<String>] = [:]
    /// Where the values of tables of pairs come from, by table.
    private var pairs: [String: Pairs] = [:]

    private struct Pairs {
        /// The type of ``pairColumn``.
        let type: String
        /// The columns with keys of rows that are spread, and their tables.
        var ends: [(column: String, table: String)]
    }

    /// - Parameter schema: A schema whose model's user info is in order; see ``PostgreSQLNames``.
    init(_ schema: SQLSchema) {
        for layout in schema.layouts.layouts where layout.parent == nil && schema.contains(layout) {
            guard let slot = layout.distributionSlot, let column = schema.column(of: layout, slot: slot.index) else {
                continue
            }
            let table = schema.table(of: layout).name
            columns[table] = column.name
            keys[table] = ["Z_PK"]
        }
        if columns.isEmpty { return }
        for layout in schema.layouts.layouts where schema.contains(layout) {
            for slot in layout.slots where slot.kind.isRelationship && !slot.isTransient { add(slot, layout, schema) }
        }
    }

    private mutating func add(_ slot: PropertySlot, _ layout: EntityLayout, _ schema: SQLSchema) {
        let destination = schema.layouts[max(slot.destination, 1)]
        guard schema.contains(destination) else { return }
        let (table, target) = (schema.table(of: layout).name, schema.table(of: destination).name)
        if slot.kind == .toOne, columns[target] != nil, let column = schema.column(of: layout, slot: slot.index) {
            keys[table, default: []].insert(column.name)
        }
        switch schema.link(of: layout, slot: slot.index) {
        case .sourceColumnInDestination(_, let column, _) where columns[table] != nil:
            keys[target, default: []].insert(column)
        case .joinTable(let name, let source, let sink, _):
            for (column, table) in [(source, table), (sink, target)] where columns[table] != nil {
                addEnd(column, table, of: name, schema)
            }
        default: break
        }
    }

    private mutating func addEnd(_ column: String, _ table: String, of name: String, _ schema: SQLSchema) {
        guard keys[name, default: []].insert(column).inserted, let spread = columns[table],
            let type = schema.tables.first(where: { $0.name == table })?.columns.first(where: { $0.name == spread })?
                .type
        else { return }
        columns[name] = Self.pairColumn
        pairs[name, default: Pairs(type: type, ends: [])].ends.append((column, table))
    }

    /// Whether no row is spread.
    var isEmpty: Bool { columns.isEmpty }

    /// The column that a table is spread by; nil for a table that all nodes have.
    func column(of table: String) -> String? { columns[table] }

    /// The columns of a table of pairs that have keys of rows that are spread, and their tables.
    func ends(of pairTable: String) -> [(column: String, table: String)] { pairs[pairTable]?.ends ?? [] }

    // MARK: Statements

    /// A statement whose joins, new tables and new pairs have the columns that rows are spread by.
    func spread(_ statement: SQLStatement) -> SQLStatement {
        if isEmpty { return statement }
        switch statement {
        case .select(let select): return .select(spread(select))
        case .createTable(let table): return .createTable(spread(table))
        case .insert(let insert): return .insert(spread(insert))
        default: return statement
        }
    }

    private func spread(_ select: SQLSelect) -> SQLSelect {
        var select = select
        var tables: [SQLAlias: String] = [:]
        if case .table(let table, let alias) = select.source { tables[alias] = table }
        for join in select.joins { tables[join.alias] = join.table }
        select.joins = select.joins.map {
            SQLJoin(kind: $0.kind, table: $0.table, alias: $0.alias, condition: narrowed($0.condition, tables))
        }
        return select
    }

    /// A condition that also asks for equal values where it asks for equal keys.
    ///
    /// Those are the parts that must all hold. In a part of an OR or a NOT nothing would be gained.
    func narrowed(_ condition: SQLExpression, _ tables: [SQLAlias: String]) -> SQLExpression {
        if isEmpty { return condition }
        switch condition {
        case .all(let parts): return .all(parts.map { narrowed($0, tables) })
        case .compare(.equal, .column(let left, let one), .column(let right, let other)) where one != other:
            guard let first = tables[one], let second = tables[other], keys[first]?.contains(left) == true,
                keys[second]?.contains(right) == true, let a = columns[first], let b = columns[second]
            else { return condition }
            return .all([condition, .equal(.column(a, of: one), .column(b, of: other))])
        default: return condition
        }
    }

    /// The key alone comes first: a look-up by a key has an index, too.
    private func spread(_ table: SQLTableDefinition) -> SQLTableDefinition {
        guard let column = columns[table.name] else { return table }
        if let pairs = pairs[table.name] {
            let type = PostgreSQLDialect().type(of: SQLTableColumn(name: column, type: pairs.type))
            return table.replacing(
                columns: table.columns + [.init(name: column, type: type)], primaryKey: table.primaryKey + [column])
        }
        let columns = table.columns.map {
            $0.name == "Z_PK" ? .init(name: $0.name, type: .declared("bigint NOT NULL")) : $0
        }
        return table.replacing(columns: columns, primaryKey: ["Z_PK", column])
    }

    /// A pair gets the value of the row that one of its keys is about.
    private func spread(_ insert: SQLInsert) -> SQLInsert {
        guard let end = pairs[insert.table]?.ends.first, let place = insert.columns.firstIndex(of: end.column),
            let column = columns[end.table]
        else { return insert }
        var source: SQLSelect
        switch insert.source {
        case .values(let values):
            source = SQLSelect(from: .table(end.table, .only))
            source.columns = values + [.own(column)]
            source.conditions = [.equal(.own("Z_PK"), values[place])]
        case .rows(let rows):
            source = rows
            var value = SQLSelect(from: .table(end.table, Self.owner))
            value.columns = [.column(column, of: Self.owner)]
            value.conditions = [.equal(.column("Z_PK", of: Self.owner), rows.columns[place].outside(rows))]
            source.columns.append(.scalar(value))
        }
        return SQLInsert(
            table: insert.table, columns: insert.columns + [Self.pairColumn], .rows(source), conflict: insert.conflict)
    }

    /// What a select inside of another one calls the row that a pair belongs to.
    private static let owner = SQLAlias(number: 1_000)
}

extension SQLExpression {
    /// A column of a select, as a select inside of it names it.
    fileprivate func outside(_ select: SQLSelect) -> SQLExpression {
        guard case .column(let name, .only) = self, case .table(let table, _) = select.source else { return self }
        return .outerColumn(name, table: table)
    }
}

extension PostgreSQLDistribution {
    /// A row can't go to another node.
    static func refusal(_ slot: PropertySlot, of layout: EntityLayout) -> NSError {
        .cocoa(
            NSPersistentStoreSaveError, "The value of “\(layout.name).\(slot.name)” can't change.",
            reason: "It is the distribution key: it says on which node a row is. Make a new object.",
            userInfo: ["entity": layout.name, "property": slot.name])
    }
}

extension EntityLayout {
    /// The attribute that the rows of this entity are spread by; nil if all nodes have them.
    func spreadingSlot(_ distribution: PostgreSQLDistribution) -> PropertySlot? {
        distribution.isEmpty ? nil : model[rootNumber].distributionSlot
    }

    /// The attribute that the rows of the entity's tree are spread by; nil for an entity that all nodes have.
    var distributionSlot: PropertySlot? {
        guard let name = entity.userInfo?[NSPostgreSQLDistributionUserInfoKey] as? String else { return nil }
        return slot(named: name)
    }
}
