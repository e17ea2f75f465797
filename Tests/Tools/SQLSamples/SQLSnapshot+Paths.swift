extension SQLSnapshot {
    /// Key paths through to-one relationships, objects and entities.
    static let paths: [SQLSnapshot] = [
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
        SQLSnapshot("Player", "SELF == boss", " WHERE t0.Z_ENT = ? AND t0.Z_PK = t0.ZBOSS"),
        SQLSnapshot("Player", "SELF IN {boss}", " WHERE t0.Z_ENT = ? AND t0.Z_PK = t0.ZBOSS"),
        SQLSnapshot("Player", "objectID == boss.objectID", " WHERE t0.Z_ENT = ? AND t0.Z_PK = t0.ZBOSS"),
        SQLSnapshot(
            "Player", "team.name ==[cd] 'celtics' OR boss.name CONTAINS 'x'",
            " LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM LEFT JOIN ZPERSON t2 ON t2.Z_PK = t0.ZBOSS WHERE t0.Z_ENT = ? AND (CoreDataFold(t1.ZNAME, 3) = ? OR (instr(t2.ZNAME, ?) > 0))"
        ),
        SQLSnapshot(
            "Player", "boss.boss.boss.age > 3",
            " LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZBOSS LEFT JOIN ZPERSON t2 ON t2.Z_PK = t1.ZBOSS LEFT JOIN ZPERSON t3 ON t3.Z_PK = t2.ZBOSS WHERE t0.Z_ENT = ? AND t3.ZAGE > ?"
        ),
        SQLSnapshot(
            "Player", "team.address.zip == 5",
            " LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ? AND t1.ZADDRESS_ZIP = ?"),
        SQLSnapshot(
            "Player", "team != nil AND team.name == nil",
            " LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ? AND t0.ZTEAM IS NOT NULL AND t1.ZNAME IS NULL"
        ),
        SQLSnapshot(
            "Coach", "boss.name == name",
            " LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZBOSS WHERE t0.Z_ENT = ? AND t1.ZNAME = t0.ZNAME"),
        SQLSnapshot(
            "Person", "entity.name IN {'Player', 'Coach'}",
            " WHERE CASE WHEN t0.Z_ENT = ? THEN ? WHEN t0.Z_ENT = ? THEN ? WHEN t0.Z_ENT = ? THEN ? ELSE NULL END IN (?, ?)"
        ),
        SQLSnapshot(
            "Player", "team.entity.name == 'Team'",
            " LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ? AND CASE WHEN t1.Z_ENT = ? THEN ? ELSE NULL END = ?"
        ),
    ]
}
