import Foundation

extension SQLiteStore {
    func save(_ changes: StoreChanges, willCommit: () throws -> Void) throws -> [RowSnapshot] {
        try checkWritable()
        if changes.isEmpty, !hasUnsavedMetadata {
            try willCommit()
            return []
        }
        return try committing(willCommit: willCommit) { files in try SaveOperation(self, changes, files).run() }
    }

    /// Writes in one transaction: rows, the files that go with them, and the metadata where they were set.
    ///
    /// - Parameters:
    ///   - willCommit: Called when everything is written but not yet committed; where it throws, nothing is.
    ///   - write: Writes the rows. A small save must not copy what it captures: hence the inlining.
    @inline(__always)
    func committing<R>(willCommit: () throws -> Void = {}, _ write: (ExternalFiles) throws -> R) throws -> R {
        let files = ExternalFiles { self.externalFolder }
        triggerNotes.clear()
        var isCommitting = false
        do {
            let (result, reserved, metadata) = try cocoa {
                try connection.write {
                    let result = try write(files)
                    try files.willCommit()
                    let metadata = try writeChangedMetadata()
                    let reserved = try reserveAhead()
                    try willCommit()
                    readers.endTransactions()
                    isCommitting = true
                    return (result, reserved, metadata)
                }
            }
            history?.noteCommit()
            remove(files.discarded)
            tidyLog()
            adopt(reserved)
            noteSavedMetadata(metadata)
            return result
        } catch {
            takeBack(files.created, mayBeCommitted: isCommitting)
            throw error
        }
    }

    /// - Throws: 513 for a store that is read-only.
    func checkWritable() throws {
        guard isReadOnly else { return }
        throw NSError.cocoa(
            513, "The store “\(url?.lastPathComponent ?? "")” is read-only.",
            reason: isReadOnlyForHistory
                ? "It has persistent history, and was opened without NSPersistentHistoryTrackingKey: its history would miss changes. Open it with the option."
                : nil,
            userInfo: [NSFilePathErrorKey: url?.path ?? ""])
    }
}

/// One save, inside its transaction.
final class SaveOperation {
    let store: SQLiteStore
    let changes: StoreChanges
    private let files: ExternalFiles
    private let history: HistoryRecorder?
    private var conflicts: [(reference: ObjectReference, kind: StoreConflicts.Kind)] = []
    // Exclusive access to the rows and the last writer is not checked at run time: one thread runs the operation, and
    // no method calls foreign code while it changes them.

    /// The new rows by the change's index, insertions first; nil until a row is written.
    @exclusivity(unchecked) private var rows = WrittenRows(count: 0)
    /// Changes of members, which follow when all rows are written.
    private var memberChanges: [(index: Int, change: RowChange)] = []
    /// Rows that must be read back, because the store may hold other values than were written.
    private var rereads: Set<Int> = []
    /// The writer that was asked for last. The store keeps its writers, and no save ends before this one.
    @exclusivity(unchecked) private var lastWriter: Unmanaged<EntityWriter>?
    private var storedExternals: [Int: [Int: Data]] = [:]

    init(_ store: SQLiteStore, _ changes: StoreChanges, _ files: ExternalFiles) {
        self.store = store
        self.changes = changes
        self.files = files
        history = store.beginHistory(changes.history?.origin)
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
        for index in 0..<changes.deletes.count { try delete(index) }
        let first = changes.inserts.count
        rows = WrittenRows(count: first + changes.updates.count)
        var late: [Int] = []
        for index in first..<rows.count where try !write(index) { late.append(index) }
        for index in 0..<first where try !write(index) { late.append(index) }
        try retry(late)
        guard conflicts.isEmpty else { throw StoreConflicts(conflicts) }
        try writeMembers()
        if let history { try finish(history) }
        let others = try readBack()
        return rows.takeAll(and: others)
    }

    private func finish(_ history: HistoryRecorder) throws {
        try history.note(changes)
        try history.finish()
    }

    private func writeMembers() throws {
        if memberChanges.isEmpty { return }
        // Updates before insertions, as the rows were written; a row that came late keeps its place.
        let (first, count) = (changes.inserts.count, rows.count)
        let byPlace = { (index: Int) in index < first ? index + count : index }
        memberChanges.sort { byPlace($0.index) < byPlace($1.index) }
        try MemberWriter(store).write(memberChanges.map(\.change))
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
        do { return try writeRow(index) } catch let error as SQLiteError
            where error.code == SQLiteError.constraintPrimaryKey
        {
            // Another context has already inserted a deleted object again that is to be inserted here.
            let reference = try change(index).reference
            conflicts.append((reference, .row(current: try current(reference))))
            return true
        }
    }

    private func writeRow(_ index: Int) throws -> Bool {
        do {
            if try writePlainRow(index) { return true }
        } catch let error as SQLiteError where error.code == SQLiteError.constraintUnique {
            return false
        }
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
        if writer.writesMembers(change) { memberChanges.append((index, change)) }
        if !writer.decimals.isEmpty { noteDecimals(index, change, writer) }
        return true
    }

