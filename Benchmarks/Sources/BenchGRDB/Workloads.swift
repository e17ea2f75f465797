import CBench
import Foundation
import GRDB

/// The workloads in GRDB's idiom: record structures, the query interface, record methods.
struct Workloads {
    /// The file that is read.
    let base: String
    /// A file that may be written.
    let work: String

    func run(_ workload: String) throws -> Measurement? {
        switch workload {
        // GRDB inserts records one by one, and has no dictionaries to insert.
        case "insert", "batch-insert-dictionaries", "batch-insert-handler", "batch-insert-objects": try insert()
        // GRDB records no history.
        case "insert-small-saves", "insert-small-saves-history", "insert-small-saves-same-history":
            try insertSmallSaves()
        case "update": try update()
        case "delete": try delete()
        case "batch-update": try updateAll()
        case "batch-delete": try deleteAll()
        case "fetch-all": try fetch(Player.all()) { $0.sum }
        case "fetch-all-one-attribute": try fetch(Player.all()) { Int64($0.age) }
        case "fetch-predicate-sorted": try fetchSorted()
        // GRDB has no row cache: it asks SQLite again.
        case "fetch-by-id", "fetch-by-id-warm": try fetchByID()
        case "to-many-traverse", "to-many-traverse-array", "to-many-traverse-own-cache": try traverse()
        case "to-many-prefetch": try prefetch()
        case "aggregate": try aggregate()
        case "page", "page-lazy": try page()
        case "open": try open()
        default: nil
        }
    }

    /// A connection in WAL mode, which has `synchronous` at `NORMAL` then.
    static func queue(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}

typealias Measurement = bench_result

extension Measurement {
    /// Runs `body` with the clocks going; what it returns is let go of afterwards, on a clock of its own.
    @inline(never)
    mutating func time<T>(_ body: (inout Measurement) throws -> T) rethrows {
        bench_start()
        var kept: T? = try body(&self)
        bench_stop(&self)
        let freeing = bench_now()
        withExtendedLifetime(kept) {}
        kept = nil
        free_seconds = bench_now() - freeing
    }
}
