import FoundationGaps
import Testing

@Suite("Arguments take the places of %@, %K and the conversions of C")
struct PredicateArgumentTests {
    @Test("objects and Swift values become constants")
    func objects() {
        let id = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let predicate = NSPredicate(
            format: "a == %@ AND b == %@ AND c == %@ AND d IN %@ AND e IN %@ AND f == %@ AND g == %@",
            "x", date, id, [1, 2], Set(["y"]), NSNumber(value: 7), NSNull())
        #expect(
            predicate.predicateFormat == """
                a == "x" AND b == CAST(5, "NSDate") AND c == \(id.uuidString) AND d IN {1, 2} AND e IN {"y"} AND f == 7 \
                AND g == nil
                """)
    }

    @Test("numbers of all of Swift's kinds")
    func numbers() {
        let predicate = NSPredicate(
            format: "a == %d AND b == %ld AND c == %u AND d == %f AND e == %lf AND f == %lld AND g == %@", Int32(-1),
            2, UInt8(3), Float(0.5), 1.5, Int64.max, true)
        #expect(
            predicate.predicateFormat == """
                a == -1 AND b == 2 AND c == 3 AND d == 0.5 AND e == 1.5 AND f == 9223372036854775807 AND g == 1
                """)
    }

    @Test("%K is a key path, reserved words included")
    func keyPaths() throws {
        let predicate = NSPredicate(format: "%K == 1 AND %K == 2 AND a.%K.b == 3", "x.y", "select", "size")
        #expect(predicate.predicateFormat == "x.y == 1 AND select == 2 AND a.#size.b == 3")
        let comparison = try #require(NSPredicate(format: "%K == 1", "in") as? NSComparisonPredicate)
        #expect(comparison.leftExpression == NSExpression(forKeyPath: "in"))
        #expect(NSPredicate(format: "%K == 1", "self") == NSPredicate(format: "SELF == 1"))
    }

    @Test("an expression as an argument stays the expression")
    func expressions() {
        let predicate = NSPredicate(format: "a == %@ + 1", NSExpression(forKeyPath: "b"))
        #expect(predicate == NSPredicate(format: "a == b + 1"))
    }

    @Test("quoted places take nothing")
    func quoted() {
        #expect(NSPredicate(format: "a == '%@' AND b == %@", "x").predicateFormat == "a == \"%@\" AND b == \"x\"")
    }

    @Test("arguments in an array, numbers boxed")
    func array() {
        let predicate = NSPredicate(format: "%K > %d AND b == %@", argumentArray: ["a", NSNumber(value: 4), "x"])
        #expect(predicate.predicateFormat == "a > 4 AND b == \"x\"")
        #expect(NSPredicate(format: "a == 1", argumentArray: nil).predicateFormat == "a == 1")
    }

    @Test("arguments of a C function")
    func variadic() {
        let date = Date(timeIntervalSinceReferenceDate: 0.1)
        let predicate = withVaList([5, "k.l", 2.25, date, [1, 2], NSNumber(value: 9), Int32(-4), UInt64.max]) {
            NSPredicate(
                format: "a == %ld AND %K == %lf AND d == %@ AND e IN %@ AND f == %@ AND g == %d AND h == %llu",
                arguments: $0)
        }
        #expect(
            predicate.predicateFormat == """
                a == 5 AND k.l == 2.25 AND d == CAST(0.1, "NSDate") AND e IN {1, 2} AND f == 9 AND g == -4 \
                AND h == 18446744073709551615
                """)
        let expression = withVaList(["a", 3]) { NSExpression(format: "%K + %ld", arguments: $0) }
        #expect(expression.description == "a + 3")
    }

    @Test("the values that became arguments of C print their description")
    func plainStrings() {
        let date = Date(timeIntervalSince1970: 0)
        #expect(String(format: "%@ %@ %@", date, [1, 2], NSNumber(value: 4)) == "\(date) [1, 2] 4")
    }
}
