import Foundation
import PostgreSQLClient
import Testing

@Suite("COPY")
struct CopyTests {
    private struct OwnError: Error {}
    private static let copy = "COPY shelf FROM STDIN (FORMAT binary)"

    private func table() throws -> PostgreSQLConnection {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE shelf (id int8 CHECK (id <> 50000), content text, data bytea)")
        return connection
    }

    private func row(_ id: Int64) throws -> PostgreSQLParameters {
        try values {
            $0.append(int64: id)
            if id % 2 == 0 { $0.appendNull() } else { try $0.append(text: "Größe \(id)") }
            try $0.append(bytes: [])
        }
    }

    @Test
    func aHundredThousandRowsAreCopied() throws {
        let connection = try table()
        let count = try connection.copyIn(Self.copy) { writer in
            for id in 100_000..<200_000 as Range<Int64> { try writer.write(row(id)) }
        }
        #expect(count == 100_000)
        let result = try connection.execute(
            "SELECT count(*), count(content), max(content), count(*) FILTER (WHERE data = '') FROM shelf")
        #expect(try result.int64(0, 0) == 100_000)
        #expect(try result.int64(0, 1) == 50_000)
        #expect(try result.string(0, 2) == "Größe 199999")
        #expect(try result.int64(0, 3) == 100_000)
    }

    @Test
    func anErrorOfTheServerInTheMiddleIsThrown() throws {
        let connection = try table()
        let found = error {
            try connection.copyIn(Self.copy) { writer in
                for id in 0..<100_000 as Range<Int64> { try writer.write(row(id)) }
            }
        }
        #expect(found?.sqlState == "23514")
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test
    func anErrorAtTheEndIsThrown() throws {
        let connection = try table()
        let found = error {
            try connection.copyIn(Self.copy) { writer in
                try writer.write(row(1))
                try writer.write(values { $0.append(int64: 1) })
            }
        }
        #expect(found?.sqlState == "22P04")
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test
    func anErrorOfTheCallerUndoesTheCopy() throws {
        let connection = try table()
        #expect(throws: OwnError.self) {
            try connection.copyIn(Self.copy) { writer in
                for id in 0..<10_000 as Range<Int64> { try writer.write(row(id)) }
                throw OwnError()
            }
        }
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test(arguments: ["COPY nothing FROM STDIN (FORMAT binary)", "SELECT 1", "SELEC"])
    func otherStatementsAreRefused(text: String) throws {
        let connection = try table()
        #expect(error { try connection.copyIn(text) { _ in Issue.record("no rows are wanted") } } != nil)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func textsCanBeCopied() throws {
        let connection = try table()
        let count = try connection.copyIn("COPY shelf (id, content) FROM STDIN (FORMAT csv)") { writer in
            #expect(error { try writer.write(row(1)) }?.kind == .misuse)
            let lines = "1,a\n2,\"b,c\"\n"
            try Array(lines.utf8).withUnsafeBytes { try writer.write(bytes: $0) }
        }
        #expect(count == 2)
        #expect(try connection.execute("SELECT content FROM shelf WHERE id = 2").string(0, 0) == "b,c")
    }

    @Test
    func copyIsNoStatementToExecute() throws {
        let connection = try table()
        #expect(error { try connection.execute(Self.copy) } != nil)
    }

    @Test
    func anotherThreadCancelsACopy() throws {
        let connection = try table()
        let copy = Background {
            try connection.copyIn(Self.copy) { writer in while true { try writer.write(row(1)) } }
        }
        usleep(50_000)
        #expect(connection.cancel())
        #expect(copy.error?.isCancelled == true)
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test
    func aDeadlineEndsACopy() throws {
        let connection = try table()
        let found = error {
            try connection.withTimeout(.milliseconds(200)) {
                try connection.copyIn(Self.copy) { writer in while true { try writer.write(row(1)) } }
            }
        }
        #expect(found?.kind == .deadlineExceeded)
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }
}
