import Foundation
import Testing

@testable import CoreDataStudio

/// Exports, the history, and what would change the store.
extension StoreTour {
    /// The JSON lines of an entity's own objects, by identifier.
    func exportLines(_ entity: Entity) throws -> [String: [String: JSON]] {
        let query: JSON = ["entity": .text(entity.name), "includesSubentities": false]
        let lines = try download(query, entity, "jsonl").split(separator: UInt8(ascii: "\n"))
            .map { try JSON.read(Data($0)).named }
        return Dictionary(uniqueKeysWithValues: lines.map { ($0["self"]?.text ?? $0["id"]?.text ?? "", $0) })
    }

    /// Exports an entity in all formats, and counts what is in the files.
    func export(_ entity: Entity, _ count: Int) throws {
        let query: JSON = [
            "entity": .text(entity.name), "predicate": "TRUEPREDICATE",
            "sort": [["key": "objectID", "ascending": false]],
        ]
        let lines = try download(query, entity, "jsonl").count { $0 == UInt8(ascii: "\n") }
        #expect(lines == count, "\(entity.name)")
        let json = try JSONSerialization.jsonObject(with: download(query, entity, "json")) as? [Any]
        #expect(json?.count == count, "\(entity.name)")
        // The first line has the titles.
        #expect(Self.records(ofCSV: try download(query, entity, "csv")) == count + 1, "\(entity.name)")
        try checkDatabase(try download(query, entity, "sqlite"), entity, count)
    }

    /// A file, as a browser fetches it.
    private func download(_ query: JSON, _ entity: Entity, _ format: String) throws -> Data {
        let answer = try ask(
            "export",
            ["query": query, "columns": .array(entity.columns.map(JSON.text)), "format": .text(format)])
        let file = try get(try #require(answer["address"]?.text))
        #expect(file.status == 200, "\(entity.name) as \(format)")
        return file.body
    }

    /// The number of line ends that are in no quotes.
    private static func records(ofCSV data: Data) -> Int {
        var (isQuoted, count) = (false, 0)
        for byte in data {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: "\n"), !isQuoted { count += 1 }
        }
        return count
    }

    private func checkDatabase(_ data: Data, _ entity: Entity, _ count: Int) throws {
        let file = scratch.appending(path: "export.sqlite")
        try data.write(to: file)
        let sql = "SELECT count(*) FROM \"\(entity.name)\"; PRAGMA integrity_check"
        let run = try StudioProcess.run(URL(filePath: "/usr/bin/env"), ["sqlite3", file.path, sql])
        #expect(run.output == "\(count)\nok\n", "\(entity.name)")
    }

    // MARK: History

    /// Reads the whole timeline, and that of each entity and of the first objects.
    ///
    /// - Returns: How many transactions there are.
    func readHistory(_ entities: [Entity], _ hasHistory: Bool) throws -> Int {
        let all = try transactions([:])
        #expect(hasHistory || all.isEmpty)
        for entity in entities { #expect(try transactions(["entity": .text(entity.name)]).count <= all.count) }
        let changes = all.flatMap { $0["changes"]?.array ?? [] }
        for object in Set(changes.prefix(Self.objects).compactMap { $0["object"]?.text }) {
            #expect(try transactions(["object": .text(object)]).isEmpty == false, "\(object)")
        }
        return all.count
    }

    private func transactions(_ filter: [String: JSON]) throws -> [JSON] {
        var (request, found) = (filter, [JSON]())
        while true {
            let answer = try ask("history", .object(request))
            found += answer["transactions"]?.array ?? []
            guard let next = answer["next"]?.int else { return found }
            request["before"] = .integer(next)
        }
    }

    // MARK: What would change the store

    /// All that would change the store is refused; what the page remembers is kept elsewhere.
    func tryToChange(_ seen: Seen) throws {
        _ = try ask("remember", ["values": ["format": "csv", "filters": ["one", "two"]]])
        let object = seen.lines.keys.sorted().first ?? "Nothing/p1"
        let requests: [(String, JSON)] = [
            ("edit", ["action": ["kind": "delete", "objects": [.text(object)]]]), ("undo", [:]), ("redo", [:]),
            ("save", ["choices": [:]]), ("discard", [:]), ("deletion", ["objects": [.text(object)]]),
        ]
        for (path, body) in requests {
            #expect(try refusal(path, body) == "read-only", "\(path)")
        }
        #expect(try get("/api/store/changes").errorCode == "read-only")
    }
}
