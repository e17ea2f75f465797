import Foundation

/// Writes what rows do not hold themselves: pairs of many-to-manys, members of to-manys without inverse, sort keys.
struct MemberWriter {
    private let store: SQLiteStore

    init(_ store: SQLiteStore) { self.store = store }

    /// Writes the changed members of inserted and updated rows, the rows themselves being written already.
    ///
    /// All removals come before all additions: with a to-many without inverse, a member may change owners.
    func write(_ rows: [RowChange]) throws {
        for row in rows {
            for change in row.members where !change.removed.isEmpty { try remove(change, of: row) }
        }
        for row in rows {
            for change in row.members where !change.added.isEmpty { try add(change, to: row) }
        }
        for row in rows {
            for change in row.members {
                if let order = change.order { try SortKeyWriter(store).write(order, of: row, slot: change.slot) }
            }
        }
    }

    /// Whether the members of a relationship are written by themselves, and are not just what their own rows say.
    static func writes(_ slot: PropertySlot, of layout: EntityLayout, _ schema: SQLSchema) -> Bool {
        guard case .foreignKey = schema.link(of: layout, slot: slot.index) else { return true }
        return slot.kind == .orderedToMany
    }

    private func remove(_ change: MemberChange, of row: RowChange) throws {
        let texts = try texts(change.slot, of: row)
        // Where nothing is to be written, the members' own rows say it.
        guard let removal = texts.removal else { return }
        for member in change.removed { try run(removal, row.reference.key, member.key, isReflexive: texts.isReflexive) }
    }

    private func add(_ change: MemberChange, to row: RowChange) throws {
        let texts = try texts(change.slot, of: row)
        guard let addition = texts.addition else { return }
        for member in change.added { try run(addition, row.reference.key, member.key, isReflexive: texts.isReflexive) }
    }

    private func texts(_ slot: PropertySlot, of row: RowChange) throws -> MemberTexts {
        let texts = try store.writer(for: row.layout).memberTexts(slot, store.schema)
        guard let texts else { throw missing(slot, of: row) }
        return texts
    }

    private func missing(_ slot: PropertySlot, of row: RowChange) -> NSError {
        .cocoa(
            NSPersistentStoreSaveError, "The store has no table or column for “\(row.layout.name).\(slot.name)”.",
            reason: "Its tables were made for another model.")
    }

    /// Runs a statement for a pair; for both directions of it where the relationship is its own inverse.
    private func run(_ sql: String, _ source: Int64, _ target: Int64, isReflexive: Bool) throws {
        let statement = try store.connection.statement(sql)
        for (first, second) in isReflexive ? [(source, target), (target, source)] : [(source, target)] {
            statement.bind(1, int: first)
            statement.bind(2, int: second)
            try statement.run()
        }
    }
}

/// The texts of ``SQLMemberStatements``.
struct MemberTexts {
    let isReflexive: Bool
    let removal: String?
    let addition: String?
    let sortKeys: String?
    let sortKeyUpdate: String?

    init(_ statements: SQLMemberStatements, _ dialect: SQLiteDialect) {
        isReflexive = statements.isReflexive
        removal = statements.removal.map { dialect.text(of: $0) }
        addition = statements.addition.map { dialect.text(of: $0) }
        sortKeys = statements.sortKeys.map { dialect.text(of: $0) }
        sortKeyUpdate = statements.sortKeyUpdate.map { dialect.text(of: $0) }
    }
}

/// Keeps the sort keys of ordered relationships: 2048, 3072, 4096…, new members midway between their neighbours.
struct SortKeyWriter {
    private let store: SQLiteStore

    init(_ store: SQLiteStore) { self.store = store }

    /// Gives the members keys in this order, changing as few rows as possible.
    func write(_ order: [ObjectReference], of row: RowChange, slot: PropertySlot) throws {
        let texts = try store.writer(for: row.layout).memberTexts(slot, store.schema)
        guard let sortKeys = texts?.sortKeys, let sortKeyUpdate = texts?.sortKeyUpdate else { return }
        let select = try store.connection.statement(sortKeys)
        select.bind(1, int: row.reference.key)
        var old: [Int64: Int64] = [:]
        while try select.step() { if !select.isNull(1) { old[select.int(0)] = select.int(1) } }
        let keys = SortKeys.arranged(order.map { old[$0.key] })
        let update = try store.connection.statement(sortKeyUpdate)
        for (member, key) in zip(order, keys) where old[member.key] != key {
            update.bind(1, int: key)
            update.bind(2, int: row.reference.key)
            update.bind(3, int: member.key)
            try update.run()
        }
    }
}
