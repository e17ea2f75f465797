extension SQLSnapshot {
    /// Comparisons, compound predicates and lists.
    static let comparisons: [SQLSnapshot] = [
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
        SQLSnapshot("Team", "rank <= 3 OR rank >= 10", " WHERE t0.ZRANK <= ? OR t0.ZRANK >= ?"),
        SQLSnapshot("Team", "NOT rank == 3", " WHERE NOT (t0.ZRANK = ?)"),
        SQLSnapshot("Team", "NOT (rank == 3 OR rank == 4)", " WHERE NOT (t0.ZRANK = ? OR t0.ZRANK = ?)"),
        SQLSnapshot("Team", "NOT (rank BETWEEN {1, 5})", " WHERE NOT (t0.ZRANK BETWEEN ? AND ?)"),
        SQLSnapshot("Team", "rank =< 3 AND rank => 1", " WHERE t0.ZRANK <= ? AND t0.ZRANK >= ?"),
        SQLSnapshot(
            "Team", "name <> 'A' AND NOT name IN {'B', 'C'}", " WHERE t0.ZNAME <> ? AND NOT (t0.ZNAME IN (?, ?))"),
        SQLSnapshot("Team", "rank IN {3}", " WHERE t0.ZRANK IN (?)"),
        SQLSnapshot(
            "Team", "rank IN {1, 2, 3, 4, 5, 6, 7, 8, 9}", " WHERE t0.ZRANK IN (SELECT value FROM json_each(?))"),
        SQLSnapshot(
            "Team", "name IN {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'}",
            " WHERE t0.ZNAME IN (SELECT value FROM json_each(?))"),
        SQLSnapshot("Team", "NOT rank IN {1, 2}", " WHERE NOT (t0.ZRANK IN (?, ?))"),
        SQLSnapshot("Team", "rank BETWEEN {rank, 10}", " WHERE t0.ZRANK BETWEEN t0.ZRANK AND ?"),
        SQLSnapshot("Team", "rank BETWEEN {10, 1}", " WHERE t0.ZRANK BETWEEN ? AND ?"),
        SQLSnapshot("Team", "nil == name AND nil == rank", " WHERE t0.ZNAME IS NULL AND t0.ZRANK IS NULL"),
        SQLSnapshot("Team", "NOT (name == nil)", " WHERE NOT (t0.ZNAME IS NULL)"),
        SQLSnapshot("Team", "TRUEPREDICATE AND rank == 1", " WHERE 1 AND t0.ZRANK = ?"),
        SQLSnapshot("Team", "FALSEPREDICATE OR rank == 1", " WHERE 0 OR t0.ZRANK = ?"),
        SQLSnapshot("Team", "1 == 1", " WHERE ? = ?"),
        SQLSnapshot("Team", "rank == 1.5", " WHERE t0.ZRANK = ?"),
        SQLSnapshot("Team", "rank == '7'", " WHERE t0.ZRANK = ?"),
        SQLSnapshot("Team", "name == 7", " WHERE t0.ZNAME = ?"),
        SQLSnapshot(
            "Player", "active == TRUE AND active != NO", " WHERE t0.Z_ENT = ? AND t0.ZACTIVE = ? AND t0.ZACTIVE <> ?"),
        SQLSnapshot(
            "Player", "born BETWEEN {CAST(0, 'NSDate'), CAST(86400, 'NSDate')}",
            " WHERE t0.Z_ENT = ? AND (t0.ZBORN BETWEEN ? AND ?)"),
        SQLSnapshot("Player", "price > 9.99", " WHERE t0.Z_ENT = ? AND t0.ZPRICE > ?"),
        SQLSnapshot(
            "Player", "key != nil AND page != nil",
            " WHERE t0.Z_ENT = ? AND t0.ZKEY IS NOT NULL AND t0.ZPAGE IS NOT NULL"),
        SQLSnapshot("Player", "photo == nil", " WHERE t0.Z_ENT = ? AND t0.ZPHOTO IS NULL"),
        SQLSnapshot("Player", "tint == nil", " WHERE t0.Z_ENT = ? AND t0.ZTINT IS NULL"),
        SQLSnapshot(
            "Player", "age IN {21, 22} AND name IN {'Ann', nil}",
            " WHERE t0.Z_ENT = ? AND t0.ZAGE IN (?, ?) AND (t0.ZNAME IN (?) OR t0.ZNAME IS NULL)"),
    ]
}
