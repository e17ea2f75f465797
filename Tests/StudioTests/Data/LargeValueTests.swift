import Foundation
import Testing

@testable import CoreDataStudio

/// Rows with values of several megabytes each.
@Suite("Large values are in memory a few at a time", .serialized) struct LargeValueTests {
    private let store: SampleStore
    private let studio: LiveStudio
    private let cookie: String

    private static let (rows, bytes) = (48, 6_000_000)

    init() throws {
        store = try SampleStore.people(Self.rows)
        try store.execute("UPDATE ZPERSON SET ZDATA = zeroblob(\(Self.bytes))")
        studio = try LiveStudio(store.url)
        cookie = try studio.cookie()
        #expect(try studio.get("/api/store/counts", cookie).status == 200)
    }

    /// How many megabytes more the studio had at most for a window of all rows.
    private func growth(_ columns: JSON) throws -> (megabytes: Int, cells: [[JSON]]) {
        let before = try studio.peakMemory()
        let answer = try studio.post(
            "/api/store/rows",
            ["query": ["entity": "Person"], "from": 0, "count": .integer(Self.rows), "columns": columns], cookie)
        let cells = (answer.json["rows"]?.array ?? []).compactMap { $0["cells"]?.array }
        return (try studio.peakMemory() - before, cells)
    }

    @Test("A window without their column does not read them") func hidden() throws {
        let (megabytes, cells) = try growth(["name", "number", "city"])
        #expect(cells.count == Self.rows && cells[0][1] == "1" && cells[0][2]["title"] == "City 1")
        #expect(megabytes < 30, "\(megabytes) MB")
        // Of an owner that rows lead to, its title alone is read.
        let (none, empty) = try growth([])
        #expect(empty == Array(repeating: [], count: Self.rows) && none < 30, "\(none) MB")
    }

    @Test("A window with their column shows what they are") func shown() throws {
        let (megabytes, cells) = try growth(["data", "name"])
        #expect(cells.count == Self.rows && cells.allSatisfy { $0[0]["bytes"] == .integer(Self.bytes) })
        #expect(Set(cells.compactMap { $0[1].text }).count == Self.rows)
        #expect(megabytes < Self.rows * Self.bytes / 2_000_000, "\(megabytes) MB")
    }

    @Test("An export has all of them, in any format", arguments: ["csv", "jsonl", "sqlite"])
    func export(format: String) throws {
        let before = try studio.peakMemory()
        let request: JSON = [
            "query": ["entity": "Person", "predicate": "number <= 24"], "columns": ["name", "data"],
            "format": .text(format),
        ]
        let ticket = try studio.post("/api/store/export", request, cookie)
        let file = try studio.get(try #require(ticket.json["address"]?.text), cookie)
        #expect(file.status == 200 && file.body.count > 24 * Self.bytes * 4 / 3)
        let megabytes = try studio.peakMemory() - before
        #expect(megabytes < 250, "\(megabytes) MB")
    }
}
