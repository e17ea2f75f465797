import Testing

@testable import CoreData

/// A predicate of a player, and whether it and its negation find the players Ann (21, in the Celtics), Bob (age 30, in
/// a team without a name) and one with nothing but nil.
struct SQLNilCase: Sendable, CustomTestStringConvertible {
    let format: String
    let found: [Int64]
    let foundByNot: [Int64]
    /// What is found in memory, where there is no unknown: the negation finds all others.
    let foundInMemory: [Int64]

    init(_ format: String, _ found: [Int64], not foundByNot: [Int64], memory: [Int64]? = nil) {
        self.format = format
        self.found = found
        self.foundByNot = foundByNot
        foundInMemory = memory ?? found
    }

    var testDescription: String { format }
}

@Suite("Nil in SQL and in memory")
struct SQLNilTests {
    @Test(
        "A comparison with nil is unknown, and so is its negation; a question about members has an answer",
        arguments: [
            SQLNilCase("name == 'Ann'", [1], not: [2]),
            SQLNilCase("name != 'Ann'", [2], not: [1], memory: [2, 3]),
            SQLNilCase("name == nil", [3], not: [1, 2]),
            SQLNilCase("name != nil", [1, 2], not: [3]),
            SQLNilCase("name != 'Ann' OR name == nil", [2, 3], not: [1]),
            SQLNilCase("age < 30", [1], not: [2]),
            SQLNilCase("age >= 30", [2], not: [1]),
            SQLNilCase("age == nil OR age > 0", [1, 2, 3], not: []),
            SQLNilCase("age BETWEEN {0, 25}", [1], not: [2]),
            SQLNilCase("age IN {21, 22}", [1], not: [2]),
            SQLNilCase("age IN {21, nil}", [1, 3], not: [2]),
            SQLNilCase("age IN {}", [], not: [1, 2, 3]),
            SQLNilCase("age + 1 == 22", [1], not: [2]),
            SQLNilCase("name BEGINSWITH 'A'", [1], not: [2]),
            SQLNilCase("name BEGINSWITH[c] 'a'", [1], not: [2]),
            SQLNilCase("name CONTAINS[cd] 'N'", [1], not: [2]),
            SQLNilCase("name ENDSWITH 'n'", [1], not: [2]),
            SQLNilCase("name LIKE 'A*'", [1], not: [2]),
            SQLNilCase("name MATCHES 'A.*'", [1], not: [2]),
            // A nil on the way, and at the end of it.
            SQLNilCase("team.name == 'Celtics'", [1], not: []),
            SQLNilCase("team.name != 'Celtics'", [], not: [1], memory: [2, 3]),
            SQLNilCase("team.name == nil", [2, 3], not: [1]),
            SQLNilCase("team == nil", [3], not: [1, 2]),
            SQLNilCase("team.name == name", [], not: [1], memory: [3]),
            SQLNilCase("name != team.name", [1], not: [], memory: [1, 2]),
            SQLNilCase("name == boss.name", [], not: [], memory: [3]),
            SQLNilCase("name ==[c] 'ann'", [1], not: [2]),
            SQLNilCase("name !=[c] 'ann'", [2], not: [1], memory: [2, 3]),
            SQLNilCase("TERNARY(name == 'Ann', 1, 2) == 2", [2, 3], not: [1]),
            SQLNilCase("length(name) > 2", [1, 2], not: []),
            SQLNilCase("team == nil OR team.name != 'Celtics'", [3], not: [1], memory: [2, 3]),
            // Members.
            SQLNilCase("ANY team.players.age > 25", [2], not: [1, 3]),
            SQLNilCase("NONE team.players.age > 25", [1, 3], not: [2]),
            SQLNilCase("ALL team.players.age > 25", [2, 3], not: [1]),
            SQLNilCase("ANY reports.age > 25", [], not: [1, 2, 3]),
            SQLNilCase("ALL reports.age > 25", [1, 2, 3], not: []),
            SQLNilCase("team.players.@count > 0", [1, 2], not: [3]),
            SQLNilCase("team.players.@count == 0", [], not: [1, 2, 3]),
            SQLNilCase("team.players.@count == 1", [1, 2], not: []),
            SQLNilCase("reports.@count == 0", [1, 2, 3], not: []),
            SQLNilCase("reports.@sum.age == 0", [1, 2, 3], not: []),
            SQLNilCase("reports.@max.age == 0", [], not: []),
            SQLNilCase("SUBQUERY(reports, $r, $r.age > 1).@count == 0", [1, 2, 3], not: []),
            SQLNilCase("'Ann' IN team.players.name", [1], not: [2, 3]),
        ])
    func truth(_ nilCase: SQLNilCase) throws {
        let database = try Self.database()
        let predicate = try NSPredicate.parse(nilCase.format)
        #expect(try database.keys(sqlQuery("Player", predicate)).sorted() == nilCase.found)
        let negation = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
        #expect(try database.keys(sqlQuery("Player", negation)).sorted() == nilCase.foundByNot)
        for row in database.rows(of: "Player") {
            let isFound = nilCase.foundInMemory.contains(row.key)
            #expect(predicate.evaluate(with: row) == isFound && negation.evaluate(with: row) != isFound, "\(row.key)")
        }
    }

    private static func database() throws -> SQLTestDatabase {
        let teams = [SQLTestRow("Team", key: 1, ["name": .string("Celtics")]), SQLTestRow("Team", key: 2, [:])]
        let people = [
            SQLTestRow("Player", key: 1, ["name": .string("Ann"), "age": .int(21)]),
            SQLTestRow("Player", key: 2, ["name": .string("Bob"), "age": .int(30)]), SQLTestRow("Player", key: 3, [:]),
        ]
        people[0].setDestination(teams[0], "team", inverse: "players")
        people[1].setDestination(teams[1], "team", inverse: "players")
        return try SQLTestDatabase(people: people, teams: teams)
    }
}
