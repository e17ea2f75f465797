import Foundation
import ModelDocument
import PostgreSQLServer
import Testing

@testable import CoreDataStudio

/// Models that are made in the studio, by its requests.
@Suite("New models") struct NewModelTests {
    private let workspace: Workspace
    private let studio: LiveStudio
    private let cookie: String

    init() throws {
        workspace = try Workspace()
        studio = try LiveStudio(workspace.document)
        cookie = try studio.cookie()
    }

    private func place(_ name: String) -> String { workspace.folder.appending(path: name).path }

    private func make(_ path: String, from source: String? = nil) throws -> RawResponse {
        try studio.post("/api/documents/new", ["path": .text(path), "source": .optional(source)], cookie)
    }

    private func get(_ path: String, _ document: String) throws -> JSON {
        try studio.get("\(path)?document=\(document)", cookie).json
    }

    private func save(_ document: String) throws -> RawResponse {
        try studio.post("/api/save?document=\(document)", [:], cookie)
    }

    @Test("An empty model comes to the disk when it is saved, and can be closed unasked before") func empty() throws {
        let made = try make(place("Garden"))
        #expect(made.json == ["opened": ["d2"], "notes": []])
        let document = try get("/api/document", "d2")
        #expect(document["document"]?["path"] == .text(place("Garden.xcdatamodeld")))
        #expect(!FileManager.default.fileExists(atPath: place("Garden.xcdatamodeld")))
        #expect(try studio.post("/api/documents/close", ["document": "d2"], cookie).status == 200)
        #expect(try workspace.neighbours() == [])
        #expect(try make(place("Garden.xcdatamodeld")).json["opened"] == ["d3"])
        #expect(try save("d3").status == 200)
        #expect(try VersionedModel(contentsOf: URL(filePath: place("Garden.xcdatamodeld"))).versions.count == 1)
    }

    @Test("A draft is unsaved, tells what was decided, and is kept when the studio ends") func draft() throws {
        let script = place("Shop.sql")
        try Data("CREATE TABLE orders (id INTEGER PRIMARY KEY, placed_at DATE NOT NULL);".utf8)
            .write(to: URL(filePath: script))
        let made = try make(place("Shop"), from: script).json
        #expect(made["opened"] == ["d2"])
        #expect(made["notes"]?.array?.contains { $0.text?.contains("orders.id is the key") == true } == true)
        #expect(try studio.post("/api/documents/close", ["document": "d2"], cookie).errorCode == "unsaved")
        // It has a journal before one has done anything.
        let journal = URL(filePath: place(".Shop.xcdatamodeld.studio-journal"))
        for _ in 0..<100 where Journal(besideDocument: URL(filePath: place("Shop.xcdatamodeld"))).read() == nil {
            usleep(100_000)
        }
        #expect(FileManager.default.fileExists(atPath: journal.path))
        let end = studio.end(SIGINT)
        #expect(end.message.contains("Unsaved changes are kept in \(place(".Shop.xcdatamodeld.studio-journal"))"))

        // The next studio opens what was never saved by its path.
        let next = try LiveStudio(workspace.document)
        let key = try next.cookie()
        let path = JSON.text(place("Shop.xcdatamodeld"))
        #expect(try next.post("/api/documents/open", ["path": path], key).json == ["opened": ["d2"]])
        let body: JSON = ["choice": "recover"]
        #expect(try next.post("/api/recovery?document=d2", body, key).json["recovery"] == .null)
        #expect(try next.post("/api/save?document=d2", [:], key).status == 200)
        let model = try VersionedModel(contentsOf: URL(filePath: place("Shop.xcdatamodeld"))).versions[0].model
        #expect(model[entity: "Order"]?[attribute: "placedAt"]?.type == .date)
    }

    @Test("Samples and databases make drafts, too") func sources() throws {
        let samples = place("Orders.json")
        try Data(#"[{"number": 1, "paid": true}, {"number": 2}]"#.utf8).write(to: URL(filePath: samples))
        #expect(try make(place("Orders"), from: samples).json["opened"] == ["d2"])
        #expect(try save("d2").status == 200)
        let order = try VersionedModel(contentsOf: URL(filePath: place("Orders.xcdatamodeld"))).versions[0].model
        #expect(order.entities.first?[attribute: "paid"]?.isOptional == true)
        let database = try PostgreSQLServer.shared.newDatabase()
        let empty = try make(place("Empty"), from: database)
        #expect(empty.errorCode == "unreadable-store" && empty.text.contains("no tables"), "\(empty.text)")
        try SampleStore.recordHistory(in: .postgreSQL, at: try #require(URL(string: database)))
        #expect(try make(place("People"), from: database).json["opened"] == ["d3"])
        #expect(try get("/api/document", "d3").data().contains("\"City\"".utf8))
    }

    @Test("What no model can be made at, or of, is refused with a sentence, and nothing is open or written")
    func refusals() throws {
        let text = place("Notes.txt")
        try Data("no tables".utf8).write(to: URL(filePath: text))
        let pipe = place("Pipe.sql")
        #expect(mkfifo(pipe, 0o600) == 0)
        let damaged = place("Damaged.json")
        try Data(#"{"a": "#.utf8).write(to: URL(filePath: damaged))
        let before = try workspace.neighbours()
        for path in [
            "", " ", "/", "/nowhere/at/all", workspace.document.path, "a\0b", String(repeating: "x", count: 5_000),
            "postgresql://localhost/x", place("New") + "/",
        ] {
            let answer = try make(path)
            #expect(answer.errorCode == "invalid-request", "\(path.prefix(80)): \(answer.text)")
        }
        for source in [
            text, pipe, damaged, "/dev/zero", "/nowhere.sql", workspace.folder.path, "postgresql://%zz", "a\0b",
        ] {
            let answer = try make(place("New"), from: source)
            #expect((400...500).contains(answer.status), "\(source): \(answer.status)")
            #expect(answer.json["error"]?["message"]?.text?.isEmpty == false, "\(source)")
        }
        let large = place("Large.json")
        _ = FileManager.default.createFile(atPath: large, contents: nil)
        #expect(truncate(large, 300 << 20) == 0)
        #expect(try make(place("New"), from: large).errorCode == "too-large")
        try FileManager.default.removeItem(atPath: large)
        #expect(try workspace.neighbours() == before)
        #expect(try studio.get("/api/documents", cookie).json["documents"]?.array?.count == 1)
        // Without the token nothing is made.
        #expect(try studio.post("/api/documents/new", ["path": .text(place("New"))], "").status == 403)
    }

    @Test("A model that is open already is not made again") func twice() throws {
        #expect(try make(place("Garden")).status == 200)
        #expect(try make(place("Garden")).errorCode == "in-use")
    }
}
