import FoundationGaps
import Testing

@Suite("Expressions")
struct ExpressionTests {
    static let numbers: [(format: String, value: Double)] = [
        ("1 + 2 * 3", 7), ("7 / 2", 3), ("7.0 / 2", 3.5), ("2 ** 10", 1024), ("2 ** -1", 0.5), ("2 ** 3 ** 2", 512),
        ("10 - 2 - 3", 5), ("modulus:by:(7, 3)", 1), ("modulus:by:(-7, 3)", -1), ("modulus:by:(7.5, 2)", 1.5),
        ("sum({1, 2, 3.5})", 6.5), ("sum(1, 2)", 3), ("sum({})", 0), ("count({1, nil})", 2), ("count(1, 2, 3)", 3),
        ("min({3, 1, 2})", 1), ("MAX(1, 5, 10)", 10), ("average({1, 2, 3, 4})", 2.5), ("median({5, 1, 3})", 3),
        ("median({4, 1, 3, 2})", 2.5), ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", 2), ("sqrt(2.25)", 1.5), ("log(1000)", 3),
        ("ln(exp(2))", 2), ("floor(-1.5)", -2), ("ceiling(-1.5)", -1), ("trunc(-1.5)", -1), ("abs(-4)", 4),
        ("abs(-4.5)", 4.5),
        ("length('äbc')", 3), ("5 & 3", 1), ("5 | 3", 7), ("5 ^ 3", 6), ("1 << 4", 16), ("-16 >> 2", -4), ("~5", -6),
        ("onesComplement:(0)", -1), ("noindex(4)", 4), ("bitwiseAnd:with:(6, 3)", 2),
        ("CAST('12.5', 'NSNumber')", 12.5),
        ("CAST(CAST(5.5, 'NSDate'), 'NSNumber')", 5.5), ("9223372036854775807 + 1", 9223372036854775808),
        ("CAST('0.1', 'NSDecimalNumber') + CAST('0.2', 'NSDecimalNumber')", 0.3), ("{5, 6}[1]", 6), ("-3 * -(2)", 6),
    ]

    @Test("arithmetic and functions of numbers", arguments: numbers)
    func number(format: String, value: Double) throws {
        let result = NSExpression(format: format).expressionValue(with: nil, context: nil)
        let number = try #require(result as? NSNumber)
        #expect(abs(number.doubleValue - value) <= abs(value) * 1e-12)
    }

    @Test("texts, dates and collections")
    func others() throws {
        func value(_ format: String) -> Any? { NSExpression(format: format).expressionValue(with: nil, context: nil) }
        #expect(value("uppercase('straße')") as? String == "STRASSE")
        #expect(value("lowercase('ÄB')") as? String == "äb")
        #expect(value("canonical('Élan')") as? String == "elan")
        #expect((value("mode({1, 2, 2, 3, 3})") as? [Any])?.count == 2)
        #expect(abs(try #require(value("now()") as? Date).timeIntervalSinceNow) < 60)
        #expect((0..<5).contains(try #require(value("randomn:(5)") as? Int)))
        #expect(value("CAST(5, 'NSString')") as? String == "5")
        #expect(value("CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF', 'NSUUID')") is UUID)
        #expect(value("CAST('https://swift.org', 'NSURL')") as? URL == URL(string: "https://swift.org"))
        #expect(value("1 / 0") == nil)
        #expect(value("nil + 1") == nil)
        #expect(value("average({})") == nil)
        #expect(value("max({'a', 'c', 'b'})") as? String == "c")
        #expect((value("{1, 'x', nil}") as? [Any])?.count == 3)
    }

    @Test("integers come back as integers, and cast to every numeric type")
    func boxing() {
        let value = NSExpression(format: "age * 2").expressionValue(with: ["age": 21], context: nil)
        #expect(value as? Int == 42)
        #expect(value as? Int64 == 42)
        #expect(value as? Double == 42)
        #expect(value as? NSNumber == 42)
    }

