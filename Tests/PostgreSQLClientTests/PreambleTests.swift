import PostgreSQLClient
import PostgreSQLServer
import Synchronization
import Testing

/// Statements in front of a request, and behind a COMMIT.
@Suite struct PreambleTests {
    private struct Refusal: Error {}

    private static let counting = "SELECT nextval('steps')"

    private func counter() throws -> PostgreSQLConnection {
        let connection = try connect()
        try connection.execute("CREATE TEMP SEQUENCE steps")
        return connection
    }

    @Test func aPreambleRunsInFrontOfEachRequest() throws {
        let connection = try counter()
        let seen = Mutex<[Int64?]>([])
        let preamble = PostgreSQLPreamble(Self.counting) { result in
            let number = try result.int64(0, 0)
            seen.withLock { $0.append(number) }
        }
        try connection.withPreamble(preamble) {
            #expect(try connection.number(Self.counting) == 2)
            try connection.pipeline { pipeline in
                try pipeline.add(Self.counting)
                try pipeline.add(Self.counting)
            }
        }
        #expect(try connection.number(Self.counting) == 6)
        #expect(seen.withLock { $0 } == [1, 3])
    }

    @Test func aRequestWhosePreambleIsRefusedGivesNothing() throws {
        let connection = try connect()
        let preamble = PostgreSQLPreamble("SELECT 1") { _ in throw Refusal() }
        let statement = try connection.statement("SELECT 2")
        #expect(throws: Refusal.self) {
            try connection.withPreamble(preamble) { try connection.execute(statement) }
        }
        #expect(throws: Refusal.self) {
            try connection.withPreamble(preamble) {
                try connection.pipeline {
                    try $0.add(statement)
                } deliver: { _, _ in
                    Issue.record("A result came behind a refused preamble.")
                }
            }
        }
        #expect(try connection.execute(statement).int32(0, 0) == 2)
    }

    @Test func aTransactionHasNoPreamble() throws {
        let connection = try connect()
        let preamble = PostgreSQLPreamble("SELECT 1") { _ in throw Refusal() }
        let found = try connection.withPreamble(preamble) {
            try connection.transaction { try connection.number("SELECT 2::int8") }
        }
        #expect(found == 2)
    }

    @Test func aStatementBehindACommitGivesItsResult() throws {
        let connection = try counter()
        var number: Int64?
        try connection.transaction {
            try connection.pipeline(committing: true, then: (Self.counting, { number = try? $0.int64(0, 0) })) {
                try $0.add(Self.counting)
            }
        }
        #expect(number == 2)
    }

    @Test func aStatementThatFailsBehindACommitChangesNothing() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE shelf (id int8)")
        try connection.transaction {
            let query: PostgreSQLConnection.AfterCommit = (
                "SELECT 1 / 0", { _ in Issue.record("A statement that failed gave a result.") }
            )
            try connection.pipeline(committing: true, then: query) { try $0.add("INSERT INTO shelf VALUES (1)") }
        }
        #expect(try connection.number("SELECT count(*) FROM shelf") == 1)
    }

    @Test func nothingComesBehindACommitThatFails() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE shelf (id int8 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        let failure = error {
            try connection.transaction {
                let query: PostgreSQLConnection.AfterCommit = (
                    "SELECT 1", { _ in Issue.record("A transaction that failed gave a result.") }
                )
                try connection.pipeline(committing: true, then: query) { pipeline in
                    try pipeline.add("INSERT INTO shelf VALUES (1)")
                    try pipeline.add("INSERT INTO shelf VALUES (1)")
                }
            }
        }
        #expect(failure?.isUniqueViolation == true)
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }
}
