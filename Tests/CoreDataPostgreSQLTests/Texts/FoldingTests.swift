import CoreData
import FoundationGaps
import Testing

@testable import CoreDataPostgreSQL

/// The functions of texts in the database give what Foundation and Swift give.
@Suite("Texts in PostgreSQL")
struct FoldingTests {
    /// The characters that a function of the database turns into something else than a function of Swift.
    private func differences(_ call: String, _ transform: (String) -> String) throws -> [UInt32] {
        let server = try PostgreSQLTestServer.shared
        let database = "folding\(UInt32.random(in: 0...UInt32.max))"
        try server.makeDatabase(database)
        var script = PostgreSQLScript(PostgreSQLFunctions.creation)
        script.add(
            "SELECT string_agg(coredata.\(call), E'\\n' ORDER BY v) FROM generate_series(32, 131071) v, "
                + "LATERAL (SELECT 'x' || chr(v) || 'Y' AS x) AS texts WHERE v NOT BETWEEN 55296 AND 57343")
        let answer = try script.answers(of: server, in: database)[0].get()[0][0] ?? ""
        let found = answer.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        let scalars = (UInt32(32)...131_071).compactMap { UnicodeScalar($0) }
        #expect(found.count == scalars.count)
        return zip(scalars, found).filter { scalar, text in
            !transform("x\(Character(scalar))Y").unicodeScalars.elementsEqual(text)
        }.map(\.0.value)
    }

    @Test("a text without case, or without diacritics, is what Foundation makes of it", arguments: [1, 2, 3])
    func folding(options: Int) throws {
        var ignored: NSComparisonPredicate.Options = []
        if options & 1 != 0 { ignored.insert(.caseInsensitive) }
        if options & 2 != 0 { ignored.insert(.diacriticInsensitive) }
        let found = try differences("fold(x, \(options))") { StringComparison.folded($0, ignored) }
        // Two codes that are no characters.
        #expect(found.count <= 2, "\(found.map { String($0, radix: 16) })")
    }

    @Test("upper and lower case are Swift's, but for letters that one of the two does not know")
    func letterCase() throws {
        let upper = try differences("uppercase(x)") { $0.uppercased() }
        let lower = try differences("lowercase(x)") { $0.lowercased() }
        #expect(upper.count <= 60 && lower.count <= 60)
        let length = try differences("length(x)::text") { "\($0.utf16.count)" }
        #expect(length == [])
    }
}