    @Test("the distance between two places")
    func distance() throws {
        let places = ["a": ["latitude": 52.52, "longitude": 13.405], "b": ["latitude": 48.8566, "longitude": 2.3522]]
        let expression = NSExpression(format: "distanceToLocation:fromLocation:(a, b)")
        let metres = try #require(expression.expressionValue(with: places, context: nil) as? Double)
        #expect(abs(metres - 877_460) < 2_000)
    }

    @Test("variables come from the context, and assignments go there")
    func context() {
        let context = NSMutableDictionary()
        context["rate"] = 3
        let expression = NSExpression(format: "$total := $rate * SELF")
        #expect(expression.expressionValue(with: 4, context: context) as? Int == 12)
        #expect(context["total"] as? Int == 12)
    }

    @Test("block expressions get object, arguments and context")
    func blocks() {
        let expression = NSExpression(
            block: { object, arguments, context in
                let factor = arguments[0].expressionValue(with: object, context: context) as? Int ?? 0
                return (object as? Int ?? 0) * factor
            }, arguments: [NSExpression(forConstantValue: 5)])
        #expect(expression.expressionValue(with: 3, context: nil) as? Int == 15)
        #expect(expression.expressionType == .block)
        #expect(expression.arguments?.count == 1)
    }

    @Test("a subclass evaluates itself inside a tree")
    func subclass() {
        final class Seven: NSExpression {
            override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { 7 }
        }
        let comparison = NSComparisonPredicate(
            leftExpression: Seven(expressionType: .function), rightExpression: NSExpression(forConstantValue: 7),
            modifier: .direct, type: .equalTo)
        #expect(comparison.evaluate(with: nil))
    }

    @Test("every kind tells its parts")
    func parts() {
        let path = NSExpression(format: "$x.a.b")
        #expect(path.expressionType == .keyPath)
        #expect(path.keyPath == "a.b")
        #expect(path.operand == NSExpression(forVariable: "x"))
        let sum = NSExpression(format: "a + 1")
        #expect(sum.function == "add:to:")
        #expect(sum.arguments?.map(\.description) == ["a", "1"])
        let subquery = NSExpression(format: "SUBQUERY(a, $x, $x == 1)")
        #expect(subquery.variable == "x")
        #expect(subquery.collection as? NSExpression == NSExpression(forKeyPath: "a"))
        #expect(subquery.predicate == NSPredicate(format: "$x == 1"))
        let conditional = NSExpression(format: "TERNARY(a == 1, 2, 3)")
        #expect(conditional.true.constantValue as? Int == 2)
        #expect(conditional.false.constantValue as? Int == 3)
        #expect(conditional.expressionType == .conditional)
        let union = NSExpression(format: "a UNION b")
        #expect(union.expressionType == .unionSet)
        #expect(union.left.keyPath == "a" && union.right.keyPath == "b")
        let message = NSExpression(format: "FUNCTION(a, 'isEqual:', 2)")
        #expect(message.operand.keyPath == "a")
        #expect(message.function == "isEqual:")
        #expect(message.arguments?.count == 1)
        #expect(NSExpression(forKeyPath: "self").expressionType == .evaluatedObject)
        #expect(NSExpression(format: "FETCH(a, b, YES)").expressionType.rawValue == 50)
    }

    @Test("a Swift key path gives its key path")
    func swiftKeyPath() {
        struct City {
            struct Place {
                var latitude = 0.0
            }
            var place = Place()
        }
        #expect(NSExpression(forKeyPath: \City.place.latitude).keyPath == "place.latitude")
    }

    @Test("equal trees are equal and hash alike; copies are equal")
    func equality() {
        let a = NSExpression(format: "sum(x.y) + $z * {1, 2}[0]")
        let b = NSExpression(format: "sum( x . y )+$z*{1,2.0}[0]")
        #expect(a == b)
        #expect(a.hash == b.hash)
        #expect(a != NSExpression(format: "sum(x.y) + $z * {1, 3}[0]"))
        #expect((a.copy() as? NSExpression) == a)
        #expect(NSExpression(forConstantValue: [1, 2]) == NSExpression(format: "{1, 2}"))
        #expect(NSExpression(forConstantValue: [1, 2]).hash == NSExpression(format: "{1, 2}").hash)
        #expect(NSExpression(forConstantValue: "1") != NSExpression(forConstantValue: 1))
    }
}
