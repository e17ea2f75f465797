import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

@Suite("Servers of tests")
struct ServerTests {
    @Test
    func databasesAreEmptyAndApart() throws {
        let server = try PostgreSQLServer.shared
        let first = try connect(server.newDatabase())
        let second = try connect(server.newDatabase())
        try first.execute("CREATE TABLE shelf (id int8)")
        #expect(error { try second.execute("SELECT * FROM shelf") }?.sqlState == "42P01")
    }

    @Test
    func aServerEndsWithItsProcess() async throws {
        let file = NSTemporaryDirectory() + "coredata-server-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        setenv("COREDATA_TEST_SERVER_FILE", file, 1)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let server = try PostgreSQLServer()
            let process = try PostgreSQLConnection(server.url).processID
            let path = ProcessInfo.processInfo.environment["COREDATA_TEST_SERVER_FILE"] ?? ""
            try "\(server.folder)\n\(process)".write(toFile: path, atomically: true, encoding: .utf8)
            kill(getpid(), SIGKILL)
        }
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        let process = try #require(Int32(lines.last ?? ""))
        #expect(eventually { !FileManager.default.fileExists(atPath: lines[0]) })
        #expect(kill(process, 0) != 0)
    }

    @Test
    func aDurableServerForcesItsData() throws {
        let server = try PostgreSQLServer(durability: .full, settings: ["work_mem": "7MB"])
        let connection = try connect(server.url)
        #expect(try connection.execute("SHOW fsync").string(0, 0) == "on")
        #expect(try connection.execute("SHOW work_mem").string(0, 0) == "7MB")
        try connection.execute("CREATE TABLE shelf (id int8)")
        try server.stop(.immediate)
        #expect(!server.isRunning)
        try server.start()
        #expect(try connect(server.url).number("SELECT count(*) FROM shelf") == 0)
        #expect(server.log.contains("recovery"))
    }
}
