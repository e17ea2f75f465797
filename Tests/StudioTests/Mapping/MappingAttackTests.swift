import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// What comes from elsewhere, or without the proofs, changes nothing of a mapping model and nothing of a store.
@Suite("The server refuses what it should of a mapping model", .serialized)
struct MappingAttackTests {
    private let workspace: MappingWorkspace
    private let studio: LiveStudio
    private let cookie: String
    private let before: [String: Data]

    init() throws {
        workspace = try MappingWorkspace.shop()
        let ledger = try Data(contentsOf: MappingWorkspace.ledger.appending(path: "xcmapping.xml"))
        try FileManager.default.createDirectory(at: workspace.mapping, withIntermediateDirectories: true)
        try ledger.write(to: workspace.file)
        before = try workspace.files()
        studio = try LiveStudio(workspace.mapping, [workspace.model.path, workspace.store.path])
        cookie = try studio.cookie()
    }

    private static let change: JSON = [
        "kind": "set", "element": "z104", "changes": ["filter": "owner != nil"],
    ]
    private static let requests: [(String, JSON)] = [
        ("/api/mapping/actions", ["actions": [change]]), ("/api/mapping/undo", [:]), ("/api/mapping/redo", [:]),
        ("/api/mapping/save", [:]), ("/api/mapping/reload", [:]),
        ("/api/mapping/check", ["text": "1", "use": "expression", "element": "z104"]),
        ("/api/mapping/dry-run", [:]), ("/api/mapping/migrate", [:]), ("/api/mapping/cancel", [:]),
        ("/api/mapping/recovery", ["choice": "discard"]),
        ("/api/mapping/new", ["source": "Shop", "destination": "Shop 2", "name": "Intruder"]),
    ]
    private static let reading = [
        "/api/mapping/state", "/api/mapping/source", "/api/mapping/job", "/api/mapping/events",
    ]

    private func expectUnchanged(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(studio.isRunning, sourceLocation: location)
        #expect(try studio.get("/api/mapping/state", cookie).status == 200, sourceLocation: location)
        #expect(try workspace.files() == before, sourceLocation: location)
    }

    @Test("Each needs the cookie, the page's secret, our origin and our host") func proofs() throws {
        let changes: [(code: String, change: (inout [String: String]) -> Void)] = [
            ("missing-token", { $0["Cookie"] = nil }),
            ("missing-token", { $0["Studio-Page"] = nil }),
            ("missing-token", { $0["Studio-Page"] = studio.token }),
            ("forbidden-origin", { $0["Origin"] = "http://evil.example" }),
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
            for (path, body) in Self.requests {
                #expect(try studio.send("POST", path, headers, body: body.data()).errorCode == code, "\(path)")
            }
            for path in Self.reading { #expect(try studio.send("GET", path, headers).errorCode == code, "\(path)") }
        }
        #expect(try studio.get("/api/mapping/state", cookie).json["revision"] == 1)
        try expectUnchanged()
    }

    @Test("The page needs the cookie, and says what no other page may do with it") func page() throws {
        #expect(try studio.send("GET", "/mapping", ["Host": "127.0.0.1:\(studio.port)"]).status == 403)
        let page = try studio.get("/mapping", cookie)
        #expect(page.status == 200 && page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
    }

    @Test("A body of another type, a larger one, and one that is no request are not taken") func bodies() throws {
        for (path, body) in Self.requests {
            var headers = studio.headers(cookie)
            headers["Content-Type"] = "text/plain"
            #expect(try studio.send("POST", path, headers, body: body.data()).errorCode == "not-json", "\(path)")
            headers = studio.headers(cookie)
            headers["Content-Length"] = "90000000"
            #expect(try studio.send("POST", path, headers).errorCode == "too-large", "\(path)")
            #expect(try studio.get(path, cookie).errorCode == "unknown-method" || path.hasSuffix("/new"), "\(path)")
        }
        let bodies: [JSON] = [
            [:], ["actions": nil], ["actions": [[:]]], ["actions": [["kind": "explode"]]],
            ["actions": [["kind": "set", "element": 1]]],
        ]
        for body in bodies {
            #expect(try studio.post("/api/mapping/actions", body, cookie).errorCode == "invalid-request", "\(body)")
        }
        for path in ["/api/mapping/", "/api/mapping/../store/edit", "/api/mapping/state/x"] {
            #expect(try studio.get(path, cookie).status >= 400, "\(path)")
        }
        try expectUnchanged()
    }

    @Test("Hostile actions are carried out or refused, and leave a document that can be saved") func hostile() throws {
        var numbers = SeededGenerator(seed: SeededGenerator.seed)
        let texts = [
            "", "z104", "z105", "z107", "z108", "z999", "mapping", "Account", "Entry", "$source.owner", "1 +", "\u{0}",
            "../../etc/passwd", "</attribute><object>", "é😀", String(repeating: "(", count: 5000),
            String(repeating: "n", count: 20_000), "FUNCTION($manager, \"x\", 1)", "owner == nil",
            "CAST(1, \"NSInvocation\")", "FUNCTION(\"\", \"exit:\", 1)",
        ]
        var (done, refused) = (0, 0)
        for _ in 0..<400 {
            func text() -> JSON { .text(texts.randomElement(using: &numbers) ?? "") }
            func anything() -> JSON {
                [.null, .bool(true), .integer(.max), .array([]), text(), text()].randomElement(using: &numbers) ?? .null
            }
            var action: [String: JSON] = [
                "kind": .text(MappingAction.Kind.allCases.randomElement(using: &numbers)?.rawValue ?? "")
            ]
            for member in ["element", "owner", "source", "destination", "name", "expression"] where numbers.chance(85) {
                action[member] = text()
            }
            action["to"] = [.integer(0), .integer(1), .integer(-1), .integer(.max), .text("x")].randomElement(
                using: &numbers)
            action["elements"] = .array([text()])
            action["changes"] = .object([
                MappingField.allCases.randomElement(using: &numbers)?.rawValue ?? "": anything()
            ])
            let answer = try studio.post("/api/mapping/actions", ["actions": [.object(action)]], cookie)
            #expect(
                answer.status == 200 || (400..<500).contains(answer.status), "\(action): \(answer.text.prefix(300))")
            if answer.status == 200 { done += 1 } else { refused += 1 }
        }
        #expect(done > 20 && refused > 20, "\(done), \(refused)")
        #expect(try studio.get("/api/mapping/source", cookie).status == 200)
        while try studio.get("/api/mapping/state", cookie).json["undo"] != .null {
            #expect(try studio.post("/api/mapping/undo", [:], cookie).status == 200)
        }
        #expect(try studio.get("/api/mapping/state", cookie).json["isDirty"] == false)
        try expectUnchanged()
    }

