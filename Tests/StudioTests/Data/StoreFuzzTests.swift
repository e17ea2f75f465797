import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// Requests that are a little off, to everything that a page can ask of a store.
@Suite("Requests that are off get an answer, and change nothing", .serialized) struct StoreFuzzTests {
    private static let query: JSON = [
        "entity": "Order", "includesSubentities": true, "predicate": "number > 1",
        "sort": [["key": "number", "ascending": false]],
        "member": ["object": "Order/p3", "relationship": "lines"], "object": "Order/p1",
    ]
    private static let titles: JSON = ["Order": ["number"], "Product": ["name"]]
    private static let step: JSON = ["client": "w", "titles": titles]
    private static let choices: JSON = ["Line/p1": ["quantity": "mine", "": "theirs"], "Order/p1": ["remark": "mine"]]

    /// A body for each route, as a page sends it.
    private static let bodies: [String: [JSON]] = [
        "edit": [
            ["kind": "create", "entity": "Line", "owner": "Order/p1", "relationship": "lines"],
            ["kind": "set", "object": "Order/p1", "key": "remark", "value": "x"],
            ["kind": "relate", "object": "Line/p1", "key": "product", "to": "Product/p1"],
            ["kind": "add", "object": "Order/p1", "key": "tags", "members": ["Tag/p1"]],
            ["kind": "remove", "object": "Order/p1", "key": "tags", "members": ["Tag/p1"]],
            ["kind": "move", "object": "Order/p3", "key": "lines", "member": "Line/p4", "to": 0],
            ["kind": "duplicate", "objects": ["Order/p1"]], ["kind": "delete", "objects": ["Order/p1"]],
        ].map { ["action": $0, "client": "w", "titles": titles] },
        "undo": [step], "redo": [step], "discard": [step],
        "recovery": ["recover", "discard"].map { ["choice": $0, "choices": choices, "client": "w", "titles": titles] },
        "save": [["client": "w", "titles": titles, "choices": choices]],
        "deletion": [["objects": ["Order/p1", "Product/p1"]]],
        "import": [
            [
                "plan": [
                    "entity": "Line", "columns": ["count": "quantity", "of": "product.name"], "key": "count",
                    "skipsErrors": true, "isTrial": false,
                ], "client": "w", "titles": titles,
            ]
        ],
        "pick": [["entity": "Order", "text": "1", "titles": titles]],
        "rows": [
            ["query": query, "from": 0, "count": 10, "columns": ["number", "lines"], "titles": titles],
            [
                "query": ["entity": "Line"], "from": 2, "count": 10, "columns": ["quantity", "product"],
                "titles": titles,
            ],
        ],
        "total": [query], "explain": [query],
        "history": [["before": 3, "author": "app", "entity": "Order", "object": "Order/p1"]],
        "as-of": [["object": "Order/p1", "transaction": 2, "titles": titles]],
        "remember": [["values": ["format": "csv", "columns Order": [["name": "number", "width": 80]]]]],
        "object": [["object": "Order/p1", "titles": titles]],
        "filter": [["entity": "Order", "text": "number == 1 AND ", "cursor": 3]],
        "export": [["query": query, "columns": ["number", "lines"], "format": "csv"]],
    ]

    private static let seeds = SeededGenerator.seeds(2, full: 40)

    @Test("Each answers 200, or why not; the studio goes on, and the store is as it was", arguments: seeds)
    func edited(seed: UInt64) throws {
        print("hostile requests: COREDATA_TEST_SEED=\(seed)")
        #expect(Set(Self.bodies.keys.map { "/api/store/" + $0 }) == Set(StoreRoutes.asking.keys))
        let store = try SampleStore.shop()
        let before = try store.content()
        let studio = try FuzzedStudio(store, ["--edit"], seed: seed)
        try studio.upload("import-file", "name=Lines.csv", Data("count,of\n1,Apple\n0,Nothing\n".utf8))
        for route in Self.bodies.keys.sorted() {
            // What breaks a rule of the model can't be saved.
            if route == "save" { try studio.set("Line/p1", "quantity", "0") }
            for _ in 0..<40 {
                try studio.post(route, try #require(Self.bodies[route]?.randomElement(using: &studio.hostile.numbers)))
            }
            try studio.discard()
        }
        for _ in 0..<40 {
            try studio.get("bytes", ["object", "key", "from", "count"])
            try studio.get("tree", ["object", "key"])
            try studio.put("data", ["object", "key", "client"])
            try studio.put("text", ["object", "key", "client"])
            try studio.put("import-file", ["name"])
        }
        try studio.discard()
        #expect(studio.refused > 200 && studio.taken > 50, "\(studio.refused), \(studio.taken)")
        #expect(try store.content() == before)
    }

    @Test("A store with history that is only read is evidence to the byte", arguments: seeds)
    func read(seed: UInt64) throws {
        print("hostile requests: COREDATA_TEST_SEED=\(seed)")
        let store = try SampleStore.history()
        let before = try store.files()
        let studio = try FuzzedStudio(store, [], seed: seed)
        let bodies: [(String, JSON)] = [
            ("history", ["before": 100, "author": "widget", "entity": "Person", "object": "Person/p1"]),
            ("history", ["before": 100]), ("as-of", ["object": "Person/p1", "transaction": 5]),
            ("as-of", ["object": "Person/p2"]), ("object", ["object": "Person/p1", "titles": ["City": ["name"]]]),
            ("total", ["entity": "Person", "predicate": "number > 3"]),
        ]
        for (route, body) in bodies { for _ in 0..<40 { try studio.post(route, body) } }
        #expect(studio.refused > 50 && studio.taken > 20, "\(studio.refused), \(studio.taken)")
        #expect(try store.files() == before)
    }
}

/// A studio that gets requests of which most are off.
private final class FuzzedStudio {
    var hostile: HostileBody
    private(set) var refused = 0
    private(set) var taken = 0
    private let studio: LiveStudio
    private let cookie: String

