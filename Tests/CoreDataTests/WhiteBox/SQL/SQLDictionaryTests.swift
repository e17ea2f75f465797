import SQLSamples
import Testing

@testable import CoreData

@Suite("SQL of dictionary results")
struct SQLDictionaryTests {
    private func column(
        _ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType
    ) -> StoreColumn {
        StoreColumn(name: name, expression: NSExpression(format: format), type: type)
    }

    private func query(
        _ entity: String, _ columns: [StoreColumn], groupBy: [StoreColumn] = [], having: String? = nil,
        distinct: Bool = false, change: (inout StoreFetch) -> Void = { _ in }
    ) throws -> SQLQuery {
        let output = StoreFetch.Output.dictionaries(
            columns, groupBy: groupBy, having: having.map { NSPredicate(format: $0) }, distinct: distinct)
        return try sqlQuery(entity, nil, output, change: change)
    }

    private func kinds(_ query: SQLQuery) -> [SQLResultColumn.Kind] {
        if case .dictionaries(let columns) = query.result { columns.map(\.kind) } else { [] }
    }

    @Test("Attributes, paths through to-ones and to-ones become columns with their types")
    func columns() throws {
        let query = try query(
            "Player",
            [
                column("name", "name"), column("team.name", "team.name"), column("team", "team"),
                column("boss", "boss"), column("born", "born"), column("price", "price"), column("id", "SELF"),
            ])
        #expect(
            query.text == "SELECT t0.ZNAME, t1.ZNAME, t0.ZTEAM, t0.ZBOSS, t0.Z1_BOSS, t0.ZBORN, t0.ZPRICE, t0.Z_PK "
                + "FROM ZPERSON t0 LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ?")
        #expect(
            kinds(query) == [
                .value(.string), .value(.string), .reference(entity: 4), .referenceWithEntity, .value(.date),
                .value(.decimal), .reference(entity: 3),
            ])
    }

    @Test("Aggregates, groups and conditions on groups")
    func groups() throws {
        let query = try query(
            "Player",
            [
                column("team", "team.name"), column("total", "sum(salary)"),
                column("n", "count(name)", .integer32AttributeType),
            ],
            groupBy: [column("team", "team.name")], having: "$total > 10 AND count(name) > 1")
        #expect(
            query.text == "SELECT t1.ZNAME, SUM(t0.ZSALARY), COUNT(t0.ZNAME) FROM ZPERSON t0 "
                + "LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ? GROUP BY t1.ZNAME "
                + "HAVING SUM(t0.ZSALARY) > ? AND COUNT(t0.ZNAME) > ?")
        #expect(kinds(query) == [.value(.string), .value(.double), .value(.integer(.bits32))])
    }

    @Test("Distinct rows, distinct values, collection operators over the rows, and expressions")
    func expressions() throws {
        let query = try query(
            "Player",
            [
                column("kinds", "count(@distinctUnionOfObjects.name)"), column("oldest", "@max.age"),
                column("upper", "uppercase(name)"), column("next", "age + 1"), column("reports", "reports.@count"),
            ], distinct: true)
        #expect(
            query.text == "SELECT DISTINCT COUNT(DISTINCT t0.ZNAME), MAX(t0.ZAGE), CoreDataUppercase(t0.ZNAME), "
                + "t0.ZAGE + ?, (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK) "
                + "FROM ZPERSON t0 WHERE t0.Z_ENT = ?")
        #expect(
            kinds(query) == [
                .value(.integer(.bits64)), .value(.integer(.bits16)), .value(.string), .value(.integer(.bits64)),
                .value(.integer(.bits64)),
            ])
    }

    @Test("Groups are sorted by what they are grouped by, and by their columns' names")
    func order() throws {
        let query = try query(
            "Team", [column("city", "city"), column("n", "count(SELF)")], groupBy: [column("city", "city")]
        ) { fetch in
            fetch.sortDescriptors = [
                NSSortDescriptor(key: "n", ascending: false), NSSortDescriptor(key: "city", ascending: true),
            ]
            fetch.limit = 3
        }
        #expect(
            query.text == "SELECT t0.ZCITY, COUNT(t0.Z_PK) FROM ZTEAM t0 GROUP BY t0.ZCITY "
                + "ORDER BY COUNT(t0.Z_PK) DESC, t0.ZCITY LIMIT ?")
    }

    @Test("Groups are computed as memory computes them")
    func results() throws {
        var random = SQLRandom(seed: 11)
        let database = try SQLTestDatabase(using: &random)
        let query = try query(
            "Player", [column("team", "team"), column("oldest", "max(age)"), column("n", "count(SELF)")],
            groupBy: [column("team", "team")], having: "count(SELF) > 1")
        let groups = Dictionary(grouping: database.rows(of: "Player")) { $0.destinations["team"]?.key }
        var found: Set<[SQLValue]> = []
        for (team, players) in groups where players.count > 1 {
            let oldest = players.compactMap { $0.values["age"] as? Int64 }.max()
            found.insert([
                team.map { .int($0) } ?? .null, oldest.map { .int($0) } ?? .null, .int(Int64(players.count)),
            ])
        }
        #expect(found.count > 2)
        #expect(Set(try database.rows(query)) == found)
    }

    @Test("A condition on groups needs groups")
    func havingWithoutGroups() throws {
        #expect(throws: (any Error).self) {
            try query("Player", [column("n", "count(SELF)")], having: "count(SELF) > 1")
        }
    }

    @Test("A column that crosses a to-many relationship is refused")
    func toMany() throws {
        #expect(throws: (any Error).self) { try query("Team", [column("names", "players.name")]) }
    }
}
