import CoreData
import Foundation
import Testing

@testable import CoreDataStudio

/// What the page is told of a store, as values.
@Suite struct StoreBrowsingTests {
    private func people(_ count: Int = 2_000) throws -> (SampleStore, StoreSession) {
        let store = try SampleStore.people(count)
        return (store, try StoreSession(.file(store.url)))
    }

    private func rows(
        _ session: StoreSession, _ query: RowQuery, from: Int = 0, count: Int = 50, columns: [String] = ["name"]
    ) async throws -> (identifiers: [String], rows: [JSON], total: Int?) {
        let answer = try await session.rows(RowsRequest(query: query, from: from, count: count, columns: columns))
        let rows = answer["rows"]?.array ?? []
        #expect(rows.allSatisfy { $0["cells"]?.array?.count == columns.count })
        var total: Int?
        if case .integer(let number)? = answer["total"] { total = number }
        return (rows.compactMap { $0["id"]?.text }, rows, total)
    }

    // MARK: Windows

    @Test(
        "Windows read from either end agree with the list of all keys",
        arguments: [
            [], [RowQuery.Sort(key: "name", ascending: true)], [RowQuery.Sort(key: "score", ascending: false)],
            [RowQuery.Sort(key: "isActive", ascending: true), RowQuery.Sort(key: "name", ascending: false)],
            [RowQuery.Sort(key: "city.name", ascending: true), RowQuery.Sort(key: "number", ascending: false)],
        ]) func windows(sort: [RowQuery.Sort]) async throws
    {
        let (store, session) = try people()
        let query = RowQuery(entity: "Person", sort: sort)
        _ = try await session.entityCounts()
        // Nothing but the number of rows is known yet.
        let first = try await rows(session, query, from: 0).identifiers
        let last = try await rows(try StoreSession(.file(store.url)).counted(), query, from: 1_950).identifiers
        _ = try await session.total(query)
        _ = try await session.list(query)
        #expect(try await rows(session, query, from: 0).identifiers == first)
        #expect(try await rows(session, query, from: 1_950).identifiers == last)
        #expect(Set(first).count == 50 && Set(last).count == 50)
        var all: [String] = []
        for place in stride(from: 0, to: 2_000, by: 200) {
            all += try await rows(session, query, from: place, count: 200).identifiers
        }
        #expect(Set(all).count == 2_000)
        #expect(Array(all.prefix(50)) == first && Array(all.suffix(50)) == last)
    }

    @Test("Rows are in the order that was asked for") func order() async throws {
        let (_, session) = try people()
        let query = RowQuery(entity: "Person", sort: [RowQuery.Sort(key: "name", ascending: false)])
        let names = try await rows(session, query).rows.compactMap { $0["cells"]?.array?.first?.text }
        #expect(names.count == 50)
        #expect(names == names.sorted(by: >))
        #expect(names.first == "Person 0001999")
    }

    @Test("A filter and its number of objects") func filter() async throws {
        let (_, session) = try people()
        let query = RowQuery(entity: "Person", predicate: "number > 1990 AND isActive == true")
        let found = try await rows(session, query)
        #expect(found.identifiers == ["Person/p1991", "Person/p1993", "Person/p1995", "Person/p1997", "Person/p1999"])
        #expect(found.total == 5)
        #expect(try await session.total(query) == ["total": 5])
    }

    @Test("A window beyond the end is empty") func beyond() async throws {
        let (_, session) = try people(10)
        let found = try await rows(session, RowQuery(entity: "Person"), from: 5_000)
        #expect(found.identifiers == [])
        #expect(try await rows(session, RowQuery(entity: "Person")).total == 10)
    }

    @Test("Counts are those of the entity, and those of its subentities too") func counts() async throws {
        let store = try SampleStore.apple("objcio-moody/Moody.moody")
        let counts = try await StoreSession(.file(store.url)).entityCounts()
        let region = try #require(counts["GeographicRegion"])
        let country = try #require(counts["Country"])
        let continent = try #require(counts["Continent"])
        #expect(region.own == 0 && region.all == country.all + continent.all)
        #expect(country.all > 0 && continent.all > 0)
        #expect(counts["Mood"]?.all == 4)
        let session = try StoreSession(.file(store.url))
        let regions = RowQuery(entity: "GeographicRegion")
        #expect(try await session.list(regions).count == region.all)
        #expect(try await session.list(RowQuery(entity: "GeographicRegion", includesSubentities: false)).count == 0)
    }

    // MARK: Values

