import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// Processes that write a store with history and that follow it, and are killed at any time.
@Suite("Persistent history: killed processes")
struct HistoryCrashTests {
    private let folder: StoreFolder
    private static let isFull = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] != nil
    /// How often a process is killed and started again.
    private static let rounds = isFull ? 5_000 : 250

    init() throws { folder = try StoreFolder() }

    @Test("a reader of history that is killed, beside three writers that are killed, misses and doubles nothing")
    func ledger() throws {
        var random = SeededGenerator(seed: 1)
        var processes = try (0..<4).map { try start($0) }
        for _ in 0..<Self.rounds {
            usleep(UInt32.random(in: 0...40_000, using: &random))
            let place = Int.random(in: 0..<processes.count, using: &random)
            try kill(processes[place])
            processes[place] = try start(place)
        }
        // What was started last gets the time to write something for certain.
        usleep(500_000)
        for process in processes { try kill(process) }
        for verb in ["catchup", "audit"] {
            let process = try CrashWriterProcess(verb, store, ledgerFile.path, output: folder.file(verb))
            let (status, output) = try (process.wait(), process.output)
            #expect(status == 0, "\(verb): \(output)")
        }
        let connection = try SQLiteConnection(path: store.path, access: .readWrite)
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        #expect(try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002") ?? 0 > 0)
    }

    private var store: URL { folder.file("Items.sqlite") }
    private var ledgerFile: URL { folder.file("ledger.json") }

    /// Starts one of three writers, or the reader.
    private func start(_ place: Int) throws -> CrashWriterProcess {
        let output = folder.file("output-\(place)")
        if place == 3 { return try CrashWriterProcess("follow", store, ledgerFile.path, output: output) }
        return try CrashWriterProcess("record", store, "writer \(place)", output: output)
    }

    /// Kills a process, which must not have ended by itself.
    private func kill(_ process: CrashWriterProcess) throws {
        let output = try process.output
        #expect(process.isRunning, "a process ended by itself: \(output)")
        try process.kill()
    }
}
