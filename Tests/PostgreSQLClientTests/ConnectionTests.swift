import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

@Suite("Connections")
struct ConnectionTests {
    @Test
    func theSessionIsAsTheClientNeedsIt() throws {
        let connection = try connect { $0.settings = ["search_path": "a, b"] }
        let expected = [
            "application_name": "coredata", "client_encoding": "UTF8", "standard_conforming_strings": "on",
            "search_path": "a, b",
        ]
        for (name, value) in expected {
            #expect(try connection.execute("SHOW \(name)").string(0, 0) == value)
        }
        #expect(try connection.execute("SHOW DateStyle").string(0, 0)?.hasPrefix("ISO") == true)
        #expect(connection.serverVersion >= 140_000)
        #expect(try connection.number("SELECT pg_backend_pid()::int8") == Int64(connection.processID))
    }

    @Test
    func aSessionWithOtherDefaultsIsCorrected() throws {
        let url = try PostgreSQLServer.shared.newDatabase()
        let name = String(try #require(url.firstMatch(of: #/\/(test\d+)\?/#)).1)
        let admin = try connect(url)
        try admin.execute("ALTER DATABASE \(name) SET DateStyle = 'German'")
        try admin.execute("ALTER DATABASE \(name) SET standard_conforming_strings = off")
        let connection = try connect(url)
        #expect(try connection.execute("SHOW standard_conforming_strings").string(0, 0) == "on")
        #expect(try connection.execute("SHOW DateStyle").string(0, 0)?.hasPrefix("ISO") == true)
    }

    @Test
    func theConnectionStringNamesTheApplication() throws {
        let connection = try connect(PostgreSQLServer.shared.url + "&application_name=league")
        #expect(try connection.execute("SHOW application_name").string(0, 0) == "league")
    }

    @Test
    func theNextHostIsTriedWhereOneDoesNotAnswer() throws {
        let folder = try PostgreSQLServer.shared.folder
        let connection = try connect("host=/tmp/no-such-folder,\(folder) user=postgres dbname=postgres")
        #expect(try connection.number("SELECT 1::int8") == 1)
        let writing = try connect("host=\(folder) user=postgres dbname=postgres target_session_attrs=read-write")
        #expect(writing.isUsable)
        let standby = "host=\(folder) user=postgres dbname=postgres target_session_attrs=standby"
        #expect(error { _ = try connect(standby) }?.kind == .connectionFailed)
    }

    @Test
    func theNextHostIsTriedWhereOneLacksTheDatabase() throws {
        let (first, second) = (try PostgreSQLServer(), try PostgreSQLServer())
        try second.run("CREATE DATABASE league")
        func hosts(_ name: String) -> String { "host=\(first.folder),\(second.folder) user=postgres dbname=\(name)" }
        #expect(try connect(hosts("league")).number("SELECT 1::int8") == 1)
        let missing = error { _ = try connect(hosts("nothing")) }
        #expect(missing?.sqlState == "3D000")
    }

    @Test
    func aHostThatNeverAnswersLeavesTimeForTheNextOne() throws {
        let silent = try SilentServer()
        let hosts = "host=127.0.0.1,\(try PostgreSQLServer.shared.folder) port=\(silent.port),5432"
        let connection = try connect("\(hosts) user=postgres dbname=postgres target_session_attrs=read-write") {
            $0.connectTimeout = .seconds(2)
        }
        #expect(try connection.number("SELECT 1::int8") == 1)
        let silents = "host=127.0.0.1,127.0.0.1 port=\(silent.port) user=postgres dbname=postgres"
        let found = error { _ = try connect(silents) { $0.connectTimeout = .milliseconds(200) } }
        #expect(found?.mayConnectLater == true)
    }

    @Test
    func aMissingDatabaseIsReportedWithItsSQLState() throws {
        let found = error { _ = try connect(PostgreSQLServer.shared.url(database: "none")) }
        #expect(found?.kind == .connectionFailed)
        #expect(found?.sqlState == "3D000")
        #expect(found?.message.contains("LOCATION") == false)
        #expect(found?.message.contains("FATAL: database \"none\" does not exist") == true)
        #expect(found?.mayConnectLater == false)
    }

    @Test
    func aServerThatCanNotBeReachedIsReported() {
        let found = error { _ = try connect("postgresql://u:secret@/d?host=%2Ftmp%2Fno-such-folder") }
        #expect(found?.kind == .connectionFailed)
        #expect(found?.mayConnectLater == true)
        #expect(found.map { "\($0)".contains("secret") } == false)
    }

    @Test
    func aWrongPasswordIsReportedAndNotTriedAgain() throws {
        let server = try PostgreSQLServer()
        let admin = try connect(server.url)
        try admin.execute("CREATE ROLE app LOGIN PASSWORD 'secret'")
        let rules = "local all app scram-sha-256\nlocal all all trust\n"
        let file = try #require(FileHandle(forWritingAtPath: server.folder + "/data/pg_hba.conf"))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(rules.utf8))
        try file.close()
        try admin.execute("SELECT pg_reload_conf()")
        let host = server.folder.replacing("/", with: "%2F")
        func url(_ user: String) -> String { "postgresql://\(user)@/postgres?host=\(host)" }
        #expect(eventually { (try? connect(url("app:secret"))) != nil && (try? connect(url("app"))) == nil })
        let wrong = error { _ = try connect(url("app:other")) }
        #expect(wrong?.sqlState == "28P01")
        let missing = error { _ = try connect(url("app")) }
        for found in [wrong, missing] {
            #expect(found?.kind == .connectionFailed)
            #expect(found?.mayConnectLater == false)
            #expect(found.map { "\($0)".contains("other") } == false)
        }
    }

    @Test
    func theTimeoutEndsAnAttemptToConnect() throws {
        let silent = try SilentServer()
        let port = silent.port
        let start = Date()
        let found = error {
            _ = try connect("postgresql://u:secret@127.0.0.1:\(port)/d") { $0.connectTimeout = .milliseconds(200) }
        }
        #expect(found?.kind == .connectionFailed)
        #expect(found?.message.contains("0.2 s") == true)
        #expect(0.2...5 ~= Date().timeIntervalSince(start))
    }

    @Test
    func aClosedConnectionRefusesRequests() throws {
        let connection = try connect()
        connection.close()
        connection.close()
        #expect(error { try connection.execute("SELECT 1") }?.isConnectionLost == true)
        #expect(error { _ = try connection.notifications() }?.isConnectionLost == true)
        #expect(!connection.isUsable)
        #expect(connection.parameter("server_version") == nil)
    }

    @Test
    func noticesAreDropped() throws {
        let connection = try connect()
        try connection.execute("DO $$ BEGIN RAISE WARNING 'not for stderr'; END $$")
        #expect(connection.isUsable)
    }

    @Test
    func errorsSayWhereAndWhy() throws {
        let connection = try connect()
        try connection.execute(
            "CREATE TEMP TABLE shelf (id int8 CONSTRAINT positive CHECK (id > 0), name text NOT NULL)")
        let check = error { try connection.execute("INSERT INTO shelf VALUES (-1, 'a')") }
        #expect(check?.sqlState == "23514")
        #expect(check?.severity == "ERROR")
        #expect(check?.constraint == "positive")
        #expect(check?.table == "shelf")
        #expect(check?.schema?.hasPrefix("pg_temp") == true)
        #expect(check?.detail?.isEmpty == false)
        #expect(check?.executionIndex == nil)
        let null = error { try connection.execute("INSERT INTO shelf VALUES (1, NULL)") }
        #expect(null?.column == "name")
        let raised = error {
            try connection.execute("DO $$ BEGIN RAISE 'own' USING HINT = 'a hint', ERRCODE = 'XX123'; END $$")
        }
        #expect(raised?.hint == "a hint")
        #expect(raised.map { "\($0)".hasPrefix("ERROR XX123: own") } == true)
        #expect(error { try connection.execute("SELEC") }?.position == 1)
    }

    @Test
    func namesAreQuoted() throws {
        #expect(try PostgreSQLConnection.quoted(identifier: "a\"b; Größe") == "\"a\"\"b; Größe\"")
        #expect(error { _ = try PostgreSQLConnection.quoted(identifier: "a\0") }?.kind == .invalidParameter)
        #expect(error { _ = try PostgreSQLConnection.quoted(identifier: "") }?.kind == .invalidParameter)
    }
}
