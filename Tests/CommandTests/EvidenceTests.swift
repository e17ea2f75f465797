import Foundation
import Testing

@Suite("Whatever is asked, store and log stay as they are")
struct EvidenceTests {
    private static let withLogs = Samples.storeNamesWithModel.filter {
        FileManager.default.fileExists(atPath: Samples.path($0) + "-wal")
    }

    @Test("all commands leave the folder byte for byte as it was", arguments: storesToWatch)
    func folderIsUntouched(store: String) throws {
        let folder = try TemporaryFolder()
        let path = try copy(store, into: folder)
        let before = try contents(of: folder)
        let blobs = try TemporaryFolder()
        let target = blobs.url.appendingPathComponent("blobs").path
        for arguments in try commands(for: path, store: store, extractingTo: target) {
            let run = try Command(arguments)
            let mayFail = ["check", "history"].contains(arguments[0])
            #expect([0, mayFail ? 1 : 0].contains(run.status), "\(arguments): \(run.errors)")
            #expect(try contents(of: folder) == before, "\(arguments)")
        }
    }

    /// A store without a log, one with, one without a model.
    private static let storesToWatch =
        [
            "coredataplus-samplemodel/SampleModel_V1.sqlite", "apple-recipes/Recipes.sqlite",
        ] + withLogs

    @Test("a store in a folder without permission to write can be read, log included", arguments: storesToWatch)
    func readOnlyFolder(store: String) throws {
        let folder = try TemporaryFolder()
        let path = try copy(store, into: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }
        let run = try Command(["inspect", path, "--json"])
        #expect(run.output == Samples.recorded(store, "inspect.json"))
    }

    /// The journal says how to undo what a killed process has half written; SQLite would undo it in place.
    @Test("a store with a hot journal is read as it was before, and neither of them changes")
    func hotJournal() throws {
        let store = "coredataplus-samplemodel/SampleModel_V1.sqlite"
        let copy = try StoreCopy(store, sql: "SELECT 1")
        let program = """
            import shutil, sqlite3, sys
            path = sys.stdin.read()
            store = sqlite3.connect(path, isolation_level=None)
            store.execute("PRAGMA journal_mode = DELETE")
            store.execute("PRAGMA cache_size = 1")
            store.execute("BEGIN IMMEDIATE")
            store.execute("UPDATE ZCAR SET ZMAKER = 'half written'")
            store.execute("CREATE TABLE filler (bytes)")
            for _ in range(300):
                store.execute("INSERT INTO filler VALUES (randomblob(3000))")
            for end in ("", "-journal"):
                shutil.copy(path + end, path.replace("Copy", "Killed") + end)
            store.execute("ROLLBACK")
            """
        _ = try Python.run(program, input: copy.path)
        let killed = copy.path.replacing("Copy.sqlite", with: "Killed.sqlite")
        let before = try contents(of: copy.folder)
        #expect(before["Killed.sqlite"]?.range(of: Data("half written".utf8)) != nil)
        #expect(try Command(["export", killed]).output == Samples.recorded(store, "export.jsonl"))
        #expect(try Command(["check", killed, "--verify"]).status == 0)
        #expect(try contents(of: copy.folder) == before)
    }

    private func copy(_ store: String, into folder: TemporaryFolder) throws -> String {
        let copy = folder.url.appendingPathComponent("Copy.sqlite").path
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: Samples.path(store) + suffix) {
            try FileManager.default.copyItem(atPath: Samples.path(store) + suffix, toPath: copy + suffix)
        }
        return copy
    }

    private func commands(for path: String, store: String, extractingTo blobs: String) throws -> [[String]] {
        let entity = try #require(try firstEntity(of: path))
        let object = try #require(try firstObject(of: path))
        let model = Samples.storeNamesWithModel.contains(store) ? [["model", path], ["model", path, "--hashes"]] : []
        return model + [
            ["inspect", path], ["inspect", path, "--json"], ["inspect", path, "--deleted"], ["check", path],
            ["export", path], ["export", path, "--format", "csv"], ["export", path, "--deleted"],
            ["export", path, "--entity", entity, "--where", "SELF != nil", "--verify"],
            ["query", path, entity, "--decode"], ["query", path, entity, "--explain"],
            ["query", path, entity, "--format", "csv", "--verify"], ["inspect", path, "--dates", "local", "--verify"],
            ["check", path, "--json", "--verify"], ["tree", path, object, "--depth", "3"],
            ["tree", path, object, "--json", "--verify"], ["export", path, "--extract", blobs],
            ["history", path, "--verify"],
        ]
    }

    /// The identifier of some object.
    private func firstObject(of path: String) throws -> String? {
        let lines = try Command(["export", path, "--format", "csv", "--exact"]).output.split(separator: "\r\n")
        return lines.dropFirst().first.map { String($0.prefix { $0 != "," }) }
    }

    private func firstEntity(of path: String) throws -> String? {
        let run = try Command(["inspect", path, "--json"])
        let printed = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return (printed?["entities"] as? [String: Any])?.keys.sorted().first
    }

    private func contents(of folder: TemporaryFolder) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            contents[name] = try Data(contentsOf: folder.url.appendingPathComponent(name))
        }
        return contents
    }
}
