import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

/// Several documents in one studio, by its requests.
@Suite("Documents") struct DocumentsTests {
    private let workspace: Workspace
    private let store: SampleStore
    private let studio: LiveStudio
    private let cookie: String

    init() throws {
        (workspace, store) = (try Workspace(), try SampleStore.shop())
        studio = try LiveStudio([workspace.document.path, store.url.path])
        cookie = try studio.cookie()
    }

    private func list() throws -> [JSON] { try studio.get("/api/documents", cookie).json["documents"]?.array ?? [] }

    private func ids() throws -> [String] { try list().compactMap { $0["id"]?.text } }

    private func open(_ body: JSON) throws -> RawResponse { try studio.post("/api/documents/open", body, cookie) }

    private func send(_ method: String, _ path: String, _ body: JSON? = nil, document: String) throws -> RawResponse {
        var headers = studio.headers(cookie)
        headers["Studio-Document"] = document
        return try studio.send(method, path, headers, body: body?.data() ?? Data())
    }

    @Test("All that are given are opened, in their order, and a request without a name is about the first of its kind")
    func several() throws {
        let (first, second, third) = (try Workspace(), try Workspace(), try SampleStore.league())
        let four = try LiveStudio(
            [first.document.path, store.url.path, second.document.path, third.url.path])
        let key = try four.cookie()
        let all = try four.get("/api/documents", key).json["documents"]?.array ?? []
        #expect(all.compactMap { $0["id"]?.text } == ["d1", "d2", "d3", "d4"])
        #expect(all.compactMap { $0["kind"]?.text } == ["model", "store", "model", "store"])
        #expect(all.compactMap { $0["page"]?.text } == ["/", "/data", "/", "/data"])
        #expect(try four.get("/api/store/schema", key).json["name"] == "Shop.sqlite")
        var headers = four.headers(key)
        headers["Studio-Document"] = "d4"
        #expect(try four.send("GET", "/api/store/schema", headers).json["name"] == "League.sqlite")
        // A query names it for downloads and streams.
        #expect(try four.get("/api/store/schema?document=d4", key).json["name"] == "League.sqlite")
        headers["Studio-Document"] = "d3"
        let path = try four.send("GET", "/api/document", headers).json["document"]?["path"]
        #expect(path == .text(second.document.path))
        // A store is no model, and what is not open is nothing.
        #expect(try four.get("/api/document?document=d2", key).errorCode == "not-open")
        #expect(try four.get("/api/store/schema?document=d9", key).errorCode == "not-open")
        #expect(four.end(SIGINT).status == 0)
    }

    @Test("A document is opened by its path, once, and closed; its number is not used again") func opening() throws {
        let other = try Workspace()
        let path = other.document.path
        #expect(try open(["path": .text(path)]).json == ["opened": ["d3"]])
        #expect(try open(["path": .text(path + "/")]).json == ["opened": ["d3"]])
        #expect(try ids() == ["d1", "d2", "d3"])
        #expect(try send("GET", "/api/document", document: "d3").json["document"]?["path"] == .text(path))
        let rest = try studio.post("/api/documents/close", ["document": "d3"], cookie).json
        #expect(rest["documents"]?.array?.count == 2)
        // Its lock is free again, and so is the store's.
        _ = try StudioSession(other.document)
        #expect(try studio.post("/api/documents/close", ["document": "d3"], cookie).errorCode == "not-open")
        #expect(try open(["path": .text(path)]).json == ["opened": ["d4"]])
    }

