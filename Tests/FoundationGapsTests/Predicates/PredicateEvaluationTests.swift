import FoundationGaps
import RandomSeeds
import Testing

@Suite("Predicates are evaluated with Cocoa's rules")
struct PredicateEvaluationTests {
    static let record: [String: any Sendable] = [
        "name": "Émile", "plain": "Emile", "empty": "", "age": 20, "height": 1.75, "salary": Decimal(string: "10.10")!,
        "flag": true, "big": Int64.max, "born": Date(timeIntervalSinceReferenceDate: 100),
        "id": UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!, "link": URL(string: "https://swift.org/a")!,
        "raw": Data([1, 2]), "tags": ["red", "green"], "numbers": [1, 2, 3], "nothing": [Int](),
        "mixed": ["a", nil] as [String?], "map": ["k": "v", "l": "w"], "unique": Set([1, 2]),
        "teams": [["name": "Celtics", "size": 3], ["name": "Lakers", "size": 5]] as [[String: any Sendable]],
    ]

    static let truths: [(format: String, holds: Bool)] = [
        // Equality and order, numbers of different kinds
        ("age == 20", true), ("age == 20.0", true), ("age != 21", true), ("height > 1", true), ("age < 20.5", true),
        ("salary == 10.1", true), ("salary > 10", true), ("salary <= 10.11", true), ("flag == YES", true),
        ("flag == 1", true), ("flag == TRUE", true), ("flag == NO", false), ("big == 9223372036854775807", true),
        ("big < 9223372036854775808", true), ("big == 9223372036854775806", false), ("age == '20'", false),
        ("born == CAST(100, 'NSDate')", true), ("born < now()", true), ("raw == raw", true), ("link == link", true),
        ("numbers == {1, 2, 3}", true), ("numbers == {3, 2, 1}", false), ("unique == {2, 1}", true),
        // Nil
        ("missing == nil", true), ("missing != nil", false), ("age == nil", false), ("age != nil", true),
        ("missing != 'v'", true), ("missing == 'v'", false), ("missing < 1", false), ("missing >= 1", false),
        ("1 < missing", false), ("missing IN {1}", false), ("missing CONTAINS 'x'", false),
        ("name LIKE missing", false),
        ("missing LIKE '*'", false), ("missing BETWEEN {1, 2}", false), ("missing.name == nil", true),
        ("NOT missing == 'v'", true), ("missing + 1 == nil", true),
        // Texts
        ("name == 'Émile'", true), ("name == 'émile'", false), ("name ==[c] 'éMILE'", true),
        ("name ==[d] 'Emile'", true), ("name ==[cd] 'emile'", true), ("name !=[cd] 'emile'", false),
        ("plain < 'F'", true), ("plain <[c] 'f'", true), ("'straße' ==[c] 'STRASSE'", true),
        ("name BEGINSWITH 'Ém'", true), ("name BEGINSWITH[d] 'Em'", true), ("plain BEGINSWITH 'em'", false),
        ("plain ENDSWITH[c] 'ILE'", true), ("plain CONTAINS 'mil'", true), ("plain CONTAINS[c] 'MIL'", true),
        ("plain CONTAINS 'mill'", false), ("name CONTAINS ''", true), ("empty == ''", true),
        ("'mil' IN plain", true), ("'MIL' IN[c] plain", true), ("name ==[l] name", true),
        ("plain CONTAINS[cl] 'MIL'", true),
        // LIKE and MATCHES
        ("plain LIKE 'E*e'", true), ("plain LIKE 'Em?le'", true), ("plain LIKE 'm*'", false), ("plain LIKE '*'", true),
        ("empty LIKE '*'", true), ("empty LIKE '?'", false), ("name LIKE[cd] 'em*'", true),
        ("'a*b' LIKE 'a\\\\*b'", true),
        ("'axb' LIKE 'a\\\\*b'", false), ("'a.b' LIKE 'a.b'", true), ("'axb' LIKE 'a.b'", false),
        ("'aab' LIKE '*a*b'", true), ("plain LIKE plain", true),
        ("plain MATCHES 'E.*'", true), ("plain MATCHES 'mil'", false), ("plain MATCHES 'x|Emile'", true),
        ("'ab' MATCHES 'a|ab'", true), ("plain MATCHES[c] 'EMILE'", true), ("name MATCHES[d] 'Emile'", true),
        ("'a1' MATCHES '[a-z]\\\\d'", true), ("plain MATCHES plain", true), ("'x\n' MATCHES 'x'", false),
        // IN, CONTAINS, BETWEEN
        ("age IN {19, 20}", true), ("age IN {}", false), ("age IN {'20'}", false), ("plain IN {'emile'}", false),
        ("plain IN[c] {'emile'}", true), ("'v' IN map", true), ("'k' IN map", false), ("2 IN unique", true),
        ("2.0 IN numbers", true), ("nil IN {1, nil}", true), ("tags CONTAINS 'red'", true),
        ("tags CONTAINS[c] 'RED'", true), ("tags CONTAINS 'r'", false), ("numbers CONTAINS age", false),
        ("age BETWEEN {20, 21}", true), ("age BETWEEN {19, 20}", true), ("age BETWEEN {21, 20}", false),
        ("plain BETWEEN {'A', 'Z'}", true), ("age BETWEEN {height, 30}", true),
        // ANY, ALL, NONE
        ("ANY numbers > 2", true), ("ANY numbers > 3", false), ("ALL numbers > 0", true), ("ALL numbers > 1", false),
        ("NONE numbers > 3", true), ("NONE numbers > 2", false), ("ANY nothing > 0", false), ("ALL nothing > 0", true),
        ("NONE nothing > 0", true), ("ANY missing == 1", false), ("ANY tags BEGINSWITH[c] 'R'", true),
        ("ANY teams.name == 'Lakers'", true), ("ALL teams.size > 2", true), ("ANY numbers IN {3, 4}", true),
        ("ANY teams.name.length == 7", true),
        // Key paths and their operators
        ("numbers.@count == 3", true), ("nothing.@count == 0", true), ("numbers.@sum.self == 6", true),
        ("teams.@max.size == 5", true), ("teams.@avg.size == 4", true), ("nothing.@sum.self == 0", true),
        ("nothing.@max.self == nil", true), ("SELF.age == 20", true), ("plain.length == 5", true),
        ("teams[0].name == 'Celtics'", true), ("teams[LAST].name == 'Lakers'", true), ("numbers[SIZE] == 3", true),
        ("numbers[FIRST] == 1", true), ("map['k'] == 'v'", true), ("nothing[FIRST] == nil", true),
        // Subqueries and conditions
        ("SUBQUERY(teams, $t, $t.size > 3 AND $t.name LIKE 'L*').@count == 1", true),
        ("SUBQUERY(teams, $t, $t.size > age).@count == 0", true),
        ("SUBQUERY(teams, $t, SUBQUERY(numbers, $n, $n == $t.size).@count == 1).@count == 1", true),
        ("SUBQUERY(missing, $t, $t == 1).@count == 0", false),
        ("TERNARY(age > 18, 'adult', 'child') == 'adult'", true), ("TERNARY(age < 18, 1, tags).@count == 2", true),
        // Sets
        ("(unique UNION {2, 3}).@count == 3", true), ("(unique INTERSECT numbers).@count == 2", true),
        ("(numbers MINUS {1}) CONTAINS 1", false),
        // Compounds
        ("age == 20 AND NOT flag == NO", true), ("age == 1 OR flag == 1", true), ("age == 1 OR flag == 0", false),
        ("TRUEPREDICATE AND NOT FALSEPREDICATE", true),
        // Named functions
        ("plain hasPrefix: 'E'", true), ("FUNCTION(plain, 'hasSuffix:', 'x') == YES", false),
        ("FUNCTION(map, 'objectForKey:', 'k') == 'v'", true), ("FUNCTION(plain, 'length') == 5", true),
    ]

