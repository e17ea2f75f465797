import Foundation
import PostgreSQLServer
import RandomSeeds
import Testing

/// A million objects, from a file into a database and back, with copies that are killed. It runs with
/// `COREDATA_FULL_TESTS`; ``CopyTests`` has smaller ones.
@Suite("coredata copy of a large store", .enabled(if: FullRun.isOn))
struct LargeCopyTests {
    private let folder = try! TemporaryFolder()  // A test without a folder has failed.

    @Test(
        "a million objects come back from a database as they were, though each step was killed",
        .timeLimit(.minutes(240)))
    func million() throws {
        // With chapters and tags, six objects a book.
        let library = try step("made") { try LibraryStore(bookCount: 166_700) }
        let database = try PostgreSQLServer.shared.newDatabase()
        var random = SeededGenerator(seed: SeededGenerator.seed)
        let back = folder.url.appendingPathComponent("Back.sqlite").path
        let there = try step("copied into the database") { try copy(library.path, database, &random) }
        let again = try step("copied back") { try copy(database, back, &random) }
        for report in [there, again] {
            let count = report.split(separator: " ").compactMap { Int($0) }.first ?? 0
            #expect(count > 1_000_000, "\(report)")
        }
        // The digest is of all values and relationships.
        #expect(there.split(separator: "\n").last == again.split(separator: "\n").last)
        let expected = try step("exported") { try export(library.path, "Expected.jsonl") }
        for (store, name) in [(database, "Database.jsonl"), (back, "Back.jsonl")] {
            let exported = try step("exported") { try export(store, name) }
            #expect(FileManager.default.contentsEqual(atPath: exported, andPath: expected), "\(name)")
        }
        withExtendedLifetime(library) {}
    }

    /// Prints how long something took.
    private func step<Result>(_ title: String, _ body: () throws -> Result) rethrows -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try body()
        print("A million objects \(title): \(clock.now - start)")
        return result
    }

    /// Copies a store, and kills the copy at random moments of each of its steps.
    ///
    /// - Returns: What the last run wrote, which came to its end.
    private func copy(_ source: String, _ destination: String, _ random: inout SeededGenerator) throws -> String {
        var kills = 0
        for step in ["Copying", "Copying", "Copying", "Reading again", "Indexing", "Relating", "Comparing"] {
            let delay = UInt32.random(in: 0...8_000_000, using: &random)
            if try kill(source, destination, in: step, delay) { kills += 1 }
        }
        let last = try step("in the last run") { try Command(["copy", source, destination]) }
        print("The copy was killed \(kills) times.")
        #expect(kills >= 5)
        try #require(last.status == 0, "\(last.errors)")
        return last.output
    }

    /// Starts a copy, and kills it so many microseconds after a step has begun.
    ///
    /// - Returns: Whether the copy ended so, and not by itself.
    private func kill(_ source: String, _ destination: String, in step: String, _ delay: UInt32) throws -> Bool {
        let run = try RunningCommand(["copy", source, destination, "--progress"])
        while !run.errors.contains(step) {
            try #require(run.isRunning, "\(run.errors)")
            usleep(20_000)
        }
        usleep(delay)
        run.signal(SIGKILL)
        return run.waitForEnd() == -SIGKILL
    }

    /// - Returns: The path of the file with what `coredata export` prints.
    private func export(_ store: String, _ name: String) throws -> String {
        let path = folder.url.appendingPathComponent(name).path
        let command = "exec \"$0\" export \"$1\" > \"$2\""
        let run = try Command(
            executable: URL(fileURLWithPath: "/bin/sh"),
            arguments: ["-c", command, Command.executable("coredata").path, store, path])
        try #require(run.status == 0, "\(run.errors)")
        return path
    }
}
