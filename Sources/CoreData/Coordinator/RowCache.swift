import FoundationGaps

/// The rows that were read or written, shared by all contexts of a coordinator. Used under the coordinator's lock.
///
/// The cache holds rows strongly. Of rows that come in small numbers the last ones stay warm: each that comes has the
/// oldest go, if nothing else holds it. All others (of large fetches, written ones, and those that objects held when
/// their time came) are swept now and then: rows that nothing else holds go, but for a bounded number.
/// A sweep costs as much as the rows inserted since the last, so inserting stays cheap, and the cache never holds more
/// than twice what objects use, plus what it keeps warm; when many objects go away, their rows follow soon. The same
/// goes for the bytes of large rows, such as those with pictures.
///
/// Stores are read and written side by side, without the lock. A read begins with ``beginRead()`` before it asks the
/// store; its rows are inserted where the cache does not know better by then: a row never takes the place of a newer
/// one, nor comes back after it was deleted.
final class RowCache: @unchecked Sendable {
    // Unchecked: under the coordinator's lock.

    /// How many rows a sweep leaves without an object that uses them.
    static let warm = 8192
    /// How many of those stay warm that come in small numbers. They are used again soon or never; and the memory of
    /// those that go is still in the processor's cache when others take it.
    static let recentlyRead = 4096
    /// How many of those are left to the sweeps, at most, after one that is in use.
    private static let mostLeftOut = 31
    /// How many rows come in a small number.
    private static let few = 512
    /// How many rows one step of a sweep looks at: others wait for the lock meanwhile.
    private static let step = 512

    /// How many bytes of large rows stay at most that no object uses, after objects went away: a sweep leaves half of
    /// them, and the next one comes before as many are released again.
    static let warmBytes = 32 << 20
    /// How many bytes of large rows a sweep leaves that no object uses; and after how many released ones it comes.
    static let sweptBytes = warmBytes / 2

    // Exclusive access is not checked at run time: no method calls foreign code while it changes a property.

    @exclusivity(unchecked) private var tables = KeyTables<RowSnapshot>()
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var nextSweep = 2 * RowCache.warm
    /// The bytes of the large rows that the last sweep left, and of those that were inserted since.
    @exclusivity(unchecked) private(set) var largeBytes = 0
    @exclusivity(unchecked) private var mostLargeBytes = 2 * RowCache.warmBytes
    @exclusivity(unchecked) private var ledger = ReadLedger()
    @exclusivity(unchecked) private var recent = RecentKeys(most: RowCache.recentlyRead)
    /// How many rows are not looked at after one that is in use; and how many of these are still to come.
    @exclusivity(unchecked) private var leavesOut = 0
    @exclusivity(unchecked) private var leftOut = 0
    @exclusivity(unchecked) private var sweep: Sweep?
    /// Whether a sweep was wanted while another one was under way, which may have passed the rows that were released
    /// since.
    private var sweepsAgain = false

    /// Whether so many rows have come that a thread should call ``sweepStep()``.
    var wantsSweep: Bool { (count > nextSweep || largeBytes > mostLargeBytes) && sweep == nil }

    /// Whether there are more rows than stay warm in any case, or a sweep under way has still to find that out.
    var isLarge: Bool { sweep != nil || count - recent.count > RowCache.warm || largeBytes > RowCache.warmBytes }

    func row(_ group: KeyGroup, _ key: Int64, _ age: RowAge = .any) -> RowSnapshot? {
        guard let row = tables.table(group)?._withUnsafeGuaranteedRef({ $0[key] }), age.allows(row) else { return nil }
        return row
    }

    // MARK: Rows that were read

    /// Notes that a store is about to be read.
    func beginRead() -> ReadTicket { ledger.begin() }

    /// - Returns: Rows to let go of without the lock.
    func endRead(_ ticket: ReadTicket) -> [[RowSnapshot]] { ledger.end(ticket) }

    /// Whether no thread reads. Otherwise written rows are kept for the readers.
    var isUnread: Bool { ledger.isIdle }

