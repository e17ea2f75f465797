import FoundationGaps
import RandomSeeds
import Testing

@testable import CoreData

@Suite("The row cache between readers and writers")
struct RowCacheTests {
    // Layouts need their model.
    private let model: StoreModel
    private let cache = RowCache()
    private let layout: EntityLayout
    private var group: KeyGroup { KeyGroup(store: 0, root: layout.rootNumber) }

    init() {
        model = League.model()
        layout = model.layouts.layout(named: "Team")!
    }

    private func row(_ key: Int64, version: Int64) -> RowSnapshot {
        .make(layout: layout, key: key, version: version, byteCount: 0) { _ in }
    }

    private func sweep() {
        #expect(cache.beginSweep())
        while cache.sweepStep() {}
    }

    /// Enters so many unused rows that a sweep lets the first ones go.
    private func crowd() {
        let ticket = cache.beginRead()
        _ = cache.insert((1000..<17_000).map { row($0, version: 1) }, group, ticket)
        _ = cache.endRead(ticket)
        sweep()
    }

    @Test("an older row that comes late does not take the place of a newer one")
    func olderRow() {
        let read = cache.beginRead()
        cache.noteCommit([])
        cache.replace([row(1, version: 2)][...], group)
        let entered = cache.insert([row(1, version: 1)], group, read)
        _ = cache.endRead(read)
        #expect(entered[0].version == 2)
        #expect(cache.row(group, 1)?.version == 2)
    }

    @Test("nor where the newer ones were not used and could have been swept away", arguments: [false, true])
    func sweptRows(batch: Bool) {
        // Far apart, as a sweep keeps some unused rows, neighbours together.
        let keys = (0..<100).map { Int64(20_000 + 64 * $0) }
        let read = cache.beginRead()
        do {
            let new = keys.map { row($0, version: 2) }
            cache.noteCommit(new)
            cache.replace(new[...], group)
        }
        crowd()
        #expect(keys.allSatisfy { cache.row(group, $0)?.version == 2 }, "a read under way keeps what was written since")
        if batch {
            let rows = RowBatch(keys.map { row($0, version: 1) })
            cache.insert(rows, group, read)
            #expect(rows.drained().allSatisfy { $0.version == 2 })
        } else {
            _ = cache.insert(keys.map { row($0, version: 1) }, group, read)
        }
        _ = cache.endRead(read)
        #expect(keys.allSatisfy { cache.row(group, $0)?.version == 2 })
        crowd()
        crowd()
        #expect(!keys.allSatisfy { cache.row(group, $0) != nil }, "without a read nothing keeps them")
    }

    @Test("a row that was brought back takes the place of the one that went, though its version may be a lower one")
    func broughtBack() {
        func read(_ version: Int64, _ ticket: ReadTicket) -> Int64? {
            _ = cache.insert([row(1, version: version)], group, ticket)
            _ = cache.endRead(ticket)
            return cache.row(group, 1)?.version
        }
        #expect(read(700_003, cache.beginRead()) == 700_003)
        // The clock of reads is a coarse one.
        Thread.sleep(forTimeInterval: 0.05)
        #expect(read(200_003, cache.beginRead()) == 200_003)
        let late = cache.beginRead()
        Thread.sleep(forTimeInterval: 0.05)
        cache.replace([row(1, version: 900_000)][...], group)
        #expect(read(200_003, late) == 900_000)
    }

    @Test("of rows that are read few at a time, those that are used stay, and the last ones", arguments: [1, 100])
    func fewRows(atATime: Int) {
        func read(_ keys: Range<Int>) -> [RowSnapshot] {
            let ticket = cache.beginRead()
            let rows = keys.map { row(Int64($0 * 1_000), version: 1) }
            let entered = rows.count == 1 ? [cache.insert(rows[0], group, ticket)] : cache.insert(rows, group, ticket)
            _ = cache.endRead(ticket)
            return entered
        }
        var used: [RowSnapshot] = []
        let count = 3 * RowCache.recentlyRead / 100 * 100
        for first in stride(from: 0, to: count, by: atATime) {
            let rows = read(first..<first + atATime)
            if first % 500 == 0 { used.append(rows[0]) }
        }
        #expect(used.allSatisfy { cache.row(group, $0.key) === $0 })
        let warm = (0..<count).count { cache.row(group, Int64($0 * 1_000)) != nil }
        // One that is used has the next one stay until a sweep.
        #expect(warm <= RowCache.recentlyRead + 2 * used.count)
        #expect((count - RowCache.recentlyRead..<count).allSatisfy { cache.row(group, Int64($0 * 1_000)) != nil })
        #expect(!cache.wantsSweep && !cache.isLarge)
    }

