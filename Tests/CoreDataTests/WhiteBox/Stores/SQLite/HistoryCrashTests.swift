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
    private static let rounds = isFull ? 5_000 : 500

    init() throws { folder = try StoreFolder() }

    @Test("a reader of history that is killed, beside three writers that are killed, misses and doubles nothing")
    func ledger() throws {
        var random = SeededGenerator(seed: 1)
        let (store, ledger) = (folder.file("Items.sqlite"), folder.file("ledger.json"))
        let roles =
            [["record", store.path, "a"], ["record", store.path, "b"], ["record", store.path, "c"]]
            + [["follow", store.path, ledger.path]]
        var processes = try roles.map { try start($0) }
        defer { for process in processes where process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        for _ in 0..<Self.rounds {
            usleep(UInt32.random(in: 0...40_000, using: &random))
            let place = Int.random(in: 0..<roles.count, using: &random)
            try expectRunning(processes[place])
            kill(processes[place].processIdentifier, SIGKILL)
            processes[place].waitUntilExit()
            processes[place] = try start(roles[place])
        }
        // What was started last gets the time to write something for certain.
        usleep(500_000)
        for process in processes {
            try expectRunning(process)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        for verb in ["catchup", "audit"] {
            let process = try start([verb, store.path, ledger.path])
            process.waitUntilExit()
            let told = try output
            #expect(process.terminationStatus == 0, "\(verb): \(told)")
        }
        let connection = try SQLiteConnection(path: store.path, access: .readWrite)
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        #expect(try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002") ?? 0 > 0)
    }

    private func expectRunning(_ process: Process) throws {
        let told = try output
        #expect(process.isRunning, "\(process.arguments ?? []) ended by itself: \(told)")
    }

    private var output: String {
        get throws { try String(contentsOf: folder.file("output"), encoding: .utf8) }
    }

    private func start(_ arguments: [String]) throws -> Process {
        let output = folder.file("output")
        if !FileManager.default.fileExists(atPath: output.path) { try Data().write(to: output) }
        let process = Process()
        process.executableURL = try CrashWriter.executable()
        process.arguments = arguments
        let handle = try FileHandle(forWritingTo: output)
        try handle.seekToEnd()
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        return process
    }
}
