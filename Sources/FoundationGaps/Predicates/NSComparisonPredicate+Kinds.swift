extension NSComparisonPredicate {
    /// Whether a comparison is of the values themselves or of a collection's elements.
    ///
    /// `ANY players.age > 30` holds for a team with one such player, `ALL players.age > 30` if there is no other
    /// player. A path over a to-many relationship usually needs one of the two. Without a modifier, memory compares the
    /// whole collection, and `<` and the like trap; a store throws.
    public enum Modifier: UInt, Sendable {
        /// The values are compared. This is the case for a predicate without a word in front.
        case direct = 0
        /// The comparison holds for every element of the left collection, and for an empty one.
        ///
        /// Nil on the left counts as an empty collection. In a format: `ALL players.age > 30`.
        case all = 1
        /// The comparison holds for at least one element of the left collection. Nil and an empty collection have none.
        ///
        /// In a format: `ANY players.age > 30`, or `SOME`.
        case any = 2
    }

    /// The operators, with Apple's raw values. The format language writes them as `<`, `==`, `CONTAINS` and so on.
    ///
    /// Numbers of all kinds compare with each other; texts, dates, UUIDs, data and URLs with their own kind. Other
    /// pairs, such as a text and a number, trap for operators of order.
    public enum Operator: UInt, Sendable {
        /// `<`. False if a side is nil. Texts are ordered by their Unicode scalars, so "Z" comes before "a"; see `[c]`.
        case lessThan = 0
        /// `<=` or `=<`. False if a side is nil, even if both are.
        case lessThanOrEqualTo = 1
        /// `>`. False if a side is nil.
        case greaterThan = 2
        /// `>=` or `=>`. False if a side is nil, even if both are.
        case greaterThanOrEqualTo = 3
        /// `==` or `=`. Nil equals nil only. Values of different kinds are not equal, and never trap.
        ///
        /// Managed objects are equal if their IDs are, also in different contexts. An object equals its ID. Other
        /// objects are asked by `isEqual`.
        case equalTo = 4
        /// `!=` or `<>`, the opposite of `==` in memory. In a store, a nil attribute matches neither.
        case notEqualTo = 5
        /// `MATCHES`: the right side is a regular expression in ICU's syntax, which has to match the whole text.
        ///
        /// A wrong expression traps at evaluation. A store tests every row.
        case matches = 6
        /// `LIKE`: the right side is a pattern. `?` is one character, `*` any number of them.
        ///
        /// A backslash before `?` or `*` makes it an ordinary character. The pattern has to match the whole text.
        case like = 7
        /// `BEGINSWITH`: the text on the left starts with the text on the right. False if one of them is nil.
        case beginsWith = 8
        /// `ENDSWITH`: the text on the left ends with the text on the right. False if one of them is nil.
        case endsWith = 9
        /// `IN`: the left side is an element of the collection on the right, or a part of the text on the right.
        ///
        /// ```swift
        /// request.predicate = NSPredicate(format: "team IN %@", [team, heat])
        /// ```
        ///
        /// A constant collection becomes a set once, so a long list is fast in memory.
        case `in` = 10
        /// A named function decides. See `init(leftExpression:rightExpression:customSelector:)`; works in memory only.
        case customSelector = 11
        /// `CONTAINS`: the right side is an element of the collection on the left, or a part of the text on the left.
        case contains = 99
        /// `BETWEEN`: the right side holds the lower and the upper bound, both included: `age BETWEEN {18, 30}`.
        ///
        /// False if a value or bound is nil. Traps at evaluation if the right side is no collection of two.
        case between = 100
    }

    /// Which differences of texts are ignored.
    ///
    /// ```swift
    /// request.predicate = NSPredicate(format: "name BEGINSWITH[cd] %@", "jose")      // finds José
    /// ```
    ///
    /// They apply to `==`, `!=`, the operators of order, `BETWEEN`, `IN`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`
    /// and `MATCHES`. Without options, "é" as one character and as "e" with an accent are different texts.
    public struct Options: OptionSet, Hashable, Sendable {
        /// The options as Apple's bits.
        public let rawValue: UInt

        /// Makes options of Apple's bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// `[c]`: capital and small letters are equal.
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: letters with and without accents are equal.
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// `[n]`: the texts are known to be normalized and compare literally.
        ///
        /// On its own it compares like no option, by code units.
        public static let normalized = Options(rawValue: 4)
        /// `[l]`: the current locale decides. Apple's interface has no name for it.
        package static let localeSensitive = Options(rawValue: 8)

        /// The options by their letters, in the order in which they print.
        static let letters: [(letter: Character, option: Options)] = [
            ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
        ]
    }
}

extension NSComparisonPredicate.Operator {
    /// How the operator prints.
    package var symbol: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .equalTo: "=="
        case .notEqualTo: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .in: "IN"
        case .customSelector: "a custom selector"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        }
    }
}
