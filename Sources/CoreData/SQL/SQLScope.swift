/// A SELECT while it is put together, and the source of its aliases.
///
/// The outer statement and its subqueries share one ``SQLAliases``, so no alias occurs twice.
final class SQLSelectBuilder {
    var select: SQLSelect
    let aliases: SQLAliases

    /// - Parameter table: The first table; its alias is ``first``.
    init(from table: String, aliases: SQLAliases) {
        self.aliases = aliases
        first = aliases.next()
        select = SQLSelect(from: .table(table, first))
    }

    let first: SQLAlias

    func join(_ kind: SQLJoin.Kind, _ table: String, on condition: (SQLAlias) -> SQLExpression) -> SQLAlias {
        let alias = aliases.next()
        select.joins.append(SQLJoin(kind: kind, table: table, alias: alias, condition: condition(alias)))
        return alias
    }
}

final class SQLAliases {
    private var count = 0

    func next() -> SQLAlias {
        defer { count += 1 }
        return SQLAlias(number: count)
    }
}

/// An object that a statement speaks of: the fetched one, one that a to-one leads to, or a member of a collection.
///
/// Its key is at hand from the start. Its table is joined when a column of it is first asked for, once for all key
/// paths that lead through it.
final class SQLScope {
    let layout: EntityLayout
    /// The object's `Z_PK`.
    let key: SQLExpression
    let builder: SQLSelectBuilder
    private let schema: SQLSchema
    private let joinKind: SQLJoin.Kind
    /// The object's `Z_ENT` where a column beside its key has it.
    private let sideEntity: SQLExpression?
    /// Whether there may be no object: a to-one led here.
    var isOptional: Bool { joinKind == .left }
    private var alias: SQLAlias?
    private var destinations: [Int: SQLScope] = [:]

    /// An object in a table that the select reads already.
    init(_ layout: EntityLayout, at alias: SQLAlias, in builder: SQLSelectBuilder, schema: SQLSchema) {
        self.layout = layout
        self.builder = builder
        self.schema = schema
        self.alias = alias
        key = .column("Z_PK", of: alias)
        joinKind = .inner
        sideEntity = nil
    }

    /// An object of which only the key is known yet.
    init(
        _ layout: EntityLayout, key: SQLExpression, entity: SQLExpression? = nil, joining kind: SQLJoin.Kind,
        in builder: SQLSelectBuilder, schema: SQLSchema
    ) {
        self.layout = layout
        self.key = key
        self.builder = builder
        self.schema = schema
        joinKind = kind
        sideEntity = entity
    }

    /// A column of the object's row, its table joined if need be.
    func column(_ name: String) -> SQLExpression { .column(name, of: table()) }

    /// The object's `Z_ENT`.
    var entity: SQLExpression { sideEntity ?? column("Z_ENT") }

    var term: SQLTerm { SQLTerm(key, .object(entity: layout.number)) }

    /// The value of an attribute, or nil where the store has no column for it.
    func attribute(_ slot: PropertySlot) -> SQLTerm? {
        guard let column = schema.column(of: layout, slot: slot.index) else { return nil }
        var term = SQLTerm(self.column(column.name), SQLType(slot, of: layout))
        term.origin = SQLOrigin(
            key: key, entity: layout.number, slot: slot.name, column: column.name, isOptional: isOptional)
        return term
    }

    /// The object that a to-one relationship leads to, or nil where the store has no column for it.
    func destination(of slot: PropertySlot) -> SQLScope? {
        if let known = destinations[slot.index] { return known }
        guard let column = schema.column(of: layout, slot: slot.index) else { return nil }
        let scope = SQLScope(
            layout.model[slot.destination], key: self.column(column.name), entity: column.entityColumn.map(self.column),
            joining: .left, in: builder, schema: schema)
        destinations[slot.index] = scope
        return scope
    }

    /// The members of a to-many relationship, in a select of their own that is tied to this object; nil where the store
    /// has nothing that holds them, as for a relationship to another store.
    func members(of slot: PropertySlot) -> SQLScope? {
        guard let link = schema.link(of: layout, slot: slot.index) else { return nil }
        let inner = SQLSelectBuilder(from: link.table, aliases: builder.aliases)
        inner.select.conditions = [.compare(.equal, .column(link.sourceColumn, of: inner.first), key)]
        return member(of: slot, link, at: inner.first, in: inner)
    }

    /// The members of a to-many relationship of all objects of this scope, in the same select.
    func joinedMembers(of slot: PropertySlot) -> SQLScope? {
        guard let link = schema.link(of: layout, slot: slot.index) else { return nil }
        let alias = builder.join(.inner, link.table) { .compare(.equal, .column(link.sourceColumn, of: $0), key) }
        return member(of: slot, link, at: alias, in: builder)
    }

    private func member(
        of slot: PropertySlot, _ link: SQLLink, at alias: SQLAlias, in builder: SQLSelectBuilder
    ) -> SQLScope {
        let destination = layout.model[slot.destination]
        guard case .joinTable = link else { return SQLScope(destination, at: alias, in: builder, schema: schema) }
        return SQLScope(
            destination, key: .column(link.targetColumn, of: alias), joining: .inner, in: builder, schema: schema)
    }

    private func table() -> SQLAlias {
        if let alias { return alias }
        let joined = builder.join(joinKind, schema.table(of: layout).name) {
            .compare(.equal, .column("Z_PK", of: $0), key)
        }
        alias = joined
        return joined
    }
}
