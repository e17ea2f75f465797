import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Synchronization
import Testing

@Suite("Pools")
struct PoolTests {
    private func pool(_ url: String? = nil, _ change: (inout PostgreSQLPool.Options) -> Void = { _ in }) throws
        -> PostgreSQLPool
    {
        var options = PostgreSQLPool.Options()
        options.limit = 2
        change(&options)
        return PostgreSQLPool(try url ?? PostgreSQLServer.shared.url, options: options)
    }

    private func processID(_ connection: PostgreSQLConnection) -> Int32 { connection.processID }

    @Test
    func connectionsAreOpenedWhenTheyAreNeededAndUsedAgain() throws {
        let pool = try pool()
        #expect(pool.statistics == .init())
        let first = try pool.withConnection(processID)
        #expect(pool.statistics.idle == 1)
        #expect(try pool.withConnection(processID) == first)
        #expect(pool.statistics.idle == 1)
    }

    @Test
    func noMoreConnectionsAreOpenThanTheLimit() throws {
        let pool = try pool { $0.limit = 3 }
        let most = Mutex(0)
        let threads = (0..<20).map { _ in
            Background {
                for _ in 0..<20 {
                    try pool.withConnection { connection in
                        try connection.execute("SELECT pg_sleep(0.001)")
                        let statistics = pool.statistics
                        most.withLock { $0 = max($0, statistics.inUse + statistics.idle) }
                    }
                }
            }
        }
        for thread in threads { try thread.value }
        #expect(most.withLock(\.self) == 3)
        #expect(pool.statistics == .init(inUse: 0, idle: 3, waiting: 0))
    }

    @Test
    func callersGetConnectionsInTheOrderInWhichTheyCame() throws {
        let pool = try pool { $0.limit = 1 }
        let order = Mutex<[Int]>([])
        var threads: [Background<Void>] = []
        try pool.withConnection { _ in
            for number in 0..<10 {
                threads.append(
                    Background { try pool.withConnection { _ in order.withLock { $0.append(number) } } })
                #expect(eventually { pool.statistics.waiting == number + 1 })
            }
        }
        for thread in threads { try thread.value }
        #expect(order.withLock(\.self) == Array(0..<10))
    }

    @Test
    func theWaitEndsAtItsTimeoutWithAnErrorThatSaysHowManyAreInUse() throws {
        let pool = try pool()
        let found = try pool.withConnection { _ in
            try pool.withConnection { _ in
                error { try pool.withConnection(timeout: .milliseconds(50)) { _ in } }
            }
        }
        #expect(found?.kind == .poolExhausted)
        #expect(found?.message.contains("2 of at most 2") == true)
        #expect(pool.statistics.waiting == 0)
        #expect(try pool.withConnection { try $0.number("SELECT 1::int8") } == 1)
    }

    @Test
    func aConnectionThatTheServerEndedIsReplaced() throws {
        let pool = try pool()
        let other = try connect()
        let first = try pool.withConnection(processID)
        try other.execute("SELECT pg_terminate_backend($1, 5000)", values { $0.append(int32: first) })
        let second = try pool.withConnection { connection in
            let one = try connection.number("SELECT 1::int8")
            #expect(one == 1)
            return connection.processID
        }
        #expect(second != first)
        #expect(pool.statistics.idle == 1)
    }

    @Test
    func aConnectionThatBreaksInUseIsThrownAway() throws {
        let pool = try pool()
        let found = error {
            try pool.withConnection { connection in
                try connection.execute(
                    "SELECT pg_terminate_backend($1)", values { $0.append(int32: connection.processID) })
                try connection.execute("SELECT 1")
            }
        }
        #expect(found?.isConnectionLost == true)
        #expect(pool.statistics == .init())
        #expect(try pool.withConnection { try $0.number("SELECT 1::int8") } == 1)
    }

    @Test
    func aConnectionThatWasIdleForLongIsTested() throws {
        let pool = try pool {
            $0.idleLimit = .zero
            $0.testTimeout = .milliseconds(200)
        }
        let first = try pool.withConnection(processID)
        #expect(try pool.withConnection(processID) == first)
        // A process that does not answer any more, while its socket stays open.
        kill(first, SIGSTOP)
        defer { kill(first, SIGCONT) }
        #expect(try pool.withConnection(processID) != first)
    }

    @Test
    func whatACallerLeavesIsEnded() throws {
        let pool = try pool { $0.limit = 1 }
        let first = try pool.withConnection { connection in
            connection.deadline = .now - .seconds(1)
            return connection.processID
        }
        try pool.withConnection { connection in
            #expect(connection.processID == first)
            _ = try connection.rows(connection.statement("SELECT generate_series(1, 1000000)"))
        }
        try pool.withConnection { connection in
            #expect(connection.processID == first)
            try connection.execute("BEGIN")
        }
        // A transaction that is left open costs the connection.
        #expect(try pool.withConnection(processID) != first)
    }

    @Test
    func eachNewConnectionIsPrepared() throws {
        let pool = try PostgreSQLPool(PostgreSQLServer.shared.url) { connection in
            try connection.execute("SET statement_timeout = '54321ms'")
        }
        #expect(try pool.withConnection { try $0.execute("SHOW statement_timeout").string(0, 0) } == "54321ms")
    }

    @Test
    func aClosedPoolWaitsForItsConnectionsAndRefusesCallers() throws {
        let pool = try pool { $0.limit = 1 }
        let release = DispatchSemaphore(value: 0)
        let user = Background { try pool.withConnection { _ in release.wait() } }
        #expect(eventually { pool.statistics.inUse == 1 })
        let waiting = Background { try pool.withConnection { _ in } }
        #expect(eventually { pool.statistics.waiting == 1 })
        #expect(!pool.close(timeout: .milliseconds(50)))
        #expect(waiting.error?.kind == .poolClosed)
        #expect(error { try pool.withConnection { _ in } }?.kind == .poolClosed)
        let closing = Background { pool.close() }
        release.signal()
        try user.value
        #expect(try closing.value)
        #expect(pool.statistics == .init())
    }

    @Test
    func attemptsToConnectAreRepeatedForAWhile() throws {
        let pool = try pool("postgresql://postgres@/postgres?host=%2Ftmp%2Fno-such-folder") {
            $0.reconnectLimit = .milliseconds(300)
        }
        let start = Date()
        #expect(error { try pool.withConnection { _ in } }?.kind == .connectionFailed)
        #expect(0.1...3 ~= Date().timeIntervalSince(start))
        #expect(pool.statistics == .init())
    }

    @Test
    func attemptsThatCanNotSucceedAreNotRepeated() throws {
        let pool = try pool(PostgreSQLServer.shared.url(database: "none")) { $0.reconnectLimit = .seconds(20) }
        let start = Date()
        #expect(error { try pool.withConnection { _ in } }?.sqlState == "3D000")
        #expect(Date().timeIntervalSince(start) < 5)
    }

    @Test
    func aPoolSurvivesARestartOfItsServer() throws {
        let server = try PostgreSQLServer()
        let pool = try pool(server.url)
        try pool.withConnection { try $0.execute("CREATE TABLE shelf (id int8)") }
        try server.stop()
        let waiting = Background { try pool.withConnection { try $0.number("SELECT count(*) FROM shelf") } }
        usleep(100_000)
        try server.start()
        #expect(try waiting.value == 0)
        #expect(pool.statistics == .init(inUse: 0, idle: 1, waiting: 0))
    }
}
