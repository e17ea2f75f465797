import Foundation
import Testing

@testable import CoreDataStudio

/// What comes from elsewhere, or without the proofs, gets nothing of a store.
@Suite("The server refuses what it should of a store", .serialized)
struct StoreAttackTests {
    private let store: SampleStore
    private let studio: LiveStudio
    private let cookie: String
    private let before: [String: Data]

    init() throws {
        store = try SampleStore.people(20)
        before = try store.files()
        studio = try LiveStudio(store.url)
        cookie = try studio.cookie()
    }

    private static let query: JSON = ["entity": "Person"]
    private static let reading = [
        "/api/store/schema", "/api/store/counts", "/api/store/bytes?object=Person/p1&key=name",
        "/api/store/tree?object=Person/p1&key=name", "/api/store/memory",
        "/api/opened",
    ]
    private static let asking: [(String, JSON)] = [
        ("/api/store/rows", ["query": query, "from": 0, "count": 10, "columns": ["name"]]),
        ("/api/store/total", query), ("/api/store/object", ["object": "Person/p1"]),
        ("/api/store/filter", ["entity": "Person", "text": "name"]), ("/api/store/explain", query),
        ("/api/store/remember", ["values": ["format": "csv"]]),
        ("/api/store/history", [:]), ("/api/store/history", ["object": "Person/p1", "before": 3]),
        ("/api/store/export", ["query": query, "columns": ["name"], "format": "csv"]),
    ]
    /// What needs a store with history.
    private static let ofHistory: [(String, JSON)] = [
        ("/api/store/as-of", ["object": "Person/p1"]), ("/api/store/as-of", ["object": "Person/p1", "transaction": 3]),
    ]

    private func expectUnharmed(_ location: SourceLocation = #_sourceLocation) throws {
        let answer = try studio.get("/api/store/schema", cookie)
        #expect(answer.status == 200, sourceLocation: location)
        #expect(studio.isRunning, sourceLocation: location)
        #expect(try store.files() == before, sourceLocation: location)
    }

    @Test("With all proofs, each answers") func allowed() throws {
        for path in Self.reading where !path.contains("tree") {
            #expect(try studio.get(path, cookie).status == 200, "\(path)")
        }
        for (path, body) in Self.asking { #expect(try studio.post(path, body, cookie).status == 200, "\(path)") }
        try expectUnharmed()
    }

    @Test("Each needs the cookie, the page's secret, our origin and our host") func proofs() throws {
        let host = "127.0.0.1:\(studio.port)"
        let changes: [(name: String, code: String, change: (inout [String: String]) -> Void)] = [
            ("no cookie", "missing-token", { $0["Cookie"] = nil }),
            ("the token as a cookie", "missing-token", { $0["Cookie"] = "studio-\(studio.port)=\(studio.token)" }),
            ("no secret", "missing-token", { $0["Studio-Page"] = nil }),
            ("the token as a secret", "missing-token", { $0["Studio-Page"] = studio.token }),
            ("another origin", "forbidden-origin", { $0["Origin"] = "http://evil.example" }),
            ("another port", "forbidden-origin", { $0["Origin"] = "http://127.0.0.1:1" }),
            ("another site", "forbidden-origin", { $0["Sec-Fetch-Site"] = "cross-site" }),
            (
                "another host", "forbidden-host",
                {
                    $0["Host"] = "evil.example"
                    $0["Origin"] = "http://evil.example"
                }
            ),
        ]
        for (name, code, change) in changes {
            var headers = studio.headers(cookie)
            headers["Host"] = host
            change(&headers)
            for path in Self.reading {
                #expect(try studio.send("GET", path, headers).errorCode == code, "\(path) with \(name)")
            }
            for (path, body) in Self.asking + Self.ofHistory {
                let answer = try studio.send("POST", path, headers, body: body.data())
                #expect(answer.errorCode == code, "\(path) with \(name)")
            }
        }
        try expectUnharmed()
    }

    @Test("A download needs a ticket, which is good once, and the cookie") func tickets() throws {
        let body = try #require(Self.asking.last?.1)
        for wrong in ["", "?ticket=", "?ticket=0", "?ticket=\(studio.token)", "?ticket=\(studio.page)"] {
            let answer = try studio.get("/api/store/export\(wrong)", cookie)
            #expect(answer.errorCode == "missing-token", "\(wrong)")
        }
        let address = try #require(try studio.post("/api/store/export", body, cookie).json["address"]?.text)
        let bare = ["Host": "127.0.0.1:\(studio.port)"]
        #expect(try studio.send("GET", address, bare).errorCode == "missing-token")
        var foreign = bare
        foreign["Cookie"] = cookie
        foreign["Origin"] = "http://evil.example"
        #expect(try studio.send("GET", address, foreign).errorCode == "forbidden-origin")
        // As a browser fetches a download of our page: with the cookie, without headers of ours.
        foreign["Origin"] = nil
        foreign["Sec-Fetch-Site"] = "same-origin"
        let answer = try studio.send("GET", address, foreign)
        #expect(answer.status == 200 && answer.text.contains("Person/p20"))
        #expect(answer.headers["content-disposition"] == "attachment; filename=\"Person.csv\"")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(try studio.send("GET", address, foreign).errorCode == "missing-token")
        try expectUnharmed()
    }

    @Test("Bytes of the store come as bytes, never as a page or a script") func types() throws {
        let answer = try studio.get("/api/store/bytes?object=Person/p1&key=name", cookie)
        #expect(answer.headers["content-type"] == "application/octet-stream")
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.text.hasPrefix("Person "))
        let data = try studio.get("/data", cookie)
        #expect(data.status == 200 && data.headers["content-type"] == "text/html; charset=utf-8")
        #expect(!data.text.contains(studio.page))
        #expect(try studio.send("GET", "/data", ["Host": "127.0.0.1:\(studio.port)"]).status == 403)
    }

