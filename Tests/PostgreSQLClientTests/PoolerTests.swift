import PostgreSQLClient
import PostgreSQLServer
import Testing

/// Connections through pgbouncer, which gives each transaction another session of the server.
@Suite struct PoolerTests {
    private static let server = Result { try PostgreSQLServer() }
    /// All connections share one session, so that what stays in it would be seen.
    private static let pooler = Result { try PostgreSQLPooler(to: server.get(), sessions: 1) }

    private func pooled(_ settings: [String: String] = [:]) throws -> PostgreSQLConnection {
        try connect(Self.pooler.get().url(database: "postgres")) { $0.settings = settings }
    }

    private static let path = "SELECT current_setting('search_path')"

    @Test func aPoolerIsDetected() throws {
        #expect(try !pooled().keepsSession)
        #expect(try connect(Self.server.get().url).keepsSession)
    }

    @Test func settingsAreThoseOfTheConnectionInEachTransactionAndStayInNone() throws {
        let (one, other, plain) = (
            try pooled(["search_path": "one"]), try pooled(["search_path": "other"]), try pooled()
        )
        let unset = try connect(Self.server.get().url).execute(Self.path).string(0, 0)
        for _ in 0..<3 {
            #expect(try one.execute(Self.path).string(0, 0) == "one")
            #expect(try other.execute(other.statement(Self.path)).string(0, 0) == "other")
            #expect(try plain.execute(Self.path).string(0, 0) == unset)
            #expect(try one.rows(one.statement(Self.path)).next()?.string(0, 0) == "one")
            let found = try other.transaction(isolation: .repeatableRead, readOnly: true) {
                try [other.execute(Self.path).string(0, 0), other.execute(Self.path).string(0, 0)]
            }
            #expect(found == ["other", "other"])
            var piped: String?
            try one.pipeline {
                try $0.add(preparing: Self.path)
            } deliver: {
                piped = try $1.string(0, 0)
            }
            #expect(piped == "one")
        }
        #expect(try plain.number("SELECT count(*) FROM pg_prepared_statements") == 0)
    }

    @Test func rowsAreCopiedIntoTheTableOfTheConnectionsOwnSchema() throws {
        let direct = try connect(Self.server.get().url)
        for schema in ["first", "second"] {
            try direct.execute("CREATE SCHEMA \(schema)")
            try direct.execute("CREATE TABLE \(schema).shelf (id int8)")
        }
        let (first, second) = (try pooled(["search_path": "first"]), try pooled(["search_path": "second"]))
        let copy = "COPY shelf (id) FROM STDIN (FORMAT binary)"
        let row = values { $0.append(int64: 7) }
        try first.copyIn(copy) { try $0.write(row) }
        try second.transaction {
            try second.copyIn(copy) { writer in
                try writer.write(row)
                try writer.write(row)
            }
        }
        #expect(try direct.number("SELECT count(*) FROM first.shelf") == 1)
        #expect(try direct.number("SELECT count(*) FROM second.shelf") == 2)
    }

    @Test func aTransactionThatLastsKeepsItsStateBesideOthers() throws {
        // The transaction holds a session.
        let pooler = try PostgreSQLPooler(to: Self.server.get(), sessions: 2)
        let url = pooler.url(database: "postgres")
        let direct = try connect(Self.server.get().url)
        try direct.execute("CREATE SCHEMA held")
        try direct.execute("CREATE TABLE held.shelf (id int8)")
        let (holder, writer) = (
            try connect(url) { $0.settings = ["search_path": "held"] },
            try connect(url) { $0.settings = ["search_path": "held"] }
        )
        try holder.beginTransaction(isolation: .repeatableRead, readOnly: true)
        #expect(try holder.number("SELECT count(*) FROM shelf") == 0)
        try writer.execute("INSERT INTO shelf VALUES (1)")
        #expect(try writer.number("SELECT count(*) FROM shelf") == 1)
        #expect(try holder.number("SELECT count(*) FROM shelf") == 0)
    }

    @Test func aPoolerThatIsSaidToKeepSessionsKeepsThem() throws {
        let pooler = try PostgreSQLPooler(to: Self.server.get(), sessions: 2, mode: .session)
        let connection = try connect(pooler.url(database: "postgres")) {
            $0.sessions = .kept
            $0.settings = ["search_path": "one"]
        }
        #expect(connection.keepsSession)
        #expect(try connection.execute(connection.statement(Self.path)).string(0, 0) == "one")
        #expect(try connection.number("SELECT count(*) FROM pg_prepared_statements") == 1)
    }
}
