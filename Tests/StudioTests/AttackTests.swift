import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

@Suite("The server refuses what it should", .serialized)
struct AttackTests {
    private let workspace: Workspace
    private let studio: LiveStudio
    private let cookie: String
    private let before: [String: Data]

    init() throws {
        workspace = try Workspace()
        before = try workspace.bytes()
        studio = try LiveStudio(workspace.document)
        cookie = try studio.cookie()
    }

    /// The server still answers, and the file is as it was.
    private func expectUnharmed(_ location: SourceLocation = #_sourceLocation) throws {
        let answer = try studio.get("/api/document", cookie)
        #expect(answer.status == 200, sourceLocation: location)
        #expect(studio.isRunning, sourceLocation: location)
        #expect(try workspace.bytes() == before, sourceLocation: location)
    }

    private var addEntity: JSON {
        ["revision": 1, "actions": [["kind": "addEntity", "version": "v1", "name": "Intruder"]]]
    }

    @Test("Pages of other origins change and read nothing") func otherOrigin() throws {
        for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:\(studio.port)", ""] {
            var headers = studio.headers(cookie)
            headers["Origin"] = origin
            let answer = try studio.send("POST", "/api/actions", headers, body: addEntity.data())
            #expect(answer.status == 403, "\(origin)")
            #expect(answer.errorCode == "forbidden-origin", "\(origin)")
            for path in ["/", "/api/document", "/api/events"] {
                #expect(try studio.send("GET", path, headers).status == 403, "\(origin) \(path)")
            }
        }
        // No origin at all is no browser of ours.
        var headers = studio.headers(cookie)
        headers["Origin"] = nil
        #expect(try studio.send("POST", "/api/save", headers, body: Data("{}".utf8)).errorCode == "forbidden-origin")
        headers = ["Host": "127.0.0.1:\(studio.port)", "Cookie": cookie, "Sec-Fetch-Site": "cross-site"]
        #expect(try studio.send("GET", "/api/document", headers).errorCode == "forbidden-origin")
        try expectUnharmed()
        #expect(try studio.get("/api/document", cookie).json["revision"] == 1)
    }

    @Test("A foreign name that points at loopback is no name of ours") func rebinding() throws {
        for host in [
            "evil.example", "evil.example:\(studio.port)", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:\(studio.port)",
        ] {
            var headers = studio.headers(cookie)
            headers["Host"] = host
            headers["Origin"] = "http://\(host)"
            #expect(try studio.send("GET", "/api/document", headers).errorCode == "forbidden-host", "\(host)")
            let answer = try studio.send("POST", "/api/actions", headers, body: addEntity.data())
            #expect(answer.errorCode == "forbidden-host", "\(host)")
            #expect(try studio.send("GET", "/?token=\(studio.token)", ["Host": host]).status == 403, "\(host)")
        }
        try expectUnharmed()
    }

    @Test("Without the cookie there is nothing, and only the token gives it") func token() throws {
        let host = ["Host": "127.0.0.1:\(studio.port)"]
        for path in ["/", "/assets/index.html", "/api/document", "/api/events", "/?token=", "/?token=\(studio.token)0"]
        {
            let answer = try studio.send("GET", path, host)
            #expect(answer.status == 403, "\(path)")
            #expect(answer.headers["set-cookie"] == nil, "\(path)")
        }
        // The token is no cookie, and the cookie of another port is none of ours.
        for wrong in ["studio-\(studio.port)=\(studio.token)", "studio-1=" + cookie.split(separator: "=")[1]] {
            #expect(try studio.get("/api/document", wrong).errorCode == "missing-token")
        }
        let answer = try studio.send("GET", "/?token=\(studio.token)", host)
        let attributes = answer.headers["set-cookie"] ?? ""
        #expect(attributes.contains("HttpOnly") && attributes.contains("SameSite=Strict"))
        #expect(answer.headers["location"] == "/#page=\(studio.page)")
        let other = try Workspace()
        let second = try LiveStudio(other.document)
        #expect(second.token != studio.token)
        try expectUnharmed()
    }

    @Test("A server on another port that was sent the cookie can't use it") func replayedCookie() throws {
        // It has the cookie and can send whatever headers it likes; it never sees the fragment with the page's secret.
        for wrong in [nil, "", studio.token, String(cookie.split(separator: "=")[1]), studio.page + "0"] {
            var headers = studio.headers(cookie)
            headers["Studio-Page"] = wrong
            for path in ["/api/document", "/api/events", "/api/problems", "/api/nothing"] {
                let answer = try studio.send("GET", path, headers)
                #expect(answer.errorCode == "missing-token", "\(path) with \(wrong ?? "none")")
                #expect(!answer.text.contains(studio.page))
            }
            for path in ["/api/actions", "/api/save", "/api/undo", "/api/generate"] {
                let answer = try studio.send("POST", path, headers, body: addEntity.data())
                #expect(answer.errorCode == "missing-token", "\(path) with \(wrong ?? "none")")
            }
        }
        // No file of the page has the secret in it, and only the token leads to it.
        for path in ["/", "/assets/scripts/net/api.js"] {
            let answer = try studio.get(path, cookie)
            #expect(answer.status == 200 && !answer.text.contains(studio.page))
        }
        try expectUnharmed()
        #expect(try studio.get("/api/document", cookie).json["revision"] == 1)
    }

    @Test("A half-sent request is ended after some seconds", .timeLimit(.minutes(1))) func halfSent() async throws {
        let start = "POST /api/actions HTTP/1.1\r\nHost: 127.0.0.1:\(studio.port)\r\n"
        let rest = studio.headers(cookie).filter { $0.key != "Host" }.map { "\($0): \($1)\r\n" }.joined()
        let head = try RawSocket(port: studio.port)
        let silent = try RawSocket(port: studio.port)
        let body = try RawSocket(port: studio.port)
        let drip = try RawSocket(port: studio.port)
        try head.write(Data(start.utf8))
        try body.write(Data((start + rest + "Content-Length: 100\r\n\r\n{").utf8))
        try drip.write(Data((start + rest + "Content-Length: 100\r\n\r\n{").utf8))
        let begin = ContinuousClock.now
        for _ in 0..<7 {
            try await Task.sleep(for: .seconds(2))
            try drip.write(Data(" ".utf8))
        }
        let dripped = drip.readToEnd()
        #expect(try RawResponse(dripped).errorCode == "too-slow")
        for socket in [head, silent, body] { _ = socket.readToEnd() }
        #expect(ContinuousClock.now - begin < .seconds(30))
        try expectUnharmed()
    }

    @Test("Changes that can't be written down are said to be lost, never kept") func lostChanges() throws {
        // A folder that is not empty stands where the journal belongs.
        let place = workspace.folder.appending(path: ".League.xcdatamodeld.studio-journal")
        try FileManager.default.createDirectory(
            at: place.appending(path: "inside"), withIntermediateDirectories: true)
        let events = try RawSocket(port: studio.port)
        let head = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(studio.port)\r\nCookie: \(cookie)\r\n"
        try events.write(Data((head + "Studio-Page: \(studio.page)\r\n\r\n").utf8))
        var text = ""
        while !text.contains(": here"), let part = events.read() { text += String(decoding: part, as: UTF8.self) }
        #expect(try studio.post("/api/actions", addEntity, cookie).status == 200)
        // At once, without another request.
        while !text.contains("not kept on disk"), let part = events.read() {
            text += String(decoding: part, as: UTF8.self)
        }
        #expect(text.contains("not kept on disk"))
        let end = studio.end(SIGINT)
        #expect(end.status == 1)
        #expect(end.message.contains("Unsaved changes are lost."))
        #expect(!end.message.contains("are kept in"))
        text += String(decoding: events.readToEnd(), as: UTF8.self)
        #expect(text.contains("\"lost\""))
    }

    @Test("Every answer forbids framing, guessing types, and scripts of others") func headers() throws {
        for answer in [
            try studio.get("/", cookie), try studio.get("/api/document", cookie), try studio.get("/nothing", cookie),
            try studio.get("/", "x=y"),
        ] {
            let policy = answer.headers["content-security-policy"] ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(answer.headers["x-frame-options"] == "DENY")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(answer.headers["access-control-allow-origin"] == nil)
        }
        #expect(try studio.get("/", cookie).headers["content-type"] == "text/html; charset=utf-8")
    }

    @Test("No path leads out of the page's files") func traversal() throws {
        for path in [
            "/assets/../../../etc/passwd", "/assets/..%2f..%2fetc/passwd", "/../etc/passwd", "/assets//etc/passwd",
            "/assets/%2e%2e/index.html", "/League.xcdatamodeld/League.xcdatamodel/contents", "/assets/", "/assets/.",
            "/assets/index.html%00.png", "/etc/passwd", "//etc/passwd",
        ] {
            let answer = try studio.get(path, cookie)
            #expect(answer.status == 404 || answer.status == 400, "\(path): \(answer.status)")
            #expect(!answer.text.contains("root:"), "\(path)")
        }
        for folder in ["../out", "/tmp/out", "a/../../out", "..", "League.xcdatamodeld", "a\u{0}b"] {
            let answer = try studio.post("/api/generate", ["folder": .text(folder), "module": "M"], cookie)
            #expect(answer.errorCode == "outside-of-folder", "\(folder)")
        }
        let link = workspace.folder.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: "/tmp"))
        let answer = try studio.post("/api/generate", ["folder": "link/out", "module": "M"], cookie)
        #expect(answer.errorCode == "outside-of-folder")
        #expect(!FileManager.default.fileExists(atPath: "/tmp/out"))
        try expectUnharmed()
    }

    @Test("Script in names and values is text") func script() throws {
        let evil = "</script><img src=x onerror=alert(1)>\u{2028}\"'&"
        let actions: [JSON] = [
            ["kind": "addEntity", "version": "v1", "name": .text(evil)],
            ["kind": "addUserInfo", "owner": "e2", "key": .text(evil), "value": .text(evil)],
            ["kind": "addFetchRequest", "version": "v1", "name": .text(evil), "predicate": .text(evil)],
        ]
        for action in actions {
            let state = try studio.get("/api/document", cookie).json
            let answer = try studio.post(
                "/api/actions", ["revision": state["revision"] ?? 1, "actions": [action]], cookie)
            #expect(answer.status == 200, "\(answer.text)")
            // If a browser took the answer for a page, it would find no markup in it.
            #expect(!answer.text.contains("<"))
            #expect(answer.headers["content-type"] == "application/json")
        }
        #expect(try studio.post("/api/save", [:], cookie).status == 200)
        let model = try VersionedModel(contentsOf: workspace.document).currentModel
        #expect(model.entities.contains { $0.name == evil })
        #expect(model[fetchRequest: evil]?.predicateFormat == evil)
        let state = try studio.get("/api/document", cookie)
        #expect(!state.text.contains("<img"))
        // What no document can hold is refused.
        let bell: JSON = ["kind": "addEntity", "version": "v1", "name": "a\u{7}b"]
        let refused = try studio.post(
            "/api/actions", ["revision": state.json["revision"] ?? 1, "actions": [bell]], cookie)
        #expect(refused.errorCode == "invalid-edit")
    }

    @Test("200 MB are refused before they are read, with and without saying their length") func upload() throws {
        var headers = studio.headers(cookie)
        headers["Content-Length"] = "\(200 << 20)"
        var text = "POST /api/actions HTTP/1.1\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        let socket = try RawSocket(port: studio.port)
        try socket.write(Data((text + "\r\n").utf8))
        let answer = try RawResponse(try #require(socket.read()))
        #expect(answer.status == 413)
        let part = Data(repeating: UInt8(ascii: " "), count: 1 << 20)
        for _ in 0..<200 where try socket.write(part) < part.count { break }

        // In chunks, it is not known how much will come.
        headers["Content-Length"] = nil
        text = "POST /api/actions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        let chunked = try RawSocket(port: studio.port)
        try chunked.write(Data((text + "\r\n").utf8))
        for _ in 0..<200 {
            let chunk = Data("\(String(part.count, radix: 16))\r\n".utf8) + part + Data("\r\n".utf8)
            guard try chunked.write(chunk) == chunk.count else { break }
        }
        // A connection that is reset has no answer to read; one that is not says why.
        if let data = chunked.read() { #expect(try RawResponse(data).status == 413) }
        try expectUnharmed()
    }

    @Test("Broken and strange requests get a sentence") func broken() throws {
        let bodies = [
            "", "{", "[]", "null", "{\"revision\":1}", "{\"revision\":\"x\",\"actions\":[]}", "\u{FEFF}",
            "{\"revision\":1,\"actions\":[]}", "{\"revision\":-1,\"actions\":[{\"kind\":\"sort\",\"element\":\"v1\"}]}",
            "{\"revision\":99,\"actions\":[{\"kind\":\"sort\",\"element\":\"v1\"}]}",
            "{\"revision\":1,\"actions\":[{\"kind\":\"nothing\"}]}", "{\"revision\":1,\"actions\":[7]}",
            "{\"revision\":1,\"actions\":[{\"kind\":\"addEntity\"}]}",
            "{\"revision\":1,\"actions\":[{\"kind\":\"set\",\"element\":\"v1\",\"changes\":{\"nothing\":1}}]}",
            "{\"revision\":1,\"actions\":[{\"kind\":\"set\",\"element\":\"v1\",\"changes\":{\"language\":[[]]}}]}",
            "{\"revision\":1,\"actions\":[{\"kind\":\"place\",\"positions\":{\"e2\":{\"x\":1e300,\"y\":0}}}]}",
            String(repeating: "[", count: 100_000), "{\"revision\":1e999,\"actions\":[]}",
            "{\"revision\":1,\"actions\":[{\"kind\":\"move\",\"element\":\"v1\",\"to\":0}]}",
        ]
        for body in bodies {
            let answer = try studio.send("POST", "/api/actions", studio.headers(cookie), body: Data(body.utf8))
            #expect(answer.status == 400, "\(body.prefix(80)): \(answer.status)")
            #expect(answer.json["error"]?["message"]?.text?.isEmpty == false, "\(body.prefix(80))")
        }
        let invalid = Data([0x22, 0xFF, 0xFE, 0x22])
        #expect(try studio.send("POST", "/api/actions", studio.headers(cookie), body: invalid).status == 400)
        var headers = studio.headers(cookie)
        headers["Content-Type"] = "text/plain"
        #expect(try studio.send("POST", "/api/actions", headers, body: addEntity.data()).errorCode == "not-json")
        #expect(try studio.get("/api/actions", cookie).errorCode == "unknown-method")
        #expect(try studio.post("/api/document", [:], cookie).errorCode == "unknown-method")
        #expect(try studio.send("DELETE", "/api/document", studio.headers(cookie)).errorCode == "unknown-method")
        #expect(try studio.get("/api/nothing", cookie).errorCode == "unknown-path")
        #expect(try studio.get("/api/code?entity=e999", cookie).errorCode == "unknown-element")
        #expect(try studio.get("/api/code", cookie).errorCode == "invalid-request")
        try expectUnharmed()
        #expect(try studio.get("/api/document", cookie).json["revision"] == 1)
    }

    @Test("Bytes that are no HTTP do not end the server") func noHTTP() throws {
        for bytes in [Data([0, 1, 2, 3]), Data("GET\r\n\r\n".utf8), Data("\u{16}\u{3}\u{1}".utf8)] {
            let socket = try RawSocket(port: studio.port)
            try socket.write(bytes + Data("\r\n\r\n".utf8))
            _ = socket.read()
        }
        try expectUnharmed()
    }

    @Test("Two tabs at once: what does not meet is merged, what meets is refused with the state as it is") func tabs()
        throws
    {
        let records = try studio.get("/api/document", cookie).json["records"]
        guard case .object(let all)? = records else {
            Issue.record("no records")
            return
        }
        let email = try #require(all.first { $0.value["name"] == "email" }?.key)
        func request(_ field: String, _ value: JSON) -> JSON {
            [
                "revision": 1,
                "actions": [["kind": "set", "element": .text(email), "changes": .object([field: value])]],
            ]
        }
        #expect(try studio.post("/api/actions", request("isOptional", false), cookie).status == 200)
        let merged = try studio.post("/api/actions", request("isTransient", true), cookie)
        #expect(merged.status == 200)
        #expect(merged.json["merged"] == true)
        let refused = try studio.post("/api/actions", request("isOptional", true), cookie)
        #expect(refused.status == 409)
        #expect(refused.errorCode == "conflict")
        #expect(refused.json["state"]?["records"]?[email]?["isOptional"] == false)
        try expectUnharmed()
    }

    @Test("The other tab hears of it by events") func events() throws {
        let socket = try RawSocket(port: studio.port)
        let head =
            "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(studio.port)\r\nCookie: \(cookie)\r\nStudio-Page: \(studio.page)\r\n\r\n"
        try socket.write(Data(head.utf8))
        var text = ""
        while !text.contains(": here"), let part = socket.read() { text += String(decoding: part, as: UTF8.self) }
        #expect(text.contains("text/event-stream"))
        #expect(try studio.post("/api/actions", addEntity, cookie).status == 200)
        while !text.contains("Intruder"), let part = socket.read() { text += String(decoding: part, as: UTF8.self) }
        #expect(text.contains("event: update\ndata: {"))
        // Neither streams nor connections that wait for another request keep the server from ending.
        let idle = try RawSocket(port: studio.port)
        try idle.write(
            Data(
                "GET /api/document HTTP/1.1\r\nHost: 127.0.0.1:\(studio.port)\r\nCookie: \(cookie)\r\nStudio-Page: \(studio.page)\r\n\r\n"
                    .utf8))
        #expect(idle.read() != nil)
        let start = ContinuousClock.now
        let end = studio.end(SIGINT)
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(end.status == 0)
        #expect(end.message.contains("Unsaved changes are kept"))
        while let part = socket.read() { text += String(decoding: part, as: UTF8.self) }
        #expect(text.contains("event: closing"))
    }

    @Test("A port that is taken is said in plain words") func takenPort() throws {
        let other = try Workspace()
        let process = Process()
        let program: URL = try #require(LiveStudio.program)
        process.executableURL = program
        process.arguments = ["studio", other.document.path, "--no-open", "--port", "\(studio.port)"]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        let message = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(process.terminationStatus == 1)
        #expect(
            message
                == "error: Port \(studio.port) is taken by another program. Choose another one with --port, or leave it out.\n"
        )
    }
}
