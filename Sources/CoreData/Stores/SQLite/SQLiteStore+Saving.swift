import Foundation

extension SQLiteStore {
    func save(_ changes: StoreChanges) throws -> [RowSnapshot] {
        guard !isReadOnly else {
            throw NSError.cocoa(
                513, "The store “\(url?.lastPathComponent ?? "")” is read-only.",
                userInfo: [NSFilePathErrorKey: url?.path ?? ""])
        }
        if changes.isEmpty, !hasUnsavedMetadata { return [] }
        let files = ExternalFiles(folder: externalFolder)
        triggerNotes.clear()
        do {
            let (rows, reserved) = try cocoa {
                try connection.write {
                    let operation = SaveOperation(self, changes, files)
                    let rows = try operation.run()
                    try writeChangedMetadata()
                    return (rows, try reserveAhead())
                }
            }
            files.committed()
            adopt(reserved)
            noteSavedMetadata()
            return rows
        } catch {
            files.rolledBack()
            throw error
        }
    }
}

/// One save, inside its transaction.
final class SaveOperation {
    let store: SQLiteStore
    let changes: StoreChanges
    private let files: ExternalFiles
    private var conflicts: [(reference: ObjectReference, kind: StoreConflicts.Kind)] = []
    private var rows: [RowSnapshot?]
    /// Rows that must be read back, because the store may hold other values than were written.
    private var rereads: Set<Int> = []
    private var lastWriter: EntityWriter?
    private var storedExternals: [Int: [Int: Data]] = [:]

    init(_ store: SQLiteStore, _ changes: StoreChanges, _ files: ExternalFiles) {
        self.store = store
        self.changes = changes
        self.files = files
        rows = [RowSnapshot?](repeating: nil, count: changes.inserts.count + changes.updates.count)
    }

    /// Writes everything.
    ///
    /// Deletions come first, then updates, then insertions: values of unique attributes that a save frees are free for
    /// its other rows.
    ///
    /// - Returns: The new snapshots of insertions and updates, then those of other rows that triggers changed.
    /// - Throws: ``StoreConflicts`` with all conflicts of the save.
    func run() throws -> [RowSnapshot] {
        for change in changes.deletes { try delete(change) }
        var late: [Int] = []
        let first = changes.inserts.count
        for index in changes.updates.indices where try !update(first + index) { late.append(first + index) }
        for index in changes.inserts.indices where try !insert(index) { late.append(index) }
        try retry(late)
        guard conflicts.isEmpty else { throw StoreConflicts(conflicts) }
        try MemberWriter(store).write(changes)
        let others = try readBack()
        return rows.map { row in
            guard let row else { preconditionFailure("a row of the save was not written") }
            return row
        } + others
    }

    private func change(_ index: Int) -> RowChange {
        let first = changes.inserts.count
        return index < first ? changes.inserts[index] : changes.updates[index - first]
    }

    // MARK: Rows

    /// - Returns: False where a uniqueness constraint refused the row.
    private func insert(_ index: Int) throws -> Bool {
        let change = changes.inserts[index]
        let writer = try writer(for: change.layout)
        let raw = try externals(of: change, index, writer)
        do {
            rows[index] = try writer.insert(change.reference.key, change.values, raw)
        } catch let error as SQLiteError where error.code == SQLiteError.constraintUnique {
            return false
        }
        noteDecimals(index, change, writer)
        return true
    }

    /// - Returns: False where a uniqueness constraint refused the row.
    private func update(_ index: Int) throws -> Bool {
        let change = self.change(index)
        guard let old = try change.snapshot ?? current(change.reference) else {
            conflicts.append((change.reference, .row(current: nil)))
            return true
        }
        let writer = try writer(for: change.layout)
        guard writer.writesColumns(change.values) || !change.members.isEmpty else {
            rows[index] = old
            return true
        }
        let raw = try externals(of: change, index, writer)
        do {
            rows[index] = try writer.update(old, change.values, raw)
        } catch let error as SQLiteError where error.code == SQLiteError.constraintUnique {
            return false
        }
        if rows[index] == nil {
            conflicts.append((change.reference, .row(current: try current(change.reference))))
            return true
        }
        discardExternals(of: old, writer) { !change.values[$0].isUnset }
        noteDecimals(index, change, writer)
        return true
    }

