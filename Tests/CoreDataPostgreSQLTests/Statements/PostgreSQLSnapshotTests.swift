import CoreData
import Foundation
import SQLSamples
import Testing

@testable import CoreDataPostgreSQL

/// The statements of requests, compared with recorded texts. `COREDATA_RECORD=1` records them anew.
@Suite("Statements of PostgreSQL")
struct PostgreSQLSnapshotTests {
    private static let schema = SQLSchema.derived(
        from: SQLTestModel.layouts, entities: nil, naming: PostgreSQLNaming())
    private let translator = PostgreSQLTranslator(schema: schema, store: SQLTestModel.store)

    @Test("a request becomes PostgreSQL's SQL, each of the requests that have a text for SQLite")
    func requests() throws {
        var lines: [String] = []
        for snapshot in SQLSnapshot.all {
            var fetch = StoreFetch(entity: SQLTestModel.layout(snapshot.entity), output: .references)
            fetch.predicate = NSPredicate(format: snapshot.format)
            lines.append("-- \(snapshot.testDescription)")
            do {
                lines.append(try translator.translate(fetch).text + ";")
            } catch {
                lines.append("-- " + error.localizedDescription)
            }
        }
        #expect(lines.count >= 2 * 150)
        try compare(lines, with: "requests.sql")
    }

    @Test("sorting, limits, counts, dictionaries and changes become PostgreSQL's SQL")
    func outputs() throws {
        var lines: [String] = []
        func add(_ title: String, _ output: StoreFetch.Output, change: (inout StoreFetch) -> Void = { _ in }) throws {
            var fetch = StoreFetch(entity: SQLTestModel.layout("Player"), output: output)
            fetch.predicate = NSPredicate(format: "age > 20")
            change(&fetch)
            lines += [
                "-- \(title)", try translator.translate(fetch, rowColumns: ["Z_PK", "Z_OPT", "name"]).text + ";",
            ]
        }
        let age = StoreColumn("age", "average:(age)", .doubleAttributeType)
        let team = StoreColumn("team", "team.name", .stringAttributeType)
        let next = StoreColumn("next", "age + 1")
        try add("whole rows", .rows)
        try add("a count", .count)
        try add("a count of a part", .count) { $0.limit = 5 }
        try add("a page in order", .references) {
            ($0.limit, $0.offset) = (10, 20)
            $0.sortDescriptors = [
                NSSortDescriptor(key: "team.name", ascending: false, selector: Selector("localizedStandardCompare:")),
                NSSortDescriptor(key: "age", ascending: true),
            ]
        }
        try add("groups", .dictionaries([team, age], groupBy: [team], having: nil, distinct: false))
        try add(
            "groups by what has a parameter", .dictionaries([next, age], groupBy: [next], having: nil, distinct: false))
        try add(
            "distinct rows in an order of their own", .dictionaries([team], groupBy: [], having: nil, distinct: true)
        ) {
            $0.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        }
        try compare(lines, with: "outputs.sql")
    }

    // MARK: Texts

    private func compare(_ lines: [String], with name: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Expected/" + name)
        if ProcessInfo.processInfo.environment["COREDATA_RECORD"] == "1" {
            return try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        }
        let expected = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        for (index, (line, other)) in zip(lines, expected).enumerated() where line != other {
            Issue.record("line \(index + 1) is \(line), not \(other)")
        }
        #expect(expected.count == lines.count + 1)
    }
}
