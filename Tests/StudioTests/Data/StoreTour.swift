import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// Goes through a store by the requests of the page: all that the page shows, and every way to find and to export it.
///
/// What the answers say of each other is checked. ``Seen`` has what others can be compared with. A full run
/// (`COREDATA_FULL_TESTS`) looks at more objects and filters.
struct StoreTour {
    /// What was seen in a store.
    struct Seen {
        var entities: [Entity] = []
        /// How many objects each entity has, without those of subentities.
        var counts: [String: Int] = [:]
        /// The lines of the export of each object.
        var lines: [String: [String: JSON]] = [:]
        /// The members of relationships that were followed, by owner and name.
        var members: [String: [String: [String]]] = [:]
        var transactions = 0
        /// How many filters found what they had to.
        var filters = 0
        /// How many values were read as bytes.
        var values = 0
    }

    struct Property: Sendable {
        let name: String
        let kind: String
        let type: String?
        let destination: String
        let isOrdered: Bool
    }

    struct Entity: Sendable {
        let name: String
        let isAbstract: Bool
        let properties: [Property]

        var columns: [String] { properties.map(\.name) }
        var attributes: [Property] { properties.filter { $0.kind == "attribute" } }
        var toManys: [Property] { properties.filter { $0.kind == "toMany" } }
    }

    /// How many objects of each entity are looked at.
    static let objects = FullRun.isOn ? 25 : 2
    /// How many attributes of each entity are filtered and sorted by.
    static let attributes = FullRun.isOn ? 100 : 2
    /// How many rows a window has, at most.
    private static let window = 200

    let studio: LiveStudio
    private let cookie: String
    /// Where the exports are put to be looked at.
    let scratch: URL

    init(_ studio: LiveStudio) throws {
        self.studio = studio
        cookie = try studio.cookie()
        scratch = studio.data.appending(path: "Exports")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    }

    // MARK: The requests