    private func delete(_ change: RowChange) throws {
        let writer = try writer(for: change.layout)
        if !writer.externals.isEmpty, let old = try change.snapshot ?? current(change.reference) {
            discardExternals(of: old, writer) { _ in true }
        }
        guard try writer.delete(change.reference.key, version: change.snapshot?.version) else {
            conflicts.append((change.reference, .row(current: try current(change.reference))))
            return
        }
        for removal in writer.linkRemovals {
            let statement = try store.connection.statement(removal)
            statement.bind(1, int: change.reference.key)
            try statement.run()
        }
    }

    private func current(_ reference: ObjectReference) throws -> RowSnapshot? {
        let layout = store.layouts[reference.entity]
        return try store.rows(rootedAt: store.layouts[layout.rootNumber], keys: [reference.key]).first
    }

    /// Rows mostly come entity by entity.
    private func writer(for layout: EntityLayout) throws -> EntityWriter {
        if let lastWriter, lastWriter.layout === layout { return lastWriter }
        let writer = try store.writer(for: layout)
        lastWriter = writer
        return writer
    }

    // MARK: Values that need care

    /// The columns' values of attributes with external storage, by slot.
    private func externals(of change: RowChange, _ index: Int, _ writer: EntityWriter) throws -> [Int: Data] {
        if writer.externals.isEmpty { return [:] }
        // A row that is tried again has its files already.
        if let known = storedExternals[index] { return known }
        var raw: [Int: Data] = [:]
        for value in writer.externals {
            if case .data(let data) = change.values[value.slot] { raw[value.slot] = try files.store(data) }
        }
        storedExternals[index] = raw
        return raw
    }

    private func discardExternals(of old: RowSnapshot, _ writer: EntityWriter, where changes: (Int) -> Bool) {
        for value in writer.externals where changes(value.slot) && !old.isNull(value.cell) {
            old.withBytes(value.cell) { files.discard($0) }
        }
    }

    private func noteDecimals(_ index: Int, _ change: RowChange, _ writer: EntityWriter) {
        for value in writer.decimals where value.mayLoseDigits(change.values[value.slot]) { rereads.insert(index) }
    }

    // MARK: Uniqueness

    /// Tries refused rows again, as long as that helps: a value may have been freed by a later row of the same save.
    private func retry(_ refused: [Int]) throws {
        var late = refused
        while !late.isEmpty {
            let first = changes.inserts.count
            let left = try late.filter { try $0 < first ? !insert($0) : !update($0) }
            if left.count == late.count { break }
            late = left
        }
        for index in late { conflicts.append(contentsOf: try ConstraintFinder(store).conflicts(of: change(index))) }
    }

    // MARK: Reading back

    /// Brings in what the store made of the rows: triggers that keep derived attributes, decimals that lost digits.
    ///
    /// - Returns: Rows that are not of this save.
    private func readBack() throws -> [RowSnapshot] {
        if rereads.isEmpty, store.triggerNotes.rows.isEmpty { return [] }
        var stale: [Int32: Set<Int64>] = [:]
        let roots = Dictionary(store.schema.tables.map { ($0.name, $0.root) }, uniquingKeysWith: { first, _ in first })
        for (table, keys) in store.triggerNotes.rows {
            if let root = roots[table] { stale[root, default: []].formUnion(keys) }
        }
        for index in rereads {
            let change = self.change(index)
            stale[change.layout.rootNumber, default: []].insert(change.reference.key)
        }
        var fresh: [Int32: [Int64: RowSnapshot]] = [:]
        for (root, keys) in stale {
            let rows = try store.rows(rootedAt: store.layouts[root], keys: keys.sorted())
            fresh[root] = Dictionary(rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        }
        for index in rows.indices {
            let change = self.change(index)
            if let row = fresh[change.layout.rootNumber]?.removeValue(forKey: change.reference.key) {
                rows[index] = row
            }
        }
        return fresh.values.flatMap(\.values)
    }
}
