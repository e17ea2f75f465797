import Foundation
import RandomSeeds
import Testing

@testable import CoreDataCommand

@Suite("What can't be read gets a sentence and an exit code of its own")
struct FailureTests {
    private static let sample = "coredataplus-samplemodel/SampleModel_V1.sqlite"
    private static let withoutModel = "apple-recipes/Recipes.sqlite"

    @Test("a missing file", arguments: ["inspect", "export", "model"])
    func missing(command: String) throws {
        try expect(.missingFile, "There is no file at", [command, "/nowhere/at/all.sqlite"])
    }

    @Test("an encrypted store")
    func encrypted() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let noise = Data((0..<8192).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        try expect(.encrypted, "it is encrypted", file: noise)
        let store = try Data(contentsOf: URL(fileURLWithPath: Samples.path(Self.sample)))
        try expect(.encrypted, "it is encrypted", file: Data(store.map { $0 ^ 0xA5 }))
        let folder = try TemporaryFolder()
        let withLog = try folder.file("Encrypted.sqlite", noise)
        _ = try folder.file("Encrypted.sqlite-wal", noise)
        try expect(.encrypted, "it is encrypted", ["inspect", withLog.path])
    }

    @Test("a truncated store, wherever it is cut")
    func truncated() throws {
        let store = try Data(contentsOf: URL(fileURLWithPath: Samples.path(Self.sample)))
        for size in [0, 5, 16, 99, 100, 4096, store.count / 2, store.count - 1] {
            try expect(.damaged, size == 0 ? "is empty" : "is truncated", file: store.prefix(size))
        }
    }

