import RandomSeeds
import SQLSamples
import Testing

@testable import CoreData

/// The same random rows twice: in tables of SQLite, and as objects that key-value coding reads.
struct SQLTestDatabase {
    let connection: SQLiteConnection
    let people: [SQLTestRow]
    let teams: [SQLTestRow]

    /// Random rows with random relationships.
    init(using random: inout SQLRandom) throws {
        var (teams, people): ([SQLTestRow], [SQLTestRow]) = ([], [])
        for key in 1...6 { teams.append(SQLTestRow("Team", key: key, random.team())) }
        for key in 1...24 {
            let isPlayer = key % 4 != 0
            people.append(SQLTestRow(isPlayer ? "Player" : "Coach", key: key, random.person(isPlayer: isPlayer)))
        }
        Self.relate(people, teams, using: &random)
        try self.init(people: people, teams: teams)
    }

    init(people: [SQLTestRow], teams: [SQLTestRow]) throws {
        SQLTintTransformer.register()
        let connection = try SQLiteConnection(path: "/dev/null", access: .create)
        try SQLTestModel.schema.creationStatements().forEach { try connection.execute($0) }
        try SQLFunction.all.forEach { try connection.register($0) }
        try SQLCollation.all.forEach { try connection.register($0) }
        (self.connection, self.people, self.teams) = (connection, people, teams)
        try (teams + people).forEach { try insert($0) }
        for player in people { try insertFans(of: player) }
    }

    /// The keys of the rows that a query finds, in its order.
    func keys(_ query: SQLQuery) throws -> [Int64] {
        try rows(query).map { row in if case .int(let key) = row[0] { key } else { 0 } }
    }

    func rows(_ query: SQLQuery) throws -> [[SQLValue]] {
        let statement = try connection.statement(query.text)
        for (index, value) in query.bindings.enumerated() { value.bind(to: statement, Int32(index + 1)) }
        var rows: [[SQLValue]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { SQLValue(statement, $0) })
        }
        return rows
    }

    /// SQLite's plan for a query.
    func plan(_ query: SQLQuery) throws -> String {
        let explained = SQLQuery(
            text: "EXPLAIN QUERY PLAN " + query.text, bindings: query.bindings, result: query.result)
        return try rows(explained).map { row in if case .text(let line) = row[3] { line } else { "" } }
            .joined(separator: "\n")
    }

    func rows(of entity: String) -> [SQLTestRow] {
        switch entity {
        case "Team": teams
        case "Person": people
        default: people.filter { $0.entity == entity }
        }
    }

    private static func relate(_ people: [SQLTestRow], _ teams: [SQLTestRow], using random: inout SQLRandom) {
        let coaches = people.filter { $0.entity == "Coach" }
        for person in people {
            if let boss = random.maybe(people) { person.setDestination(boss, "boss", inverse: "reports") }
            guard person.entity == "Player" else { continue }
            if let team = random.maybe(teams) { person.setDestination(team, "team", inverse: "players") }
            for fan in coaches where random.chance(0.4) {
                person.members["fans", default: []].append(fan)
                fan.members["favourites", default: []].append(person)
            }
        }
    }

    private func insert(_ row: SQLTestRow) throws {
        let layout = SQLTestModel.layout(row.entity)
        var values: [(String, SQLValue)] = [
            ("Z_PK", .int(row.key)), ("Z_ENT", .int(SQLTestModel.schema.number(of: layout) ?? 0)), ("Z_OPT", .int(1)),
        ]
        for slot in layout.slots {
            guard let column = SQLTestModel.schema.column(of: layout, slot: slot.index) else { continue }
            if let destination = row.destinations[slot.name] {
                values.append((column.name, .int(destination.key)))
                let number = SQLTestModel.schema.number(of: SQLTestModel.layout(destination.entity)) ?? 0
                if let entityColumn = column.entityColumn { values.append((entityColumn, .int(number))) }
            } else if let value = row.stored[slot.name] {
                values.append((column.name, value))
            }
        }
        let names = values.map(\.0).joined(separator: ", ")
        let places = values.map { _ in "?" }.joined(separator: ", ")
        let table = SQLTestModel.schema.table(of: layout).name
        try run("INSERT INTO \(table) (\(names)) VALUES (\(places))", values.map(\.1))
    }

    private func insertFans(of player: SQLTestRow) throws {
        let layout = SQLTestModel.layout("Player")
        guard let slot = layout.slot(named: "fans"), let link = SQLTestModel.schema.link(of: layout, slot: slot.index)
        else { return }
        for fan in player.members["fans"] ?? [] {
            try run(
                "INSERT INTO \(link.table) (\(link.sourceColumn), \(link.targetColumn)) VALUES (?, ?)",
                [.int(player.key), .int(fan.key)])
        }
    }

    private func run(_ text: String, _ values: [SQLValue]) throws {
        let statement = try connection.statement(text)
        for (index, value) in values.enumerated() { value.bind(to: statement, Int32(index + 1)) }
        try statement.run()
    }
}

/// An object in memory, as key-value coding reads it, and what a row of it holds.
final class SQLTestRow: NSObject, KeyValueCoding {
    let entity: String
    let key: Int64
    private(set) var values: [String: Any]
    let stored: [String: SQLValue]
    var destinations: [String: SQLTestRow] = [:]
    var members: [String: [SQLTestRow]] = [:]

    init(_ entity: String, key: Int, _ values: [String: SQLTestValue]) {
        self.entity = entity
        self.key = Int64(key)
        self.values = values.compactMapValues(\.object)
        stored = values.mapValues(\.stored)
    }

    func setDestination(_ row: SQLTestRow, _ name: String, inverse: String) {
        destinations[name] = row
        row.members[inverse, default: []].append(self)
    }

    func value(forKey key: String) -> Any? {
        let layout = SQLTestModel.layout(entity)
        if let slot = layout.slot(named: key), slot.kind.isToMany { return NSOrderedSet(array: members[key] ?? []) }
        if key == "entity" { return ["name": entity] }
        if key == "objectID" { return self }
        if key == "address" {
            return ["street": values["address.street"], "zip": values["address.zip"]].compactMapValues { $0 }
        }
        return destinations[key] ?? values[key]
    }

    func setValue(_ value: Any?, forKey key: String) { values[key] = value }

    override var description: String { "\(entity) \(key) \(values)" }
}
