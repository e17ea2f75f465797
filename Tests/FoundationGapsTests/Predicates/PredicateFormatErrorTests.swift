import FoundationGaps
import RandomSeeds
import Testing

@Suite("Malformed formats are told with their place")
struct PredicateFormatErrorTests {
    static let malformed: [(format: String, column: Int, words: String)] = [
        ("", 1, "expected a value instead of the end"),
        ("a == ", 6, "expected a value instead of the end"),
        ("a > > 3", 5, "expected a value instead of \">\""),
        ("isActive", 9, "such as == YES"),
        ("(a == 1", 1, "\")\" is missing"),
        ("a == 1)", 7, "nothing is open"),
        ("a == 'x", 6, "no closing '"),
        ("a NOT IN {1}", 3, "write NOT before the comparison"),
        ("a < b < c", 7, "can't be chained"),
        ("a == 1 b == 2", 8, "expected AND, OR or the end"),
        ("foo(3) == 1", 1, "no function of predicates"),
        ("sqrt(1, 2) == 3", 1, "takes 1 argument, not 2"),
        ("in == 3", 1, "written #in"),
        ("a ==[q] 3", 6, "no option"),
        ("a == %@", 6, "argument is missing"),
        ("a == %y", 6, "takes no argument"),
        ("SUBQUERY(a, x, x == 1).@count > 0", 13, "a variable such as $x"),
        ("a == 12abc", 8, "can't run into a word"),
        ("a == '\\u12'", 7, "4 digits"),
        ("é == ü ++ 1", 9, "expected a value instead of \"+\""),
        ("a UTI-CONFORMS-TO 'x'", 3, "uniform type identifiers"),
        ("a. == 1", 4, "expected a key"),
        ("$ == 1", 2, "expected a name after $"),
        ("a == 1;", 7, "has no meaning here"),
        ("FUNCTION(a) == 1", 1, "FUNCTION takes a receiver"),
        ("ANY a isEqual: 1", 5, "not the elements"),
    ]

    @Test("the message names the column", arguments: malformed)
    func messages(format: String, column: Int, words: String) throws {
        let error = try #require(throws: PredicateFormatError.self) { try NSPredicate.parse(format) }
        #expect(error.column == column)
        #expect(error.message.contains(words), "\(error.message)")
        #expect(error.description.hasPrefix("Unable to parse the format string \"\(format)\": "))
    }

    @Test("the picture shows the line with a caret below the place")
    func picture() throws {
        let error = try #require(throws: PredicateFormatError.self) { try NSPredicate.parse("a == 1 AND\n\tb >> == 2") }
        #expect(error.picture == "\tb >> == 2\n\t     ^")
    }

    @Test("as an NSError it is Cocoa's formatting error")
    func cocoaError() throws {
        let error = try #require(throws: PredicateFormatError.self) { try NSPredicate.parse("a ==") }
        #expect((error as NSError).domain == NSCocoaErrorDomain)
        #expect((error as NSError).code == CocoaError.Code.formatting.rawValue)
        #expect((error as NSError).localizedDescription.contains("column 5"))
    }

    @Test("arguments of the wrong kind")
    func wrongArguments() {
        #expect(throws: PredicateFormatError.self) { try NSPredicate.parse("a == %d", argumentArray: ["x"]) }
        #expect(throws: PredicateFormatError.self) { try NSPredicate.parse("%K == 1", argumentArray: [1]) }
        #expect(throws: PredicateFormatError.self) { try NSPredicate.parse("%K == 1", argumentArray: ["a..b"]) }
        #expect(throws: PredicateFormatError.self) {
            try NSPredicate.parse("%@ AND a == 1", argumentArray: [NSPredicate(value: true)])
        }
    }

    @Test("texts nested too deeply are refused, not followed")
    func depth() {
        let deep = 100_000
        let nested = [
            String(repeating: "(", count: deep) + "a" + String(repeating: ")", count: deep) + " == 1",
            String(repeating: "NOT ", count: deep) + "a == 1",
            String(repeating: "-", count: deep) + "a == 1",
            "a" + String(repeating: " + 1", count: deep) + " == 1",
            "a" + String(repeating: "[0]", count: deep) + " == 1",
            String(repeating: "{", count: deep) + String(repeating: "}", count: deep) + " == 1",
            "a" + String(repeating: " ** 1", count: deep) + " == 1",
        ]
        for format in nested {
            #expect(throws: PredicateFormatError.self) { try NSPredicate.parse(format) }
        }
    }

    @Test("wide texts are no problem")
    func width() throws {
        let list = (0..<20_000).map(String.init).joined(separator: ", ")
        let predicate = try NSPredicate.parse("a IN {\(list)}")
        #expect(predicate.evaluate(with: ["a": 19_999]))
        let chain = (0..<5_000).map { "a == \($0)" }.joined(separator: " OR ")
        #expect(try NSPredicate.parse(chain).evaluate(with: ["a": 4_999]))
    }

    @Test("random damage to formats gives errors, never a crash")
    func damage() {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        let pieces = Array("()[]{}<>=!&|.,+-*/~^%@#$:'\"\\ \n0129aKdé😀") + ["e\u{301}"]
        let sources = PredicateParsingTests.precedences.map(\.format) + PredicateParsingTests.spellings.map(\.format)
        for _ in 0..<4_000 {
            var format = Array(sources.randomElement(using: &random) ?? "")
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...format.count, using: &random)
                if Bool.random(using: &random), place < format.count {
                    format.remove(at: place)
                } else {
                    format.insert(pieces.randomElement(using: &random) ?? " ", at: place)
                }
            }
            let text = String(format)
            do {
                let printed = try NSPredicate.parse(text, argumentArray: ["a", "b"]).predicateFormat
                #expect(!printed.isEmpty)
            } catch let error as PredicateFormatError {
                #expect((1...text.count + 1).contains(error.column), "seed \(seed): \(text)")
            } catch {
                Issue.record("seed \(seed): \(text) gave \(error)")
            }
        }
    }
}