    /// Inserts the rows of a fetch in one entity tree. One that the cache has in the same or a later version takes the
    /// place of the new one.
    func insert(_ rows: RowBatch, _ group: KeyGroup, _ ticket: ReadTicket) {
        let marks = ledger.marks(group)
        let isTooOld = ledger.isTooOld(ticket)
        change(group, capacity: rows.count) { table in
            if table.count == 0, marks == nil, !isTooOld {
                return rows.forEach { row in
                    row.readTime = ticket.time
                    put(row, table)
                }
            }
            rows.replace { row in
                if let known = table[row.key], known.confirms(row, ticket) { return known }
                row.readTime = ticket.time
                if !isTooOld, !(marks?.contains(row.key, since: ticket) ?? false) { put(row, table) }
                return nil
            }
        }
        if rows.count <= Self.few { rows.forEach { noteRecent($0.key, group) } }
    }

    /// Takes the whole rows that the cache has for parts of rows that were just read, where they are newer.
    func complete(_ parts: RowBatch, _ group: KeyGroup, _ ticket: ReadTicket) {
        let table = tables.table(group)
        parts.replace { part in
            if let known = table?._withUnsafeGuaranteedRef({ $0[part.key] }), known.confirms(part, ticket),
                known.version > part.version
            {
                return known
            }
            part.readTime = ticket.time
            return nil
        }
    }

    /// Inserts what a fetch found in one entity tree; parts of rows are never inserted.
    func insert(_ rows: RowBatch, of fetch: StoreFetch, _ group: KeyGroup, _ ticket: ReadTicket) {
        if case .parts = fetch.output { complete(rows, group, ticket) } else { insert(rows, group, ticket) }
    }

    /// Inserts rows of one entity tree that were just read, and returns what the cache has now: a row that it had in
    /// the same or a later version stays.
    func insert(_ rows: [RowSnapshot], _ group: KeyGroup, _ ticket: ReadTicket) -> [RowSnapshot] {
        let marks = ledger.marks(group)
        let isTooOld = ledger.isTooOld(ticket)
        defer { if rows.count <= Self.few { rows.forEachUnretained { noteRecent($0.key, group) } } }
        return change(group, capacity: rows.count) { table in
            rows.map { row in
                if let known = table[row.key], known.confirms(row, ticket) { return known }
                row.readTime = ticket.time
                if !isTooOld, !(marks?.contains(row.key, since: ticket) ?? false) { put(row, table) }
                return row
            }
        }
    }

    /// Inserts a row that was just read, and returns what the cache has now.
    func insert(_ row: RowSnapshot, _ group: KeyGroup, _ ticket: ReadTicket) -> RowSnapshot {
        let isGone = ledger.isTooOld(ticket) || ledger.marks(group)?.contains(row.key, since: ticket) ?? false
        defer { noteRecent(row.key, group) }
        return change(group, capacity: 1) { table in
            if let known = table[row.key], known.confirms(row, ticket) { return known }
            row.readTime = ticket.time
            if !isGone { put(row, table) }
            return row
        }
    }

    /// Whether rows of a read went from the store, or were forgotten, since it began.
    func isOvertaken(_ rows: RowBatch, _ group: KeyGroup, _ ticket: ReadTicket) -> Bool {
        if ledger.isTooOld(ticket) { return true }
        guard let marks = ledger.marks(group) else { return false }
        var isOvertaken = false
        rows.forEach { isOvertaken = isOvertaken || marks.contains($0.key, since: ticket) }
        return isOvertaken
    }

    /// Notes that a row is among the last that were read; the oldest of these goes, if nothing uses it.
    @inline(__always)
    private func noteRecent(_ key: Int64, _ group: KeyGroup) {
        guard let oldest = recent.append(RecentKeys.Entry(group: group, key: key)) else { return }
        if leftOut > 0 { leftOut -= 1 } else { letGo(oldest) }
    }

    /// Releases a row if nothing uses it.
    ///
    /// To see that a row is in use costs a look at distant memory: where one row is in use, more and more of the next
    /// ones are left to the sweeps, until one is not.
    private func letGo(_ entry: RecentKeys.Entry) {
        var isUsed = false
        tables.table(entry.group)?._withUnsafeGuaranteedRef { table in
            let goes = table.remove(entry.key) { row in
                isUsed = !isKnownUniquelyReferenced(&row)
                return !isUsed
            }
            if goes { count -= 1 }
        }
        leavesOut = isUsed ? min(2 * leavesOut + 1, Self.mostLeftOut) : 0
        leftOut = leavesOut
    }

    // MARK: Rows that were written

    /// Notes what a commit wrote, before it is inserted bit by bit.
    func noteCommit(_ rows: [RowSnapshot]) { ledger.recordWritten(rows) }