    @Test("truths", arguments: truths)
    func truth(format: String, holds: Bool) {
        #expect(NSPredicate(format: format).evaluate(with: Self.record) == holds)
    }

    @Test("a predicate and its negation never agree", arguments: truths)
    func negation(format: String, holds: Bool) {
        #expect(NSPredicate(format: "NOT (\(format))").evaluate(with: Self.record) != holds)
    }

    @Test("SELF is the evaluated value itself")
    func evaluatedObject() {
        #expect(NSPredicate(format: "SELF BEGINSWITH 'a'").evaluate(with: "abc"))
        #expect(NSPredicate(format: "SELF > 2").evaluate(with: NSNumber(value: 3)))
        #expect(NSPredicate(format: "SELF == nil").evaluate(with: nil))
        #expect(NSPredicate(format: "modulus:by:(SELF, 2) == 0").evaluate(with: 4))
    }

    @Test("Foundation's containers filter with them")
    func filtering() {
        let words = ["Apple", "pear", "Avocado"] as NSArray
        let filtered = words.filtered(using: NSPredicate(format: "SELF BEGINSWITH[c] %@", "a"))
        #expect(filtered as? [String] == ["Apple", "Avocado"])
    }

    @Test("values of the object's kinds equal the constants of other kinds that mean the same")
    func kinds() {
        let id = UUID()
        let object: [String: Any] = [
            "a": NSNumber(value: 1), "b": NSString("x"), "c": NSDate(timeIntervalSinceReferenceDate: 5),
            "d": NSDecimalNumber(string: "1.5"), "e": NSSet(array: [1, 2]), "f": NSOrderedSet(array: ["p"]),
            "g": NSNull(), "h": id as NSUUID, "i": UInt8(7), "j": Float(0.5), "k": Substring("sub"),
        ]
        let predicate = NSPredicate(
            format: """
                a == 1 AND b == 'x' AND c == %@ AND d == 1.5 AND e CONTAINS 2 AND f CONTAINS 'p' AND g == nil AND h == %@ \
                AND i == 7 AND j == 0.5 AND k == 'sub'
                """, Date(timeIntervalSinceReferenceDate: 5), id)
        #expect(predicate.evaluate(with: object))
    }

