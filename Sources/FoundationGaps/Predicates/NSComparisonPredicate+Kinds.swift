extension NSComparisonPredicate {
    /// Whether a comparison is of the values themselves or of a collection's elements.
    public enum Modifier: UInt, Sendable {
        /// The values are compared.
        case direct = 0
        /// The comparison holds for every element of the left collection, and for an empty one.
        case all = 1
        /// The comparison holds for at least one element of the left collection.
        case any = 2
    }

    /// The operators, with Apple's raw values.
    public enum Operator: UInt, Sendable {
        case lessThan = 0
        case lessThanOrEqualTo = 1
        case greaterThan = 2
        case greaterThanOrEqualTo = 3
        case equalTo = 4
        case notEqualTo = 5
        /// The right side is a regular expression that matches the whole text.
        case matches = 6
        /// The right side is a pattern of `?` and `*`.
        case like = 7
        case beginsWith = 8
        case endsWith = 9
        /// The left side is an element, or a part, of the right side.
        case `in` = 10
        /// A named function decides.
        case customSelector = 11
        /// The right side is an element, or a part, of the left side.
        case contains = 99
        /// The right side holds the lower and the upper bound, both included.
        case between = 100
    }

    /// Which differences of texts are ignored.
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// `[c]`: capital and small letters are equal.
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: letters with and without accents are equal.
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// `[n]`: the texts are known to be normalized and compare literally.
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
