import CoreData
import Testing

/// A predicate and what a statement for it has after its first table.
struct SQLSnapshot: Sendable, CustomTestStringConvertible {
    let entity: String
    let format: String
    let sql: String

    init(_ entity: String, _ format: String, _ sql: String) {
        self.entity = entity
        self.format = format
        self.sql = sql
    }

    var testDescription: String { "\(entity): \(format)" }
}

@Suite("SQL of predicates")
struct SQLPredicateSnapshots {
    @Test("A predicate becomes this SQL", arguments: comparisons + strings + paths + collections + functions)
    func text(_ snapshot: SQLSnapshot) throws {
        #expect(try sqlClause(snapshot.entity, snapshot.format) == snapshot.sql)
    }
}

private let comparisons: [SQLSnapshot] = [
    SQLSnapshot("Team", "TRUEPREDICATE", ""),
    SQLSnapshot("Team", "FALSEPREDICATE", " WHERE 0"),
    SQLSnapshot("Team", "name == 'Celtics'", " WHERE t0.ZNAME = ?"),
    SQLSnapshot("Team", "'Celtics' == name", " WHERE ? = t0.ZNAME"),
    SQLSnapshot("Team", "name != 'Celtics'", " WHERE t0.ZNAME <> ?"),
    SQLSnapshot("Team", "name == nil", " WHERE t0.ZNAME IS NULL"),
    SQLSnapshot("Team", "nil != name", " WHERE t0.ZNAME IS NOT NULL"),
    SQLSnapshot(
        "Team", "rank < 3 AND (city == 'Boston' OR NOT city == 'Rome')",
        " WHERE t0.ZRANK < ? AND (t0.ZCITY = ? OR NOT (t0.ZCITY = ?))"),
    SQLSnapshot("Team", "3 < rank", " WHERE ? < t0.ZRANK"),
    SQLSnapshot("Team", "rank BETWEEN {1, 10}", " WHERE t0.ZRANK BETWEEN ? AND ?"),
    SQLSnapshot("Team", "rank IN {1, 2, 3}", " WHERE t0.ZRANK IN (?, ?, ?, ?)"),
    SQLSnapshot("Team", "rank IN {1, nil}", " WHERE t0.ZRANK IN (?) OR t0.ZRANK IS NULL"),
    SQLSnapshot("Team", "rank IN {}", " WHERE 0"),
    SQLSnapshot("Team", "rank IN {1, rank}", " WHERE t0.ZRANK = ? OR t0.ZRANK = t0.ZRANK"),
    SQLSnapshot(
        "Team", "address.zip == 5 AND address.street == 'Elm'",
        " WHERE t0.ZADDRESS_ZIP = ? AND t0.ZADDRESS_STREET = ?"),
    SQLSnapshot("Player", "active == YES", " WHERE t0.Z_ENT = ? AND t0.ZACTIVE = ?"),
    SQLSnapshot("Coach", "age > 3", " WHERE t0.Z_ENT = ? AND t0.ZAGE > ?"),
    SQLSnapshot(
        "Person", "entity.name == 'Player'",
        " WHERE CASE WHEN t0.Z_ENT = ? THEN ? WHEN t0.Z_ENT = ? THEN ? WHEN t0.Z_ENT = ? THEN ? ELSE NULL END = ?"),
    SQLSnapshot(
        "Person", "age == boss.age OR 1 == 1",
        " LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZBOSS WHERE t0.ZAGE = t1.ZAGE OR ? = ?"),
]

private let strings: [SQLSnapshot] = [
    SQLSnapshot("Team", "name BEGINSWITH 'Cel'", " WHERE t0.ZNAME >= ? AND t0.ZNAME < ?"),
    SQLSnapshot("Team", "name BEGINSWITH ''", " WHERE substr(t0.ZNAME, 1, ?) = ?"),
    SQLSnapshot("Team", "name ENDSWITH 'ics'", " WHERE substr(t0.ZNAME, ?, ?) = ?"),
    SQLSnapshot("Team", "name CONTAINS 'elt'", " WHERE instr(t0.ZNAME, ?) > 0"),
    SQLSnapshot("Team", "name CONTAINS[cd] 'ELT'", " WHERE instr(CoreDataFold(t0.ZNAME, 3), ?) > 0"),
    SQLSnapshot("Team", "name BEGINSWITH[c] 'CEL'", " WHERE substr(CoreDataFold(t0.ZNAME, 1), 1, ?) = ?"),
    SQLSnapshot("Team", "name ==[c] 'CELTICS'", " WHERE CoreDataFold(t0.ZNAME, 1) = ?"),
    SQLSnapshot("Team", "name IN[c] {'A', 'B'}", " WHERE CoreDataFold(t0.ZNAME, 1) IN (?, ?)"),
    SQLSnapshot("Team", "name BEGINSWITH[n] 'Cel'", " WHERE t0.ZNAME >= ? AND t0.ZNAME < ?"),
    SQLSnapshot(
        "Team", "name LIKE 'Cel?ics*'",
        " WHERE (t0.ZNAME >= ? AND t0.ZNAME < ?) AND CoreDataLike(t0.ZNAME, ?, 0)"),
    SQLSnapshot("Team", "name LIKE[c] '*CELT*'", " WHERE CoreDataLike(t0.ZNAME, ?, 1)"),
    SQLSnapshot("Team", "name MATCHES 'C.*s'", " WHERE CoreDataMatches(t0.ZNAME, ?, 0)"),
    SQLSnapshot("Team", "name CONTAINS city", " WHERE instr(t0.ZNAME, t0.ZCITY) > 0"),
    SQLSnapshot(
        "Team", "name BEGINSWITH city AND name ENDSWITH city",
        " WHERE (substr(t0.ZNAME, 1, length(t0.ZCITY)) = t0.ZCITY) AND (substr(t0.ZNAME, -length(t0.ZCITY), length(t0.ZCITY)) = t0.ZCITY)"
    ),
    SQLSnapshot("Team", "'elt' IN name", " WHERE instr(t0.ZNAME, ?) > 0"),
    SQLSnapshot("Team", "name IN 'Celtics and Lakers'", " WHERE instr(?, t0.ZNAME) > 0"),
]

