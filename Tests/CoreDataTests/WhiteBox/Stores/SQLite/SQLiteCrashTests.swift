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
            let writer = try CrashWriterProcess("write", store, output: folder.file("output-write"))
            // The last one gets the time to write something for certain.
            usleep(attempt == 3 ? 700_000 : UInt32.random(in: 20_000...400_000, using: &random))
            try writer.kill()
            let checker = try CrashWriterProcess("check", store, output: folder.file("output-check"))
            let (status, output) = try (checker.wait(), checker.output)
            #expect(status == 0, "seed \(seed): \(output)")
        }
        let connection = try SQLiteConnection(path: store.path, access: .readWrite)
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        let highest = try connection.integer("SELECT max(Z_PK) FROM ZITEM") ?? 0
        #expect(highest > 0, "the writer wrote nothing")
        #expect(try connection.integer("SELECT Z_MAX FROM Z_PRIMARYKEY") ?? 0 >= highest)
    }
}