    /// Writes the usual row, of which there may be many: it needs no care, and nothing is counted or copied for it.
    ///
    /// - Returns: False for one that does, or has a conflict: nothing was done then.
    private func writePlainRow(_ index: Int) throws -> Bool {
        let first = changes.inserts.count
        guard let row = index < first ? changes.inserts.plain(index) : changes.updates.plain(index - first) else {
            return false
        }
        guard let values = row.values else { return false }
        let new = try writer(for: row)._withUnsafeGuaranteedRef { writer -> RowSnapshot? in
            guard writer.externals.isEmpty, writer.decimals.isEmpty else { return nil }
            return try values._withUnsafeGuaranteedRef { values in
                guard let old = row.snapshot else { return try writer.insert(row.key, values, [:]) }
                return try old._withUnsafeGuaranteedRef { try writer.update($0, values, [:]) }
            }
        }
        guard let new else { return false }
        rows.set(index, new)
        return true
    }

    private func insert(_ change: RowChange, _ index: Int, _ writer: EntityWriter) throws {
        let raw = try externals(of: change, index, writer)
        rows.set(index, try writer.insert(change.reference.key, change.values, raw))
    }

    private func update(_ change: RowChange, _ index: Int, _ writer: EntityWriter) throws {
        guard let old = try change.snapshot ?? current(change.reference) else {
            conflicts.append((change.reference, .row(current: nil)))
            return
        }
        guard writer.writesColumns(change.values) || !change.members.isEmpty else {
            rows.set(index, old)
            return
        }
        let raw = try externals(of: change, index, writer)
        guard let new = try writer.update(old, change.values, raw) else {
            conflicts.append((change.reference, .row(current: try current(change.reference))))
            return
        }
        rows.set(index, new)
        discardExternals(of: old, writer) { !change.values[$0].isUnset }
    }

    /// Deletes a row: the usual one without a look at it, where nothing but its version counts.
    private func delete(_ index: Int) throws {
        if let history {
            let row = try changes.deletes.identity(index)
            try history.noteDeletion(row.key, row.layout)
        }
        if let row = changes.deletes.plain(index), try deletePlainRow(row) { return }
        try delete(changes.deletes(index))
    }

    /// - Returns: False for a row that needs care, or has a conflict: nothing was done then.
    private func deletePlainRow(_ row: PlainRow) throws -> Bool {
        try writer(for: row)._withUnsafeGuaranteedRef { writer in
            guard writer.externals.isEmpty, writer.linkRemovals.isEmpty else { return false }
            return try writer.delete(row.key, version: row.snapshot?._withUnsafeGuaranteedRef { $0.version })
        }
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
        // A row that is gone is none that could be relied on, whether a context has seen it or not.
        if current == nil || current?.version != row.snapshot?.version {
            conflicts.append((row.reference, .row(current: current)))
        }
    }

    private func current(_ reference: ObjectReference) throws -> RowSnapshot? {
        let layout = store.layouts[reference.entity]
        return try store.main.rows(rootedAt: store.layouts[layout.rootNumber], keys: [reference.key]).first
    }

    /// Rows mostly come entity by entity.
    private func writer(for layout: EntityLayout) throws -> EntityWriter {
        if let lastWriter, lastWriter._withUnsafeGuaranteedRef({ $0.layout === layout }) {
            return lastWriter.takeUnretainedValue()
        }
        let writer = try store.writer(for: layout)
        lastWriter = .passUnretained(writer)
        return writer
    }

    /// The writer, which the store keeps.
    private func writer(for row: PlainRow) throws -> Unmanaged<EntityWriter> {
        if let lastWriter, lastWriter._withUnsafeGuaranteedRef({ $0.isFor(row.layout) }) { return lastWriter }
        return .passUnretained(try writer(for: row.layout.takeUnretainedValue()))
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
        for index in 0..<rows.count {
            guard let (root, key) = rows.identity(index), let row = fresh[root]?.removeValue(forKey: key) else {
                continue
            }
            rows.set(index, row)
        }
        return fresh.values.flatMap(\.values)
    }
}

/// The new rows of a save by the change's index, insertions first.
private struct WrittenRows: ~Copyable {
    /// Each row is retained once, from its writing to the array that the save gives back.
    private let places: UnsafeMutableBufferPointer<Unmanaged<RowSnapshot>?>

    init(count: Int) {
        places = .allocate(capacity: count)
        places.initialize(repeating: nil)
    }

    deinit {
        for row in places { row?.release() }
        places.deallocate()
    }

    var count: Int { places.count }

    /// The number of the root of a row's entity tree, and its key; nil for a row that is not written.
    func identity(_ index: Int) -> (root: Int32, key: Int64)? {
        places[index]?._withUnsafeGuaranteedRef { ($0.table.pointee.rootNumber, $0.key) }
    }

    @inline(__always)
    func set(_ index: Int, _ row: consuming RowSnapshot) {
        let old = places[index]
        places[index] = .passRetained(row)
        old?.release()
    }

    /// Hands out all rows, which must have been written, and others behind them.
    func takeAll(and others: [RowSnapshot]) -> [RowSnapshot] {
        let written = [RowSnapshot](unsafeUninitializedCapacity: places.count + others.count) { result, count in
            for index in places.indices {
                guard let row = places[index] else { defect("A row of the save was not written.") }
                places[index] = nil
                result.initializeElement(at: index, to: row.takeRetainedValue())
                count += 1
            }
        }
        return others.isEmpty ? written : written + others
    }
}
