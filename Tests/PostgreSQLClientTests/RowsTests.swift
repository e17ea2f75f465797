import Foundation
import PostgreSQLClient
import Testing

@Suite("Rows one by one")
struct RowsTests {
    private static let many = "SELECT i, 'row ' || i FROM (SELECT generate_series(1, $1::int8) AS i) AS s"

    private func residentMemory() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return (Int(text.split(separator: " ")[1]) ?? 0) * 4_096
    }

    @Test
    func aMillionRowsNeedLittleMemory() throws {
        let connection = try connect()
        let statement = try connection.statement(Self.many)
        let rows = try connection.rows(statement, values { $0.append(int64: 1_000_000) })
        let before = try residentMemory()
        var most = before
        var sum: Int64 = 0
        var count = 0
        while let batch = try rows.next() {
            for row in 0..<batch.rowCount {
                sum += try batch.int64(row, 0) ?? 0
                count += 1
                if count % 50_000 == 0 { most = max(most, try residentMemory()) }
            }
        }
        #expect(count == 1_000_000)
        #expect(sum == 500_000_500_000)
        // As a whole, the rows take more than 60 MB. Other tests run at the same time.
        #expect(most - before < 50_000_000)
    }

    @Test
    func rowsCanBeAbandoned() throws {
        let connection = try connect()
        let statement = try connection.statement(Self.many)
        let start = Date()
        for _ in 0..<5 {
            let rows = try connection.rows(statement, values { $0.append(int64: 1_000_000_000) })
            for expected in 1...3 as ClosedRange<Int64> { #expect(try rows.next()?.int64(0, 0) == expected) }
            rows.close()
            #expect(try rows.next() == nil)
            #expect(try connection.number("SELECT 1::int8") == 1)
        }
        #expect(Date().timeIntervalSince(start) < 5)
    }

    @Test
    func rowsAreAbandonedWithTheirObject() throws {
        let connection = try connect()
        let statement = try connection.statement(Self.many)
        do {
            let rows = try connection.rows(statement, values { $0.append(int64: 1_000_000_000) })
            _ = try rows.next()
            #expect(error { try connection.execute("SELECT 1") }?.kind == .misuse)
            _ = rows
        }
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func rowsThatAreAbandonedInATransactionLeaveItUsable() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE shelf (id int8)")
        try connection.transaction {
            try connection.execute("INSERT INTO shelf VALUES (1)")
            let statement = try connection.statement(Self.many)
            let rows = try connection.rows(statement, values { $0.append(int64: 10_000) })
            _ = try rows.next()
        }
        #expect(try connection.number("SELECT count(*) FROM shelf") == 1)
    }

    @Test
    func rowsComeInPiecesAlsoBehindOtherCommands() throws {
        let connection = try connect { $0.statementLimit = 1 }
        let statement = try connection.statement(Self.many)
        _ = try connection.statement("SELECT 1")
        try connection.transaction {
            var pieces = 0
            let rows = try connection.rows(statement, values { $0.append(int64: 5_000) })
            while let batch = try rows.next() {
                #expect(batch.rowCount <= 256)
                pieces += 1
            }
            #expect(pieces >= 5_000 / 256)
        }
    }

    @Test
    func eachRowIsHandedOverUntilTheCallerHasEnough() throws {
        let connection = try connect()
        let statement = try connection.statement(Self.many)
        var texts: [String?] = []
        try connection.forEachRow(statement, values { $0.append(int64: 1_000_000) }) { result, row in
            texts.append(try result.string(row, 1))
            return texts.count < 3
        }
        #expect(texts == ["row 1", "row 2", "row 3"])
        try connection.forEachRow(statement, values { $0.append(int64: 0) }) { _, _ in
            Issue.record("there is no row")
            return true
        }
    }

    @Test
    func anErrorInTheMiddleIsThrownBehindTheRowsBeforeIt() throws {
        let connection = try connect()
        let statement = try connection.statement("SELECT 100 / (50 - i) FROM generate_series(1, 100) AS i")
        let rows = try connection.rows(statement)
        var count = 0
        let found = error { while let batch = try rows.next() { count += batch.rowCount } }
        #expect(count == 49)
        #expect(found?.sqlState == "22012")
        #expect(try rows.next() == nil)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func statementsWithoutRowsHaveNone() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE shelf (id int8)")
        let rows = try connection.rows(connection.statement("INSERT INTO shelf VALUES (1)"))
        #expect(try rows.next() == nil)
        #expect(try connection.number("SELECT count(*) FROM shelf") == 1)
    }

    @Test
    func valuesOfTheWrongTypeLeaveTheConnectionUsable() throws {
        let connection = try connect()
        let statement = try connection.statement(Self.many)
        #expect(error { _ = try connection.rows(statement) }?.kind == .invalidParameter)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func aDeadlineEndsTheRows() throws {
        // A busy machine takes its time to confirm.
        let connection = try connect { $0.cancelPatience = .seconds(60) }
        let statement = try connection.statement(Self.many)
        let found = error {
            try connection.withTimeout(.milliseconds(200)) {
                try connection.forEachRow(statement, values { $0.append(int64: 1_000_000_000) }) { _, _ in true }
            }
        }
        #expect(found?.kind == .deadlineExceeded)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }
}