    func get(_ path: String, _ members: [String: String] = [:]) throws -> RawResponse {
        var components = URLComponents()
        components.queryItems = members.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0, value: $1) }
        let query = members.isEmpty ? "" : "?" + (components.percentEncodedQuery ?? "").replacing("+", with: "%2B")
        return try studio.get(path + query, cookie)
    }

    /// What is asked for, which has to be there.
    func ask(_ path: String, _ body: JSON, _ location: SourceLocation = #_sourceLocation) throws -> JSON {
        let answer = try studio.post("/api/store/\(path)", body, cookie)
        try #require(answer.status == 200, "\(path) \(body): \(answer.text)", sourceLocation: location)
        return try JSON.read(answer.body)
    }

    /// Why a request is refused; nil where it is not.
    func refusal(_ path: String, _ body: JSON) throws -> String? {
        try studio.post("/api/store/\(path)", body, cookie).errorCode
    }

    // MARK: The store

    /// Looks at all of the store.
    func walk() throws -> Seen {
        var seen = Seen()
        let schema = try open()
        let events = try listen()
        defer { withExtendedLifetime(events) {} }
        seen.entities = (schema["entities"]?.array ?? []).map(Entity.init)
        let counts = try get("/api/store/counts").json["counts"]
        for entity in seen.entities {
            let count = try #require(counts?[entity.name], "\(entity.name)")
            seen.counts[entity.name] = count["own"]?.int
            try walk(entity, count["all"]?.int ?? -1, &seen)
        }
        seen.transactions = try readHistory(seen.entities, schema["hasHistory"] == true)
        try tryToChange(seen)
        return seen
    }

    /// Loads the page, and what it asks for first.
    private func open() throws -> JSON {
        for path in ["/data", "/api/opened", "/api/store/memory"] {
            #expect(try get(path).status == 200, "\(path)")
        }
        let answer = try get("/api/store/schema")
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    /// Listens to what the studio tells the page, as long as the connection is there.
    private func listen() throws -> RawSocket {
        let socket = try RawSocket(port: studio.port)
        let lines = studio.headers(cookie).map { "\($0): \($1)\r\n" }.joined()
        try socket.write(Data("GET /api/store/events HTTP/1.1\r\n\(lines)\r\n".utf8))
        let start = String(decoding: try #require(socket.read()), as: UTF8.self)
        #expect(start.hasPrefix("HTTP/1.1 200"), "\(start)")
        return socket
    }

    private func walk(_ entity: Entity, _ count: Int, _ seen: inout Seen) throws {
        let found = try rows(["entity": .text(entity.name)], entity.columns)
        #expect(found.total == count, "\(entity.name)")
        // What is read of a subentity's object has the subentity's properties.
        let objects = try self.objects(of: entity, among: found.rows)
        for id in objects { try follow(id, &seen) }
        if let first = objects.first { try unfold(first) }
        let lines = try exportLines(entity)
        seen.lines.merge(lines) { $1 }
        seen.filters += try find(in: entity, lines, count)
        try sort(entity, count)
        try export(entity, count)
    }

    /// The first objects, and of each relationship the first one that has members.
    private func objects(of entity: Entity, among rows: [JSON]) throws -> [String] {
        let first = rows.prefix(Self.objects)
        let withMembers = entity.toManys.compactMap { property -> JSON? in
            let place = entity.columns.firstIndex(of: property.name) ?? 0
            return rows.first { ($0["cells"]?.array?[place]["count"]?.int ?? 0) > 0 }
        }
        return Array(Set((first + withMembers.prefix(Self.objects)).compactMap { $0["id"]?.text })).sorted()
    }

    // MARK: Rows

    /// The rows of a query, as one scrolls through them: all of up to 1,000, and else some at both ends and between.
    func rows(_ query: JSON, _ columns: [String]) throws -> (rows: [JSON], total: Int) {
        let total = try #require(try ask("total", query)["total"]?.int)
        let step = Self.window
        let starts =
            total <= 1_000 ? Array(stride(from: 0, to: max(total, 1), by: step)) : [0, step, total / 2, total - step]
        var rows: [JSON] = []
        for start in starts {
            let answer = try ask(
                "rows",
                [
                    "query": query, "from": .integer(start), "count": .integer(step),
                    "columns": .array(columns.map(JSON.text)),
                ])
            let part = answer["rows"]?.array ?? []
            #expect(part.count == min(step, total - start), "\(query) from \(start)")
            #expect(part.allSatisfy { $0["cells"]?.array?.count == columns.count }, "\(query)")
            rows += part
        }
        #expect(Set(rows.compactMap { $0["id"]?.text }).count == rows.count, "\(query) shows an object twice")
        return (rows, total)
    }

    func total(_ query: JSON) throws -> Int { try ask("total", query)["total"]?.int ?? -1 }

    // MARK: Objects

    /// Reads an object as the inspector does: its values, the bytes of its data and its relationships' members.
    private func follow(_ id: String, _ seen: inout Seen) throws {
        let object = try ask("object", ["object": .text(id)])
        #expect(object["id"]?.text == id)
        for value in object["values"]?.array ?? [] {
            let property = Property(value)
            switch property.kind {
            case "attribute": seen.values += try readBytes(of: id, property, value["value"] ?? .null)
            case "toMany":
                let members = try rows(member(id, property), [])
                #expect(members.total == value["value"]?["count"]?.int, "\(id).\(property.name)")
                seen.members[id, default: [:]][property.name] = members.rows.compactMap { $0["id"]?.text }
            default: break
            }
        }
    }

    private func member(_ owner: String, _ property: Property) -> JSON {
        [
            "entity": .text(property.destination),
            "member": ["object": .text(owner), "relationship": .text(property.name)],
        ]
    }

    /// Reads the bytes of data and texts, whole and in part, and the tree of what is archived.
    ///
    /// - Returns: How many values were read: one or none.
    private func readBytes(of id: String, _ property: Property, _ value: JSON) throws -> Int {
        let length = value["bytes"]?.int ?? value.text.flatMap { property.type == "string" ? $0.utf8.count : nil }
        guard let length else { return 0 }
        let place = ["object": id, "key": property.name]
        let whole = try get("/api/store/bytes", place)
        #expect(whole.status == 200 && whole.body.count == min(length, StoreSession.mostBytes), "\(place)")
        let half = try get("/api/store/bytes", place.merging(["from": "\(length / 2)", "count": "10"]) { $1 })
        #expect(half.body == whole.body.dropFirst(length / 2).prefix(10), "\(place)")
        guard value["kind"] == "propertyList" else { return 1 }
        let tree = try get("/api/store/tree", place)
        // The archive of a model has links back, and so no tree.
        let isRefused = ["too-large", "invalid-request"].contains(tree.errorCode)
        #expect(tree.status == 200 || isRefused, "\(place): \(tree.text.prefix(200))")
        return 1
    }

    // MARK: The neighbourhood and the tree

    /// Unfolds an object as the drawn neighbourhood and the tree do: two links far, twelve members of each.
    private func unfold(_ centre: String) throws {
        var (known, edge) = (Set([centre]), [centre])
        for _ in 0..<2 {
            var next: [String] = []
            for id in edge.prefix(8) { next += try neighbours(of: id) }
            edge = next.filter { known.insert($0).inserted }
        }
    }

    private func neighbours(of id: String) throws -> [String] {
        var found: [String] = []
        for value in try ask("object", ["object": .text(id)])["values"]?.array ?? [] {
            let property = Property(value)
            if property.kind == "toOne", let other = value["value"]?["id"]?.text { found.append(other) }
            guard property.kind == "toMany", let count = value["value"]?["count"]?.int, count > 0 else { continue }
            let answer = try ask(
                "rows", ["query": member(id, property), "from": 0, "count": 12, "columns": []])
            let members = (answer["rows"]?.array ?? []).compactMap { $0["id"]?.text }
            #expect(members.count == min(count, 12), "\(id).\(property.name)")
            found += members
        }
        return found
    }
}

extension StoreTour.Property {
    fileprivate init(_ json: JSON) {
        (name, kind, type) = (json["name"]?.text ?? "", json["kind"]?.text ?? "", json["type"]?.text)
        (destination, isOrdered) = (json["destination"]?.text ?? "", json["isOrdered"] == true)
    }
}

extension StoreTour.Entity {
    fileprivate init(_ json: JSON) {
        (name, isAbstract) = (json["name"]?.text ?? "", json["isAbstract"] == true)
        properties = (json["properties"]?.array ?? []).map(StoreTour.Property.init)
    }
}