    @Test("those that were used when their time came go by a sweep, and leave none behind that is not wanted")
    func usedRows() {
        let most = RowCache.recentlyRead
        func read(_ keys: Range<Int64>) -> [RowSnapshot] {
            let ticket = cache.beginRead()
            defer { _ = cache.endRead(ticket) }
            return keys.map { cache.insert(row($0, version: 1), group, ticket) }
        }
        let count = Int64(4 * RowCache.warm)
        let used = read(0..<count)
        #expect(used.allSatisfy { cache.row(group, $0.key) === $0 })
        _ = consume used
        #expect(cache.isLarge)
        sweep()
        #expect((0..<count).count { cache.row(group, $0) != nil } <= RowCache.warm)
        // These are not used: from the first that is looked at, each goes in its turn.
        for first in stride(from: count, to: 2 * count, by: 16) { _ = read(first..<first + 16) }
        #expect((count..<2 * count).count { cache.row(group, $0) != nil } <= most)
    }

    @Test(
        "a row that was deleted, or forgotten, does not come back by a read that began before",
        arguments: [false, true])
    func goneRow(batch: Bool) {
        let (before, other) = (cache.beginRead(), cache.beginRead())
        cache.replace([row(1, version: 1)][...], group)
        cache.remove(1, group)
        let after = cache.beginRead()
        _ = cache.endRead(other)
        if batch {
            let rows = RowBatch([row(1, version: 1), row(2, version: 1)])
            #expect(cache.isOvertaken(rows, group, before) && !cache.isOvertaken(rows, group, after))
            cache.insert(rows, group, before)
        } else {
            #expect(cache.insert([row(1, version: 1), row(2, version: 1)], group, before).count == 2)
        }
        _ = cache.endRead(before)
        #expect(cache.row(group, 1) == nil && cache.row(group, 2) != nil)
        _ = cache.insert([row(1, version: 3)], group, after)
        _ = cache.endRead(after)
        #expect(cache.row(group, 1)?.version == 3, "who began later knows")
    }

    @Test("a read that takes so long that its marks would fill memory enters nothing")
    func slowRead() {
        let read = cache.beginRead()
        for key in 1...Int64(200_001) { cache.remove(key, group) }
        _ = cache.insert([row(5, version: 1), row(300_000, version: 1)], group, read)
        #expect(cache.isOvertaken(RowBatch([row(300_000, version: 1)]), group, read))
        _ = cache.endRead(read)
        #expect(cache.row(group, 5) == nil && cache.row(group, 300_000) == nil)
        let next = cache.beginRead()
        _ = cache.insert([row(5, version: 1)], group, next)
        _ = cache.endRead(next)
        #expect(cache.row(group, 5) != nil)
    }

    @Test("random reads, commits, deletions and sweeps: the cache never has a row that is older than the store's")
    func random() {
        let seed = SeededGenerator.seeds(1, full: 1)[0]
        var generator = SeededGenerator(seed: seed)
        var stored: [Int64: Int64] = [:]
        var highest: Int64 = 0
        var reads: [(ticket: ReadTicket, rows: [(Int64, Int64)])] = []
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                highest += 1
                stored[highest] = 1
                write(highest, 1)
            case 1:
                guard let key = stored.keys.randomElement(using: &generator) else { continue }
                stored[key]! += 1
                write(key, stored[key]!)
            case 2:
                guard let key = stored.keys.randomElement(using: &generator) else { continue }
                stored[key] = nil
                cache.remove(key, group)
            case 3:
                // Reads what is there now; enters it later.
                reads.append(
                    (cache.beginRead(), stored.map { ($0.key, $0.value) }.shuffled(using: &generator).suffix(20)))
            case 4:
                guard !reads.isEmpty else { continue }
                let (ticket, rows) = reads.remove(at: Int.random(in: 0..<reads.count, using: &generator))
                _ = cache.insert(rows.map { row($0, version: $1) }, group, ticket)
                _ = cache.endRead(ticket)
            default: if cache.beginSweep() { while cache.sweepStep() {} }
            }
        }
        for key in 1...max(1, highest) {
            guard let row = cache.row(group, key) else { continue }
            #expect(row.version == stored[key], "key \(key), seed \(seed)")
        }
    }

    private func write(_ key: Int64, _ version: Int64) {
        let rows = [row(key, version: version)]
        cache.noteCommit(rows)
        cache.replace(rows[...], group)
    }

    @Test(
        "an asynchronous fetch ends its read also where the context was pinned meanwhile, and what it found does not count"
    )
    func asynchronousRead() async throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        let count = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
            context.performAndWait {
                do {
                    _ = context.insert("Player", ["name": "Wade"])
                    try context.save()
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
                    let fetch = NSAsynchronousFetchRequest(fetchRequest: request) {
                        continuation.resume(returning: $0.finalResult?.count ?? -1)
                    }
                    _ = try context.execute(fetch)
                    try context.setQueryGenerationFrom(.current)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        #expect(count == 1)
        #expect(stack.coordinator.locked { stack.coordinator.rows.isUnread })
    }
}
