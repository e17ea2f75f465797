import SQLSamples

/// Writes random expressions over ``ValueModel`` in the format language, each of a kind that it knows.
///
/// What `Differences.md` lists it does not write; the places name the lines.
struct ValueExpressionWriter {
    var random: SQLRandom

    /// The expressions of one object: with a prefix, and those of its members.
    struct Place {
        var prefix = ""
        var isTag = false
        /// Whether members of a to-many can be asked for.
        var hasMembers = true
    }

    // MARK: Predicates

    mutating func predicate(_ place: Place, depth: Int) -> String {
        if depth > 0, random.chance(0.45) {
            let (a, b) = (predicate(place, depth: depth - 1), predicate(place, depth: depth - 1))
            return random.one(["(\(a)) AND (\(b))", "(\(a)) OR (\(b))", "NOT (\(a))"])
        }
        switch Int.random(in: 0..<16, using: &random) {
        case 0...4: return numbers(place)
        case 5, 6: return dates(place)
        case 7...9: return texts(place)
        case 10: return "\(any(place)) \(random.one(["==", "!="])) nil"
        case 11: return others(place)
        case 12: return mixed(place)
        default: return place.hasMembers ? members(place) : numbers(place)
        }
    }

    private var comparison: String {
        mutating get { random.one(["==", "!=", "<", "<=", ">", ">="]) }
    }

