import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

@Suite("Transactions")
struct TransactionTests {
    private struct OwnError: Error {}

    private func table(_ connection: PostgreSQLConnection) throws {
        try connection.execute("CREATE TEMP TABLE shelf (id int8 PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)")
    }

    @Test
    func aTransactionIsCommitted() throws {
        let connection = try connect()
        try table(connection)
        let value = try connection.transaction {
            try connection.execute("INSERT INTO shelf VALUES (1)")
            #expect(connection.isInTransaction)
            return 7
        }
        #expect(value == 7)
        #expect(!connection.isInTransaction)
        #expect(try connection.number("SELECT count(*) FROM shelf") == 1)
    }

    @Test
    func aTransactionIsRolledBackWhenItsCodeThrows() throws {
        let connection = try connect()
        try table(connection)
        #expect(throws: OwnError.self) {
            try connection.transaction {
                try connection.execute("INSERT INTO shelf VALUES (1)")
                throw OwnError()
            }
        }
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
        #expect(connection.isUsable)
    }

    @Test
    func aTransactionIsRolledBackAfterAnErrorOfTheServer() throws {
        let connection = try connect()
        try table(connection)
        let found = error {
            try connection.transaction {
                try connection.execute("INSERT INTO shelf VALUES (1)")
                try connection.execute("SELECT 1 / 0")
            }
        }
        #expect(found?.sqlState == "22012")
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test
    func aTransactionWhoseErrorWasCaughtIsNotCommittedSilently() throws {
        let connection = try connect()
        try table(connection)
        let found = error {
            try connection.transaction {
                try connection.execute("INSERT INTO shelf VALUES (1)")
                _ = try? connection.execute("SELECT 1 / 0")
            }
        }
        #expect(found?.sqlState == "25P02")
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test
    func anErrorOfTheCommitIsThrown() throws {
        let connection = try connect()
        try table(connection)
        let found = error {
            try connection.transaction {
                for _ in 0..<2 { try connection.execute("INSERT INTO shelf VALUES (1)") }
            }
        }
        #expect(found?.isUniqueViolation == true)
        #expect(found?.kind == .server)
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test
    func aTransactionWithoutRequestsIsNoneAtTheServer() throws {
        let connection = try connect()
        try connection.transaction {}
        #expect(throws: OwnError.self) { try connection.transaction { throw OwnError() } }
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test(
        arguments: [
            (.readCommitted, "read committed"), (.repeatableRead, "repeatable read"), (.serializable, "serializable"),
        ] as [(PostgreSQLConnection.Isolation, String)])
    func isolationAndAccessAreAsAsked(isolation: PostgreSQLConnection.Isolation, name: String) throws {
        let connection = try connect()
        for readOnly in [true, false] {
            try connection.transaction(isolation: isolation, readOnly: readOnly) {
                let level = try connection.execute("SHOW transaction_isolation").string(0, 0)
                let access = try connection.execute("SHOW transaction_read_only").string(0, 0)
                #expect(level == name)
                #expect(access == (readOnly ? "on" : "off"))
            }
        }
    }

    @Test
    func theFirstCommandMayBeOfAnyKind() throws {
        let connection = try connect()
        try table(connection)
        func inTransaction() throws -> Bool { try connection.number("SELECT count(*) FROM shelf") != nil }
        try connection.transaction { _ = try connection.statement("SELECT 17") }
        try connection.transaction {
            let rows = try connection.rows(connection.statement("SELECT 18::int8"))
            #expect(try rows.next()?.int64(0, 0) == 18)
        }
        try connection.transaction {
            let count = try connection.copyIn("COPY shelf FROM STDIN (FORMAT binary)") { writer in
                try writer.write(values { $0.append(int64: 4) })
            }
            #expect(count == 1)
        }
        #expect(throws: OwnError.self) {
            try connection.transaction {
                try connection.copyIn("COPY shelf FROM STDIN (FORMAT binary)") { writer in
                    try writer.write(values { $0.append(int64: 5) })
                }
                throw OwnError()
            }
        }
        #expect(try connection.number("SELECT count(*) FROM shelf") == 1)
    }

    @Test
    func aPipelineCanCommitInItsOwnRoundTrip() throws {
        let url = try PostgreSQLServer.shared.newDatabase()
        let connection = try connect(url)
        let other = try connect(url)
        try connection.execute("CREATE TABLE shelf (id int8 PRIMARY KEY)")
        try connection.transaction {
            try connection.pipeline(committing: true) { try $0.add("INSERT INTO shelf VALUES (1)") }
            #expect(try other.number("SELECT count(*) FROM shelf") == 1)
            #expect(error { try connection.execute("INSERT INTO shelf VALUES (2)") }?.kind == .misuse)
        }
        let found = error {
            try connection.transaction {
                try connection.pipeline(committing: true) {
                    try $0.add("INSERT INTO shelf VALUES (3)")
                    try $0.add("INSERT INTO shelf VALUES (1)")
                }
            }
        }
        #expect(found?.isUniqueViolation == true)
        #expect(try other.number("SELECT count(*) FROM shelf") == 1)
        try connection.transaction { try connection.pipeline(committing: true) { _ in } }
        #expect(connection.isUsable)
    }

    @Test
    func theServerBeginsWhileTheRestOfAPipelineIsPutTogether() throws {
        let url = try PostgreSQLServer.shared.newDatabase()
        let connection = try connect(url)
        let other = try connect(url)
        try connection.execute("CREATE TABLE shelf (id int8 PRIMARY KEY)")
        let process = try #require(try connection.number("SELECT pg_backend_pid()"))
        let begun = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process) AND query LIKE 'BEGIN%'"
        try connection.transaction {
            try connection.pipeline(committing: true) { pipeline in
                try pipeline.sendAhead()
                let limit = ContinuousClock.now + .seconds(30)
                while try other.number(begun) == 0, .now < limit { Thread.sleep(forTimeInterval: 0.001) }
                #expect(try other.number(begun) == 1)
                try pipeline.add("INSERT INTO shelf VALUES (1)")
            }
        }
        #expect(try other.number("SELECT count(*) FROM shelf") == 1)
        #expect(throws: OwnError.self) {
            try connection.transaction {
                try connection.pipeline(committing: true) { pipeline in
                    try pipeline.sendAhead()
                    try pipeline.add("INSERT INTO shelf VALUES (2)")
                    throw OwnError()
                }
            }
        }
        #expect(try connection.number("SELECT count(*) FROM shelf") == 1)
    }

    @Test
    func transactionsDoNotNest() throws {
        let connection = try connect()
        try connection.transaction {
            #expect(error { try connection.transaction {} }?.kind == .misuse)
        }
    }

    @Test
    func conflictsOfSerializableTransactionsCanBeRepeated() throws {
        let url = try PostgreSQLServer.shared.newDatabase()
        let first = try connect(url)
        let second = try connect(url)
        try first.execute("CREATE TABLE counter (value int8)")
        try first.execute("INSERT INTO counter VALUES (0)")
        let found = error {
            try first.transaction(isolation: .repeatableRead) {
                _ = try first.number("SELECT value FROM counter")
                try second.execute("UPDATE counter SET value = 1")
                try first.execute("UPDATE counter SET value = 2")
            }
        }
        #expect(found?.sqlState == "40001")
        #expect(found?.isRetryable == true)
    }
}
