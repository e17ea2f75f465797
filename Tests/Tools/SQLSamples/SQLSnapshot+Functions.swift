extension SQLSnapshot {
    /// Functions, arithmetic, conversions and conditions.
    static let functions: [SQLSnapshot] = [
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
        SQLSnapshot(
            "Player", "age - 1 > 3 AND age * 2 < 100", " WHERE t0.Z_ENT = ? AND (t0.ZAGE - ?) > ? AND (t0.ZAGE * ?) < ?"
        ),
        SQLSnapshot("Player", "-age < 3", " WHERE t0.Z_ENT = ? AND (t0.ZAGE * ?) < ?"),
        SQLSnapshot("Player", "age ** 2 == 4", " WHERE t0.Z_ENT = ? AND CoreDataPower(t0.ZAGE, ?) = ?"),
        SQLSnapshot(
            "Player", "(age + 1) * (age - 1) == 3", " WHERE t0.Z_ENT = ? AND ((t0.ZAGE + ?) * (t0.ZAGE - ?)) = ?"),
        SQLSnapshot("Player", "salary / age > 10", " WHERE t0.Z_ENT = ? AND (t0.ZSALARY / t0.ZAGE) > ?"),
        SQLSnapshot("Player", "price / 3 > 1", " WHERE t0.Z_ENT = ? AND (CAST(t0.ZPRICE AS REAL) / ?) > ?"),
        SQLSnapshot("Player", "age | 1 == 3", " WHERE t0.Z_ENT = ? AND (t0.ZAGE | ?) = ?"),
        SQLSnapshot("Player", "age ^ 1 == 3", " WHERE t0.Z_ENT = ? AND CoreDataBitwiseXor(t0.ZAGE, ?) = ?"),
        SQLSnapshot("Player", "age << 2 == 4", " WHERE t0.Z_ENT = ? AND (t0.ZAGE << ?) = ?"),
        SQLSnapshot("Player", "age >> 1 == 4", " WHERE t0.Z_ENT = ? AND (t0.ZAGE >> ?) = ?"),
        SQLSnapshot("Player", "~age == 4", " WHERE t0.Z_ENT = ? AND (~t0.ZAGE) = ?"),
        SQLSnapshot(
            "Player", "abs(age) == 3 AND ceiling(salary) == 3 AND floor(salary) == 2 AND trunc(salary) == 2",
            " WHERE t0.Z_ENT = ? AND CoreDataAbsolute(t0.ZAGE) = ? AND CoreDataCeiling(t0.ZSALARY) = ? AND CoreDataFloor(t0.ZSALARY) = ? AND CoreDataTruncate(t0.ZSALARY) = ?"
        ),
        SQLSnapshot(
            "Player", "ln(salary) > 1 AND log(salary) > 1 AND exp(age) > 1",
            " WHERE t0.Z_ENT = ? AND CoreDataNaturalLogarithm(t0.ZSALARY) > ? AND CoreDataLogarithm(t0.ZSALARY) > ? AND CoreDataExponential(t0.ZAGE) > ?"
        ),
        SQLSnapshot(
            "Player", "lowercase(name) == 'ann' AND canonical(name) == 'ann'",
            " WHERE t0.Z_ENT = ? AND CoreDataLowercase(t0.ZNAME) = ? AND CoreDataCanonical(t0.ZNAME) = ?"),
        SQLSnapshot(
            "Player", "length(name) == length(team.name)",
            " LEFT JOIN ZTEAM t1 ON t1.Z_PK = t0.ZTEAM WHERE t0.Z_ENT = ? AND CoreDataLength(t0.ZNAME) = CoreDataLength(t1.ZNAME)"
        ),
        SQLSnapshot("Player", "born + 86400 > now()", " WHERE t0.Z_ENT = ? AND (t0.ZBORN + ?) > ?"),
        SQLSnapshot(
            "Player", "born - boss.born > 100",
            " LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZBOSS WHERE t0.Z_ENT = ? AND (t0.ZBORN - t1.ZBORN) > ?"),
        SQLSnapshot("Player", "CAST(born, 'NSNumber') > 3", " WHERE t0.Z_ENT = ? AND t0.ZBORN > ?"),
        SQLSnapshot("Player", "CAST(name, 'NSNumber') == 3", " WHERE t0.Z_ENT = ? AND CAST(t0.ZNAME AS NUMERIC) = ?"),
        SQLSnapshot("Player", "CAST(name, 'NSDate') < now()", " WHERE t0.Z_ENT = ? AND CAST(t0.ZNAME AS REAL) < ?"),
        SQLSnapshot("Player", "CAST(salary, 'NSDecimalNumber') == 3", " WHERE t0.Z_ENT = ? AND t0.ZSALARY = ?"),
        SQLSnapshot(
            "Player", "TERNARY(team == nil, 0, age) > 3",
            " WHERE t0.Z_ENT = ? AND CASE WHEN t0.ZTEAM IS NULL THEN ? ELSE t0.ZAGE END > ?"),
        SQLSnapshot(
            "Player", "TERNARY(age > 3, TERNARY(age > 5, 'old', 'mid'), 'young') == name",
            " WHERE t0.Z_ENT = ? AND CASE WHEN t0.ZAGE > ? THEN CASE WHEN t0.ZAGE > ? THEN ? ELSE ? END ELSE ? END = t0.ZNAME"
        ),
        SQLSnapshot("Player", "noindex(name) BEGINSWITH 'a'", " WHERE t0.Z_ENT = ? AND (substr(+t0.ZNAME, 1, ?) = ?)"),
        SQLSnapshot("Player", "random() > 5", " WHERE t0.Z_ENT = ? AND CoreDataRandom() > ?"),
        SQLSnapshot(
            "Player", "age + random() > 5 OR randomn(3) == 1",
            " WHERE t0.Z_ENT = ? AND ((t0.ZAGE + CoreDataRandom()) > ? OR CoreDataRandomBelow(?) = ?)"),
        SQLSnapshot("Player", "name == uppercase('ann')", " WHERE t0.Z_ENT = ? AND t0.ZNAME = ?"),
    ]
}
