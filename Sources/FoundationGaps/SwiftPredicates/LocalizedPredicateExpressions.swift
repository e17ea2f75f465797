import Foundation

// Comparisons of texts that the #Predicate macro knows, and that Linux's Foundation has no types for.

extension PredicateExpressions {
    /// `text.localizedStandardContains(part)` in a predicate of the `#Predicate` macro.
    ///
    /// A search as a user expects it: without case, without accents, by the rules of the current locale.
    ///
    /// ```swift
    /// request.predicate = NSPredicate(#Predicate<Player> { $0.lastName?.localizedStandardContains("wal") ?? false })
    /// ```
    ///
    /// The macro makes this type. As an `NSPredicate` it is `CONTAINS[cdl]`. A store computes it for each row, without
    /// an index.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// Whether the part occurs.
        ///
        /// The macro joins it with other conditions.
        public typealias Output = Bool

        /// The expression of the text.
        ///
        /// Its value is a `String` or another `StringProtocol`.
        public let root: Root

        /// The expression of the part that is looked for.
        ///
        /// It may be a variable that the predicate captures, or another property.
        public let other: Other

        /// Makes the expression.
        ///
        /// The macro does so, by the function `build_localizedStandardContains`.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Whether the text contains the part, in memory.
        ///
        /// - Throws: What its operands throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try String(root.evaluate(bindings)).localizedStandardContains(String(other.evaluate(bindings)))
        }
    }

    /// `text.caseInsensitiveCompare(other)` in a predicate of the `#Predicate` macro.
    ///
    /// The order of two texts without case. Compare it in the predicate with a captured value:
    ///
    /// ```swift
    /// let same = ComparisonResult.orderedSame         // The macro rejects `.orderedSame` itself.
    /// let celtics = NSPredicate(#Predicate<Team> { ($0.name ?? "").caseInsensitiveCompare("celtics") == same })
    /// ```
    ///
    /// The macro makes this type. As an `NSPredicate` it becomes a comparison with `[c]`.
    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The order of the two texts.
        ///
        /// A predicate compares it with a captured `ComparisonResult`: the macro rejects `.orderedSame` itself.
        public typealias Output = ComparisonResult

        /// The expression of the first text.
        ///
        /// Its value is a `String` or another `StringProtocol`.
        public let root: Root

        /// The expression of the second text.
        ///
        /// It may be a variable that the predicate captures, or another property.
        public let other: Other

        /// Makes the expression.
        ///
        /// The macro does so, by the function `build_caseInsensitiveCompare`.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The order of the two texts, in memory.
        ///
        /// - Throws: What its operands throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try String(root.evaluate(bindings)).caseInsensitiveCompare(String(other.evaluate(bindings)))
        }
    }

    /// `text.localizedCompare(other)` in a predicate of the `#Predicate` macro.
    ///
    /// The order of two texts by the rules of the current locale. Compare it in the predicate with a captured value:
    ///
    /// ```swift
    /// let before = ComparisonResult.orderedAscending      // The macro rejects `.orderedAscending` itself.
    /// let firstHalf = NSPredicate(#Predicate<Team> { ($0.name ?? "").localizedCompare("N") == before })
    /// ```
    ///
    /// The macro makes this type. As an `NSPredicate` it becomes a comparison with `[l]`.
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The order of the two texts.
        ///
        /// A predicate compares it with a captured `ComparisonResult`: the macro rejects `.orderedAscending` itself.
        public typealias Output = ComparisonResult

        /// The expression of the first text.
        ///
        /// Its value is a `String` or another `StringProtocol`.
        public let root: Root

        /// The expression of the second text.
        ///
        /// It may be a variable that the predicate captures, or another property.
        public let other: Other

        /// Makes the expression.
        ///
        /// The macro does so, by the function `build_localizedCompare`.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// The order of the two texts, in memory.
        ///
        /// - Throws: What its operands throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try String(root.evaluate(bindings)).localizedCompare(String(other.evaluate(bindings)))
        }
    }

    /// The code that the `#Predicate` macro writes for `text.localizedStandardContains(part)` calls this.
    ///
    /// Write the call in the macro's closure instead.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }

    /// The code that the `#Predicate` macro writes for `text.caseInsensitiveCompare(other)` calls this.
    ///
    /// Write the call in the macro's closure instead.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// The code that the `#Predicate` macro writes for `text.localizedCompare(other)` calls this.
    ///
    /// Write the call in the macro's closure instead.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

// MARK: Conversion

extension PredicateExpressions.StringLocalizedStandardContains: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let options: NSComparisonPredicate.Options = [.caseInsensitive, .diacriticInsensitive, .localeSensitive]
        let (text, part) = (try conversion.expression(root), try conversion.expression(other))
        return .predicate(NSComparisonPredicate.comparing(text, .contains, part, options))
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .order(try conversion.expression(root), try conversion.expression(other), .caseInsensitive)
    }
}

extension PredicateExpressions.StringLocalizedCompare: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .order(try conversion.expression(root), try conversion.expression(other), .localeSensitive)
    }
}
