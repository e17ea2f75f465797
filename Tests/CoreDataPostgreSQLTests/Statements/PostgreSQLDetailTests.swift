import CoreData
import Foundation
import SQLSamples
import Testing

@testable import CoreDataPostgreSQL

/// What a comparison of results does not see: indexes that answer, names, parameters.
@Suite("Details of PostgreSQL's statements")
struct PostgreSQLDetailTests {
    nonisolated(unsafe) private static let model = ValueModel.make()
    private static let schema = SQLSchema.derived(from: model.seal(), entities: nil, naming: PostgreSQLNaming())

    private func query(_ format: String, _ arguments: [Any] = []) throws -> PostgreSQLQuery {
        guard let layout = Self.schema.layouts.layout(named: "Item") else { fatalError("There is no entity Item.") }
        var fetch = StoreFetch(entity: layout, output: .count)
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try PostgreSQLTranslator(schema: Self.schema, store: 1).translate(fetch)
    }

    private func condition(_ format: String, _ arguments: [Any] = []) throws -> String {
        try query(format, arguments).text.replacing(#"SELECT COUNT(*) FROM "Item" t0 WHERE "#, with: "")
    }

    @Test(
        "a constant has the type of the column that it meets",
        arguments: [
            ("small == 3", #"t0."small" = $1::smallint"#), ("small == 70000", #"t0."small" = $1::bigint"#),
            ("small > 0.5", #"(t0."small"::double precision) > $1::double precision"#),
            ("large > 0.5", #"(t0."large"::numeric) > $1::numeric"#),
            ("flag == YES", #"t0."flag" = $1::boolean"#), ("flag == 2", #"(t0."flag"::integer) = $1::integer"#),
            ("price == 0.1", #"t0."price" = $1::numeric"#), ("real == 1", #"t0."real" = $1::double precision"#),
            ("date == CAST(0, 'NSDate')", #"t0."date" = $1::timestamp with time zone"#),
            ("small IN {1, 2, 3}", #"t0."small" = ANY ($1::smallint[])"#),
            ("price IN {1, 2.5}", #"t0."price" = ANY ($1::numeric[])"#),
            ("name IN {'a', 'b'}", #"t0."name" = ANY ($1::text[])"#),
            ("small BETWEEN {1, 5}", #"t0."small" BETWEEN $1::smallint AND $2::smallint"#),
        ])
    func types(format: String, text: String) throws { #expect(try condition(format) == text) }

    @Test("lists of all lengths are one parameter")
    func lists() throws {
        let texts = try [1, 5, 100_000].map { try query("medium IN %@", [Array(0..<$0)]) }
        #expect(Set(texts.map(\.text)).count == 1)
        #expect(texts[2].parameters.map(\.values.count) == [100_000])
        #expect(texts[0].parameters.map(\.oid) == [1007])
    }

    @Test("a long name is shortened, each to another one")
    func names() {
        let long = String(repeating: "ä", count: 60)
        let names = [long + "a", long + "b", long].map { PostgreSQLDialect.shortened($0) }
        #expect(Set(names).count == 3)
        #expect(names.allSatisfy { $0.utf8.count <= 63 && $0.hasPrefix("ääää") })
        #expect(PostgreSQLDialect.shortened("name") == "name")
    }

    @Test("an index of an expression, and one of some rows, answer")
    func indexes() throws {
        let server = try PostgreSQLTestServer.shared
        let store = try ComparedStore(Self.model, name: "indexes", server: server) { context in
            var graph = SampleGraph(SQLRandom(seed: 1))
            graph.fill(context, ["Item": 30])
        }
        var script = PostgreSQLScript(["SET enable_seqscan = off", "SET enable_bitmapscan = off"])
        let queries = try [
            query("small * 2 + 1 == 5"), query("real / 2 > 1000"), query("price - 1 == 3"),
            query("date > CAST(20, 'NSDate') AND flag == YES AND price < 2.5"),
        ]
        queries.forEach { script.add($0, explained: true) }
        for (query, answer) in zip(queries, try script.answers(of: server, in: store.database)) {
            let plan = try answer.get().map { $0[0] ?? "" }.joined(separator: "\n")
            #expect(plan.contains("Index"), "\(query.text)\n\(plan)")
        }
    }

    @Test("rows are changed and deleted as in SQLite")
    func changes() throws {
        let server = try PostgreSQLTestServer.shared
        let store = try ComparedStore(ValueModel.make(), name: "changes", server: server) { context in
            var graph = SampleGraph(SQLRandom(seed: 5))
            graph.extremes = 0
            graph.fill(context, ["Item": 60, "Tag": 12])
        }
        var comparison = Comparison(store, server)
        try comparison.change(
            "Item", "small > 1", ["real": "small * 1.5", "name": "uppercase(name)", "flag": "1", "date": "until + 60"])
        try comparison.change(
            "Item", "parent.small > 0", ["medium": "parent.small + 1", "price": "mainTag.cost", "note": "'x'"])
        try comparison.change("Tag", nil, ["cost": "weight / 2", "date": "CAST(90000.5, 'NSDate')"])
        try comparison.delete("Item", "parent.small == 2 OR name == 'A'")
        try comparison.check(
            try ["Item", "Tag"].map { entity in
                var request = try ComparedRequest(entity)
                let keys =
                    entity == "Tag"
                    ? ["name", "weight", "cost", "date"]
                    : ["small", "real", "name", "flag", "date", "medium", "price", "note"]
                request.output = .dictionaries(keys.map { StoreColumn($0, $0) })
                return request
            })
        #expect(comparison.equal == 2)
    }
}