    @Test("objects compare by identity, or as they say themselves")
    func objects() {
        final class Plain {}
        final class Named: NSObject {
            let name: String
            init(_ name: String) { self.name = name }
            override func isEqual(_ object: Any?) -> Bool { (object as? Named)?.name == name }
            override var hash: Int { name.hash }
        }
        let plain = Plain()
        let same = NSPredicate(format: "SELF == %@", argumentArray: [plain])
        #expect(same.evaluate(with: plain))
        #expect(!same.evaluate(with: Plain()))
        let member = NSPredicate(format: "SELF IN %@", [Named("a"), Named("b")])
        #expect(member.evaluate(with: Named("b")))
        #expect(!member.evaluate(with: Named("c")))
    }

    @Test("membership in thousands of constants agrees with a search through them")
    func membership() {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        let numbers = (0..<2_000).map { _ in Int.random(in: 0..<10_000, using: &random) }
        let predicate = NSPredicate(format: "SELF IN %@", numbers)
        for candidate in 0..<10_000 {
            #expect(predicate.evaluate(with: Double(candidate)) == numbers.contains(candidate), "seed \(seed)")
        }
    }

    @Test("block predicates take part, and get the variables")
    func blocks() {
        let block = NSPredicate { object, bindings in (object as? Int) == (bindings?["limit"] as? Int) }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [block, NSPredicate(format: "SELF == $limit")])
        #expect(both.evaluate(with: 3, substitutionVariables: ["limit": 3]))
        #expect(!both.evaluate(with: 4, substitutionVariables: ["limit": 3]))
    }

    @Test("a registered function decides as an operator and in FUNCTION")
    func namedFunctions() {
        NSPredicate.registerFunction(named: "isLongerThan:") { text, arguments in
            ((text as? String)?.count ?? 0) > (arguments[0] as? Int ?? 0)
        }
        #expect(NSPredicate(format: "SELF isLongerThan: 2").evaluate(with: "abc"))
        #expect(NSPredicate(format: "FUNCTION(SELF, 'isLongerThan:', 3) == NO").evaluate(with: "abc"))
    }
}
