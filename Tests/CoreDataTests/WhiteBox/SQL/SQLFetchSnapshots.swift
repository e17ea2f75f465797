import SQLSamples
import Testing

@testable import CoreData

@Suite("SQL of fetches")
struct SQLFetchSnapshots {
    // MARK: Entities

    @Test("All entities of a table need no filter, one is compared, several are listed")
    func entities() throws {
        #expect(try sqlQuery("Person").text == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0")
        #expect(try sqlQuery("Team").text == "SELECT t0.Z_PK, t0.Z_ENT FROM ZTEAM t0")
        let player = try sqlQuery("Player")
        #expect(player.text == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE t0.Z_ENT = ?")
        #expect(player.bindings == [.int(3)])
        let plain = try sqlQuery("Person") { $0.includesSubentities = false }
        #expect(plain.text == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE t0.Z_ENT = ?")
        #expect(plain.bindings == [.int(1)])
    }

    // MARK: Outputs

    @Test("Whole rows have the columns that the store's reader wants")
    func rows() throws {
        #expect(
            try sqlQuery("Team", nil, .rows).text == "SELECT t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZNAME FROM ZTEAM t0")
    }

    @Test("A count counts in the database, a limited one the rows that are left")
    func counts() throws {
        let predicate = NSPredicate(format: "rank > 1")
        #expect(try sqlQuery("Team", predicate, .count).text == "SELECT COUNT(*) FROM ZTEAM t0 WHERE t0.ZRANK > ?")
        let limited = try sqlQuery("Team", predicate, .count) { $0.limit = 5 }
        #expect(limited.text == "SELECT COUNT(*) FROM (SELECT 1 FROM ZTEAM t0 WHERE t0.ZRANK > ? LIMIT ?)")
        #expect(limited.bindings == [.int(1), .int(5)])
    }

    // MARK: Order

    @Test("Sort descriptors share the joins of their key paths and name their collations")
    func order() throws {
        let query = try sqlQuery("Player", NSPredicate(format: "team.rank > 1")) { fetch in
            fetch.sortDescriptors = [
                NSSortDescriptor(key: "team.name", ascending: false, selector: .localizedStandardCompare),
                NSSortDescriptor(key: "age", ascending: true),
            ]
        }
        #expect(
            query.text == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM "
                + "WHERE t0.Z_ENT = ? AND t1.ZRANK > ? ORDER BY t1.ZNAME COLLATE CoreDataLocalizedStandard DESC, t0.ZAGE"
        )
    }

    @Test("The key decides between equal rows where a request asks for a part of its results, and only there")
    func pages() throws {
        func tail(_ limit: Int, _ offset: Int, _ descriptors: NSSortDescriptor...) throws -> String {
            let text = try sqlQuery("Team") { fetch in
                (fetch.limit, fetch.offset, fetch.sortDescriptors) = (limit, offset, descriptors)
            }.text
            return text.replacing(/SELECT t0.Z_PK(, t0.Z_ENT)? FROM ZTEAM t0/, with: "")
        }
        let descending = NSSortDescriptor(key: "name", ascending: false)
        #expect(try tail(0, 0, descending) == " ORDER BY t0.ZNAME DESC")
        #expect(try tail(3, 0, descending) == " ORDER BY t0.ZNAME DESC, t0.Z_PK DESC LIMIT ?")
        #expect(try tail(3, 9, descending) == " ORDER BY t0.ZNAME DESC, t0.Z_PK DESC LIMIT ? OFFSET ?")
        #expect(try tail(3, 0) == " LIMIT ?")
        #expect(try tail(0, 9) == " ORDER BY t0.Z_PK LIMIT ? OFFSET ?")
        #expect(try tail(1, 0, NSSortDescriptor(key: "objectID", ascending: false)) == " ORDER BY t0.Z_PK DESC LIMIT ?")
    }

    @Test(
        "What can be sorted by, and what SQL that is; memory has the same order",
        arguments: [
            SQLSortSnapshot("Team", "players.@count", "(SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK)"),
            SQLSortSnapshot(
                "Team", "players.@sum.age",
                "COALESCE((SELECT SUM(t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK), 0)"),
            SQLSortSnapshot(
                "Team", "players.@max.born", "(SELECT MAX(t1.ZBORN) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK)"),
            SQLSortSnapshot(
                "Team", "players.@min.name", "(SELECT MIN(t1.ZNAME) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK)"),
            SQLSortSnapshot(
                "Team", "players.@avg.age",
                "COALESCE((SELECT SUM(CAST(t1.ZAGE AS REAL)) / COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK), 0)"),
            SQLSortSnapshot("Team", "address.zip", "t0.ZADDRESS_ZIP"),
            SQLSortSnapshot("Player", "team.name", "t1.ZNAME"),
            SQLSortSnapshot("Player", "boss.boss.age", "t2.ZAGE"),
            SQLSortSnapshot(
                "Player", "team.players.@count",
                "CASE WHEN t0.ZTEAM IS NULL THEN NULL ELSE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.ZTEAM) END"
            ),
            SQLSortSnapshot(
                "Player", "boss.name", "t1.ZNAME COLLATE CoreDataLocalizedStandard", .localizedStandardCompare),
            SQLSortSnapshot("Player", "name", "t0.ZNAME COLLATE CoreDataLocalized", .localizedCompare),
            SQLSortSnapshot("Player", "name", "t0.ZNAME COLLATE CoreDataCaseInsensitive", .caseInsensitiveCompare),
            SQLSortSnapshot(
                "Team", "city", "t0.ZCITY COLLATE CoreDataLocalizedCaseInsensitive", .localizedCaseInsensitiveCompare),
        ])
    func sortKeys(_ snapshot: SQLSortSnapshot) throws {
        var random = SQLRandom(seed: 9)
        let database = try SQLTestDatabase(using: &random)
        for ascending in [true, false] {
            let descriptor = NSSortDescriptor(
                key: snapshot.key, ascending: ascending, selector: snapshot.selector ?? Selector("compare:"))
            let query = try sqlQuery(snapshot.entity) { $0.sortDescriptors = [descriptor] }
            let order = query.text.components(separatedBy: " ORDER BY ").dropFirst().joined(separator: " ORDER BY ")
            #expect(order == snapshot.sql + (ascending ? "" : " DESC"))
            let keys = try database.keys(query)
            let rows = Dictionary(uniqueKeysWithValues: database.rows(of: snapshot.entity).map { ($0.key, $0) })
            let found = keys.compactMap { rows[$0] }
            #expect(found.count == rows.count)
            #expect(zip(found, found.dropFirst()).allSatisfy { descriptor.compare($0, to: $1) != .orderedDescending })
        }
    }

    // MARK: Shape

    @Test("Requests that differ in their values alone share a statement")
    func shapes() throws {
        func text(_ format: String, _ arguments: Any...) throws -> String {
            try sqlQuery("Player", NSPredicate(format: format, argumentArray: arguments)).text
        }
        #expect(try text("name == %@", "Ann") == text("name == %@", "Bob"))
        #expect(try text("name BEGINSWITH %@", "Ann") == text("name BEGINSWITH %@", "B"))
        #expect(try text("age IN %@", [1, 2, 3]) == text("age IN %@", [4, 5, 6, 7]))
        #expect(try text("age IN %@", Array(1...20)) == text("age IN %@", Array(1...9_000)))
        #expect(try text("born > %@", Date()) == text("born > %@", Date.distantPast))
        let limits = try [3, 4].map { limit in try sqlQuery("Team") { $0.limit = limit }.text }
        #expect(limits[0] == limits[1])
    }

    @Test("A long chain of conditions stays shallow enough for SQLite")
    func longChain() throws {
        var random = SQLRandom(seed: 1)
        let database = try SQLTestDatabase(using: &random)
        let parts = (0..<5_000).map { "age == \($0) AND rating != \($0)" }
        let predicate = NSCompoundPredicate(
            orPredicateWithSubpredicates: parts.map { NSPredicate(format: $0) })
        _ = try database.keys(sqlQuery("Player", predicate))
    }
}

/// A sort key, and what stands behind ORDER BY for it.
struct SQLSortSnapshot: Sendable, CustomTestStringConvertible {
    let entity: String
    let key: String
    let sql: String
    /// Nil: `compare:`.
    let selector: Selector?

    init(_ entity: String, _ key: String, _ sql: String, _ selector: Selector? = nil) {
        (self.entity, self.key, self.sql, self.selector) = (entity, key, sql, selector)
    }

    var testDescription: String { "\(entity) by \(key)" }
}