    @Test("Values come whole, exact, and bounded") func values() async throws {
        let (store, _) = try people(3)
        try store.execute(
            "UPDATE ZPERSON SET ZNAME = printf('%.*c', 5000, 'x'), ZNUMBER = 9007199254740993, ZSCORE = 0.1 WHERE Z_PK = 1; UPDATE ZPERSON SET ZNAME = NULL, ZBORN = 725846400 WHERE Z_PK = 2"
        )
        let session = try StoreSession(.file(store.url))
        let columns = ["name", "number", "score", "born", "isActive", "city"]
        let found = try await rows(session, RowQuery(entity: "Person"), columns: columns).rows
        let first = try #require(found[0]["cells"]?.array)
        #expect(first[0]["text"]?.text == String(repeating: "x", count: 200))
        #expect(first[0]["length"] == 5_000)
        #expect(first[1] == "9007199254740993")
        #expect(first[2] == "0.1")
        #expect(first[4] == true)
        #expect(first[5] == ["id": "City/p1", "title": "City 1"])
        let second = try #require(found[1]["cells"]?.array)
        #expect(second[0] == .null)
        #expect(second[3] == ["date": "725846400.0", "iso": "2024-01-02T00:00:00.000Z"])
        let whole = try await session.object(ObjectRequest(object: "Person/p1"))
        #expect(whole["values"]?.array?.first { $0["name"] == "name" }?["value"]?.text?.count == 5_000)
        let bytes = try await session.bytes("Person/p1", "name", 4_990..<6_000)
        #expect(bytes == Data(repeating: UInt8(ascii: "x"), count: 10))
    }