    /// Inserts rows that replace what the cache has.
    func replace(_ rows: ArraySlice<RowSnapshot>, _ group: KeyGroup) {
        change(group, capacity: rows.count) { table in
            let now = ReadTime.now
            rows.forEachUnretained { row in
                row.readTime = now
                put(row, table)
            }
        }
    }

    /// Forgets a row, which is gone or has to be looked up anew.
    func remove(_ key: Int64, _ group: KeyGroup) { remove(CollectionOfOne(key), group) }

    func removeAll(store: Int32) {
        tables.removeAll(store: store)
        count = tables.count
    }

    /// Forgets all rows of a store. What reads under way bring is not kept.
    func forgetAll(store: Int32) {
        ledger.refuseReadsUnderWay()
        removeAll(store: store)
    }

    /// Forgets rows of one entity tree that are gone.
    func remove(_ keys: some Collection<Int64>, _ group: KeyGroup) {
        for key in keys { ledger.mark(key, group) }
        tables.table(group)?._withUnsafeGuaranteedRef { table in
            let before = table.count
            for key in keys { table.remove(key) }
            count += table.count - before
        }
    }

    @inline(__always)
    private func put(_ row: RowSnapshot, _ table: KeyTable<RowSnapshot>) {
        largeBytes += row.largeByteCount
        table.set(row.key, row)
    }

    @inline(__always)
    private func change<R>(_ group: KeyGroup, capacity: Int, _ body: (KeyTable<RowSnapshot>) -> R) -> R {
        tables.ensureTable(group, capacity: capacity)._withUnsafeGuaranteedRef { table in
            let before = table.count
            let result = body(table)
            count += table.count - before
            // Rows that come in great numbers are on their way to objects: looking for unused ones can wait.
            if count > nextSweep, table.count - before > count / 2 { nextSweep = 2 * count }
            return result
        }
    }

    // MARK: Sweeping

    /// How far a sweep has got.
    private struct Sweep {
        var groups: [KeyGroup]
        var place = 0
        /// How many unused rows may stay, and how many bytes of unused large ones.
        var spare = RowCache.warm
        var spareBytes = RowCache.sweptBytes
        /// The bytes of the large rows that stay.
        var keptBytes = 0

        init(_ groups: [KeyGroup]) { self.groups = groups }

        /// Whether a row stays.
        mutating func keeps(_ row: inout RowSnapshot) -> Bool {
            let bytes = row.largeByteCount
            if isKnownUniquelyReferenced(&row) {
                spare -= 1
                spareBytes -= bytes
                if spare < 0 || bytes > 0 && spareBytes < 0 { return false }
            }
            keptBytes += bytes
            return true
        }
    }

    /// Starts a sweep, unless one is under way.
    func beginSweep() -> Bool {
        guard sweep == nil else {
            sweepsAgain = true
            return false
        }
        startSweep()
        return true
    }

    private func startSweep() {
        sweep = Sweep(tables.groups)
        // What is inserted from now on comes in addition to what the sweep keeps.
        largeBytes = 0
    }

    /// Releases rows that nothing uses, but for a bounded number, among some more of those that there are.
    ///
    /// - Returns: False when the sweep has seen all.
    func sweepStep() -> Bool {
        guard var state = sweep else { return false }
        guard let group = state.groups.last else {
            largeBytes += state.keptBytes
            count = tables.count
            nextSweep = 2 * (count + RowCache.warm)
            mostLargeBytes = 2 * max(largeBytes, RowCache.warmBytes)
            sweep = nil
            if sweepsAgain { startSweep() }
            sweepsAgain = false
            return sweep != nil
        }
        let table = tables.table(group)?.takeUnretainedValue()
        let next = table?.filter(from: state.place, count: Self.step) { state.keeps(&$0) }
        state.place = next ?? 0
        if next == nil {
            table?.shrink()
            state.groups.removeLast()
        }
        sweep = state
        return true
    }
}

extension RowSnapshot {
    /// Whether the cache's row stays although another one was read. If that is the same, the cache's is known to be
    /// good since.
    fileprivate func confirms(_ row: RowSnapshot, _ ticket: ReadTicket) -> Bool {
        guard version >= row.version else { return false }
        if version == row.version {
            readTime = max(readTime, ticket.time)
            return true
        }
        // That far apart are rows of which one was deleted and brought back: the one that was read later is the newer
        // one.
        return version - row.version < ChangeRecord.versionLeap.lowerBound || ticket.time <= readTime
    }
}
