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

/// The arithmetic of sort keys.
enum SortKeys {
    private static let first: Int64 = 2048
    private static let step: Int64 = 1024

    /// Keys in growing order for members some of which have one, keeping as many as possible.
    ///
    /// Where there is no room between two keys, all are given anew.
    static func arranged(_ old: [Int64?]) -> [Int64] {
        let kept = longestGrowing(old)
        var keys: [Int64] = []
        keys.reserveCapacity(old.count)
        var index = 0
        while index < old.count {
            if kept.contains(index), let key = old[index] {
                keys.append(key)
                index += 1
                continue
            }
            let end = (index..<old.count).first { kept.contains($0) } ?? old.count
            let next = end < old.count ? old[end] : nil
            guard let run = keysBetween(keys.last, next, count: end - index) else { return fresh(old.count) }
            keys.append(contentsOf: run)
            index = end
        }
        return keys
    }

    private static func fresh(_ count: Int) -> [Int64] { (0..<Int64(count)).map { first + $0 * step } }

    private static func keysBetween(_ low: Int64?, _ high: Int64?, count: Int) -> [Int64]? {
        guard let high else {
            if let low, low > Int64.max / 4 { return nil }
            let start = low.map { $0 + step } ?? first
            return (0..<Int64(count)).map { start + $0 * step }
        }
        let low = low ?? 0
        let gap = (high - low) / Int64(count + 1)
        guard high > low, gap > 0 else { return nil }
        return (1...Int64(count)).map { low + $0 * gap }
    }

    /// The places of a longest growing selection of the keys that there are.
    private static func longestGrowing(_ keys: [Int64?]) -> Set<Int> {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: keys.count)
        for index in keys.indices {
            guard let key = keys[index], key >= 0 else { continue }
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if keys[tails[middle]]! < key { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? tails[low - 1] : -1
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var kept: Set<Int> = []
        var index = tails.last ?? -1
        while index >= 0 {
            kept.insert(index)
            index = previous[index]
        }
        return kept
    }
}
