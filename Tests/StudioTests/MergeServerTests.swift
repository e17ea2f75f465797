import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

@Suite("The page of a merge", .serialized)
struct MergeServerTests {
    @Test("what is chosen is written, and the exit code tells git") func settled() throws {
        let merge = try LiveMerge()
        let headers = try merge.headers()
        let state = try merge.send("GET", "/api/merge", headers).json
        let conflicts = state["conflicts"]?.array ?? []
        #expect(conflicts.count == 3 && state["settled"] == 0)
        // Nothing is written before all is settled.
        #expect(try merge.post("/api/merge/finish", ["writes": true], headers).errorCode == "invalid-edit")
        for conflict in conflicts {
            let answer = try merge.post(
                "/api/merge/choose", ["conflict": conflict["id"] ?? .null, "side": "theirs"], headers)
            #expect(answer.status == 200)
        }
        #expect(try merge.send("GET", "/api/merge", headers).json["settled"] == 3)
        #expect(try merge.post("/api/merge/finish", ["writes": true], headers).json["written"] == true)
        let end = merge.end()
        #expect(end.status == 0 && !end.message.contains("conflict"), "\(end.message)")
        let model = try merge.merged()
        #expect(model[entity: "Player"]?[attribute: "salary"]?.defaultValueString == "250")
        #expect(model[entity: "Team"]?[relationship: "players"]?.deleteRule == .nullify)
        #expect(model[entity: "Laptop"]?[attribute: "color"]?.isOptional == false)
    }

    @Test("a merge that is given up, or interrupted, has ours and tells its conflicts", arguments: [true, false])
    func givenUp(byPage: Bool) throws {
        let merge = try LiveMerge()
        let headers = try merge.headers()
        #expect(try merge.post("/api/merge/choose", ["conflict": .null, "side": "theirs"], headers).status == 200)
        if byPage {
            #expect(try merge.post("/api/merge/finish", ["writes": false], headers).json["written"] == false)
        } else {
            merge.interrupt()
        }
        let end = merge.end()
        #expect(end.status == 1 && end.message.contains("conflict: Player.salary"), "\(end.message)")
        #expect(try merge.merged()[entity: "Player"]?[attribute: "salary"]?.defaultValueString == "100")
    }

    @Test("what is no choice is refused, and changes nothing") func refusals() throws {
        let merge = try LiveMerge()
        let headers = try merge.headers()
        let before = try merge.send("GET", "/api/merge", headers).json
        let id = try merge.send("GET", "/api/merge", headers).json["conflicts"]?.array?.first?["id"] ?? .null
        for (body, code) in [
            (["conflict": "nothing", "side": "ours"], "unknown-element"),
            (["conflict": id, "side": "mine"], "invalid-request"),
            (["conflict": id, "side": "both"], "invalid-request"),
            (["conflict": 7, "side": "ours"], "invalid-request"),
            (.array([]), "invalid-request"),
        ] as [(JSON, String)] {
            #expect(try merge.post("/api/merge/choose", body, headers).errorCode == code, "\(body)")
        }
        #expect(try merge.post("/api/merge/finish", ["writes": "yes"], headers).errorCode == "invalid-request")
        #expect(try merge.send("POST", "/api/merge/choose", headers, Data("{".utf8)).errorCode == "invalid-json")
        #expect(try merge.send("GET", "/api/merge/choose", headers).errorCode == "unknown-method")
        #expect(try merge.send("POST", "/api/merge", headers, Data("{}".utf8)).errorCode == "unknown-method")
        #expect(try merge.send("GET", "/api/merge/other", headers).errorCode == "unknown-path")
        #expect(try merge.send("GET", "/api/document", headers).errorCode == "not-open")
        #expect(try merge.send("GET", "/api/merge", headers).json == before)
    }

