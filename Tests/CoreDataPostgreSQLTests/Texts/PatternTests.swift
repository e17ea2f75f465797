import CoreData
import FoundationGaps
import RandomSeeds
import SQLSamples
import Testing

@testable import CoreDataPostgreSQL

/// Patterns fit the same texts in the database as in memory.
@Suite("Patterns in PostgreSQL")
struct PatternTests {
    private struct Case {
        let text: String
        let pattern: String
        let options: Int
        let isLike: Bool

        var ignored: NSComparisonPredicate.Options {
            var ignored: NSComparisonPredicate.Options = []
            if options & 1 != 0 { ignored.insert(.caseInsensitive) }
            if options & 2 != 0 { ignored.insert(.diacriticInsensitive) }
            return ignored
        }
    }

    @Test("a random pattern fits what it fits in memory", arguments: SeededGenerator.seeds(2, full: 30))
    func random(seed: UInt64) throws {
        let server = try PostgreSQLTestServer.shared
        let database = "patterns\(seed)"
        try server.makeDatabase(database)
        var writer = PatternWriter(random: SQLRandom(seed: seed))
        var (cases, wanted): ([Case], [Bool]) = ([], [])
        var refused = 0
        var script = PostgreSQLScript(PostgreSQLFunctions.creation)
        while cases.count < 1200 {
            let isLike = writer.random.chance(0.4)
            let one = Case(
                text: writer.text(), pattern: isLike ? writer.like() : writer.expression(depth: 3),
                options: Int.random(in: 0...3, using: &writer.random), isLike: isLike)
            let text = PostgreSQLParameter.literal(.text(one.text), .text)
            if isLike {
                wanted.append(StringPattern(like: one.pattern, one.ignored).matches(one.text))
                let folded = StringComparison.folded(one.pattern, one.ignored)
                let literals = [PostgreSQLLike.plain(folded), PostgreSQLLike.expression(folded), one.pattern].map {
                    PostgreSQLParameter.literal(.text($0), .text)
                }
                script.add(
                    "SELECT coredata.fits(\(text), \(literals[0]), \(literals[1]), \(one.options)), "
                        + "coredata.like(\(text), \(literals[2]), \(one.options))")
            } else {
                if PostgreSQLDifference.concerns(one.text, one.pattern, one.ignored) { continue }
                guard let pattern = try? StringPattern(matching: one.pattern, one.ignored) else { continue }
                guard
                    let translated = try? PostgreSQLPattern(one.pattern, ignoresDiacritics: one.options & 2 != 0)
                else {
                    refused += 1
                    continue
                }
                wanted.append(pattern.matches(one.text))
                let literal = PostgreSQLParameter.literal(.text(translated.text), .text)
                script.add("SELECT coredata.matches(\(text), \(literal), \(one.options))")
            }
            cases.append(one)
        }
        for ((one, wanted), answer) in zip(zip(cases, wanted), try script.answers(of: server, in: database)) {
            let what = "\(one.text.debugDescription) \(one.isLike ? "LIKE" : "MATCHES")[\(one.options)] "
            switch answer {
            case .success(let rows):
                #expect(
                    rows[0].allSatisfy { $0 == (wanted ? "t" : "f") },
                    "\(what)\(one.pattern.debugDescription) is \(wanted) (COREDATA_TEST_SEED=\(seed))")
            case .failure(let error):
                Issue.record("\(what)\(one.pattern.debugDescription) (COREDATA_TEST_SEED=\(seed)): \(error.text)")
            }
        }
        #expect(wanted.count { $0 } > 100 && refused < cases.count / 10)
    }

    @Test(
        "what PostgreSQL would understand otherwise is refused",
        arguments: [
            "a++", "a*+", "(?>a)", #"\p{L}"#, "[a&&b]", "[a[b]]", "(?i)a", "a{300}", #"\G"#, #"\X"#, #"[\D]"#,
            #"\k<x>"#,
        ])
    func refusals(pattern: String) {
        #expect(throws: CocoaError.self) { try PostgreSQLPattern(pattern, ignoresDiacritics: false) }
    }
}

/// Writes patterns, and texts that some of them fit.
private struct PatternWriter {
    var random: SQLRandom

    mutating func text() -> String {
        if random.chance(0.3) { return random.one(SampleGraph.texts) }
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in random.one(Self.letters) }.joined()
    }

    private static let letters = [
        "a", "b", "A", "é", "É", "e\u{301}", "ß", "1", "٣", " ", "\n", "_", "-", "😀", "日", ".", "%", "\r\n", "*", "?",
        "\\", "İ",
        "ſ", "\u{2028}",
    ]

    mutating func like() -> String {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
            random.one([random.one(Self.letters), "*", "?", "\\*", "\\?", "\\\\", "\\a"])
        }.joined()
    }

    mutating func expression(depth: Int) -> String {
        guard depth > 0 else { return atom() }
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return expression(depth: depth - 1) + expression(depth: depth - 1)
        case 2: return "(\(expression(depth: depth - 1))|\(expression(depth: depth - 1)))"
        case 3:
            return
                "(?:\(expression(depth: depth - 1)))\(random.one(["*", "+", "?", "{2}", "{1,2}", "{0,}", "*?", "+?"]))"
        case 4:
            return random.one(["(?=\(atom())).*", "(?!\(atom())).*", ".*(?<=\(atom()))", "\(atom())?(?<!\(atom())).*"])
        case 5: return "(\(atom()))\(random.one(["", "\\1", "\\1?"]))"
        default: return atom() + random.one(["", "*", "+", "?"])
        }
    }

    private mutating func atom() -> String {
        random.one([
            ".", "a", "b", "A", "é", "ß", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "[ab]", "[^ab]", "[a-z]", "[^\\d]",
            "[\\w-]",
            "\\.", "\\*", "\\?", "\\\\", "\\u00e9", "\\x{61}", "\\Q.*\\E", "1", " ", "_", "[[:alpha:]]", "[-a]", "[éA]",
            "日",
            "[\\s\\d]", "\\n", "#", "=", "@", "~", "\\#", "[.*]", "[]a]", "\\x41",
        ])
    }
}