private let paths: [SQLSnapshot] = [
    SQLSnapshot(
        "Player", "team.name == 'Celtics' AND team.rank > 3",
        " LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ? AND t1.ZNAME = ? AND t1.ZRANK > ?"),
    SQLSnapshot("Player", "team == nil", " WHERE t0.Z_ENT = ? AND t0.ZTEAM IS NULL"),
    SQLSnapshot(
        "Player", "boss.boss.name == 'Ann'",
        " LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZBOSS LEFT JOIN ZPERSON t2 ON t2.Z_PK = t1.ZBOSS WHERE t0.Z_ENT = ? AND t2.ZNAME = ?"
    ),
    SQLSnapshot(
        "Player", "team.name == boss.name",
        " LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM LEFT JOIN ZPERSON t2 ON t2.Z_PK = t0.ZBOSS WHERE t0.Z_ENT = ? AND t1.ZNAME = t2.ZNAME"
    ),
    SQLSnapshot("Player", "SELF.name == 'Ann'", " WHERE t0.Z_ENT = ? AND t0.ZNAME = ?"),
    SQLSnapshot("Player", "boss == SELF", " WHERE t0.Z_ENT = ? AND t0.ZBOSS = t0.Z_PK"),
    SQLSnapshot(
        "Player", "boss.entity.name == 'Coach'",
        " WHERE t0.Z_ENT = ? AND CASE WHEN t0.Z1_BOSS = ? THEN ? WHEN t0.Z1_BOSS = ? THEN ? WHEN t0.Z1_BOSS = ? THEN ? ELSE NULL END = ?"
    ),
    SQLSnapshot("Team", "address.street == name", " WHERE t0.ZADDRESS_STREET = t0.ZNAME"),
]

