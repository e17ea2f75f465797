import CoreData

/// Comparisons with constants that have the character U+0000, which no text of a database has.
///
/// Texts compare byte by byte, and no byte is less than this one. So what comes before it decides:
///
/// | request | means | for a row without a name |
/// |---|---|---|
/// | `name == "a\0b"`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE` | false | unknown |
/// | `name != "a\0b"` | true | unknown |
/// | `name < "a\0b"`, `name <= "a\0b"` | `name <= "a"` | unknown |
/// | `name > "a\0b"`, `name >= "a\0b"` | `name > "a"` | unknown |
///
/// These are SQLite's results. Inside of something that is computed, as in `uppercase("a\0b") == name`, the constant
/// has U+0001 in its place: see ``PostgreSQLTerm/isCompared``.
extension PostgreSQLTyping {
    /// Nil where neither side is such a constant. Both sides are texts.
    func compareWithNUL(
        _ comparison: SQLComparison, _ left: PostgreSQLTerm, _ right: PostgreSQLTerm
    ) -> SQLExpression? {
        guard left.hasNUL || right.hasNUL else { return nil }
        if case .text(let first)? = left.constant, case .text(let second)? = right.constant {
            return .truth(comparison.holds(first, second))
        }
        guard let part = right.partBeforeNUL else { return compareWithNUL(comparison.mirrored, right, left) }
        let bound = PostgreSQLTerm(constant: .text(part), isLiteral: right.isLiteral, isCompared: true)
        switch comparison {
        case .equal: return left.ifKnown(false)
        case .notEqual: return left.ifKnown(true)
        case .less, .lessOrEqual: return compare(.lessOrEqual, left, bound)
        case .greater, .greaterOrEqual: return compare(.greater, left, bound)
        }
    }

    /// Whether two values are equal, or both null; nil where neither is such a constant.
    func sameWithNUL(_ left: PostgreSQLTerm, _ right: PostgreSQLTerm) -> SQLExpression? {
        guard left.hasNUL || right.hasNUL else { return nil }
        guard case .text(let first)? = left.constant, case .text(let second)? = right.constant else {
            return .truth(false)
        }
        return .truth(SQLComparison.equal.holds(first, second))
    }

    func related(_ text: PostgreSQLTerm, _ relation: SQLTextRelation, _ part: PostgreSQLTerm) -> SQLExpression {
        if part.hasNUL, text.constant == nil { return text.ifKnown(false) }
        return .text(text.converted(to: .text), relation, part.converted(to: .text))
    }
}

extension PostgreSQLTerm {
    /// Whether it is a constant with the character U+0000.
    var hasNUL: Bool { if case .text(let text)? = constant { text.utf8.contains(0) } else { false } }

    /// What stands before the character; nil for what has none.
    fileprivate var partBeforeNUL: String? {
        guard hasNUL, case .text(let text)? = constant else { return nil }
        return String(text.unicodeScalars.prefix { $0.value != 0 })
    }

    /// Whether it is an infinite constant.
    var isInfinite: Bool { if case .double(let number)? = constant { number.isInfinite } else { false } }

    /// A truth; unknown where the value is null.
    func ifKnown(_ truth: Bool) -> SQLExpression {
        .choice(
            [SQLBranch(condition: .isNotNull(natural.expression), result: .truth(truth))],
            otherwise: .form("NULL::boolean", []))
    }
}

extension SQLValue {
    /// Whether SQLite binds it as NULL.
    var isNotANumber: Bool { if case .double(let number) = self { number.isNaN } else { false } }

    /// The text with U+0001 in the place of U+0000; any other value as it is.
    var withoutNUL: SQLValue {
        guard case .text(let text) = self, text.utf8.contains(0) else { return self }
        return .text(text.replacing("\0", with: "\u{1}"))
    }
}

extension SQLComparison {
    fileprivate func holds(_ first: String, _ second: String) -> Bool {
        let isLess = first.utf8.lexicographicallyPrecedes(second.utf8)
        let isEqual = first.utf8.elementsEqual(second.utf8)
        return switch self {
        case .equal: isEqual
        case .notEqual: !isEqual
        case .less: isLess
        case .lessOrEqual: isLess || isEqual
        case .greater: !isLess && !isEqual
        case .greaterOrEqual: !isLess
        }
    }
}
