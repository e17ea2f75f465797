import FoundationGaps

/// When a read of a store began, as the row cache counts.
struct ReadTicket {
    fileprivate let epoch: UInt64
    let time = ReadTime.now
}

/// Which reads are under way, and what was written or forgotten since they began: what they bring may be older than
/// what the row cache had meanwhile, though the cache has let go of it.
///
/// A row that a commit wrote is held until the reads that may know an older one have ended, so the cache keeps it and
/// versions decide. A row that was deleted, or forgotten, leaves a mark until then. Nothing is noted while no thread
/// reads.
struct ReadLedger {
    private var epoch: UInt64 = 0
    /// The epochs of the reads under way, in no order; there are few.
    private var active: [UInt64] = []
    private var written: [(epoch: UInt64, rows: [RowSnapshot])] = []
    private var writtenCount = 0
    private var marks: [KeyGroup: [Int64: UInt64]] = [:]
    private var markCount = 0
    /// Rows that need not be held any longer, until a thread takes them to release them without the lock.
    private var outdated: [[RowSnapshot]] = []
    /// Reads that began before it do not insert rows any longer: too much was written meanwhile.
    private var barrier: UInt64 = 0

    /// How many rows and marks are kept for the sake of slow reads.
    private static let most = 200_000

    /// Whether no read is under way: then nothing is noted.
    var isIdle: Bool { active.isEmpty }

    mutating func begin() -> ReadTicket {
        active.append(epoch)
        return ReadTicket(epoch: epoch)
    }

    /// - Returns: Rows to let go of when the lock is given back: they may be many, and the last reference to each.
    mutating func end(_ ticket: ReadTicket) -> [[RowSnapshot]] {
        if let place = active.lastIndex(of: ticket.epoch) { active.remove(at: place) }
        if writtenCount + markCount > 0 {
            if let oldest = active.min() { if oldest > ticket.epoch { forget(writtenBy: oldest) } } else { forget() }
        }
        guard !outdated.isEmpty else { return [] }
        defer { outdated = [] }
        return outdated
    }

    /// Notes what a commit wrote.
    mutating func recordWritten(_ rows: [RowSnapshot]) {
        epoch += 1
        guard !active.isEmpty, !rows.isEmpty else { return }
        written.append((epoch, rows))
        writtenCount += rows.count
        limit()
    }

    /// Notes that a row is gone from the store, or that what is known of it is not to be relied on.
    mutating func mark(_ key: Int64, _ group: KeyGroup) {
        guard !active.isEmpty else { return }
        epoch += 1
        if marks[group, default: [:]].updateValue(epoch, forKey: key) == nil { markCount += 1 }
        limit()
    }

    /// Has no read that is under way insert rows any longer.
    mutating func refuseReadsUnderWay() {
        epoch += 1
        barrier = epoch
    }

    /// Whether a read is too old for any of its rows to be inserted.
    func isTooOld(_ ticket: ReadTicket) -> Bool { ticket.epoch < barrier }

    /// The marks of a tree; nil where there are none.
    func marks(_ group: KeyGroup) -> Marks? { markCount == 0 ? nil : marks[group].map { Marks(epochs: $0) } }

    struct Marks {
        fileprivate let epochs: [Int64: UInt64]

        /// Whether the row went after a read began.
        func contains(_ key: Int64, since ticket: ReadTicket) -> Bool { epochs[key].map { $0 > ticket.epoch } ?? false }
    }

    private mutating func limit() {
        guard writtenCount + markCount > Self.most else { return }
        barrier = epoch
        forget()
    }

    private mutating func forget(writtenBy epoch: UInt64) {
        let count = written.prefix { $0.epoch <= epoch }.count
        for (_, rows) in written.prefix(count) {
            outdated.append(rows)
            writtenCount -= rows.count
        }
        written.removeFirst(count)
    }

    private mutating func forget() {
        outdated += written.map(\.rows)
        written.removeAll()
        marks.removeAll()
        (writtenCount, markCount) = (0, 0)
    }
}