    @Test("A mapping names no model outside of its folders") func paths() throws {
        for path in [
            "../Secret.xcdatamodeld/A.xcdatamodel", "/etc/A.xcdatamodel", "a//b.xcdatamodel", "./a.xcdatamodel",
            "a/../../b.xcdatamodel",
        ] {
            let action: JSON = ["kind": "set", "element": "mapping", "changes": ["sourceModel": .text(path)]]
            let answer = try studio.post("/api/mapping/actions", ["actions": [action]], cookie)
            #expect(answer.errorCode == "outside-of-folder", "\(path): \(answer.text)")
        }
        let action: JSON = ["kind": "set", "element": "mapping", "changes": ["sourceModel": "etc/passwd"]]
        #expect(try studio.post("/api/mapping/actions", ["actions": [action]], cookie).errorCode == "invalid-edit")
        for name in ["../Intruder", "a/b", "", ".x", String(repeating: "x", count: 400)] {
            let body: JSON = ["source": "Shop", "destination": "Shop 2", "name": .text(name)]
            #expect(try studio.post("/api/mapping/new", body, cookie).errorCode == "invalid-request", "\(name)")
        }
        try expectUnchanged()
    }

    @Test("A studio that reads migrates nothing; one without a mapping or a store has none of it") func missing() throws
    {
        #expect(try studio.post("/api/mapping/migrate", [:], cookie).errorCode == "read-only")
        let other = try LiveStudio(workspace.store)
        let key = try other.cookie()
        for (path, body) in Self.requests {
            #expect(try other.post(path, body, key).errorCode == "not-open", "\(path)")
        }
        for path in Self.reading { #expect(try other.get(path, key).errorCode == "not-open", "\(path)") }
        // Another mapping model, that no studio has open.
        let stranger = try MappingWorkspace()
        let alone = try LiveStudio(stranger.mapping)
        let third = try alone.cookie()
        #expect(try alone.post("/api/mapping/dry-run", [:], third).errorCode == "not-open")
        #expect(try alone.post("/api/mapping/new", Self.requests[10].1, third).errorCode == "not-open")
        try expectUnchanged()
    }

    @Test("A studio that ends with changes says where they are kept, or that they are lost", arguments: [true, false])
    func end(canBeKept: Bool) throws {
        // A folder in the journal's place can't be replaced by a file, nor removed.
        let journal = workspace.folder.appending(path: ".\(workspace.mapping.lastPathComponent).studio-journal")
        if !canBeKept {
            try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: false)
            try Data("x".utf8).write(to: journal.appending(path: "x"))
        }
        #expect(try studio.post("/api/mapping/actions", ["actions": [Self.change]], cookie).status == 200)
        let end = studio.end(SIGTERM)
        let sentence = canBeKept ? "Unsaved changes are kept in \(journal.path)" : "Unsaved changes are lost."
        #expect(end.status == (canBeKept ? 0 : 1) && end.message.contains(sentence), "\(end)")
    }
}
