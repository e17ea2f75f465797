import Foundation

extension SQLiteStore {
    func save(_ changes: StoreChanges, willCommit: () throws -> Void = {}) throws -> [RowSnapshot] {
        guard !isReadOnly else {
            throw NSError.cocoa(
                513, "The store “\(url?.lastPathComponent ?? "")” is read-only.",
                userInfo: [NSFilePathErrorKey: url?.path ?? ""])
        }
        if changes.isEmpty, !hasUnsavedMetadata {
            try willCommit()
            return []
        }
        let files = ExternalFiles(folder: externalFolder)
        triggerNotes.clear()
        do {
            let (rows, reserved) = try cocoa {
                try connection.write {
                    let operation = SaveOperation(self, changes, files)
                    let rows = try operation.run()
                    try writeChangedMetadata()
                    let reserved = try reserveAhead()
                    try willCommit()
                    return (rows, reserved)
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
    /// The new rows by the change's index, insertions first; nil until a row is written.
    private var rows: [RowSnapshot?] = []
    /// Changes of members, which follow when all rows are written.
    private var memberChanges: [(index: Int, change: RowChange)] = []
    /// Rows that must be read back, because the store may hold other values than were written.
    private var rereads: Set<Int> = []
    private var lastWriter: EntityWriter?
    private var storedExternals: [Int: [Int: Data]] = [:]

    init(_ store: SQLiteStore, _ changes: StoreChanges, _ files: ExternalFiles) {
        self.store = store
        self.changes = changes
        self.files = files
    }

    /// Writes everything.
    ///
    /// Deletions come first, then updates, then insertions: values of unique attributes that a save frees are free for
    /// its other rows.
    ///
    /// - Returns: The new snapshots of insertions and updates, then those of other rows that triggers changed.
    /// - Throws: ``StoreConflicts`` with all conflicts of the save.
    func run() throws -> [RowSnapshot] {
        for index in 0..<changes.checks.count { try check(changes.checks(index)) }
        for index in 0..<changes.deletes.count { try delete(changes.deletes(index)) }
        let first = changes.inserts.count
        rows = [RowSnapshot?](repeating: nil, count: first + changes.updates.count)
        var late: [Int] = []
        for index in first..<rows.count where try !write(index) { late.append(index) }
        for index in 0..<first where try !write(index) { late.append(index) }
        try retry(late)
        guard conflicts.isEmpty else { throw StoreConflicts(conflicts) }
        // Updates before insertions, as the rows were written; a row that came late keeps its place.
        let byPlace = { (index: Int) in index < first ? index + self.rows.count : index }
        memberChanges.sort { byPlace($0.index) < byPlace($1.index) }
        try MemberWriter(store).write(memberChanges.map(\.change))
        let others = try readBack()
        return rows.map { row in
            guard let row else { preconditionFailure("a row of the save was not written") }
            return row
        } + others
    }

    private func change(_ index: Int) throws -> RowChange {
        let first = changes.inserts.count
        return try index < first ? changes.inserts(index) : changes.updates(index - first)
    }

    // MARK: Rows

    /// Writes an inserted or updated row.
    ///
    /// - Returns: False where a uniqueness constraint refused the row.
    private func write(_ index: Int) throws -> Bool {
        let change = try change(index)
        let writer = try writer(for: change.layout)
        do {
            if index < changes.inserts.count {
                try insert(change, index, writer)
            } else {
                try update(change, index, writer)
            }
        } catch let error as SQLiteError where error.code == SQLiteError.constraintUnique {
            return false
        }
        if !change.members.isEmpty { memberChanges.append((index, change)) }
        if !writer.decimals.isEmpty { noteDecimals(index, change, writer) }
        return true
    }

    private func insert(_ change: RowChange, _ index: Int, _ writer: EntityWriter) throws {
        let raw = try externals(of: change, index, writer)
        rows[index] = try writer.insert(change.reference.key, change.values, raw)
    }

    private func update(_ change: RowChange, _ index: Int, _ writer: EntityWriter) throws {
        guard let old = try change.snapshot ?? current(change.reference) else {
            conflicts.append((change.reference, .row(current: nil)))
            return
        }
        guard writer.writesColumns(change.values) || !change.members.isEmpty else {
            rows[index] = old
            return
        }
        let raw = try externals(of: change, index, writer)
        guard let new = try writer.update(old, change.values, raw) else {
            conflicts.append((change.reference, .row(current: try current(change.reference))))
            return
        }
        rows[index] = new
        discardExternals(of: old, writer) { !change.values[$0].isUnset }
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

    private func check(_ row: RowChange) throws {
        let current = try current(row.reference)
        if current?.version != row.snapshot?.version { conflicts.append((row.reference, .row(current: current))) }
    }

    private func current(_ reference: ObjectReference) throws -> RowSnapshot? {
        let layout = store.layouts[reference.entity]
        return try store.main.rows(rootedAt: store.layouts[layout.rootNumber], keys: [reference.key]).first
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
            let left = try late.filter { try !write($0) }
            if left.count == late.count { break }
            late = left
        }
        for index in late { conflicts.append(contentsOf: try ConstraintFinder(store).conflicts(of: try change(index))) }
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
            let change = try self.change(index)
            stale[change.layout.rootNumber, default: []].insert(change.reference.key)
        }
        var fresh: [Int32: [Int64: RowSnapshot]] = [:]
        for (root, keys) in stale {
            let rows = try store.main.rows(rootedAt: store.layouts[root], keys: keys.sorted())
            fresh[root] = Dictionary(rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        }
        for index in rows.indices {
            let change = try self.change(index)
            if let row = fresh[change.layout.rootNumber]?.removeValue(forKey: change.reference.key) {
                rows[index] = row
            }
        }
        return fresh.values.flatMap(\.values)
    }
}
