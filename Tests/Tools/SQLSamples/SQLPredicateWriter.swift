/// Writes random predicates in the format language.
package struct SQLPredicateWriter {
    package var random: SQLRandom

    package init(random: SQLRandom) { self.random = random }

    package mutating func predicate(_ entity: String, depth: Int) -> String {
        guard depth > 0, random.chance(0.6) else { return leaf(entity) }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return "NOT (\(predicate(entity, depth: depth - 1)))"
        case 1, 2: return "(\(predicate(entity, depth: depth - 1))) AND (\(predicate(entity, depth: depth - 1)))"
        default: return "(\(predicate(entity, depth: depth - 1))) OR (\(predicate(entity, depth: depth - 1)))"
        }
    }

    private mutating func leaf(_ entity: String) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 9: entity == "Team" ? number(entity) : date(entity)
        case 0, 1: number(entity)
        case 2, 3: text(entity)
        case 4: key(entity, numeric: random.chance(0.5)) + random.one([" == nil", " != nil"])
        case 5: list(entity)
        case 6: object(entity)
        default: entity == "Coach" ? number(entity) : collection(entity)
        }
    }

    // MARK: Values

    private mutating func number(_ entity: String) -> String {
        let left = key(entity, numeric: true)
        let operation = random.one(["==", "!=", "<", "<=", ">", ">="])
        switch Int.random(in: 0..<11, using: &random) {
        case 8: return "(\(left) * 2 + 1) \(operation) \(constant())"
        case 9: return "CAST(\(left), 'NSNumber') \(operation) \(constant())"
        case 10:
            let bits = key(entity, numeric: true, whole: true)
            return "(\(bits) \(random.one(["&", "|", "^"])) 3) \(operation) \(random.one(["0", "1", "2", "3"]))"
        case 0: return "\(left) \(operation) \(key(entity, numeric: true))"
        case 1: return "\(constant()) \(operation) \(left)"
        case 2: return "\(left) BETWEEN {\(constant()), \(constant())}"
        case 3: return "\(left) \(random.one(["+", "-", "*", "/"])) \(constant()) \(operation) \(constant())"
        case 4: return "\(random.one(["abs", "floor", "ceiling", "trunc"]))(\(left)) \(operation) \(constant())"
        case 5: return "modulus:by:(\(left), 2) \(operation) \(key(entity, numeric: true))"
        case 6: return "TERNARY(\(left) > 1, 1, \(constant())) \(operation) \(constant())"
        default: return "\(left) \(operation) \(constant())"
        }
    }

    private mutating func text(_ entity: String) -> String {
        let left = key(entity, numeric: false)
        let folding = random.one(["", "", "[c]", "[d]", "[cd]", "[n]"])
        let operation = random.one(["==", "!=", "<", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"])
        if operation == "MATCHES" {
            return "\(left) MATCHES\(folding) '\(random.one(["a.*", "[ab]+", "\\\\w?b?", "É"]))'"
        }
        if operation == "LIKE" {
            return "\(left) LIKE\(folding) '\(random.one(["a*", "?", "*b", "a?c*", "", "*", "É", "a\\\\*", "*\\\\*"]))'"
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return "\(left) \(operation)\(folding) \(key(entity, numeric: false))"
        case 1: return "uppercase(\(left)) \(operation)\(folding) \(string())"
        case 2: return "length(\(left)) > \(constant())"
        case 3: return "\(string()) IN \(left)"
        default: return "\(left) \(operation)\(folding) \(string())"
        }
    }

    private mutating func list(_ entity: String) -> String {
        let count = random.one([0, 1, 2, 3, 12, 40])
        if random.chance(0.5) {
            let items = (0..<count).map { _ in constant() } + (random.chance(0.2) ? ["nil"] : [])
            return "\(key(entity, numeric: true)) IN {\(items.joined(separator: ", "))}"
        }
        let items = (0..<count).map { _ in string() }
        return "\(key(entity, numeric: false)) IN\(random.one(["", "[c]", "[cd]"])) {\(items.joined(separator: ", "))}"
    }

    private mutating func constant() -> String {
        random.one(["-2", "-1", "0", "1", "2", "3", "5", "0.5", "0.1", "2.0", "-1.5"])
    }

    private mutating func string() -> String {
        "'" + random.one(SQLRandom.texts).replacing("'", with: "\\'") + "'"
    }

    private mutating func date(_ entity: String) -> String {
        let left = (random.chance(0.3) ? prefix("Person").0 : "") + "born"
        let date = "CAST(\(random.one(["-5.5", "0", "86400.25", "100"])), 'NSDate')"
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return "\(left) BETWEEN {\(date), CAST(90000, 'NSDate')}"
        case 1: return "CAST(\(left), 'NSNumber') > \(constant())"
        case 2: return "\(left) IN {\(date), \(date)}"
        default: return "\(left) \(random.one(["==", "!=", "<", ">="])) \(date)"
        }
    }

    private mutating func key(_ entity: String, numeric: Bool, whole: Bool = false) -> String {
        let path = random.chance(0.3) ? prefix(entity) : ("", entity)
        switch (path.1, numeric) {
        case ("Team", true) where whole: return path.0 + random.one(["rank", "address.zip"])
        case (_, true) where whole: return path.0 + random.one(["age", "active"])
        case ("Team", true): return path.0 + random.one(["rank", "address.zip"])
        case ("Team", false): return path.0 + random.one(["name", "city", "address.street"])
        case ("Player", true): return path.0 + random.one(["age", "salary", "price", "rating", "active"])
        case (_, true): return path.0 + random.one(["age", "active"])
        default: return path.0 + "name"
        }
    }

    private mutating func prefix(_ entity: String) -> (String, String) {
        switch entity {
        case "Team": ("", "Team")
        case "Player": random.one([("team.", "Team"), ("boss.", "Person"), ("boss.boss.", "Person")])
        default: ("boss.", "Person")
        }
    }

    private mutating func object(_ entity: String) -> String {
        switch entity {
        case "Team": random.one(["SELF == SELF", "SELF IN players.team"])
        case "Player":
            random.one([
                "boss == SELF", "boss.boss == boss", "boss == nil", "team != nil", "SELF IN boss.reports",
                "boss.entity.name == 'Coach'", "objectID == boss.objectID", "boss IN team.players",
            ])
        default:
            random.one([
                "boss == SELF", "boss.boss != nil", "reports.@count > 0", "entity.name == 'Player'",
                "entity.name IN {'Coach', 'Team'}",
            ])
        }
    }

    // MARK: Collections

    private mutating func collection(_ entity: String) -> String {
        let (path, member) = random.one(Self.toMany[entity] ?? [("reports", "Person")])
        let operation = random.one(["==", "<", ">", "!=", ">="])
        switch Int.random(in: 0..<10, using: &random) {
        case 8:
            guard let (further, _) = Self.toMany[member]?.first else { return "\(path).@count > 1" }
            let inner = "SUBQUERY($x.\(further), $y, $y.age \(random.one(["==", "<", ">="])) \(constant())).@count > 0"
            return "SUBQUERY(\(path), $x, \(inner)).@count \(operation) 1"
        case 9: return "ANY \(path).\(plainKey(member, true)) IN {\(constant()), \(constant())}"
        case 0: return "\(path).@count \(operation) \(random.one(["0", "1", "2"]))"
        case 1:
            return
                "\(path).@\(random.one(["sum", "avg", "min", "max"])).\(plainKey(member, true)) \(operation) \(constant())"
        case 2: return "SUBQUERY(\(path), $x, \(inner(member))).@count \(operation) \(random.one(["0", "1", "2"]))"
        case 3:
            return
                "\(random.one(["sum", "count", "max", "average"]))(\(path).\(plainKey(member, true))) \(operation) \(constant())"
        case 4: return "\(string()) IN \(path).\(plainKey(member, false))"
        default:
            let word = random.one(["ANY", "ALL", "NONE", "SOME"])
            if random.chance(0.5) { return "\(word) \(path).\(plainKey(member, true)) \(operation) \(constant())" }
            return
                "\(word) \(path).\(plainKey(member, false)) \(random.one(["==", "BEGINSWITH[c]", "CONTAINS"])) \(string())"
        }
    }

    /// A predicate of a member in which nothing is negated: there a nil is as false as it is unknown.
    private mutating func inner(_ member: String) -> String {
        let first = "$x.\(plainKey(member, true)) \(random.one(["==", "<", ">="])) \(constant())"
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return first
        case 1: return "\(first) OR $x.\(plainKey(member, false)) CONTAINS[cd] \(string())"
        default: return "\(first) AND $x.\(plainKey(member, false)) == name AND name != nil"
        }
    }

    private mutating func plainKey(_ entity: String, _ numeric: Bool) -> String {
        switch (entity, numeric) {
        case ("Player", true): random.one(["age", "salary"])
        case (_, true): "age"
        case (_, false): "name"
        }
    }

    private static let toMany: [String: [(String, String)]] = [
        "Team": [("players", "Player")],
        "Player": [("fans", "Coach"), ("reports", "Person"), ("team.players", "Player")],
        "Person": [("reports", "Person"), ("boss.reports", "Person")],
    ]
}