    @Test("What is not saved is told before a document is closed, and lost only if it is to be") func unsaved() throws {
        let action: JSON = ["kind": "addEntity", "version": "v1", "name": "Stadium"]
        #expect(
            try send("POST", "/api/actions", ["revision": 1, "actions": [action]], document: "d1").status == 200)
        let refusal = try studio.post("/api/documents/close", ["document": "d1"], cookie)
        #expect(refusal.status == 409 && refusal.errorCode == "unsaved")
        #expect(try ids() == ["d1", "d2"])
        #expect(try studio.post("/api/documents/close", ["document": "d1", "discard": true], cookie).status == 200)
        #expect(try ids() == ["d2"])
        #expect(try workspace.neighbours() == [])
        #expect(try studio.get("/api/document", cookie).errorCode == "not-open")
        #expect(studio.end(SIGINT).message == "")
    }

    @Test("Tabs go where they are put") func order() throws {
        #expect(try studio.post("/api/documents/order", ["documents": ["d2", "d1"]], cookie).status == 200)
        #expect(try ids() == ["d2", "d1"])
        for wrong: JSON in [["d2"], ["d2", "d2"], ["d2", "d1", "d1"], ["d2", "d7"], []] {
            let answer = try studio.post("/api/documents/order", ["documents": wrong], cookie)
            #expect(answer.errorCode == "invalid-request", "\(wrong)")
        }
        #expect(try ids() == ["d2", "d1"])
    }

    @Test("What can't be opened is said in a sentence") func refusals() throws {
        let pipe = store.folder.appending(path: "Pipe.sqlite")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let text = store.folder.appending(path: "Notes.txt")
        try Data("no store".utf8).write(to: text)
        for path in [
            "", " ", "/nowhere/at/all.sqlite", "/nowhere.xcdatamodeld", pipe.path, "/dev/zero", text.path, "a\0b",
            store.folder.path, String(repeating: "x", count: 5_000), "postgresql://%zz",
        ] {
            let answer = try open(["path": .text(path)])
            #expect((400...500).contains(answer.status), "\(path): \(answer.status)")
            #expect(answer.json["error"]?["message"]?.text?.isEmpty == false, "\(path)")
        }
        #expect(try open(["path": .text(store.url.path), "edit": true]).errorCode == "read-only")
        #expect(try ids() == ["d1", "d2"])
    }

    @Test("A folder lists folders and what can be opened, hidden ones apart") func folder() throws {
        try FileManager.default.createDirectory(
            at: store.folder.appending(path: "Sub"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            at: store.folder.appending(path: "A.xcdatamodeld"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: store.folder.appending(path: "Notes.txt"))
        try FileManager.default.copyItem(at: store.url, to: store.folder.appending(path: ".Hidden.sqlite"))
        func names(_ hidden: Bool) throws -> [String: String] {
            let path = store.folder.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let answer = try studio.get("/api/documents/folder?path=\(path)&hidden=\(hidden)", cookie).json
            #expect(answer["path"] == .text(store.folder.path))
            let pairs = (answer["entries"]?.array ?? []).compactMap { entry -> (String, String)? in
                guard let name = entry["name"]?.text, let kind = entry["kind"]?.text else { return nil }
                return (name, kind)
            }
            return Dictionary(pairs, uniquingKeysWith: { $1 })
        }
        #expect(try names(false) == ["Sub": "folder", "A.xcdatamodeld": "model", "Shop.sqlite": "store"])
        #expect(try names(true)[".Hidden.sqlite"] == "store")
        #expect(try studio.get("/api/documents/folder?path=/nowhere", cookie).errorCode == "unreadable-file")
        #expect(try studio.get("/api/documents/folder?path=/", cookie).json["parent"] == .null)
    }

    // MARK: Recent ones

    @Test("What was opened last comes first, at most thirty, without passwords, and can be forgotten") func recent()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "recent-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let recent = RecentDocuments(in: folder)
        func locations() -> [String] { recent.json["recent"]?.array?.compactMap { $0["location"]?.text } ?? [] }
        for number in 1...40 { recent.add(Stand(location: "/models/\(number).xcdatamodeld")) }
        recent.add(Stand(location: "/models/35.xcdatamodeld"))
        #expect(
            locations().count == 30 && locations().prefix(2) == ["/models/35.xcdatamodeld", "/models/40.xcdatamodeld"])
        #expect(recent.json["recent"]?.array?.first?["isMissing"] == true)
        let file = folder.appending(path: "recent.json")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
        try recent.forget("/models/35.xcdatamodeld")
        #expect(locations().first == "/models/40.xcdatamodeld")
        try recent.forget(nil)
        #expect(locations() == [])
        // A damaged file is none.
        for damage in ["", "{", "[1]", "{\"documents\": [{\"kind\": \"model\"}]}"] {
            try Data(damage.utf8).write(to: file)
            #expect(locations() == [])
        }
        recent.add(Stand(location: "/models/1.xcdatamodeld"))
        #expect(locations() == ["/models/1.xcdatamodeld"])
        let place = try DocumentPlace("postgresql://reader:secret@db.example.org/league")
        #expect(!place.location.contains("secret"))
    }

    @Test("A studio without arguments starts, with what was opened last") func empty() throws {
        let data = FileManager.default.temporaryDirectory.appending(path: "studio-data-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: data) }
        try LiveStudio([store.url.path], data: data).end(SIGINT)
        let third = try LiveStudio([], data: data)
        let key = try third.cookie()
        #expect(try third.get("/api/documents", key).json["documents"] == [])
        #expect(try third.get("/start", key).text.contains("startPage.js"))
        let recent = try third.get("/api/documents/recent", key).json["recent"]?.array ?? []
        #expect(recent.compactMap { $0["location"]?.text } == [store.url.path])
        #expect(try third.post("/api/documents/open", ["path": .text(store.url.path)], key).json == ["opened": ["d1"]])
        #expect(try third.get("/api/store/schema", key).json["name"] == "Shop.sqlite")
        let forgotten = try third.post("/api/documents/forget", ["location": .text(store.url.path)], key).json
        #expect(forgotten["recent"] == [])
    }

    // MARK: What is dropped

    private func begin() throws -> String {
        try #require(try studio.post("/api/documents/drop", [:], cookie).json["drop"]?.text)
    }

    private func file(_ drop: String, _ path: String, _ data: Data, type: String = "application/octet-stream") throws
        -> RawResponse
    {
        var headers = studio.headers(cookie)
        headers["Content-Type"] = type
        if data.isEmpty { headers["Content-Length"] = "0" }
        let name = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return try studio.send("POST", "/api/documents/file?drop=\(drop)&path=\(name)", headers, body: data)
    }

    @Test("A store that is dropped is a copy that is read; the folder goes with its tab") func droppedStore() throws {
        let other = try SampleStore.apple("objcio-moody/Moody.moody")
        let before = try other.files()
        let drop = try begin()
        for (name, data) in before { #expect(try file(drop, name, data).status == 200) }
        let opened = try open(["drop": .text(drop)]).json
        #expect(opened == ["opened": ["d3"]])
        let entry = try #require(try list().last)
        #expect(entry["isCopy"] == true && entry["name"] == "Moody.moody" && entry["location"] == "Moody.moody")
        let schema = try send("GET", "/api/store/schema", document: "d3").json
        #expect(schema["isEdited"] == false && schema["entities"]?.array?.isEmpty == false)
        let place = try #require(schema["path"]?.text)
        #expect(FileManager.default.fileExists(atPath: place))
        let folder = URL(filePath: place).deletingLastPathComponent()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? NSNumber == 0o700)
        let recent = try studio.get("/api/documents/recent", cookie).json["recent"]?.array ?? []
        #expect(!recent.contains { $0["name"] == "Moody.moody" })
        #expect(try studio.post("/api/documents/close", ["document": "d3"], cookie).status == 200)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        #expect(try other.files() == before)
    }

    /// What looks like a store and is none.
    private static let broken = Data("SQLite format 3\0".utf8) + Data(repeating: 0x41, count: 5_000)

    @Test("Of several that are dropped all are opened that can be, and the others are told") func droppedSeveral()
        throws
    {
        let drop = try begin()
        for (name, data) in try SampleStore.apple("objcio-moody/Moody.moody").files() {
            #expect(try file(drop, name, data).status == 200)
        }
        for name in ["A.sqlite", "Z.sqlite"] { #expect(try file(drop, name, Self.broken).status == 200) }
        let answer = try open(["drop": .text(drop)])
        #expect(answer.status == 200 && answer.json["opened"] == ["d3"], "\(answer.text)")
        let failures = (answer.json["failures"]?.array ?? []).compactMap(\.text)
        #expect(failures.count == 2)
        for (name, sentence) in zip(["A.sqlite", "Z.sqlite"], failures) {
            #expect(sentence.hasPrefix("\(name) can't be opened. ") && sentence.count > name.count + 30, "\(sentence)")
        }
        #expect(try list().compactMap { $0["name"]?.text }.last == "Moody.moody")
    }

    @Test("Where nothing that is dropped can be opened, each is told, and nothing is left") func droppedBroken() throws
    {
        let drop = try begin()
        for name in ["A.sqlite", "Z.sqlite"] { #expect(try file(drop, name, Self.broken).status == 200) }
        let answer = try open(["drop": .text(drop)])
        #expect(answer.errorCode == "unreadable-store", "\(answer.text)")
        let message = try #require(answer.json["error"]?["message"]?.text)
        for name in ["A.sqlite", "Z.sqlite"] { #expect(message.contains("\(name) can't be opened."), "\(message)") }
        #expect(try ids() == ["d1", "d2"])
    }

    @Test("A model that is dropped is edited, and saved at the place that one names") func droppedModel() throws {
        let drop = try begin()
        for (path, data) in try workspace.bytes() {
            #expect(try file(drop, "League.xcdatamodeld/\(path)", data).status == 200)
        }
        #expect(try open(["drop": .text(drop)]).json == ["opened": ["d3"]])
        let action: JSON = ["kind": "addEntity", "version": "v1", "name": "Stadium"]
        #expect(try send("POST", "/api/actions", ["revision": 1, "actions": [action]], document: "d3").status == 200)
        for path in ["/api/save", "/api/generate"] {
            #expect(try send("POST", path, ["folder": "x"], document: "d3").errorCode == "needs-path")
        }
        #expect(try studio.post("/api/documents/close", ["document": "d3"], cookie).errorCode == "unsaved")
        func saveAs(_ path: String) throws -> RawResponse {
            try studio.post("/api/documents/save-as", ["document": "d3", "path": .text(path)], cookie)
        }
        #expect(try saveAs(workspace.document.path).errorCode == "invalid-request")
        #expect(try saveAs("/nowhere/League").errorCode == "invalid-request")
        let target = workspace.folder.appending(path: "Saved")
        #expect(try saveAs(target.path).json == ["opened": ["d4"]])
        let saved = try VersionedModel(contentsOf: target.appendingPathExtension("xcdatamodeld"))
        #expect(saved.currentModel[entity: "Stadium"] != nil)
        #expect(try ids() == ["d1", "d2", "d4"])
        #expect(try list().last?["isCopy"] == false)
        #expect(try send("POST", "/api/save", [:], document: "d4").status == 200)
        #expect(
            try studio.post("/api/documents/save-as", ["document": "d1", "path": "x"], cookie).errorCode
                == "invalid-request")
    }

    @Test("Names that lead elsewhere are refused, and nothing is written outside") func traversal() throws {
        let drop = try begin()
        for path in [
            "../evil.sqlite", "a/../../evil.sqlite", "/etc/evil", "a//b", ".", "..", "", "a/./b",
            String(repeating: "n", count: 300), (0..<40).map { "\($0)" }.joined(separator: "/"),
        ] {
            #expect((400..<500).contains(try file(drop, path, Data("x".utf8)).status), "\(path)")
        }
        #expect(try DroppedFiles.cleaned("a\\b\n\u{1}.sqlite") == "a_b__.sqlite")
        #expect(try file(drop, "one.sqlite", Data("x".utf8)).status == 200)
        // A name is taken once.
        #expect(try file(drop, "one.sqlite", Data("y".utf8)).status == 400)
        #expect(try file(drop, "one.sqlite/two", Data("y".utf8)).status == 500)
        #expect(try file("unknown", "one.sqlite", Data("y".utf8)).errorCode == "not-open")
        #expect(try file(drop, "two.sqlite", Data("y".utf8), type: "text/plain").errorCode == "not-json")
        let answer = try open(["drop": .text(drop)])
        #expect(answer.errorCode == "invalid-request", "\(answer.text)")
        #expect(try open(["drop": .text(drop)]).errorCode == "not-open")
        #expect(try ids() == ["d1", "d2"])
    }

    @Test("More than a drop may have is refused before it is read") func limits() throws {
        let drop = try begin()
        var headers = studio.headers(cookie)
        headers["Content-Type"] = "application/octet-stream"
        headers["Content-Length"] = "5000000000"
        #expect(
            try studio.send("POST", "/api/documents/file?drop=\(drop)&path=a", headers).errorCode == "too-large")
        for _ in 0..<15 { _ = try begin() }
        #expect(try studio.post("/api/documents/drop", [:], cookie).errorCode == "too-large")
        #expect(try studio.post("/api/documents/drop/cancel", ["drop": .text(drop)], cookie).status == 200)
        #expect(try studio.post("/api/documents/drop", [:], cookie).status == 200)
    }

    // MARK: Attacks

    @Test("Each request needs the cookie, the page's secret, our origin and our host") func proofs() throws {
        let other = try Workspace()
        let requests: [(String, JSON)] = [
            ("/api/documents/open", ["path": .text(other.document.path)]), ("/api/documents/close", ["document": "d1"]),
            ("/api/documents/order", ["documents": ["d2", "d1"]]), ("/api/documents/forget", [:]),
            ("/api/documents/drop", [:]), ("/api/documents/drop/cancel", ["drop": "x"]),
            ("/api/documents/save-as", ["document": "d1", "path": "x"]),
            ("/api/documents/new", ["path": .text(other.folder.appending(path: "New").path)]),
            ("/api/documents/file?drop=x&path=y", [:]),
        ]
        let changes: [(code: String, change: (inout [String: String]) -> Void)] = [
            ("missing-token", { $0["Cookie"] = nil }), ("missing-token", { $0["Studio-Page"] = nil }),
            ("missing-token", { $0["Studio-Page"] = studio.token }),
            ("forbidden-origin", { $0["Origin"] = "http://evil.example" }),
            ("forbidden-origin", { $0["Origin"] = nil }),
            ("forbidden-origin", { $0["Sec-Fetch-Site"] = "cross-site" }),
            (
                "forbidden-host",
                {
                    $0["Host"] = "evil.example"
                    $0["Origin"] = "http://evil.example"
                }
            ),
        ]
        for (code, change) in changes {
            var headers = studio.headers(cookie)
            change(&headers)
            for (path, body) in requests {
                #expect(try studio.send("POST", path, headers, body: body.data()).errorCode == code, "\(path)")
            }
            guard headers["Origin"] != nil else { continue }
            for path in ["/api/documents", "/api/documents/recent", "/api/documents/folder", "/api/documents/events"] {
                #expect(try studio.send("GET", path, headers).errorCode == code, "\(path)")
            }
        }
        for (path, body) in requests {
            var headers = studio.headers(cookie)
            headers["Content-Type"] = "text/plain"
            #expect(try studio.send("POST", path, headers, body: body.data()).errorCode == "not-json", "\(path)")
            #expect(try studio.send("PUT", path, studio.headers(cookie), body: body.data()).status >= 400, "\(path)")
        }
        #expect(try studio.get("/api/documents/nothing", cookie).errorCode == "unknown-path")
        #expect(try studio.get("/api/documents/open", cookie).errorCode == "unknown-method")
        #expect(try ids() == ["d1", "d2"])
    }

    @Test("Strange requests get a sentence") func strange() throws {
        for (path, body) in [
            ("open", "{}"), ("open", "{\"path\": 7}"), ("open", "[]"), ("open", "{"), ("close", "{}"),
            ("close", "{\"document\": null}"), ("close", "{\"document\": \"../d1\"}"),
            ("order", "{\"documents\": \"d1\"}"),
            ("forget", "{\"location\": {}}"), ("save-as", "{\"document\": \"d9\", \"path\": \"x\"}"),
            ("drop/cancel", "{\"drop\": \"\"}"),
        ] {
            let answer = try studio.send(
                "POST", "/api/documents/\(path)", studio.headers(cookie), body: Data(body.utf8))
            #expect((400..<500).contains(answer.status), "\(path) \(body): \(answer.status)")
            #expect(answer.json["error"]?["message"]?.text?.isEmpty == false)
        }
        for document in ["d0", "D1", "d1 ", "../d1", "d1\u{0}", String(repeating: "d", count: 5_000)] {
            let name = document.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            #expect(try studio.get("/api/document?document=\(name)", cookie).errorCode == "not-open", "\(document)")
        }
        #expect(try ids() == ["d1", "d2"])
    }

    @Test("The other windows hear of what is opened") func events() throws {
        let socket = try RawSocket(port: studio.port)
        let head = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(studio.port)\r\nCookie: \(cookie)\r\n"
        try socket.write(Data("\(head)Studio-Page: \(studio.page)\r\n\r\n".utf8))
        var text = ""
        while !text.contains(": here"), let part = socket.read() { text += String(decoding: part, as: UTF8.self) }
        let other = try Workspace()
        #expect(try open(["path": .text(other.document.path)]).status == 200)
        while !text.contains("\"d3\""), let part = socket.read() { text += String(decoding: part, as: UTF8.self) }
        #expect(text.contains("event: documents\ndata: {"))
    }
}

/// A document that is nowhere.
private struct Stand: StudioDocument {
    let location: String
    var kind: DocumentKind { .model }
    var tabTitle: String { "Stand" }
    func isUnsaved() -> Bool { false }
    func lookAround() {}
    func finish() -> UnsavedChanges { .none }
    func giveUp() {}
}