    @Test("a store with pages in its log alone is not taken for a truncated one")
    func pagesInTheLog() throws {
        let sample = URL(fileURLWithPath: Samples.path("ddg-bookmarks/Bookmarks_V5.sqlite"))
        let folder = try TemporaryFolder()
        let store = try folder.file("Log.sqlite", Data(contentsOf: sample))
        _ = try folder.file("Log.sqlite-wal", Data(contentsOf: URL(fileURLWithPath: sample.path + "-wal")))
        // A VACUUM writes every page into the log; the file then needs its first page only.
        let script = """
            import sqlite3, shutil, sys
            path = sys.stdin.read()
            connection = sqlite3.connect(path)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            connection.execute("VACUUM")
            shutil.copyfile(path + "-wal", path + "-copy-wal")
            open(path + "-copy", "wb").write(open(path, "rb").read(4096))
            """
        _ = try Python.run(script, input: store.path)
        let run = try Command(["inspect", store.path + "-copy", "--json"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == Samples.recorded("ddg-bookmarks/Bookmarks_V5.sqlite", "inspect.json"))
    }

    @Test("a store with damaged pages")
    func damaged() throws {
        var store = try Data(contentsOf: URL(fileURLWithPath: Samples.path(Self.sample)))
        store.replaceSubrange(100..<store.count, with: Data(repeating: 0xFF, count: store.count - 100))
        try expect(.damaged, "damaged", file: store)
    }

    @Test("random damage never crashes the command")
    func randomDamage() throws {
        let seed = SeededGenerator.seed
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let store = try Data(contentsOf: URL(fileURLWithPath: Samples.path(Self.sample)))
        let rounds = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == "1" ? 1000 : 12
        for _ in 0..<rounds {
            var damaged = store
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
                    in: .min ... .max, using: &random)
            }
            let folder = try TemporaryFolder()
            let file = try folder.file("Damaged.sqlite", damaged)
            for command in ["inspect", "export", "model"] {
                let run = try Command([command, file.path])
                #expect((0...7).contains(run.status), "\(command): \(run.errors)")
                #expect(run.status == 0 || run.errors.contains("error: "))
            }
        }
    }

    @Test("a foreign file: a text, a property list, an SQLite database of another program, a folder")
    func foreign() throws {
        try expect(.foreign, "is a text", file: Data("Once upon a time\n".utf8))
        try expect(.foreign, "is a binary property list", file: Data("bplist00\u{1}\u{2}\u{3}".utf8))
        try expect(.foreign, "is an XML document", file: Data("<?xml version=\"1.0\"?><database/>".utf8))
        let header = "<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">"
        try expect(.damaged, "is damaged", file: Data(header.utf8))
        try expect(.foreign, "is a folder", ["inspect", Samples.stores.path])
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("Other.sqlite").path
        let made = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["sqlite3", database, "CREATE TABLE t (a)"])
        try #require(made.status == 0)
        try expect(.foreign, "not a Core Data store", ["inspect", database])
    }

    @Test("a store without its model has none to show")
    func noModel() throws {
        try expect(.noModel, "carries no model", ["model", Samples.path(Self.withoutModel)])
    }

    @Test("an unknown entity, key or predicate")
    func invalidQuery() throws {
        let path = Samples.path(Self.sample)
        try expect(.invalidQuery, "no entity Boat", ["query", path, "Boat"])
        try expect(.invalidQuery, "no entity Boat", ["export", path, "--entity", "Boat"])
        try expect(.invalidQuery, "no property “wings”", ["query", path, "Car", "--columns", "wings"])
        try expect(.invalidQuery, "no property “wings”", ["query", path, "Car", "--sort", "-wings"])
        try expect(.invalidQuery, "no property “wings”", ["query", path, "Car", "--columns", "owner.wings"])
        try expect(.invalidQuery, "is no relationship", ["query", path, "Car", "--columns", "model.length"])
        try expect(.invalidQuery, "needs a to-many", ["query", path, "Car", "--columns", "owner.@count"])
        try expect(.invalidQuery, "nothing can follow", ["query", path, "Person", "--columns", "cars.@count.x"])
        try expect(.invalidQuery, "needs a key", ["query", path, "Person", "--columns", "cars.@max"])
        try expect(.invalidQuery, "needs numbers", ["query", path, "Person", "--columns", "cars.@sum.numberPlate"])
        try expect(.invalidQuery, "needs numbers", ["query", path, "Person", "--columns", "cars.@min.owner"])
        try expect(.invalidQuery, "has many", ["query", path, "Person", "--columns", "cars.@max.owner.cars.model"])
        try expect(.invalidQuery, "can't follow", ["query", path, "Person", "--columns", "cars.@max.@min.model"])
        try expect(.invalidQuery, "is none of", ["query", path, "Person", "--columns", "cars.@median.model"])
        try expect(.invalidQuery, "no object’s identifier".replacing("’", with: "'"), ["tree", path, "Car"])
        try expect(.invalidQuery, "has no object Car/p9999", ["tree", path, "Car/p9999"])
        try expect(.invalidQuery, "wings", ["query", path, "Car", "--where", "wings == 2"])
        try expect(.invalidQuery, "", ["query", path, "Car", "--where", "maker =="])
    }

    @Test("wrong arguments end with the usage")
    func usage() throws {
        let path = Samples.path(Self.sample)
        for arguments in [
            ["inspect"], ["export", path, "--where", "1 == 1"], ["query", path, "Car", "--limit", "0"],
            ["export", path, "--exact"], ["tree", path, "Car/p1", "--depth", "-1"], ["check", path, "--most", "0"],
            ["inspect", path, "--counts-only", "--json"], ["inspect", path, "--counts-only", "--format", "tsv"],
            ["inspect", path, "--counts-only", "--deleted"], ["export", path, "--limit", "0"],
            ["export", path, "--limit", "-1"], ["export", path, "--limit", "few"],
        ] {
            let run = try Command(arguments)
            #expect(run.status == 64)
            #expect(run.errors.contains("Usage:"))
        }
    }

    @Test("the help page lists the exit codes")
    func help() throws {
        let run = try Command(["--help"])
        #expect(run.status == 0)
        #expect(run.output.contains("3 encrypted store"))
    }

    private func expect(
        _ code: CommandFailure.Code, _ words: String, file: Data, location: SourceLocation = #_sourceLocation
    ) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("File.sqlite", file).path
        try expect(code, words, ["inspect", path], location: location)
    }

    private func expect(
        _ code: CommandFailure.Code, _ words: String, _ arguments: [String], location: SourceLocation = #_sourceLocation
    ) throws {
        let run = try Command(arguments)
        #expect(run.status == code.rawValue, "\(arguments): \(run.errors)", sourceLocation: location)
        #expect(words.isEmpty || run.errors.contains(words), "\(run.errors)", sourceLocation: location)
        #expect(run.errors.hasPrefix("error: "), sourceLocation: location)
        #expect(run.output.isEmpty, sourceLocation: location)
    }
}
