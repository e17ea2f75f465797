import CoreData
import FoundationGaps

/// A regular expression of MATCHES, which is one of ICU's, as one of PostgreSQL's that fits the same texts.
///
/// Only whether it fits counts: a reluctant quantifier is as good as a greedy one. What PostgreSQL has not, or
/// understands as something else, is refused: possessive quantifiers and atomic groups, named properties, sets that are
/// combined, flags inside of the expression, and quantifiers above 255.
struct PostgreSQLPattern {
    /// The expression for whole texts.
    let text: String

    /// - Throws: 134091 for an expression that PostgreSQL can't run.
    init(_ pattern: String, ignoresDiacritics: Bool) throws {
        let pattern = ignoresDiacritics ? StringComparison.folded(pattern, .diacriticInsensitive) : pattern
        var translation = PostgreSQLPatternTranslation(pattern)
        text = "\\A(?:" + (try translation.translated()) + ")\\Z"
    }
}

private struct PostgreSQLPatternTranslation {
    private let pattern: String
    private let characters: [UnicodeScalar]
    private var place = 0
    private var result = ""
    /// Whether there is something before that a quantifier can be about.
    private var hasAtom = false
    /// The groups that are not at their end yet.
    private var open: [Group] = []
    /// How many groups can be referred to, and which of them are at their end.
    private var groupCount = 0
    private var closed: Set<Int> = []
    /// Whether a group is inside of a condition, where PostgreSQL does not count it.
    private var hasUncountedGroups = false

    private enum Group: Equatable {
        case counted(Int)
        case plain
        /// Something that has to follow, or to stand before.
        case condition
    }

    /// What `.` is not in ICU.
    private static let lineEnds = #"\n\v\f\r\u0085\u2028\u2029"#
    private static let wordCharacters = #"[:alnum:]_\u0300-\u036f\u200c\u200d"#

    init(_ pattern: String) {
        self.pattern = pattern
        characters = Array(pattern.unicodeScalars)
    }

    private var next: UnicodeScalar? { place < characters.count ? characters[place] : nil }