    @Test("other pages, and requests without the token, get nothing and end nothing") func attacks() throws {
        let merge = try LiveMerge()
        let headers = try merge.headers()
        for (name, value, code) in [
            ("Origin", "http://evil.example", "forbidden-origin"), ("Origin", "null", "forbidden-origin"),
            ("Host", "evil.example", "forbidden-host"), ("Cookie", "studio=1", "missing-token"),
            ("Studio-Page", "1", "missing-token"), ("Content-Type", "text/plain", "not-json"),
        ] {
            var wrong = headers
            wrong[name] = value
            for path in ["/api/merge/choose", "/api/merge/finish"] {
                let answer = try merge.post(path, ["writes": false, "side": "ours"], wrong)
                #expect(answer.errorCode == code, "\(path) with \(name): \(value)")
            }
            guard code != "not-json" else { continue }
            #expect(try merge.send("GET", "/api/merge", wrong).errorCode == code)
        }
        var large = headers
        large["Content-Length"] = "5000000"
        #expect(try merge.send("POST", "/api/merge/choose", large).errorCode == "too-large")
        #expect(try merge.send("GET", "/api/merge", headers).json["settled"] == 0)
        #expect(!FileManager.default.fileExists(atPath: merge.result.path))
    }

    @Test("without conflicts no page is opened") func withoutConflicts() throws {
        let merge = try LiveMerge { ours, theirs in theirs = ours }
        let end = merge.end()
        #expect(end.status == 0 && !merge.address.hasPrefix("http"))
        #expect(try merge.merged()[entity: "Laptop"]?[attribute: "color"] == nil)
    }

    @Test("a studio without a merge has none") func noMerge() throws {
        let workspace = try Workspace()
        let studio = try LiveStudio(workspace.document)
        let cookie = try studio.cookie()
        #expect(try studio.get("/api/merge", cookie).errorCode == "not-open")
        #expect(try studio.post("/api/merge/finish", ["writes": true], cookie).errorCode == "not-open")
    }
}

@Suite("A model for other tools, from the studio", .serialized)
struct ExportRouteTests {
    @Test("each language is what the command writes; what is none is refused") func export() throws {
        let workspace = try Workspace()
        let studio = try LiveStudio(workspace.document)
        let cookie = try studio.cookie()
        let version = try studio.get("/api/document", cookie).json["version"]?.text ?? ""
        for (language, start) in [
            ("dbml", "Project "), ("mermaid", "erDiagram"), ("sql", "-- "), ("postgresql", "-- "),
        ] {
            let answer = try studio.get("/api/export?version=\(version)&language=\(language)", cookie)
            #expect(answer.status == 200 && answer.json["text"]?.text?.hasPrefix(start) == true, "\(answer.text)")
        }
        for (query, code) in [
            ("version=\(version)&language=xml", "invalid-request"), ("version=\(version)", "invalid-request"),
            ("version=v99&language=dbml", "unknown-element"), ("language=dbml", "invalid-request"),
        ] {
            #expect(try studio.get("/api/export?\(query)", cookie).errorCode == code, "\(query)")
        }
        #expect(
            try studio.post("/api/export?version=\(version)&language=dbml", [:], cookie).errorCode == "unknown-method")
        let paper = try studio.get("/api/graph/svg?version=\(version)&paper=true", cookie).json["text"]?.text ?? ""
        #expect(paper.contains("only light") && !paper.contains("prefers-color-scheme"))
    }
}

@Suite("A new model that begins with a draft", .serialized)
struct DraftedModelTests {
    @Test("the draft is open and unsaved; saving writes it") func draft() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "CoreDataTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = folder.appending(path: "Shop.sql")
        try Data("CREATE TABLE orders (id INTEGER PRIMARY KEY, placed_at DATE NOT NULL);".utf8).write(to: script)
        let document = folder.appending(path: "Shop.xcdatamodeld")
        let studio = try LiveStudio(document, ["--new", "--from", script.path])
        let cookie = try studio.cookie()
        let state = try studio.get("/api/document", cookie)
        #expect(state.text.contains("\"placedAt\"") && state.json["problems"]?.array?.isEmpty == true)
        #expect(!FileManager.default.fileExists(atPath: document.path))
        #expect(try studio.post("/api/save", ["overwrites": false], cookie).status == 200)
        let model = try VersionedModel(contentsOf: document).versions[0].model
        #expect(model[entity: "Order"]?[attribute: "placedAt"]?.type == .date)
        let end = studio.end(SIGINT)
        #expect(end.status == 0 && end.message.contains("orders.id is the key"), "\(end.message)")
    }
}
