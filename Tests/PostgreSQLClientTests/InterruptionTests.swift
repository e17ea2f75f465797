import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

@Suite("Cancelling, deadlines, lost connections")
struct InterruptionTests {
    @Test
    func anotherThreadCancelsARequest() throws {
        let connection = try connect()
        let other = try connect()
        let request = Background { _ = try connection.execute("SELECT pg_sleep(30)") }
        #expect(try eventually { try other.isWaiting(connection.processID) })
        #expect(connection.cancel())
        #expect(request.error?.isCancelled == true)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func aCancellationWithoutARequestHasNoEffect() throws {
        let connection = try connect()
        for number in 0..<50 as Range<Int64> {
            #expect(!connection.cancel())
            #expect(try connection.number("SELECT \(number)::int8") == number)
        }
    }

    @Test
    func cancellationsNeverMeetALaterRequest() throws {
        let connection = try connect()
        let canceller = Background {
            for _ in 0..<200 {
                connection.cancel()
                usleep(2_000)
            }
        }
        var cancelled = 0
        for _ in 0..<400 {
            do {
                try connection.execute("SELECT pg_sleep(0.001)")
            } catch let error as PostgreSQLError where error.isCancelled {
                cancelled += 1
            }
        }
        try canceller.value
        for _ in 0..<20 { #expect(try connection.number("SELECT 1::int8") == 1) }
        #expect(cancelled > 0)
    }

    @Test
    func aRequestEndsAtItsDeadlineAndTheConnectionStaysUsable() throws {
        let connection = try connect()
        let start = Date()
        let found = error {
            try connection.withTimeout(.milliseconds(100)) { _ = try connection.execute("SELECT pg_sleep(30)") }
        }
        #expect(found?.kind == .deadlineExceeded)
        #expect(Date().timeIntervalSince(start) < 5)
        #expect(connection.isUsable)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func everyRequestMayHaveALimit() throws {
        let connection = try connect { $0.requestTimeout = .milliseconds(100) }
        #expect(error { try connection.execute("SELECT pg_sleep(30)") }?.kind == .deadlineExceeded)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func aDeadlineThatHasPassedSendsNothing() throws {
        let connection = try connect()
        connection.deadline = .now - .seconds(1)
        #expect(error { try connection.execute("CREATE TEMP TABLE late (id int)") }?.kind == .deadlineExceeded)
        connection.deadline = nil
        #expect(try connection.number("SELECT count(*) FROM pg_class WHERE relname = 'late'") == 0)
    }

    @Test
    func aTransactionIsRolledBackAtItsDeadline() throws {
        let connection = try connect()
        try connection.execute("CREATE TEMP TABLE shelf (id int8)")
        let found = error {
            try connection.withTimeout(.milliseconds(100)) {
                try connection.transaction {
                    try connection.execute("INSERT INTO shelf VALUES (1)")
                    try connection.execute("SELECT pg_sleep(30)")
                }
            }
        }
        #expect(found?.kind == .deadlineExceeded)
        #expect(try connection.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test
    func aPipelineEndsAtItsDeadline() throws {
        let connection = try connect()
        let found = error {
            try connection.withTimeout(.milliseconds(100)) {
                try connection.pipeline { pipeline in
                    try pipeline.add("SELECT 1")
                    try pipeline.add("SELECT pg_sleep(30)")
                    try pipeline.add("SELECT 1")
                }
            }
        }
        #expect(found?.kind == .deadlineExceeded)
        #expect(found?.executionIndex == 1)
        #expect(connection.isUsable)
    }

    @Test
    func aServerThatDoesNotReactToACancellationCostsTheConnection() throws {
        let connection = try connect { $0.cancelPatience = .milliseconds(300) }
        let other = try connect()
        let process = connection.processID
        let request = Background {
            try connection.withTimeout(.milliseconds(300)) { _ = try connection.execute("SELECT pg_sleep(30)") }
        }
        #expect(try eventually { try other.isWaiting(process) })
        kill(process, SIGSTOP)
        let found = request.error
        kill(process, SIGCONT)
        #expect(found?.kind == .deadlineExceeded)
        #expect(!connection.isUsable)
        #expect(error { try connection.execute("SELECT 1") }?.isConnectionLost == true)
    }

    @Test
    func aSessionThatTheServerEndsIsALostConnection() throws {
        let connection = try connect()
        let other = try connect()
        let request = Background { _ = try connection.execute("SELECT pg_sleep(30)") }
        #expect(try eventually { try other.isWaiting(connection.processID) })
        try other.execute("SELECT pg_terminate_backend($1)", values { $0.append(int32: connection.processID) })
        let found = request.error
        #expect(found?.kind == .connectionLost)
        #expect(found?.sqlState == "57P01")
        #expect(!connection.isUsable)
    }

    @Test
    func aSessionThatEndedMeanwhileIsALostConnection() throws {
        let connection = try connect()
        let other = try connect()
        try other.execute("SELECT pg_terminate_backend($1, 5000)", values { $0.append(int32: connection.processID) })
        #expect(error { try connection.execute("SELECT 1") }?.kind == .connectionLost)
        #expect(!connection.isOpen())
    }

    /// The commit of such a transaction waits in a trigger, so that the connection can be broken meanwhile.
    private func slowCommit(_ connection: PostgreSQLConnection) throws {
        try connection.execute(
            "CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN NULL; END'"
        )
        try connection.execute("CREATE TABLE slow (id int8)")
        try connection.execute(
            "CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED FOR EACH ROW "
                + "EXECUTE FUNCTION pause()")
    }

    @Test(arguments: [true, false])
    func aConnectionThatIsLostDuringCommitLeavesTheOutcomeOpen(inPipeline: Bool) throws {
        let url = try PostgreSQLServer.shared.newDatabase()
        let connection = try connect(url)
        let other = try connect(url)
        try slowCommit(connection)
        let request = Background {
            try connection.transaction {
                if inPipeline {
                    try connection.pipeline(committing: true) { try $0.add("INSERT INTO slow VALUES (1)") }
                } else {
                    try connection.execute("INSERT INTO slow VALUES (1)")
                }
            }
        }
        #expect(try eventually { try other.isWaiting(connection.processID) })
        try other.execute("SELECT pg_terminate_backend($1)", values { $0.append(int32: connection.processID) })
        let found = request.error
        #expect(found?.kind == .commitIsUnknown)
        #expect(found?.isConnectionLost == true)
    }

    @Test
    func aServerThatIsKilledDuringAQueryAndDuringACommit() throws {
        let server = try PostgreSQLServer()
        let query = try connect(server.url)
        let commit = try connect(server.url)
        let other = try connect(server.url)
        try slowCommit(commit)
        let first = Background { _ = try query.execute("SELECT pg_sleep(30)") }
        let second = Background {
            try commit.transaction { _ = try commit.execute("INSERT INTO slow VALUES (1)") }
        }
        for connection in [query, commit] {
            #expect(try eventually { try other.isWaiting(connection.processID) })
        }
        // Without its first process, the server's other ones end as well.
        try server.kill()
        for connection in [query, commit] { server.killBackend(connection.processID) }
        #expect(first.error?.kind == .connectionLost)
        #expect(second.error?.kind == .commitIsUnknown)
        #expect(error { _ = try connect(server.url) }?.kind == .connectionFailed)
        try server.start()
        #expect(try connect(server.url).number("SELECT count(*) FROM slow") == 0)
    }
}
