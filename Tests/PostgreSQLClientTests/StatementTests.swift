import PostgreSQLClient
import Testing

@Suite("Statements")
struct StatementTests {
    private func preparedCount(_ connection: PostgreSQLConnection, _ text: String) throws -> Int64? {
        let values = try values { try $0.append(text: text) }
        return try connection.number("SELECT count(*) FROM pg_prepared_statements WHERE statement = $1", values)
    }

    @Test
    func aTextIsPreparedOnce() throws {
        let connection = try connect()
        let text = "SELECT 1::int8 AS one, $1::text AS text"
        let statement = try connection.statement(text)
        for _ in 0..<3 {
            let again = try connection.statement(text)
            #expect(again === statement)
            try connection.execute(again, values { try $0.append(text: "x") })
        }
        #expect(try preparedCount(connection, text) == 1)
    }

    @Test
    func aStatementKnowsItsParametersAndColumns() throws {
        let statement = try connect().statement("SELECT 1::int8 AS one, $1::text AS text, $2::numeric")
        #expect(statement.parameterTypes == [.text, .numeric])
        #expect(statement.columns.map(\.name) == ["one", "text", "numeric"])
        #expect(statement.columns.map(\.type) == [.int8, .text, .numeric])
    }

    @Test
    func typesCanBeGivenWhereTheServerInfersOthers() throws {
        let connection = try connect()
        #expect(try connection.statement("SELECT $1").parameterTypes == [.text])
        #expect(try connection.statement("SELECT $1", types: [.int8]).parameterTypes == [.int8])
    }

    @Test
    func theLeastRecentlyUsedStatementsAreForgotten() throws {
        let connection = try connect { $0.statementLimit = 3 }
        let first = try connection.statement("SELECT 1")
        for number in 2...3 { _ = try connection.statement("SELECT \(number)") }
        try connection.execute(first)
        for number in 4...6 { _ = try connection.statement("SELECT \(number)") }
        #expect(connection.preparedStatementCount == 3)
        #expect(try preparedCount(connection, "SELECT 2") == 0)
        // The last one that was forgotten is removed with the next that is prepared.
        #expect(try connection.number("SELECT count(*) FROM pg_prepared_statements") ?? 99 <= 4)
    }

    @Test
    func aForgottenStatementIsPreparedAgainWhenItIsExecuted() throws {
        let connection = try connect { $0.statementLimit = 1 }
        let statement = try connection.statement("SELECT 1::int8 + $1::int8")
        for number in 0..<5 as Range<Int64> {
            _ = try connection.statement("SELECT \(number)")
            #expect(try connection.execute(statement, values { $0.append(int64: number) }).int64(0, 0) == number + 1)
        }
        #expect(connection.preparedStatementCount == 1)
        #expect(try connection.number("SELECT count(*) FROM pg_prepared_statements") ?? 99 <= 2)
    }

    @Test
    func severalTextsArePreparedTogether() throws {
        let connection = try connect()
        try connection.prepare(["SELECT 'a'", "SELECT 'b'", "SELECT 'a'"])
        #expect(connection.preparedStatementCount == 2)
        #expect(try preparedCount(connection, "SELECT 'b'") == 1)
    }

    @Test
    func aFlawInATextIsReportedWithItsPlace() throws {
        let connection = try connect()
        let found = error { _ = try connection.statement("SELECT * FROM nothing_of_this_name") }
        #expect(found?.sqlState == "42P01")
        #expect(found?.position == 15)
        #expect(connection.preparedStatementCount == 0)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func valuesOfWrongTypesAndCountsAreRefused() throws {
        let connection = try connect()
        let statement = try connection.statement("SELECT $1::int8 + $2::int8")
        let wrong = [
            values { $0.append(int64: 1) },
            values {
                $0.append(int64: 1)
                $0.append(double: 2)
            },
            try values {
                $0.append(int64: 1)
                try $0.append(text: "12345678")
            },
            values {
                $0.append(int64: 1)
                $0.append(timestamp: 1)
            },
        ]
        for values in wrong {
            #expect(error { try connection.execute(statement, values) }?.kind == .invalidParameter)
        }
        #expect(connection.isUsable)
    }

    @Test
    func aStatementOfAnotherConnectionIsRefused() throws {
        let statement = try connect().statement("SELECT 1")
        let connection = try connect()
        _ = try connection.statement("SELECT 2")
        #expect(error { try connection.execute(statement) }?.kind == .misuse)
        #expect(error { _ = try connection.rows(statement) }?.kind == .misuse)
        #expect(error { try connection.pipeline { try $0.add(statement) } }?.kind == .misuse)
        #expect(connection.isUsable)
    }

    @Test
    func aStatementSurvivesAChangeOfItsTable() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE shelf (id int8)")
        let statement = try connection.statement("SELECT * FROM shelf")
        try connection.execute(statement)
        try connection.execute("ALTER TABLE shelf ADD COLUMN name text")
        #expect(error { try connection.execute(statement) }?.sqlState == "0A000")
        #expect(try connection.execute(statement).columnCount == 2)
        #expect(statement.columns.map(\.name) == ["id", "name"])
    }

    @Test
    func aStatementThatTheServerLostIsPreparedAgain() throws {
        let connection = try connect()
        let statement = try connection.statement("SELECT 5::int8")
        try connection.execute("DEALLOCATE ALL")
        #expect(error { try connection.execute(statement) }?.sqlState == "26000")
        #expect(try connection.execute(statement).int64(0, 0) == 5)
    }

    @Test
    func withoutPreparedStatementsTheServerKeepsNone() throws {
        let connection = try connect { $0.preparesStatements = false }
        try connection.execute("CREATE TEMP TABLE shelf (id int8, name text, price numeric)")
        let insert = try connection.statement("INSERT INTO shelf VALUES ($1, $2, $3)")
        try connection.transaction {
            try connection.pipeline { pipeline in
                for number in 0..<10 as Range<Int64> {
                    let values = try values {
                        $0.append(int64: number)
                        try $0.append(text: "name \(number)")
                        if number % 2 == 0 { $0.appendNull() } else { try $0.append(numeric: "\(number).25") }
                    }
                    try pipeline.add(insert, values)
                }
            }
        }
        let select = try connection.statement("SELECT id, name, price FROM shelf WHERE id >= $1 ORDER BY id")
        let result = try connection.execute(select, values { $0.append(int64: 8) })
        #expect(result.rowCount == 2)
        #expect(try result.string(0, 1) == "name 8")
        #expect(result.isNull(0, 2))
        #expect(try result.numeric(1, 2) == "9.25")
        #expect(try connection.rows(select, values { $0.append(int64: 9) }).next()?.int64(0, 0) == 9)
        #expect(try connection.number("SELECT count(*) FROM pg_prepared_statements") == 0)
    }
}