    @Test("Hostile requests are refused with a sentence") func hostile() throws {
        let large = String(repeating: "(", count: 20_000)
        let bodies: [(String, JSON)] = [
            ("rows", ["query": Self.query, "from": -1, "count": 10, "columns": []]),
            ("rows", ["query": Self.query, "from": .integer(.max), "count": 10, "columns": []]),
            ("rows", ["query": Self.query, "from": .integer(.max), "count": .integer(.max), "columns": []]),
            ("rows", ["query": Self.query, "from": 0, "count": 1_000_000, "columns": []]),
            ("rows", ["query": Self.query, "from": 0, "count": 10, "columns": ["name; DROP TABLE ZPERSON"]]),
            ("rows", ["query": ["entity": "Person\" --"], "from": 0, "count": 10, "columns": []]),
            (
                "rows",
                ["query": ["entity": "Person", "predicate": .text(large)], "from": 0, "count": 1, "columns": []]
            ),
            (
                "rows",
                [
                    "query": ["entity": "Person", "predicate": "FUNCTION(name, 'class') == 1"], "from": 0, "count": 1,
                    "columns": [],
                ]
            ),
            ("rows", []), ("rows", "text"), ("object", ["object": "Person/p9999"]), ("object", ["object": "../../etc"]),
            ("object", ["object": "Person/p99999999999999999999"]), ("filter", ["text": "name"]),
            ("explain", ["entity": "Nothing"]),
            ("export", ["query": Self.query, "columns": ["nothing"], "format": "csv"]),
            ("export", ["query": Self.query, "columns": ["name"], "format": "exe"]),
        ]
        for (path, body) in bodies {
            let answer = try studio.post("/api/store/\(path)", body, cookie)
            #expect((400..<500).contains(answer.status), "\(path) \(body): \(answer.status) \(answer.text)")
            #expect((answer.json["error"]?["message"]?.text ?? "").count > 10, "\(path)")
        }
        for path in [
            "bytes", "bytes?object=Person/p1", "bytes?object=Person/p1&key=nothing",
            "bytes?object=Person/p1&key=number",
            "bytes?object=Person/p1&key=name&from=-1", "bytes?object=Person/p1&key=name&count=99999999999999999999",
            "tree?object=Person/p1&key=name", "nothing",
        ] {
            let answer = try studio.get("/api/store/\(path)", cookie)
            #expect((400..<500).contains(answer.status), "\(path): \(answer.status)")
        }
        #expect(try studio.post("/api/store/schema", [:], cookie).errorCode == "unknown-method")
        #expect(try studio.get("/api/store/as-of", cookie).errorCode == "unknown-method")
        #expect(try studio.get("/api/store/rows", cookie).errorCode == "unknown-method")
        try expectUnharmed()
    }

    @Test("Hostile requests for the past are refused with a sentence, and leave the history as it is")
    func hostilePast() throws {
        let history = try SampleStore.history()
        let files = try history.files()
        let studio = try LiveStudio(history.url)
        let cookie = try studio.cookie()
        for (path, body) in Self.ofHistory { #expect(try studio.post(path, body, cookie).status == 200, "\(path)") }
        let object: JSON = "Person/p1"
        let bodies: [JSON] = [
            [], "text", [:], ["object": 1], ["object": "../../etc/passwd"], ["object": "Person/p0"],
            ["object": "Person/p99999999999999999999"], ["object": "Person/p1/p2"], ["object": "Nothing/p1"],
            ["object": "Person\" --/p1"], ["object": "Person/p9999", "transaction": 3],
            ["object": object, "transaction": -1], ["object": object, "transaction": 0],
            ["object": object, "transaction": 9_007_199_254_740_991], ["object": object, "transaction": "3"],
            ["object": object, "transaction": "1 OR 1=1"], ["object": object, "transaction": [3]],
            ["object": object, "titles": "name"],
        ]
        for body in bodies {
            let answer = try studio.post("/api/store/as-of", body, cookie)
            #expect((400..<500).contains(answer.status), "\(body): \(answer.status) \(answer.text)")
            #expect((answer.json["error"]?["message"]?.text ?? "").count > 10, "\(body)")
        }
        #expect(studio.isRunning)
        #expect(try history.files() == files)
    }

    @Test("A studio without a model has nothing of one, and one without a store nothing of that") func notOpen() throws
    {
        #expect(try studio.get("/api/document", cookie).errorCode == "not-open")
        #expect(try studio.get("/api/events", cookie).errorCode == "not-open")
        #expect(try studio.post("/api/save", [:], cookie).errorCode == "not-open")
        let workspace = try Workspace()
        let other = try LiveStudio(workspace.document)
        let key = try other.cookie()
        #expect(try other.get("/api/store/schema", key).errorCode == "not-open")
        #expect(try other.get("/api/store/export?ticket=1", key).errorCode == "not-open")
    }
}
