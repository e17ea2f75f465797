import Foundation
import PostgreSQLClient
import Testing

@Suite("Pipelines")
struct PipelineTests {
    private struct OwnError: Error {}

    private func shelf(_ connection: PostgreSQLConnection) throws -> PostgreSQLStatement {
        try connection.execute("CREATE TEMP TABLE shelf (id int8 PRIMARY KEY, content text)")
        return try connection.statement("INSERT INTO shelf VALUES ($1, $2) RETURNING id, content")
    }

    private func row(_ id: Int64, _ text: String) throws -> PostgreSQLParameters {
        try values {
            $0.append(int64: id)
            try $0.append(text: text)
        }
    }

    @Test
    func tenThousandInsertsThatReturnLargeRowsDoNotDeadlock() throws {
        let connection = try connect()
        let insert = try shelf(connection)
        let text = String(repeating: "x", count: 4_000)
        var ids: [Int64?] = []
        try connection.pipeline { pipeline in
            for id in 0..<10_000 as Range<Int64> { try pipeline.add(insert, row(id, text)) }
        } deliver: { index, result in
            #expect(index == ids.count)
            ids.append(try result.int64(0, 0))
        }
        #expect(ids == (0..<10_000).map { $0 })
        #expect(try connection.number("SELECT count(*) FROM shelf") == 10_000)
    }

    @Test
    func resultsAreDeliveredWhileExecutionsAreAdded() throws {
        let connection = try connect()
        let select = try connection.statement("SELECT repeat('x', 10000), $1::text")
        var delivered = 0
        var mostOutstanding = 0
        let text = String(repeating: "y", count: 1_000)
        try connection.pipeline { pipeline in
            for index in 0..<5_000 {
                try pipeline.add(select, values { try $0.append(text: text) })
                mostOutstanding = max(mostOutstanding, index - delivered)
            }
        } deliver: { _, _ in
            delivered += 1
        }
        #expect(delivered == 5_000)
        #expect(mostOutstanding < 4_000)
    }

    @Test
    func theErrorNamesTheExecutionAndNothingOfThePipelineStays() throws {
        let connection = try connect()
        let insert = try shelf(connection)
        var delivered: [Int] = []
        let found = error {
            try connection.pipeline { pipeline in
                for id in [1, 2, 3, 2, 5] as [Int64] { try pipeline.add(insert, row(id, "a")) }
            } deliver: { index, _ in
                delivered.append(index)
            }
        }
        #expect(found?.executionIndex == 3)
        #expect(found?.isUniqueViolation == true)
        #expect(found?.constraint == "shelf_pkey")
        #expect(delivered == [0, 1, 2])
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test
    func anEarlyErrorEndsALongPipeline() throws {
        let connection = try connect()
        let insert = try shelf(connection)
        let text = String(repeating: "x", count: 2_000)
        var added = 0
        let found = error {
            try connection.pipeline { pipeline in
                try pipeline.add(insert, row(1, text))
                for _ in 0..<100_000 {
                    try pipeline.add(insert, row(1, text))
                    added += 1
                }
            }
        }
        #expect(found?.executionIndex == 1)
        #expect(added < 100_000)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func anErrorOfTheBodyUndoesWhatItAdded() throws {
        let connection = try connect()
        let insert = try shelf(connection)
        #expect(throws: OwnError.self) {
            try connection.pipeline { pipeline in
                for id in 0..<1_000 as Range<Int64> { try pipeline.add(insert, row(id, "a")) }
                throw OwnError()
            }
        }
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
        #expect(connection.isUsable)
    }

    @Test
    func anErrorOfTheHandlerIsThrownAndTheConnectionStaysUsable() throws {
        let connection = try connect()
        let insert = try shelf(connection)
        var calls = 0
        #expect(throws: OwnError.self) {
            try connection.pipeline { pipeline in
                for id in 0..<10 as Range<Int64> { try pipeline.add(insert, row(id, "a")) }
            } deliver: { _, _ in
                calls += 1
                throw OwnError()
            }
        }
        #expect(calls == 1)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func aPipelineWithoutExecutionsDoesNothing() throws {
        let connection = try connect()
        try connection.pipeline { _ in }
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func otherRequestsAreRefusedWhileAPipelineIsFilled() throws {
        let connection = try connect()
        let insert = try shelf(connection)
        try connection.pipeline { pipeline in
            try pipeline.add(insert, row(1, "a"))
            #expect(error { try connection.execute("SELECT 1") }?.kind == .misuse)
            try pipeline.add(insert, row(2, "a"))
        }
        #expect(try connection.number("SELECT count(*) FROM shelf") == 2)
    }

