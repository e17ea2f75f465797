import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// What comes from elsewhere, or without the proofs, changes nothing of a store that may be changed.
@Suite("The server refuses what it should of a store that is edited", .serialized)
struct StoreEditAttackTests {
    private let store: SampleStore
    private let studio: LiveStudio
    private let cookie: String

    init() throws {
        store = try SampleStore.shop()
        studio = try LiveStudio(store.url, ["--edit"])
        cookie = try studio.cookie()
    }

    private static let change: JSON = ["kind": "set", "object": "Order/p1", "key": "remark", "value": "changed"]
    private static let requests: [(String, JSON)] = [
        ("/api/store/edit", ["action": change]), ("/api/store/undo", [:]), ("/api/store/redo", [:]),
        ("/api/store/discard", [:]), ("/api/store/recovery", ["choice": "discard"]), ("/api/store/save", [:]),
        ("/api/store/deletion", ["objects": ["Order/p1"]]),
        ("/api/store/pick", ["entity": "Order", "text": ""]),
        ("/api/store/import", ["plan": ["entity": "Order", "columns": ["number": "number"]]]),
    ]
    private static let file = "/api/store/import-file?name=Orders.csv"
    private static let data = "/api/store/data?object=Product/p1&key=photo"
    private static let text = "/api/store/text?object=Order/p1&key=remark"

    private func sendData(
        _ body: Data, to path: String = data, _ change: (inout [String: String]) -> Void = { _ in }
    ) throws -> RawResponse {
        var headers = studio.headers(cookie)
        headers["Content-Type"] = "application/octet-stream"
        change(&headers)
        return try studio.send("POST", path, headers, body: body)
    }

    private func expectUnchanged(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(try studio.get("/api/store/changes", cookie).json["count"] == 0, sourceLocation: location)
        let program = try OtherProgram(store.url)
        #expect(try program.read { try $0.order(1)?.value(forKey: "remark") } == nil, sourceLocation: location)
        try program.close()
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
            #expect(try sendData(Data([1]), change).errorCode == code)
            #expect(try sendData(Data([1]), to: Self.file, change).errorCode == code)
            #expect(try sendData(Data([65]), to: Self.text, change).errorCode == code)
            for path in ["/api/store/changes", "/api/store/events"] {
                #expect(try studio.send("GET", path, headers).errorCode == code, "\(path)")
            }
        }
        try expectUnchanged()
    }

    @Test("A body of another type, or a larger one than a value can be, is not taken") func bodies() throws {
        #expect(try sendData(Data([1]), { $0["Content-Type"] = "text/plain" }).errorCode == "not-json")
        #expect(try sendData(Data([1]), { $0["Content-Type"] = "application/json" }).errorCode == "not-json")
        #expect(try sendData(Data(), { $0["Content-Length"] = "300000000" }).errorCode == "too-large")
        #expect(try sendData(Data([65]), to: Self.text) { $0["Content-Type"] = "text/plain" }.errorCode == "not-json")
        let tooLarge = try sendData(Data(), to: Self.text) { $0["Content-Length"] = "300000000" }
        #expect(tooLarge.errorCode == "too-large")
        #expect(try sendData(Data([0xFF]), to: Self.text).errorCode == "invalid-edit")
        for (path, body) in Self.requests {
            var headers = studio.headers(cookie)
            headers["Content-Type"] = "text/plain"
            #expect(try studio.send("POST", path, headers, body: body.data()).errorCode == "not-json", "\(path)")
        }
        for path in [
            "/api/store/data?object=Product/p1&key=name", "/api/store/data?object=Product/p9&key=photo",
            "/api/store/data?object=Product/p1", "/api/store/data?object=Order/p1&key=lineCount",
        ] {
            #expect((400..<500).contains(try sendData(Data([1]), to: path).status), "\(path)")
        }
        try expectUnchanged()
    }

    @Test("Hostile actions are refused with a sentence, and the studio goes on") func hostile() throws {
        var numbers = SeededGenerator(seed: SeededGenerator.seed)
        let kinds = ["create", "set", "relate", "add", "remove", "move", "duplicate", "delete", "explode"]
        let texts = [
            "Order/p1", "Order/p99999999999999999999", "Order/t1", "../../etc/passwd", "", "lines", "lineCount", "tags",
            "self", "objectID", "address.street", "' OR 1=1 --", "\u{0}", String(repeating: "x", count: 10_000),
        ]
        var refused = 0
        for _ in 0..<400 {
            var action: [String: JSON] = ["kind": .text(kinds.randomElement(using: &numbers) ?? "")]
            for member in ["entity", "owner", "relationship", "object", "key", "member"] where numbers.chance(80) {
                action[member] = .text(texts.randomElement(using: &numbers) ?? "")
            }
            action["value"] = [.null, .array([]), .number(1e300), .text("x")].randomElement(using: &numbers)
            action["to"] = [.integer(.max), .integer(-1), .text("Order/p1"), .null].randomElement(using: &numbers)
            for member in ["members", "objects"] {
                action[member] = .array([.text(texts.randomElement(using: &numbers) ?? "")])
            }
            let answer = try studio.post("/api/store/edit", ["action": .object(action)], cookie)
            #expect(answer.status == 200 || (400..<500).contains(answer.status), "\(action): \(answer.text)")
            if answer.status != 200 { refused += 1 }
        }
        #expect(refused > 100)
        #expect(try studio.post("/api/store/discard", [:], cookie).json["state"]?["count"] == 0)
        try expectUnchanged()
    }

    @Test("A studio that only reads has none of it") func readOnly() throws {
        let reading = try LiveStudio(store.url)
        let key = try reading.cookie()
        for (path, body) in Self.requests {
            #expect(try reading.post(path, body, key).errorCode == "read-only", "\(path)")
        }
        #expect(try reading.get("/api/store/changes", key).errorCode == "read-only")
        var headers = reading.headers(key)
        headers["Content-Type"] = "application/octet-stream"
        #expect(try reading.send("POST", Self.data, headers, body: Data([1])).errorCode == "read-only")
        #expect(try reading.send("POST", Self.text, headers, body: Data([65])).errorCode == "read-only")
        try expectUnchanged()
    }

    @Test("A studio that ends with changes says where they are kept, or how many objects are lost") func end() throws {
        #expect(try studio.post("/api/store/edit", ["action": Self.change], cookie).status == 200)
        let end = studio.end(SIGTERM)
        #expect(end.status == 0 && end.message.contains("Unsaved changes are kept in"), "\(end)")
        // Where the folder for application data can't be written, they are lost.
        let file = store.folder.appending(path: "NoFolder")
        try Data().write(to: file)
        let other = try LiveStudio([store.url.path, "--edit"], data: file)
        let key = try other.cookie()
        let state = try other.post("/api/store/edit", ["action": Self.change], key).json["state"]
        #expect(state?["journalFailure"]?.text?.contains("not kept on disk") == true)
        let loss = other.end(SIGTERM)
        #expect(loss.status == 1 && loss.message.contains("1 changed object was not saved"), "\(loss)")
    }
}
