import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// Processes that are killed while they save. They take long, and run in the full test only.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] != nil))
struct SQLiteCrashTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test(arguments: 0..<25)
    func aKilledSaveLeavesTheOldOrTheNewState(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = folder.file("Items.sqlite")
        for attempt in 0..<4 {
            let writer = try start("write", store)
            // The last one gets the time to write something for certain.
            usleep(attempt == 3 ? 700_000 : UInt32.random(in: 20_000...400_000, using: &random))
            kill(writer.process.processIdentifier, SIGKILL)
            try wait(for: writer.process)
            let checker = try start("check", store)
            try wait(for: checker.process)
            let output = try String(contentsOf: checker.output, encoding: .utf8)
            #expect(checker.process.terminationStatus == 0, "seed \(seed): \(output)")
        }
        let connection = try SQLiteConnection(path: store.path, access: .readWrite)
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        let highest = try connection.integer("SELECT max(Z_PK) FROM ZITEM") ?? 0
        #expect(highest > 0, "the writer wrote nothing")
        #expect(try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY") ?? 0 >= highest)
    }

    private func start(_ verb: String, _ store: URL) throws -> (process: Process, output: URL) {
        let output = folder.file("output-" + verb)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = try CrashWriter.executable()
        process.arguments = [verb, store.path]
        process.standardOutput = try FileHandle(forWritingTo: output)
        try process.run()
        return (process, output)
    }

    /// Waits half a minute at most: a process that hangs must not hang the tests.
    private func wait(for process: Process) throws {
        for _ in 0..<3000 where process.isRunning { usleep(10_000) }
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        throw SQLiteTestFailure("CrashWriter \(process.arguments ?? []) did not end")
    }
}

/// The program that tests kill, built beside them.
enum CrashWriter {
    static func executable() throws -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("CrashWriter")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        throw SQLiteTestFailure("CrashWriter was not built beside the tests")
    }
}
