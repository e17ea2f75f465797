import Testing

@testable import CoreData

/// What a text that a user types means as a query.
@Suite("Queries of full-text search")
struct TextQueryTests {
    @Test(
        "spaces separate words, quotes hold them together, a star is the rest of a word",
        arguments: [
            ("swift data", ["swift", "data"]), (" swift\tdata\n", ["swift", "data"]), ("swif*", ["swif*"]),
            ("\"swift data\"", ["swift data"]), ("\"swift dat*\"", ["swift dat*"]), ("\"swift dat\"*", ["swift dat*"]),
            ("\"swift dat \" *", ["swift dat*"]), ("swift\"core data\"x", ["swift", "core data", "x"]),
            ("\"swift data", ["swift data"]), ("a*b", ["a*b"]), ("*a", ["*a"]), ("a** b", ["a*", "b"]), ("*", []),
            ("\"\"", []),
            ("", []), ("a\0b", ["a", "b"]),
        ])
    func phrases(text: String, phrases: [String]) {
        #expect(TextQuery(text).phrases.map { $0.text + ($0.isPrefix ? "*" : "") } == phrases)
    }

    @Test("texts are split as FTS5 splits them")
    func words() throws {
        let splitter = SQLiteTextSplitter.shared
        #expect(try splitter.words(of: "Zoë's Cafés—2", by: .words, for: .document) == ["zoe", "s", "cafes", "2"])
        #expect(try splitter.words(of: "Running runs", by: .english, for: .document) == ["run", "run"])
        #expect(try splitter.words(of: "Über", by: .substrings, for: .document) == ["übe", "ber"])
        #expect(try splitter.words(of: "", by: .words, for: .query) == [])
    }
}