    @Test
    func statementsThatWereForgottenArePreparedOnTheWay() throws {
        let connection = try connect { $0.statementLimit = 1 }
        let first = try connection.statement("SELECT 1::int8")
        let second = try connection.statement("SELECT 2::int8")
        var found: [Int64?] = []
        try connection.pipeline { pipeline in
            for _ in 0..<100 {
                try pipeline.add(first)
                try pipeline.add(second)
            }
        } deliver: { _, result in
            found.append(try result.int64(0, 0))
        }
        #expect(found == (0..<200).map { $0 % 2 == 0 ? 1 : 2 })
        #expect(try connection.execute(first).int64(0, 0) == 1)
    }

    @Test
    func textsCanBePreparedOnTheWay() throws {
        let connection = try connect()
        var found: [Int64?] = []
        try connection.pipeline { pipeline in
            for number in 0..<10 as Range<Int64> {
                try pipeline.add(preparing: "SELECT $1::int8 + 1", values { $0.append(int64: number) })
            }
        } deliver: { _, result in
            found.append(try result.int64(0, 0))
        }
        #expect(found == (1...10).map { $0 })
        #expect(connection.preparedStatementCount == 1)
        let flaw = error {
            try connection.pipeline { pipeline in
                try pipeline.add(preparing: "SELECT 1")
                try pipeline.add(preparing: "SELEC 1")
                try pipeline.add(preparing: "SELECT 2")
            }
        }
        #expect(flaw?.sqlState == "42601")
        #expect(flaw?.executionIndex == 1)
    }

    @Test
    func aPipelineIsOfNoUseBehindItsEnd() throws {
        let connection = try connect()
        var kept: PostgreSQLPipeline?
        try connection.pipeline { kept = $0 }
        #expect(error { try kept?.add("SELECT 1") }?.kind == .misuse)
    }

    @Test
    func textsCanBePartOfAPipeline() throws {
        let connection = try connect()
        var counts: [Int?] = []
        try connection.pipeline { pipeline in
            try pipeline.add("CREATE TEMP TABLE list (id int8)")
            try pipeline.add("INSERT INTO list VALUES ($1), (2)", values { $0.append(int64: 1) })
            try pipeline.add("DELETE FROM list")
        } deliver: { _, result in
            counts.append(result.affectedRows)
        }
        #expect(counts == [nil, 2, 2])
    }

    @Test("an error that comes while large values are added ends the request, and the next transaction has its effect")
    func errorWhileAdding() throws {
        let connection = try connect()
        let insert = try shelf(connection)
        let found = error {
            try connection.transaction {
                try connection.pipeline { pipeline in
                    try pipeline.add("SELECT 1 / (length($1) - 100000)", values { try $0.append(text: large) })
                    // The answer comes meanwhile: nothing else is under way then.
                    Thread.sleep(forTimeInterval: 0.2)
                    for id in 0..<10 as Range<Int64> { try pipeline.add(insert, row(id, large)) }
                }
            }
        }
        #expect(found?.sqlState == "22012")
        try connection.transaction { try connection.execute(insert, row(1, "kept")) }
        #expect(try connection.number("SELECT count(*) FROM shelf") == 1)
    }

    @Test("a pipeline whose results are all there before its end is committed")
    func earlyResults() throws {
        let (connection, other) = (try connect(), try connect())
        try connection.execute("CREATE TABLE early (content text)")
        let large = large
        try connection.pipeline { pipeline in
            for _ in 0..<20 {
                try pipeline.add(
                    "INSERT INTO early VALUES ($1) RETURNING content", values { try $0.append(text: large) })
            }
            Thread.sleep(forTimeInterval: 0.2)
        }
        #expect(try other.number("SELECT count(*) FROM early") == 20)
        try connection.execute("DROP TABLE early")
    }

    private var large: String { String(repeating: "x", count: 100_000) }
}