    private mutating func take() -> UnicodeScalar? {
        guard let next else { return nil }
        place += 1
        return next
    }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard characters[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    private func refusal(_ what: String) -> CocoaError {
        PostgreSQLTypingError.unsupported("the regular expression \"\(pattern)\" has \(what), which PostgreSQL has not")
    }

    private mutating func add(_ text: String, isAtom: Bool = true) {
        result += text
        hasAtom = isAtom
    }

    mutating func translated() throws -> String {
        while let character = take() {
            switch character {
            case "\\": try escape()
            case "[": add(try set())
            case "(": try group()
            case ")": try endGroup()
            case "|": add("|", isAtom: false)
            case ".": add("[^\(Self.lineEnds)]")
            case "^": add("\\A", isAtom: false)
            case "$": add("\\Z", isAtom: false)
            case "*", "+", "?": try quantifier(String(character))
            case "{": try braces()
            default: add(Self.literal(character))
            }
        }
        return result
    }

    /// A character that stands for itself.
    private static func literal(_ character: UnicodeScalar) -> String {
        switch character {
        case "a"..."z", "A"..."Z", "0"..."9": String(character)
        case _ where character.value > 0x7f: String(character)
        case "\u{0}"..."\u{1f}", "\u{7f}": "\\x" + hex(character.value)
        default: "\\" + String(character)
        }
    }

    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func code(_ value: UInt32) -> String {
        if value <= 0xffff { return "\\u" + hex(value) }
        let digits = String(value, radix: 16)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    // MARK: Quantifiers

    private mutating func quantifier(_ text: String) throws {
        guard hasAtom else { throw refusal("the quantifier \(text) of nothing") }
        if next == "+" { throw refusal("a possessive quantifier") }
        if next == "?" { place += 1 }
        add(text, isAtom: false)
    }

    private mutating func braces() throws {
        guard let end = characters[place...].firstIndex(of: "}") else { throw refusal("a brace") }
        let inside = String(String.UnicodeScalarView(characters[place..<end]))
        let bounds = inside.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let isOpen = bounds.count == 2 && inside.hasSuffix(",")
        guard let least = bounds.first ?? nil, least <= 255, bounds.count <= 2, isOpen || bounds.last != .some(nil),
            bounds.allSatisfy({ $0 ?? 0 <= 255 })
        else { throw refusal("the quantifier {\(inside)}") }
        place = end + 1
        try quantifier("{\(inside)}")
    }

    // MARK: Groups

    private mutating func group() throws {
        guard next == "?" else { return begin(counted(), "(") }
        if take("?:") { return begin(.plain, "(?:") }
        for start in ["?=", "?!", "?<=", "?<!"] where take(start) { return begin(.condition, "(" + start) }
        if take("?<"), let end = characters[place...].firstIndex(of: ">") {
            place = end + 1
            return begin(counted(), "(")
        }
        throw refusal("a group that begins with (?")
    }

    private mutating func begin(_ group: Group, _ text: String) {
        open.append(group)
        add(text, isAtom: false)
    }

    private mutating func counted() -> Group {
        groupCount += 1
        if open.contains(.condition) { hasUncountedGroups = true }
        return .counted(groupCount)
    }

    private mutating func endGroup() throws {
        guard let group = open.popLast() else { throw refusal("a parenthesis too many") }
        if case .counted(let number) = group { closed.insert(number) }
        add(")", isAtom: group != .condition)
    }

    private mutating func reference(to number: Int) throws {
        guard closed.contains(number), !hasUncountedGroups, !open.contains(.condition) else {
            throw refusal("the reference \\\(number) to what is not before it")
        }
        // A digit behind it is no part of its number.
        add("(?:\\\(number))")
    }

    // MARK: Escapes

    private mutating func escape() throws {
        guard let character = take() else { throw refusal("a backslash at its end") }
        switch character {
        case "A": add("\\A", isAtom: false)
        case "z", "Z": add("\\Z", isAtom: false)
        case "b": add("\\y", isAtom: false)
        case "B": add("\\Y", isAtom: false)
        case "Q": quotation()
        case "1"..."9": try reference(to: Int(character.value) - 48)
        case "d": add("[[:digit:]]")
        case "D": add("[^[:digit:]]")
        case "w": add("[\(Self.wordCharacters)]")
        case "W": add("[^\(Self.wordCharacters)]")
        case "s": add("[[:space:]]")
        case "S": add("[^[:space:]]")
        default: add(Self.code(try codePoint(of: character)))
        }
    }

    /// What stands between `\Q` and `\E`.
    private mutating func quotation() {
        while place < characters.count, !take("\\E") {
            add(Self.literal(characters[place]))
            place += 1
        }
    }

    /// The character that an escape means.
    private mutating func codePoint(of character: UnicodeScalar) throws -> UInt32 {
        switch character {
        case "t": return 9
        case "n": return 10
        case "f": return 12
        case "r": return 13
        case "a": return 7
        case "e": return 27
        case "u": return try digits(4)
        case "U": return try digits(8)
        case "x" where take("{"):
            guard let end = characters[place...].firstIndex(of: "}") else { throw refusal("an escape without an end") }
            defer { place = end + 1 }
            return try number(characters[place..<end])
        case "x": return try digits(2)
        case "a"..."z", "A"..."Z", "0"..."9": throw refusal("the escape \\\(character)")
        default: return character.value
        }
    }

    private mutating func digits(_ count: Int) throws -> UInt32 {
        guard place + count <= characters.count else { throw refusal("an escape without its digits") }
        defer { place += count }
        return try number(characters[place..<place + count])
    }

    private func number(_ digits: ArraySlice<UnicodeScalar>) throws -> UInt32 {
        let text = String(String.UnicodeScalarView(digits))
        guard let value = UInt32(text, radix: 16), value > 0, UnicodeScalar(value) != nil else {
            throw refusal("the character \(text)")
        }
        return value
    }

    // MARK: Sets

    private mutating func set() throws -> String {
        var set = take("^") ? "[^" : "["
        var isFirst = true
        while let character = take() {
            switch character {
            case "]" where !isFirst: return set + "]"
            case "[" where take(":"): set += try namedSet()
            case "[", "&": throw refusal("a set of sets")
            case "-" where isFirst || next == "]": set += "\\-"
            case "-": set += "-"
            case "\\": set += try escapeInSet()
            default: set += Self.code(character.value)
            }
            isFirst = false
        }
        throw refusal("a set without an end")
    }

    private mutating func namedSet() throws -> String {
        let names = ["alpha", "digit", "alnum", "upper", "lower", "space", "punct"]
        for name in names where take(name + ":]") { return "[:\(name):]" }
        throw refusal("a named set")
    }

    private mutating func escapeInSet() throws -> String {
        guard let character = take() else { throw refusal("a backslash at its end") }
        switch character {
        case "d": return "[:digit:]"
        case "w": return Self.wordCharacters
        case "s": return "[:space:]"
        case "D", "W", "S", "b", "B", "A", "Z", "z", "Q", "1"..."9":
            throw refusal("the escape \\\(character) in a set")
        default: return Self.code(try codePoint(of: character))
        }
    }
}
