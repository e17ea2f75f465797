import FoundationGaps
import Testing

@Suite("Trees of predicates")
struct PredicateTreeTests {
    static let formats = [
        "a == 1", "a == 1 AND b == 2", "NOT a == 1", "ANY a ==[c] 'x'", "TRUEPREDICATE", "a isEqual: 1",
    ]

    @Test("equal only to itself, by value", arguments: formats, formats)
    func equality(left: String, right: String) {
        let (a, b) = (NSPredicate(format: left), NSPredicate(format: right))
        #expect((a == b) == (left == right))
        // Foundation's constants hash by identity, though they are equal by value.
        if a == b, left != "TRUEPREDICATE" { #expect(a.hash == b.hash) }
    }

    @Test("copies are equal and print the same", arguments: formats)
    func copies(format: String) throws {
        let predicate = NSPredicate(format: format)
        let copy = try #require(predicate.copy() as? NSPredicate)
        #expect(copy == predicate)
        #expect(copy.predicateFormat == format.replacingOccurrences(of: "'", with: "\""))
    }

    @Test("predicates can be members of sets")
    func sets() {
        #expect(Set(Self.formats.map { NSPredicate(format: $0) } + [NSPredicate(format: "a = 1")]).count == 6)
    }

    @Test("variables are substituted in all of the tree")
    func substitution() {
        let predicate = NSPredicate(
            format:
                "a == $x AND (b IN {$x, $y} OR NOT SUBQUERY(c, $x, $x == $y).@count > $z) AND TERNARY(d == $x, $y, 0) == 1"
        )
        let bound = predicate.withSubstitutionVariables(["x": 1, "y": NSExpression(forKeyPath: "k"), "z": "s"])
        #expect(
            bound.predicateFormat == """
                a == 1 AND (b IN {1, k} OR (NOT SUBQUERY(c, $x, $x == k).@count > "s")) AND TERNARY(d == 1, k, 0) == 1
                """)
        #expect(predicate.withSubstitutionVariables(["q": 1]) == predicate)
    }

    @Test("substitution keeps the static type")
    func staticType() throws {
        let comparison = try #require(NSPredicate(format: "a == $x") as? NSComparisonPredicate)
        let bound: NSComparisonPredicate = comparison.withSubstitutionVariables(["x": 5])
        #expect(bound.rightExpression.constantValue as? Int == 5)
    }

    @Test("variables may be bound for one evaluation")
    func binding() {
        let predicate = NSPredicate(format: "a > $min AND name BEGINSWITH $prefix")
        #expect(predicate.evaluate(with: ["a": 2, "name": "xyz"], substitutionVariables: ["min": 1, "prefix": "x"]))
        #expect(!predicate.evaluate(with: ["a": 2, "name": "xyz"], substitutionVariables: ["min": 2, "prefix": "x"]))
    }

    @Test("an array bound to BETWEEN's right side gives its bounds")
    func bounds() {
        let predicate = NSPredicate(format: "a BETWEEN $bounds")
        #expect(predicate.evaluate(with: ["a": 2], substitutionVariables: ["bounds": [1, 2]]))
    }

    @Test("a validator sees every part, and may refuse")
    func validation() throws {
        final class Recorder: NSPredicateValidating {
            var seen: [String] = []
            func visit(_ operatorType: NSComparisonPredicate.Operator) { seen.append("\(operatorType)") }
            func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws {
                seen.append("\(scope ?? "-"):\(key ?? "-")")
                if key == "secret" { throw CocoaError(.featureUnsupported) }
            }
        }
        let recorder = Recorder()
        try NSPredicate(format: "a.b == 1 AND SUBQUERY(c, $x, $x.d IN {1}).@count > sum(e)")
            .allowEvaluation(validator: recorder)
        #expect(
            Set(recorder.seen) == ["equalTo", "greaterThan", "in", "-:a", "a:b", "-:c", "-:d", "-:@count", "-:e"])
        #expect(throws: CocoaError.self) {
            try NSPredicate(format: "NOT a.secret == 1").allowEvaluation(validator: recorder)
        }
    }
}
