import FoundationGaps
import Testing

@Suite("Formats are read as the language says")
struct PredicateParsingTests {
    static let precedences: [(format: String, printed: String)] = [
        ("a==1 or b==2 and c==3", "a == 1 OR (b == 2 AND c == 3)"),
        ("not a==1 or b==2 and c==3", "(NOT a == 1) OR (b == 2 AND c == 3)"),
        ("(a==1 || b==2) && c==3", "(a == 1 OR b == 2) AND c == 3"),
        ("! a == 1", "NOT a == 1"),
        ("a + b * c == d", "a + b * c == d"),
        ("(a + b) * c == d", "(a + b) * c == d"),
        ("a - b - c == d", "a - b - c == d"),
        ("a - (b - c) == d", "a - (b - c) == d"),
        ("a ** b ** c == d", "a ** b ** c == d"),
        ("(a ** b) ** c == d", "(a ** b) ** c == d"),
        ("(a + b) > c", "a + b > c"),
        ("((a)) == (((b)))", "a == b"),
        ("(((a == 1)))", "a == 1"),
        ("option & 3 == 3", "option & 3 == 3"),
        ("(a).b.c[0] == 1", "a.b.c[0] == 1"),
        ("-a == --5", "a * -1 == 5"),
        ("~a << 2 == 1", "~a << 2 == 1"),
        ("a UNION b MINUS c == {}", "a UNION b MINUS c == {}"),
        ("$x := 1 + 2 == 3", "$x := 1 + 2 == 3"),
    ]

    @Test("precedence and parentheses", arguments: precedences)
    func precedence(format: String, printed: String) {
        #expect(NSPredicate(format: format).predicateFormat == printed)
    }

    static let spellings: [(format: String, printed: String)] = [
        ("a = 1", "a == 1"), ("a <> 1", "a != 1"), ("a =< 1", "a <= 1"), ("a => 1", "a >= 1"),
        ("a contains[dc] 'x'", "a CONTAINS[cd] \"x\""), ("a Like[N] 'x'", "a LIKE[n] \"x\""),
        ("a ==[l] 'x'", "a ==[l] \"x\""), ("SOME a == Null", "ANY a == nil"), ("none a in {1}", "NOT ANY a IN {1}"),
        ("self == YES and SELF.a == no", "SELF == 1 AND a == 0"), ("#select == 1", "select == 1"),
        ("#size == 1 && a.#in == 2", "#size == 1 AND a.#in == 2"), ("g.@max.#self == 1", "g.@max.#self == 1"),
        ("truepredicate OR falsepredicate", "TRUEPREDICATE OR FALSEPREDICATE"),
        ("a[first] == a[LAST] AND a[size] == 2", "a[FIRST] == a[LAST] AND a[SIZE] == 2"),
        ("first == 1 AND last == 2", "#first == 1 AND #last == 2"),
        ("canonical:(a) == lowercase(b)", "canonical(a) == lowercase(b)"),
        ("modulus:by:(SELF, 2) == 0", "modulus:by:(SELF, 2) == 0"), ("now() > random()", "now() > random()"),
        ("MAX(1, 5) == max({1, 5})", "max(1, 5) == max({1, 5})"),
        ("add:to:(1, 2) == 3", "1 + 2 == 3"),
        ("TERNARY(a == 1, b, '').length > 3", "TERNARY(a == 1, b, \"\").length > 3"),
        ("FUNCTION(a, 'isEqual:', b) == YES", "FUNCTION(a, \"isEqual:\", b) == 1"),
        ("SELF isKindOfClass: b", "SELF isKindOfClass: b"), ("FETCH(a, b, NO) == 1", "FETCH(a, b, 0) == 1"),
        ("CAST(a, 'NSString') == 'x'", "CAST(a, \"NSString\") == \"x\""), ("ANYKEY == 1", "ANYKEY == 1"),
    ]

    @Test("spellings, reserved words and calls", arguments: spellings)
    func spelling(format: String, printed: String) {
        #expect(NSPredicate(format: format).predicateFormat == printed)
    }

    static let constants: [(format: String, value: any Hashable & Sendable)] = [
        ("42", 42), ("-42", -42), ("0x1F", 31), ("0o17", 15), ("0b101", 5), ("1.5", 1.5), (".5", 0.5),
        ("9.2e-5", 9.2e-5), ("1E3", 1000.0), ("-9223372036854775808", Int64.min), ("TRUE", true), ("no", false),
        ("'it\\'s'", "it's"), ("\"a'b\"", "a'b"), ("'\\n\\t\\\\'", "\n\t\\"), ("'\\101\\x41\\X42'", "AAB"),
        ("'\\u00e9\\U00E9'", "éé"), ("'\\uD83D\\uDE00'", "😀"), ("'%@ $x'", "%@ $x"), ("''", ""),
    ]

    @Test("literals", arguments: constants)
    func literal(format: String, value: any Hashable & Sendable) {
        let expression = NSExpression(format: format)
        #expect(expression.expressionType == .constantValue)
        #expect(expression == NSExpression(forConstantValue: value))
    }

    @Test("the smallest integer and integers beyond Int64 keep their digits")
    func wideIntegers() {
        #expect(NSExpression(format: "-9223372036854775808").description == "-9223372036854775808")
        #expect(NSExpression(format: "18446744073709551615").description == "18446744073709551615")
    }

    @Test("a nil literal is a constant without a value")
    func nilLiteral() {
        #expect(NSExpression(format: "nil").constantValue == nil)
    }

    @Test("formats make the classes that Apple's framework makes")
    func classes() throws {
        let comparison = try #require(NSPredicate(format: "(a BETWEEN {1, 2})") as? NSComparisonPredicate)
        #expect(comparison.predicateOperatorType == .between)
        #expect(comparison.leftExpression.keyPath == "a")
        #expect((comparison.rightExpression.collection as? [NSExpression])?.count == 2)
        let qualified = try #require(NSPredicate(format: "ALL a.b <[cd] 'x'") as? NSComparisonPredicate)
        #expect(qualified.comparisonPredicateModifier == .all)
        #expect(qualified.options == [.caseInsensitive, .diacriticInsensitive])
        let compound = try #require(NSPredicate(format: "a == 1 AND b == 2 AND c == 3") as? NSCompoundPredicate)
        #expect(compound.compoundPredicateType == .and)
        #expect(compound.subpredicates.count == 3)
        #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
        let custom = try #require(NSPredicate(format: "a isEqual: 1") as? NSComparisonPredicate)
        #expect(custom.predicateOperatorType == .customSelector)
        #expect(custom.customSelector == Selector("isEqual:"))
    }

    @Test("white space means nothing")
    func whiteSpace() {
        #expect(NSPredicate(format: " a\n==\t{1,\u{a0}2} ") == NSPredicate(format: "a=={1,2}"))
    }

    @Test("raw values are Apple's")
    func rawValues() {
        typealias Operator = NSComparisonPredicate.Operator
        #expect((0...11).compactMap { Operator(rawValue: $0) }.count == 12)
        #expect(Operator.in.rawValue == 10 && Operator.contains.rawValue == 99 && Operator.between.rawValue == 100)
        #expect(NSComparisonPredicate.Modifier.any.rawValue == 2)
        #expect(NSComparisonPredicate.Options.normalized.rawValue == 4)
        let types: [NSExpression.ExpressionType] = [
            .constantValue, .evaluatedObject, .variable, .keyPath, .function, .unionSet, .intersectSet, .minusSet,
            .subquery, .aggregate, .anyKey, .block, .conditional,
        ]
        #expect(types.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 19, 20])
    }
}