    init(_ store: SampleStore, _ options: [String], seed: UInt64) throws {
        studio = try LiveStudio(store.url, options)
        cookie = try studio.cookie()
        hostile = HostileBody(numbers: SeededGenerator(seed: seed))
    }

    func post(_ route: String, _ template: JSON) throws {
        let body = hostile.body(like: template)
        let answer = try studio.send("POST", "/api/store/" + route, studio.headers(cookie), body: body)
        try check(answer, "\(route) \(String(decoding: body.prefix(2000), as: UTF8.self))")
    }

    func get(_ route: String, _ members: [String]) throws {
        let path = "/api/store/\(route)?" + query(members)
        try check(try studio.get(path, cookie), path)
    }

    /// Sends bytes.
    func put(_ route: String, _ members: [String]) throws {
        let body = hostile.body(like: ["a": 1])
        try check(
            try upload(route, query(members), body), "\(route) \(String(decoding: body.prefix(200), as: UTF8.self))")
    }

    @discardableResult func upload(_ route: String, _ query: String, _ body: Data) throws -> RawResponse {
        var headers = studio.headers(cookie)
        headers["Content-Type"] = "application/octet-stream"
        return try studio.send("POST", "/api/store/\(route)?\(query)", headers, body: body)
    }

    private func query(_ names: [String]) -> String {
        let known = [
            "object": "Product/p1", "key": "photo", "name": "Lines.csv", "from": "9223372036854775807",
            "count": "-9223372036854775808",
        ]
        let members = names.compactMap { name -> String? in
            guard hostile.numbers.chance(90) else { return nil }
            let value = hostile.numbers.chance(50) ? known[name] ?? "1" : String(hostile.text().prefix(2000))
            return name + "=" + (value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        }
        return members.joined(separator: "&")
    }

    /// Stages a value.
    func set(_ object: String, _ key: String, _ value: String) throws {
        let action: JSON = ["kind": "set", "object": .text(object), "key": .text(key), "value": .text(value)]
        let answer = try studio.post("/api/store/edit", ["action": action], cookie)
        try #require(answer.status == 200, "\(answer.text)")
    }

    /// Gives up what the requests have staged.
    func discard() throws {
        let answer = try studio.post("/api/store/discard", [:], cookie)
        try #require(answer.status == 200 && answer.json["state"]?["count"] == 0, "\(answer.text)")
    }

    private func check(_ answer: RawResponse, _ request: String) throws {
        try #require(studio.isRunning, "\(request)")
        if answer.status == 200 {
            taken += 1
        } else {
            refused += 1
            #expect((400..<500).contains(answer.status), "\(request): \(answer.text)")
            #expect((answer.json["error"]?["message"]?.text ?? "").count > 10, "\(request): \(answer.text)")
        }
    }
}

extension SampleStore {
    /// What the shop has: all objects with all their values and members.
    fileprivate func content() throws -> [String] {
        let program = try OtherProgram(url)
        defer { try? program.close() }
        return try program.read { context in
            try ["Order", "Line", "Product", "Tag"].flatMap { entity in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).map { object in
                    let values = object.entity.propertiesByName.keys.sorted().map { name in
                        switch object.value(forKey: name) {
                        case let members as NSSet: "\(members.allObjects.compactMap(Self.identifier).sorted())"
                        case let members as NSOrderedSet: "\(members.array.compactMap(Self.identifier))"
                        case let object as NSManagedObject: Self.identifier(object) ?? ""
                        case let value: "\(value ?? "")"
                        }
                    }
                    return "\(Self.identifier(object) ?? ""): \(values)"
                }.sorted()
            }
        }
    }

    private static func identifier(_ object: Any) -> String? {
        (object as? NSManagedObject)?.objectID.uriRepresentation().path
    }
}
