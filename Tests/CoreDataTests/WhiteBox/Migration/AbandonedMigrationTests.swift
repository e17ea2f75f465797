import Foundation
import Testing

@testable import CoreData

/// What a process leaves beside a store when it is killed in the middle of a migration.
@Suite struct AbandonedMigrationTests {
    private let folder: StoreFolder
    private let store: URL

    init() throws {
        folder = try StoreFolder()
        store = folder.file("Items.bin")
    }

    private func start(_ verb: String) throws -> CrashWriterProcess {
        try CrashWriterProcess(verb, store, output: folder.file("output-" + UUID().uuidString))
    }

    /// The folders that migrations have beside the store.
    private var folders: Set<String> {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            return Set(names.filter { $0.hasPrefix(".Items.bin-") })
        }
    }

    /// Starts a process that stops in the middle of a migration.
    private func halted() throws -> CrashWriterProcess {
        let process = try start("halt")
        try process.wait(forOutput: "halted")
        return process
    }

    @Test func theNextMigrationRemovesWhatAKilledOneHasLeft() throws {
        try halted().kill()
        let left = try folders
        #expect(left.count == 1)
        #expect(try start("migrate").wait() == 0)
        #expect(try folders.isEmpty)
    }

    @Test func whatAnotherProcessUsesStays() throws {
        let other = try halted()
        let used = try folders
        #expect(used.count == 1)
        try halted().kill()
        #expect(try folders.count == 2)
        #expect(try start("migrate").wait() == 0)
        #expect(try folders == used)
        try other.kill()
        // The store is of the later model by now: nothing is migrated.
        #expect(try start("migrate").wait() == 0)
        #expect(try folders.isEmpty)
    }

    @Test func aMigrationLeavesOtherFilesAlone() throws {
        let (names, files) = (
            [".Items.bin-notes", ".Other.bin-\(UUID().uuidString)", "Items.bin-\(UUID().uuidString)"],
            FileManager.default
        )
        for name in names { try files.createDirectory(at: folder.file(name), withIntermediateDirectories: false) }
        try files.createSymbolicLink(
            at: folder.file(".Items.bin-\(UUID().uuidString)"), withDestinationURL: folder.file(names[0]))
        try Data("a text".utf8).write(to: folder.file(".Items.bin-\(UUID().uuidString)"))
        let before = try files.contentsOfDirectory(atPath: folder.url.path).sorted()
        do { _ = try MigrationFolder(beside: store) }
        #expect(try files.contentsOfDirectory(atPath: folder.url.path).sorted() == before)
    }
}
