extension SQLSnapshot {
    /// Strings: what an index can answer, and what a function has to.
    static let strings: [SQLSnapshot] = [
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
        SQLSnapshot("Team", "name < 'M' AND name >= 'A'", " WHERE t0.ZNAME < ? AND t0.ZNAME >= ?"),
        SQLSnapshot("Team", "name <[c] 'm'", " WHERE CoreDataFold(t0.ZNAME, 1) < ?"),
        SQLSnapshot("Team", "name ==[d] 'Boston'", " WHERE CoreDataFold(t0.ZNAME, 2) = ?"),
        SQLSnapshot("Team", "name ==[cd] city", " WHERE CoreDataFold(t0.ZNAME, 3) = CoreDataFold(t0.ZCITY, 3)"),
        SQLSnapshot("Team", "name !=[cd] 'celtics'", " WHERE CoreDataFold(t0.ZNAME, 3) <> ?"),
        SQLSnapshot("Team", "name CONTAINS ''", " WHERE instr(t0.ZNAME, ?) > 0"),
        SQLSnapshot("Team", "name CONTAINS[n] 'x'", " WHERE instr(t0.ZNAME, ?) > 0"),
        SQLSnapshot("Team", "name CONTAINS[cdl] 'x'", " WHERE CoreDataLocalizedSearch(t0.ZNAME, ?, 2, 11) IS TRUE"),
        SQLSnapshot("Team", "name ==[l] 'x'", " WHERE CoreDataLocalizedOrder(t0.ZNAME, ?, 8) = 0"),
        SQLSnapshot("Team", "name ENDSWITH[d] 'é'", " WHERE substr(CoreDataFold(t0.ZNAME, 2), ?, ?) = ?"),
        SQLSnapshot(
            "Team", "name BEGINSWITH[cd] city",
            " WHERE substr(CoreDataFold(t0.ZNAME, 3), 1, length(CoreDataFold(t0.ZCITY, 3))) = CoreDataFold(t0.ZCITY, 3)"
        ),
        SQLSnapshot("Team", "'Celtics and more' BEGINSWITH name", " WHERE substr(?, 1, length(t0.ZNAME)) = t0.ZNAME"),
        SQLSnapshot("Team", "'Celtics' CONTAINS[c] name", " WHERE instr(?, CoreDataFold(t0.ZNAME, 1)) > 0"),
        SQLSnapshot(
            "Team", "name LIKE 'Cel*'", " WHERE (t0.ZNAME >= ? AND t0.ZNAME < ?) AND CoreDataLike(t0.ZNAME, ?, 0)"),
        SQLSnapshot("Team", "name LIKE '?el*'", " WHERE CoreDataLike(t0.ZNAME, ?, 0)"),
        SQLSnapshot(
            "Team", "name LIKE 'a\\\\*b'", " WHERE (t0.ZNAME >= ? AND t0.ZNAME < ?) AND CoreDataLike(t0.ZNAME, ?, 0)"),
        SQLSnapshot("Team", "name LIKE city", " WHERE CoreDataLike(t0.ZNAME, t0.ZCITY, 0)"),
        SQLSnapshot("Team", "name LIKE[cd] 'b*'", " WHERE CoreDataLike(t0.ZNAME, ?, 3)"),
        SQLSnapshot("Team", "name MATCHES[c] '(cel|lak).*'", " WHERE CoreDataMatches(t0.ZNAME, ?, 1)"),
        SQLSnapshot("Team", "name MATCHES city", " WHERE CoreDataMatches(t0.ZNAME, t0.ZCITY, 0)"),
        SQLSnapshot("Team", "NOT name MATCHES 'a+'", " WHERE NOT CoreDataMatches(t0.ZNAME, ?, 0)"),
    ]
}
