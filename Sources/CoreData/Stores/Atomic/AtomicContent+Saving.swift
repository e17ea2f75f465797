import FoundationGaps

extension AtomicContent {
    typealias Conflict = (reference: ObjectReference, kind: StoreConflicts.Kind)

    /// Makes all changes of a save.
    ///
    /// - Parameter derivesAll: Whether all derived attributes are computed, not only those that the save may change.
    /// - Returns: The new rows of insertions, then those of updates, then others with derived values that changed.
    /// - Throws: ``StoreConflicts`` with all conflicts; 134030 for a key that another process has given away.
    mutating func write(
        _ changes: StoreChanges, _ derivations: RowDerivations, derivesAll: Bool = true
    ) throws -> [RowSnapshot] {
        let old = self
        var conflicts: [Conflict] = []
        for index in 0..<changes.checks.count { try check(changes.checks(index), &conflicts) }
        try delete(changes.deletes, &conflicts)
        let updates = try (0..<changes.updates.count).map { try changes.updates($0) }
        let inserts = try (0..<changes.inserts.count).map { try changes.inserts($0) }
        updates.forEach { update($0, &conflicts) }
        try inserts.forEach { try insert($0, &conflicts) }
        conflicts += constraintConflicts(of: updates + inserts)
        guard conflicts.isEmpty else { throw StoreConflicts(conflicts) }
        for change in updates + inserts {
            for member in change.members { apply(member, of: change) }
        }
        let written = inserts + updates
        var affected: AffectedRows?
        if !derivesAll, derivations.areAny {
            let deleted = try (0..<changes.deletes.count).map { try changes.deletes($0).reference }
            affected = AffectedRows(deleted + written.map(\.reference), from: old, to: self, derivations.layouts)
        }
        let derived = try derivations.update(&self, written: written.map(\.reference), affected)
        return written.compactMap { self[root: $0.layout.rootNumber, key: $0.reference.key] } + derived
    }

    // MARK: Rows

    /// A row that is not written, but has to be as the context has seen it.
    private func check(_ change: RowChange, _ conflicts: inout [Conflict]) throws {
        let current = row(of: change)
        if current == nil || current?.version != change.snapshot?.version {
            conflicts.append((change.reference, .row(current: current)))
        }
    }

    private mutating func delete(_ changes: RowChanges, _ conflicts: inout [Conflict]) throws {
        var keys: [Int32: Set<Int64>] = [:]
        for index in 0..<changes.count {
            let change = try changes(index)
            guard isAsExpected(change, &conflicts) else { continue }
            keys[change.layout.rootNumber, default: []].insert(change.reference.key)
        }
        for (root, keys) in keys { remove(keys, root: root) }
    }

    private mutating func update(_ change: RowChange, _ conflicts: inout [Conflict]) {
        guard isAsExpected(change, &conflicts), let old = row(of: change) else { return }
        let isWritten = change.values.withValues { $0.contains { !$0.isUnset } } || !change.members.isEmpty
        if isWritten { put(.make(change.layout, key: old.key, version: old.version + 1, change.values, over: old)) }
    }

    private mutating func insert(_ change: RowChange, _ conflicts: inout [Conflict]) throws {
        if let other = row(of: change) {
            guard change.values.bringsBackRow else { throw Self.takenKey(change) }
            // Another context has already inserted a deleted object again that is to be inserted here.
            return conflicts.append((change.reference, .row(current: other)))
        }
        put(
            .make(
                change.layout, key: change.reference.key, version: change.values.firstVersion, change.values, over: nil)
        )
    }

    private func row(of change: RowChange) -> RowSnapshot? {
        self[root: change.layout.rootNumber, key: change.reference.key]
    }

    private func isAsExpected(_ change: RowChange, _ conflicts: inout [Conflict]) -> Bool {
        let current = row(of: change)
        let isExpected = current != nil && (change.snapshot == nil || current?.version == change.snapshot?.version)
        if !isExpected { conflicts.append((change.reference, .row(current: current))) }
        return isExpected
    }

    private static func takenKey(_ change: RowChange) -> NSError {
        .cocoa(
            NSPersistentStoreSaveError, "Another process has saved new objects of the store meanwhile.",
            reason:
                "It has the key \(change.reference.key) of the new \(change.layout.name). Save again: the object gets "
                + "another key, unless it has a permanent ID already.")
    }

    // MARK: Members

    private mutating func apply(_ change: MemberChange, of row: RowChange) {
        let relationship = ToManyKey(change.slot, in: row.layout)
        let key = row.reference.key
        var members = lists[relationship]?[key] ?? []
        let removed = Set(change.removed.map(\.key))
        members.removeAll { removed.contains($0.key) }
        var known = Set(members.map(\.key))
        for member in change.added where known.insert(member.key).inserted { members.append(member) }
        members = change.order ?? members.sorted { $0.key < $1.key }
        setMembers(members.map { $0.inStore(Self.ownStore) }, of: key, relationship)
        // A member of a relationship without inverse has one owner.
        if change.slot.inverse < 0 { take(Set(change.added.map(\.key)), from: relationship, but: key) }
    }

    private mutating func take(_ members: Set<Int64>, from relationship: ToManyKey, but owner: Int64) {
        if members.isEmpty { return }
        for (source, list) in lists[relationship] ?? [:]
        where source != owner && list.contains(where: { members.contains($0.key) }) {
            setMembers(list.filter { !members.contains($0.key) }, of: source, relationship)
        }
    }
}
