extension SQLSnapshot {
    /// Members of to-many relationships: ANY, ALL, NONE, SUBQUERY and collection operators.
    static let collections: [SQLSnapshot] = [
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
        SQLSnapshot(
            "Team", "SOME players.age == 20",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE = ?)"),
        SQLSnapshot(
            "Team", "ANY players.name ==[c] 'ann'",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND CoreDataFold(t1.ZNAME, 1) = ?)"),
        SQLSnapshot(
            "Team", "ANY players.age BETWEEN {18, 20}",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND (t1.ZAGE BETWEEN ? AND ?))"),
        SQLSnapshot(
            "Team", "ANY players.team == SELF",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZTEAM = t0.Z_PK)"),
        SQLSnapshot(
            "Team", "ANY players.boss == nil",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZBOSS IS NULL)"),
        SQLSnapshot(
            "Team", "ANY players == nil",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.Z_PK IS NULL)"),
        SQLSnapshot(
            "Team", "NONE players.name IN {'a', 'b'}",
            " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZNAME IN (?, ?))"),
        SQLSnapshot(
            "Team", "NOT ANY players.age > 3",
            " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE > ?)"),
        SQLSnapshot(
            "Team", "NOT ALL players.age > 3",
            " WHERE NOT (NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE IS NOT NULL AND (t1.ZAGE > ?) IS NOT TRUE))"
        ),
        SQLSnapshot(
            "Team", "ALL players.name BEGINSWITH 'A'",
            " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZNAME IS NOT NULL AND (t1.ZNAME >= ? AND t1.ZNAME < ?) IS NOT TRUE)"
        ),
        SQLSnapshot(
            "Team", "ALL players.boss.age >= 40",
            " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 LEFT JOIN ZPERSON t2 ON t2.Z_PK = t1.ZBOSS WHERE t1.ZTEAM = t0.Z_PK AND t2.ZAGE IS NOT NULL AND (t2.ZAGE >= ?) IS NOT TRUE)"
        ),
        SQLSnapshot(
            "Team", "ALL players.fans.age > 3",
            " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 JOIN Z_2FAVOURITES t2 ON t2.Z_3FAVOURITES = t1.Z_PK JOIN ZPERSON t3 ON t3.Z_PK = t2.Z_2FANS WHERE t1.ZTEAM = t0.Z_PK AND t3.ZAGE IS NOT NULL AND (t3.ZAGE > ?) IS NOT TRUE)"
        ),
        SQLSnapshot(
            "Team", "ANY players.fans.favourites.age > 3",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 JOIN Z_2FAVOURITES t2 ON t2.Z_3FAVOURITES = t1.Z_PK JOIN Z_2FAVOURITES t3 ON t3.Z_2FANS = t2.Z_2FANS JOIN ZPERSON t4 ON t4.Z_PK = t3.Z_3FAVOURITES WHERE t1.ZTEAM = t0.Z_PK AND t4.ZAGE > ?)"
        ),
        SQLSnapshot(
            "Team", "players.@count == 11 AND players.@count != 3",
            " WHERE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) = ? AND (SELECT COUNT(*) FROM ZPERSON t2 WHERE t2.ZTEAM = t0.Z_PK) <> ?"
        ),
        SQLSnapshot(
            "Team", "players.@count BETWEEN {1, 5}",
            " WHERE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) BETWEEN ? AND ?"),
        SQLSnapshot(
            "Team", "players.@count > rank",
            " WHERE (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) > t0.ZRANK"),
        SQLSnapshot(
            "Team", "3 <= players.@count", " WHERE ? <= (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK)"),
        SQLSnapshot("Team", "0 < players.@count", " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK)"),
        SQLSnapshot("Team", "players.@count != 0", " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK)"),
        SQLSnapshot(
            "Team", "players.@sum.age > players.@count",
            " WHERE COALESCE((SELECT SUM(t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK), 0) > (SELECT COUNT(*) FROM ZPERSON t2 WHERE t2.ZTEAM = t0.Z_PK)"
        ),
        SQLSnapshot(
            "Team", "players.@max.born > CAST(0, 'NSDate')",
            " WHERE (SELECT MAX(t1.ZBORN) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) > ?"),
        SQLSnapshot(
            "Team", "players.@min.name == 'Ann'",
            " WHERE (SELECT MIN(t1.ZNAME) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) = ?"),
        SQLSnapshot(
            "Team", "players.@avg.price > 1",
            " WHERE COALESCE((SELECT SUM(CAST(t1.ZPRICE AS REAL)) / COUNT(*) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK), 0) > ?"
        ),
        SQLSnapshot(
            "Team", "max(players.age) > 3",
            " WHERE (SELECT MAX(DISTINCT t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) > ?"),
        SQLSnapshot(
            "Team", "count(players.name) > 3",
            " WHERE (SELECT COUNT(DISTINCT t1.ZNAME) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) > ?"),
        SQLSnapshot(
            "Team", "average(players.salary) < 5",
            " WHERE (SELECT AVG(DISTINCT t1.ZSALARY) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK) < ?"),
        SQLSnapshot(
            "Team", "SUBQUERY(players, $p, $p.age > rank).@count == 0",
            " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE > t0.ZRANK)"),
        SQLSnapshot(
            "Team", "SUBQUERY(players, $p, $p.boss.name == 'Ann' OR $p.age == nil).@count > 2",
            " WHERE (SELECT COUNT(*) FROM ZPERSON t1 LEFT JOIN ZPERSON t2 ON t2.Z_PK = t1.ZBOSS WHERE t1.ZTEAM = t0.Z_PK AND (t2.ZNAME = ? OR t1.ZAGE IS NULL)) > ?"
        ),
        SQLSnapshot(
            "Team", "SUBQUERY(players, $p, ANY $p.fans.age > 3).@count > 0",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND EXISTS (SELECT 1 FROM Z_2FAVOURITES t2 JOIN ZPERSON t3 ON t3.Z_PK = t2.Z_2FANS WHERE t2.Z_3FAVOURITES = t1.Z_PK AND t3.ZAGE > ?))"
        ),
        SQLSnapshot(
            "Team", "SUBQUERY(players, $p, $p.team == SELF AND $p IN $p.boss.reports).@count > 0",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZTEAM = t0.Z_PK AND EXISTS (SELECT 1 FROM ZPERSON t2 WHERE t2.ZBOSS = t1.ZBOSS AND t2.Z_PK = t1.Z_PK))"
        ),
        SQLSnapshot(
            "Team", "SUBQUERY(players, $p, $p.age > 3).@sum.salary > 10",
            " WHERE COALESCE((SELECT SUM(t1.ZSALARY) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE > ?), 0) > ?"),
        SQLSnapshot(
            "Team", "SUBQUERY(players, $p, $p.age > 3).@max.age == 30",
            " WHERE (SELECT MAX(t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE > ?) = ?"),
        SQLSnapshot(
            "Team", "ANY SUBQUERY(players, $p, $p.age > 3).name == 'Ann'",
            " WHERE EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.Z_PK AND t1.ZAGE > ? AND t1.ZNAME = ?)"),
        SQLSnapshot(
            "Player", "fans.@count > reports.@count",
            " WHERE t0.Z_ENT = ? AND (SELECT COUNT(*) FROM Z_2FAVOURITES t1 WHERE t1.Z_3FAVOURITES = t0.Z_PK) > (SELECT COUNT(*) FROM ZPERSON t2 WHERE t2.ZBOSS = t0.Z_PK)"
        ),
        SQLSnapshot(
            "Player", "NONE fans.name == nil",
            " WHERE t0.Z_ENT = ? AND NOT EXISTS (SELECT 1 FROM Z_2FAVOURITES t1 JOIN ZPERSON t2 ON t2.Z_PK = t1.Z_2FANS WHERE t1.Z_3FAVOURITES = t0.Z_PK AND t2.ZNAME IS NULL)"
        ),
        SQLSnapshot(
            "Player", "ALL fans.favourites.name == 'x'",
            " WHERE t0.Z_ENT = ? AND NOT EXISTS (SELECT 1 FROM Z_2FAVOURITES t1 JOIN Z_2FAVOURITES t2 ON t2.Z_2FANS = t1.Z_2FANS JOIN ZPERSON t3 ON t3.Z_PK = t2.Z_3FAVOURITES WHERE t1.Z_3FAVOURITES = t0.Z_PK AND t3.ZNAME IS NOT NULL AND (t3.ZNAME = ?) IS NOT TRUE)"
        ),
        SQLSnapshot(
            "Player", "ANY boss.reports.age > 3",
            " WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.ZBOSS AND t1.ZAGE > ?)"),
        SQLSnapshot(
            "Player", "boss IN team.players",
            " WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.ZTEAM AND t1.Z_PK = t0.ZBOSS)"
        ),
        SQLSnapshot(
            "Player", "name IN team.players.name",
            " WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZTEAM = t0.ZTEAM AND t1.ZNAME = t0.ZNAME)"
        ),
        SQLSnapshot(
            "Coach", "favourites.@count == 0",
            " WHERE t0.Z_ENT = ? AND NOT EXISTS (SELECT 1 FROM Z_2FAVOURITES t1 WHERE t1.Z_2FANS = t0.Z_PK)"),
        SQLSnapshot(
            "Coach", "ANY favourites.team.name == 'Celtics'",
            " WHERE t0.Z_ENT = ? AND EXISTS (SELECT 1 FROM Z_2FAVOURITES t1 JOIN ZPERSON t2 ON t2.Z_PK = t1.Z_3FAVOURITES LEFT JOIN ZTEAM t3 ON t3.Z_PK = t2.ZTEAM WHERE t1.Z_2FANS = t0.Z_PK AND t3.ZNAME = ?)"
        ),
        SQLSnapshot(
            "Person", "reports.@count == 0 AND boss == nil",
            " WHERE NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK) AND t0.ZBOSS IS NULL"),
        SQLSnapshot(
            "Person", "boss.reports.@max.age == age",
            " WHERE CASE WHEN t0.ZBOSS IS NULL THEN NULL ELSE (SELECT MAX(t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.ZBOSS) END = t0.ZAGE"
        ),
    ]
}
