import Testing

@testable import CoreDataPostgreSQL

@Suite("Bodies of functions between marks")
struct QuotingTests {
    @Test(
        "the mark is not in the body",
        arguments: [
            ("BEGIN END", "$$ BEGIN END $$"), ("\"a$$b\"", "$body$ \"a$$b\" $body$"),
            ("$$ $body$", "$body3$ $$ $body$ $body3$"), ("a$", "$$ a$ $$"),
            // One character for Swift, and two for the server.
            ("$$\u{301}", "$body$ $$\u{301} $body$"),
        ])
    func bodies(text: String, quoted: String) { #expect(PostgreSQLQuoting.body(text) == quoted) }

    @Test("a block may have bodies, and the names of tables, in it")
    func blocks() {
        #expect(PostgreSQLQuoting.block("A $$ B $$;") == "DO $both$ BEGIN A $$ B $$; END $both$")
        #expect(PostgreSQLQuoting.block("\"x$both$\"") == "DO $body2$ BEGIN \"x$both$\" END $body2$")
    }
}