    private mutating func numbers(_ place: Place) -> String {
        let left = number(place, depth: 2)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return "\(left) IN {\((0..<random.one([1, 2, 5, 20])).map { _ in constant() }.joined(separator: ", "))}"
        case 1: return "\(left) BETWEEN {\(constant()), \(random.chance(0.5) ? constant() : number(place, depth: 1))}"
        case 2: return "\(left) \(comparison) \(number(place, depth: 2))"
        default: return "\(left) \(comparison) \(constant())"
        }
    }

    private mutating func dates(_ place: Place) -> String {
        let left = date(place, depth: 1)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return "\(left) IN {\(moment()), \(moment())}"
        case 1: return "\(left) BETWEEN {\(moment()), \(date(place, depth: 0))}"
        case 2: return "\(left) \(comparison) \(date(place, depth: 1))"
        default: return "\(left) \(comparison) \(moment())"
        }
    }

    private mutating func texts(_ place: Place) -> String {
        let left = text(place, depth: 1)
        let folding = random.one(["", "", "[c]", "[d]", "[cd]", "[n]"])
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "\(left) LIKE\(folding) \(random.one(Self.patterns))"
        case 1: return "\(left) MATCHES\(folding) \(random.one(Self.expressions))"
        case 2: return "\(left) IN\(folding) {\((0..<3).map { _ in string() }.joined(separator: ", "))}"
        case 3: return "\(left) \(comparison)\(folding) \(text(place, depth: 1))"
        case 4: return "\(left) BETWEEN {\(string()), \(string())}"
        case 5: return "\(left) \(comparison)\(folding) \(string())"
        default:
            let right = random.chance(0.7) ? string() : text(place, depth: 0)
            return "\(left) \(random.one(["BEGINSWITH", "ENDSWITH", "CONTAINS"]))\(folding) \(right)"
        }
    }

    private static let patterns = [
        "'a*'", "'?'", "'*b'", "'??'", "'*'", "''", "'É*'", "'*e?'", "'S*e'", "'a\\\\*'", "'*\\\\?*'", "'?b*'",
    ]
    private static let expressions = [
        "'a.*'", "'[ab]+'", "'\\\\w+'", "'\\\\d+'", "'-?\\\\d+(\\\\.\\\\d+)?'", "'.{2}'", "'(a|b)*c?'", "'É|é'",
        "'[^a-z]*'", "'S.*'", "'.*\\\\s.*'",
    ]

    /// Comparisons of what has no numbers and texts.
    private mutating func others(_ place: Place) -> String {
        if place.isTag { return "\(place.prefix)SELF == \(place.prefix)SELF" }
        let number = random.one(["0", "1", "3"])
        return random.one([
            "\(place.prefix)key == CAST('0\(number)C80000-0000-0000-0000-000000000001', 'NSString')",
            "\(place.prefix)key IN {'0\(number)C80000-0000-0000-0000-000000000001', '00C80000-0000-0000-0000-000000000001'}",
            "\(place.prefix)key \(comparison) \(place.prefix)parent.key", "\(place.prefix)page == 'x:y'",
            "\(place.prefix)bytes \(comparison) \(place.prefix)parent.bytes",
            "\(place.prefix)page \(comparison) \(place.prefix)name",
            "\(place.prefix)parent == \(place.prefix)parent.parent",
            "\(place.prefix)mainTag != nil", "\(place.prefix)flag == \(random.one(["YES", "NO", "2", "0.5"]))",
            "\(place.prefix)flag \(comparison) \(place.prefix)parent.flag",
            "\(place.prefix)key \(comparison) \(place.prefix)bytes",
        ])
    }

    /// Comparisons of a number with a text. A number that is computed is whole: see `Differences.md`, “digits”.
    private mutating func mixed(_ place: Place) -> String {
        let whole = "(\(attribute(place, Self.whole)) + 1)"
        let number = random.chance(0.5) ? self.number(place, depth: 0) : whole
        return "\(number) \(comparison) \(text(place, depth: random.chance(0.5) ? 0 : 1))"
    }

    // MARK: Members

    private mutating func members(_ place: Place) -> String {
        let (path, isTag) = self.path(place)
        let member = Place(prefix: "$x.", isTag: isTag, hasMembers: false)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            return
                "SUBQUERY(\(path), $x, \(predicate(member, depth: 1))).@count \(comparison) \(random.one(["0", "1", "2"]))"
        case 1: return "\(aggregate(path, isTag)) \(comparison) \(constant())"
        case 2: return "\(string()) IN \(path).name"
        case 3: return "\(path).@count \(comparison) \(random.one(["0", "1", "2", "3"]))"
        default:
            let word = random.one(["ANY", "ALL", "NONE"])
            let inner = Place(prefix: path + ".", isTag: isTag, hasMembers: false)
            if random.chance(0.5) {
                return "\(word) \(attribute(inner, Self.numeric)) \(comparison) \(constant())"
            }
            return random.one([
                "\(word) \(inner.prefix)name \(random.one(["==[c]", "BEGINSWITH", "CONTAINS[cd]"])) \(string())",
                "\(word) \(inner.prefix)date \(comparison) \(moment())",
            ])
        }
    }

    private mutating func path(_ place: Place) -> (String, isTag: Bool) {
        if place.isTag { return (place.prefix + random.one(["items", "mainItems"]), false) }
        return random.one([
            (place.prefix + "children", false), (place.prefix + "tags", true),
            (place.prefix + "parent.children", false),
        ])
    }

    private mutating func aggregate(_ path: String, _ isTag: Bool) -> String {
        let keys = isTag ? ["weight", "cost"] : ["small", "medium", "flag", "price", "single"]
        let function = random.one(["@sum", "@avg", "@min", "@max"])
        if random.chance(0.6) { return "\(path).\(function).\(random.one(keys))" }
        return "\(random.one(["sum", "max", "min", "count"]))(\(path).\(random.one(keys)))"
    }

    // MARK: Numbers

    private static let numeric = ["small", "medium", "flag", "real", "single", "price"]
    private static let whole = ["small", "medium", "flag", "large"]

    mutating func number(_ place: Place, depth: Int) -> String {
        guard depth > 0 else { return attribute(place, Self.numeric) }
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1:
            return
                "(\(number(place, depth: depth - 1)) \(random.one(["+", "-", "*"])) \(random.chance(0.6) ? constant() : number(place, depth: depth - 1)))"
        case 2:
            return
                "(\(attribute(place, Self.numeric)) / \(random.one(["2", "3", "0", "-2", "0.5", attribute(place, Self.numeric)])))"
        case 3: return "\(random.one(["abs", "floor", "ceiling", "trunc"]))(\(number(place, depth: depth - 1)))"
        case 4: return "\(random.one(["sqrt", "ln", "log", "exp"]))(\(attribute(place, Self.numeric)))"
        case 5:
            return
                "modulus:by:(\(attribute(place, Self.numeric)), \(random.one(["2", "3", "-2", "0", "0.75", attribute(place, Self.numeric)])))"
        case 6:
            return
                "(\(attribute(place, Self.whole)) \(random.one(["&", "|", "^", "<<", ">>"])) \(random.one(["0", "1", "3", "-1", "70", "-70"])))"
        case 7: return "length(\(text(place, depth: 0)))"
        case 8:
            return
                "TERNARY(\(attribute(place, Self.numeric)) \(comparison) \(constant()), \(number(place, depth: 0)), \(constant()))"
        case 9: return "CAST(\(text(place, depth: 0)), 'NSNumber')"
        case 10: return place.isTag ? attribute(place, Self.numeric) : "(\(place.prefix)date - \(place.prefix)until)"
        case 11: return "(\(attribute(place, Self.numeric)) ** \(random.one(["2", "0", "-1", "0.5", "3"])))"
        case 12: return "~\(attribute(place, Self.whole))"
        case 13 where place.hasMembers:
            let (path, isTag) = self.path(place)
            return aggregate(path, isTag)
        case 14:
            return
                "(\(attribute(place, Self.whole)) \(random.one(["+", "-", "*"])) \(random.one(["1", "2", "-3", attribute(place, Self.whole)])))"
        default: return attribute(place, Self.numeric)
        }
    }

    private mutating func attribute(_ place: Place, _ keys: [String]) -> String {
        if place.isTag { return place.prefix + random.one(keys.contains("large") ? ["weight"] : ["weight", "cost"]) }
        if place.hasMembers, random.chance(0.2) {
            return place.prefix + random.one(["parent.", "parent.parent."]) + random.one(keys)
        }
        return place.prefix + random.one(keys)
    }

    mutating func constant() -> String {
        random.one(["-2", "-1", "0", "1", "2", "3", "5", "0.5", "2.0", "-1.5", "1.5", "100000", "3000000000", "-40000"])
    }

    // MARK: Texts and dates

    mutating func text(_ place: Place, depth: Int) -> String {
        let plain = place.prefix + (place.isTag ? "name" : random.one(["name", "note"]))
        guard depth > 0 else { return plain }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "uppercase(\(plain))"
        case 1: return "lowercase(\(plain))"
        case 2: return "canonical(\(plain))"
        case 3: return "CAST(\(attribute(place, Self.numeric)), 'NSString')"
        case 4: return "TERNARY(\(attribute(place, Self.numeric)) > 1, \(plain), \(string()))"
        default: return plain
        }
    }

    mutating func string() -> String {
        "'"
            + random.one(SampleGraph.texts).replacing("\\", with: "\\\\").replacing("'", with: "\\'").replacing(
                "\n", with: "\\n") + "'"
    }

    mutating func date(_ place: Place, depth: Int) -> String {
        let plain = place.prefix + (place.isTag ? "date" : random.one(["date", "until"]))
        guard depth > 0 else { return plain }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return "(\(plain) + \(random.one(["1", "86400", "-5.5"])))"
        case 1: return "TERNARY(\(attribute(place, Self.numeric)) > 1, \(plain), \(moment()))"
        default: return plain
        }
    }

    mutating func moment() -> String {
        "CAST(\(random.one(["-5.5", "0", "86400.25", "90000", "0.000001", "100", "-63000000000"])), 'NSDate')"
    }

    private mutating func any(_ place: Place) -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: number(place, depth: 1)
        case 1: text(place, depth: 1)
        case 2: date(place, depth: 1)
        default: place.prefix + (place.isTag ? "date" : random.one(["key", "page", "bytes", "large"]))
        }
    }
}