private let collections: [SQLSnapshot] = [
    SQLSnapshot(
        "Team", "ANY players.name == 'Ann'",
        " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZNAME = ?)"),
    SQLSnapshot(
        "Team", "NONE players.age > 30",
        " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE > ?)"),
    SQLSnapshot(
        "Team", "ALL players.age > 30",
        " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE IS NOT NULL AND (t1.ZAGE > ?) IS NOT TRUE)"
    ),
    SQLSnapshot(
        "Team", "ANY players.age IN {1, 2}",
        " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE IN (?, ?))"),
    SQLSnapshot(
        "Team", "players.@count > 0",
        " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK)"),
    SQLSnapshot(
        "Team", "players.@count == 0",
        " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK)"),
    SQLSnapshot(
        "Team", "players.@count >= 3",
        " WHERE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) >= ?"),
    SQLSnapshot(
        "Team", "players.@sum.salary > 100",
        " WHERE COALESCE((SELECT SUM(t1.ZSALARY) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK), 0) > ?"),
    SQLSnapshot(
        "Team", "players.@avg.age < 20",
        " WHERE COALESCE((SELECT SUM(CAST(t1.ZAGE AS REAL)) / COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK), 0) < ?"
    ),
    SQLSnapshot(
        "Team", "players.@max.age == 20 AND players.@min.age == 18",
        " WHERE (SELECT MAX(t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) = ? AND (SELECT MIN(t2.ZAGE) FROM ZPERSON t2 WHERE t2.ZTEAM = t0.Z_PK) = ?"
    ),
    SQLSnapshot(
        "Team", "SUBQUERY(players, $p, $p.age > 30 AND $p.name == 'Ann').@count > 0",
        " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE > ? AND t1.ZNAME = ?)"),
    SQLSnapshot(
        "Team", "SUBQUERY(players, $p, $p.name == name).@count >= 2",
        " WHERE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZNAME = t0.ZNAME) >= ?"),
    SQLSnapshot(
        "Team", "SUBQUERY(players, $p, SUBQUERY($p.fans, $f, $f.age > $p.age).@count == 0).@count > 1",
        " WHERE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND NOT EXISTS (SELECT 1 FROM Z_2FAVOURITES t2 JOIN ZPERSON t3 ON t3.Z_PK = t2.Z_2FANS WHERE t2.Z_3FAVOURITES = t1.Z_PK AND t3.ZAGE > t1.ZAGE)) > ?"
    ),
    SQLSnapshot(
        "Team", "ANY players.fans.name == 'Joe'",
        " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 JOIN Z_2FAVOURITES t2 ON t2.Z_3FAVOURITES = t1.Z_PK JOIN ZPERSON t3 ON t3.Z_PK = t2.Z_2FANS WHERE t1.ZTEAM = t0.Z_PK AND t3.ZNAME = ?)"
    ),
    SQLSnapshot(
        "Player", "fans.@count == 2",
        " WHERE t0.Z_ENT = ? AND (SELECT COUNT(*) FROM Z_2FAVOURITES t1 WHERE t1.Z_3FAVOURITES = t0.Z_PK) = ?"),
    SQLSnapshot(
        "Player", "ANY fans.name BEGINSWITH 'J'",
        " WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM Z_2FAVOURITES t1 JOIN ZPERSON t2 ON t2.Z_PK = t1.Z_2FANS WHERE t1.Z_3FAVOURITES = t0.Z_PK AND (t2.ZNAME >= ? AND t2.ZNAME < ?))"
    ),
    SQLSnapshot(
        "Player", "'Joe' IN fans.name",
        " WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM Z_2FAVOURITES t1 JOIN ZPERSON t2 ON t2.Z_PK = t1.Z_2FANS WHERE t1.Z_3FAVOURITES = t0.Z_PK AND t2.ZNAME = ?)"
    ),
    SQLSnapshot(
        "Player", "team.players.@count == 1",
        " WHERE t0.Z_ENT = ? AND CASE WHEN t0.ZTEAM IS NULL THEN NULL ELSE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.ZTEAM) END = ?"
    ),
    SQLSnapshot(
        "Player", "ANY team.players.boss.name == 'Ann'",
        " WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM ZPERSON t1 LEFT JOIN ZPERSON t2 ON t2.Z_PK = t1.ZBOSS WHERE t1.ZTEAM = t0.ZTEAM AND t2.ZNAME = ?)"
    ),
    SQLSnapshot(
        "Player", "SELF IN boss.reports",
        " WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.ZBOSS AND t1.Z_PK = t0.Z_PK)"),
    SQLSnapshot(
        "Player", "sum(reports.age) > 10",
        " WHERE t0.Z_ENT = ? AND COALESCE((SELECT SUM(DISTINCT t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK), 0) > ?"
    ),
]

private let functions: [SQLSnapshot] = [
    SQLSnapshot("Player", "age + 1 == 20", " WHERE t0.Z_ENT = ? AND (t0.ZAGE + ?) = ?"),
    SQLSnapshot("Player", "salary * 2 > age - 3", " WHERE t0.Z_ENT = ? AND (t0.ZSALARY * ?) > (t0.ZAGE - ?)"),
    SQLSnapshot("Player", "age / 2 == 9", " WHERE t0.Z_ENT = ? AND (t0.ZAGE / ?) = ?"),
    SQLSnapshot("Player", "modulus:by:(age, 2) == 0", " WHERE t0.Z_ENT = ? AND CoreDataModulus(t0.ZAGE, ?) = ?"),
    SQLSnapshot("Player", "age & 3 == 3", " WHERE t0.Z_ENT = ? AND (t0.ZAGE & ?) = ?"),
    SQLSnapshot("Player", "uppercase(name) == 'ANN'", " WHERE t0.Z_ENT = ? AND CoreDataUppercase(t0.ZNAME) = ?"),
    SQLSnapshot("Player", "length(name) > 3", " WHERE t0.Z_ENT = ? AND CoreDataLength(t0.ZNAME) > ?"),
    SQLSnapshot("Player", "noindex(age) == 3", " WHERE t0.Z_ENT = ? AND (+t0.ZAGE) = ?"),
    SQLSnapshot(
        "Player", "TERNARY(age > 18, name, 'minor') == 'minor'",
        " WHERE t0.Z_ENT = ? AND CASE WHEN t0.ZAGE > ? THEN t0.ZNAME ELSE ? END = ?"),
    SQLSnapshot("Player", "CAST(age, 'NSString') == '18'", " WHERE t0.Z_ENT = ? AND CoreDataText(t0.ZAGE) = ?"),
    SQLSnapshot("Player", "born > CAST(0, 'NSDate')", " WHERE t0.Z_ENT = ? AND t0.ZBORN > ?"),
    SQLSnapshot("Player", "born < now()", " WHERE t0.Z_ENT = ? AND t0.ZBORN < ?"),
    SQLSnapshot("Player", "sqrt(salary) > 2 + 3", " WHERE t0.Z_ENT = ? AND CoreDataSquareRoot(t0.ZSALARY) > ?"),
]