    @Test("Data have a kind and measures, and property lists are trees") func data() async throws {
        let store = try SampleStore.people(3)
        try store.setData(try SampleStore.archive(), of: 1)
        // A picture of 10,000 times 10,000 points, and an archive that is none.
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
        try store.setData(Data(header + [0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10]), of: 2)
        try store.setData(Data("bplist00 and no more".utf8), of: 3)
        let session = try StoreSession(.file(store.url))
        let cells = try await rows(session, RowQuery(entity: "Person"), columns: ["data"]).rows
            .compactMap { $0["cells"]?.array?.first }
        #expect(cells.map { $0["kind"] } == ["propertyList", "png", "propertyList"])
        #expect(cells[1]["width"] == 10_000 && cells[1]["height"] == 10_000)
        let tree = try await session.tree("Person/p1", "data")
        #expect(tree == ["tree": ["home": "Boston", "years": ["2004", "2007"]]])
        await #expect(throws: StudioError.self) { try await session.tree("Person/p3", "data") }
        let recipes = try SampleStore.apple("apple-recipes/Recipes.sqlite")
        let pictures = try StoreSession(.file(recipes.url))
        let schema = try await pictures.schema()
        let image = try #require(schema["entities"]?.array?.first { $0["name"] == "Image" })
        let key = try #require(
            image["properties"]?.array?.first { $0["type"] == "binary" || $0["type"] == "transformable" })
        let name = try #require(key["name"]?.text)
        let cell = try #require(
            try await rows(pictures, RowQuery(entity: "Image"), columns: [name]).rows.first?["cells"]?.array?.first)
        #expect(cell["kind"] == "png" || cell["kind"] == "jpeg")
        guard case .integer(let width)? = cell["width"] else { throw StudioError(.internal, "There is no width.") }
        #expect(width > 10)
    }

    @Test(
        "Texts have a kind by their beginning, however long they are",
        arguments: [
            // The dots stand for more than is looked at.
            ("{\"a\": [1, 2]}", "json"), (" [\n{}]", "json"), ("{\"a\": [1, 2", "text"), ("{a}", "text"),
            ("[…2]", "json"), ("{\"a\": {\"b\": [true, …2]}}", "json"), ("[\"é\\n\\u00e9…\"]", "json"),
            ("[1 2, …2]", "text"), ("[a] …", "text"), ("[1] …", "text"),
            ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "svg"),
            ("<?xml version=\"1.0\"?>\n<!-- a > b -->\n<!DOCTYPE svg [<!ENTITY a \"]>\">]>\n<svg>…", "svg"),
            ("<svgs/>", "text"), ("<!-- <svg> --><html>", "text"), ("<?xml version=\"1.0\"?><a/>", "xml"),
        ]) func kinds(text: String, kind: String)
    {
        let whole = text.replacing("…", with: String(repeating: "1, ", count: 40_000))
        #expect(ShownValue(longest: 100).json(Data(whole.utf8), .binaryDataAttributeType)["kind"] == .text(kind))
    }

    // MARK: Relationships

    @Test("Members of an ordered relationship come in its order, and can be filtered and sorted") func members()
        async throws
    {
        let (store, _) = try people(300)
        // The order is against that of the keys.
        try store.execute("UPDATE ZPERSON SET Z_FOK_CITY = 2048 * (1000 - Z_PK)")
        let session = try StoreSession(.file(store.url))
        var query = RowQuery(entity: "Person", member: RowQuery.Membership(object: "City/p1", relationship: "people"))
        let members = try await rows(session, query, columns: ["city"])
        #expect(members.identifiers.first == "Person/p300" && members.identifiers.last == "Person/p251")
        #expect(try await session.total(query) == ["total": 300])
        query.predicate = "number <= 3"
        #expect(try await rows(session, query).identifiers.count == 3)
        query.sort = [RowQuery.Sort(key: "number", ascending: true)]
        #expect(try await rows(session, query).identifiers == ["Person/p1", "Person/p2", "Person/p3"])
        let cities = try await rows(session, RowQuery(entity: "City"), columns: ["name", "people"]).rows
        #expect(cities[0]["cells"]?.array?[1] == ["count": 300])
        #expect(cities[1]["cells"]?.array?[1] == ["count": 0])
    }

    @Test(
        "Every relationship of the stores that Apple's Core Data made counts as many members as it shows",
        arguments: SampleStore.appleStores) func relationships(name: String) async throws
    {
        let store = try SampleStore.apple(name)
        let session = try StoreSession(.file(store.url))
        let schema = try await session.schema()
        for entity in schema["entities"]?.array ?? [] {
            let properties = entity["properties"]?.array ?? []
            let toManys = properties.filter { $0["kind"] == "toMany" }
            let columns = properties.compactMap { $0["name"]?.text }
            let query = RowQuery(entity: entity["name"]?.text ?? "")
            let found = try await rows(session, query, count: 200, columns: columns)
            for row in found.rows.prefix(20) {
                let cells = try #require(row["cells"]?.array)
                #expect(cells.count == columns.count)
                for property in toManys {
                    let place = try #require(columns.firstIndex { property["name"]?.text == $0 })
                    let members = RowQuery(
                        entity: property["destination"]?.text ?? "",
                        member: RowQuery.Membership(
                            object: row["id"]?.text ?? "", relationship: property["name"]?.text ?? ""))
                    #expect(cells[place] == ["count": .integer(try await session.list(members).count)])
                    var filtered = members
                    filtered.predicate = "TRUEPREDICATE"
                    #expect(try await session.list(filtered).count == session.list(members).count)
                }
            }
        }
    }

    @Test("Titles are guessed, or chosen") func titles() async throws {
        let store = try SampleStore.league()
        let session = try StoreSession(.file(store.url))
        let schema = try await session.schema()
        let player = try #require(schema["entities"]?.array?.first { $0["name"] == "Player" })
        #expect(player["title"] == ["firstName", "lastName"])
        let query = RowQuery(entity: "Player")
        let guessed = try await rows(session, query, columns: ["team"]).rows.first?["cells"]?.array?.first
        #expect(guessed?["title"]?.text?.isEmpty == false)
        let request = RowsRequest(
            query: query, from: 0, count: 1, columns: ["team"], titles: ["Team": ["uniformColor"]])
        let chosen = try await session.rows(request)["rows"]?.array?.first?["cells"]?.array?.first
        #expect(chosen?["id"] == guessed?["id"])
        #expect(chosen?["title"] != guessed?["title"])
    }

    // MARK: Finding

    @Test("A filter is checked and completed by the store's own model") func checking() async throws {
        let store = try SampleStore.apple("objcio-moody/Moody.moody")
        let session = try StoreSession(.file(store.url))
        let good = session.checkFilter(FilterRequest(entity: "Mood", text: "latitude > 10", cursor: nil))
        #expect(good["isValid"] == true && good["warnings"] == [])
        let bad = session.checkFilter(FilterRequest(entity: "Mood", text: "latitude >", cursor: nil))
        #expect(bad["isValid"] == false && bad["error"]?["message"]?.text != nil)
        let unknown = session.checkFilter(FilterRequest(entity: "Mood", text: "height > 10", cursor: nil))
        #expect(unknown["warnings"]?.array?.isEmpty == false)
        let begun = session.checkFilter(FilterRequest(entity: "Mood", text: "lat", cursor: 3))
        #expect(begun["completions"]?.array?.contains { $0["text"] == "latitude" } == true)
    }

    @Test("The statement behind the rows is told with its plan") func explaining() async throws {
        let (_, session) = try people(10)
        let query = RowQuery(entity: "Person", predicate: "name BEGINSWITH \"Person 1\"")
        let statement = try await session.explain(query)["statements"]?.array?.first
        #expect(statement?["text"]?.text?.hasPrefix("SELECT") == true)
        #expect(statement?["plan"]?.array?.isEmpty == false)
        #expect(statement?["parameters"]?.array?.isEmpty == false)
    }

    @Test(
        "What does not fit the model is refused with a sentence",
        arguments: [
            RowQuery(entity: "Nothing"), RowQuery(entity: "Person", predicate: "height > 3"),
            RowQuery(entity: "Person", predicate: "name ="), RowQuery(entity: "Person", predicate: "name == $x"),
            RowQuery(entity: "Person", sort: [RowQuery.Sort(key: "height", ascending: true)]),
            RowQuery(entity: "Person", sort: [RowQuery.Sort(key: "city.people", ascending: true)]),
            RowQuery(entity: "Person", member: RowQuery.Membership(object: "City/p1", relationship: "nothing")),
            RowQuery(entity: "Person", member: RowQuery.Membership(object: "City/x1", relationship: "people")),
            RowQuery(entity: "Person", member: RowQuery.Membership(object: "Person/p1", relationship: "city")),
            RowQuery(entity: "Person", object: "Person/p-1"), RowQuery(entity: "Person", object: "../p1"),
        ]) func refusals(query: RowQuery) async throws
    {
        let (_, session) = try people(3)
        do {
            let found = try await rows(session, query)
            Issue.record("\(query) found \(found.identifiers)")
        } catch {
            let failure = StudioError(error)
            #expect(failure.code == .invalidQuery, "\(failure)")
            #expect(failure.message.count > 10)
        }
        // It works as before.
        #expect(try await rows(session, RowQuery(entity: "Person")).identifiers.count == 3)
    }

    // MARK: Export

    private func exported(_ session: StoreSession, _ request: ExportRequest) async throws -> String {
        String(decoding: try await exportedBytes(session, request), as: UTF8.self)
    }

    private func exportedBytes(_ session: StoreSession, _ request: ExportRequest) async throws -> Data {
        let address = try #require(try await session.prepareExport(request)["address"]?.text)
        let ticket = try #require(address.components(separatedBy: "ticket=").last)
        let taken = try await session.takeExport(ticket)
        let pieces = Pieces()
        try await session.export(taken) { await pieces.add($0) }
        await #expect(throws: StudioError.self) { try await session.takeExport(ticket) }
        return await pieces.data
    }

    private actor Pieces {
        var data = Data()
        func add(_ part: Data) { data += part }
    }

    @Test("An export has what is filtered, in its order, in each format") func export() async throws {
        let (_, session) = try people(1_200)
        let query = RowQuery(
            entity: "Person", predicate: "number > 100", sort: [RowQuery.Sort(key: "number", ascending: false)])
        let columns = ["number", "name", "city"]
        let csv = try await exported(session, ExportRequest(query: query, columns: columns, format: .csv))
        let lines = csv.split(separator: "\r\n")
        #expect(lines.first == "\u{FEFF}id,number,name,city")
        #expect(lines.count == 1_101)
        #expect(lines[1].hasPrefix("Person/p1200,1200,Person ") && lines[1].hasSuffix(",City/p1"))
        let jsonLines = try await exported(session, ExportRequest(query: query, columns: columns, format: .jsonl))
        #expect(jsonLines.split(separator: "\n").count == 1_100)
        let json = try await exported(session, ExportRequest(query: query, columns: columns, format: .json))
        let all = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect(all.count == 1_100 && all[0]["number"] as? Int == 1_200 && all[0]["id"] as? String == "Person/p1200")
        let none = ExportRequest(
            query: RowQuery(entity: "Person", predicate: "number < 0"), columns: columns, format: .json)
        #expect(try await exported(session, none) == "[\n]\n")
        let people = ExportRequest(query: RowQuery(entity: "City"), columns: ["people"], format: .csv)
        #expect(try await exported(session, people).contains("City/p1,1200\r\n"))
    }

    @Test("An export to SQLite is a database with one table, with numbers as numbers") func database() async throws {
        let (store, session) = try people(1_200)
        let query = RowQuery(
            entity: "Person", predicate: "number > 100", sort: [RowQuery.Sort(key: "number", ascending: false)])
        let data = try await exportedBytes(
            session, ExportRequest(query: query, columns: ["number", "name", "city"], format: .sqlite))
        let file = store.folder.appending(path: "Export.sqlite")
        try data.write(to: file)
        let sql = "SELECT count(*), typeof(number), min(number), max(id), max(city) FROM Person"
        let run = try StudioProcess.run(URL(filePath: "/usr/bin/env"), ["sqlite3", file.path, sql])
        #expect(run.output == "1100|integer|101|Person/p999|City/p1\n")
    }

    @Test("A text that looks like a formula is harmless in CSV") func formula() async throws {
        let (store, _) = try people(1)
        try store.execute("UPDATE ZPERSON SET ZNAME = '=HYPERLINK(\"x\")'")
        let session = try StoreSession(.file(store.url))
        let csv = try await exported(
            session, ExportRequest(query: RowQuery(entity: "Person"), columns: ["name"], format: .csv))
        #expect(csv.contains("\"'=HYPERLINK(\"\"x\"\")\""))
    }
}

extension StoreSession {
    /// The session, with its objects counted.
    fileprivate func counted() async throws -> StoreSession {
        _ = try await entityCounts()
        return self
    }
}
