import Foundation
import PostgreSQLServer

/// The tests' server, as `psql` sees it: statements and answers are texts.
struct PostgreSQLTestServer {
    /// - Throws: An error that names the Debian package, where the machine has no server.
    static var shared: PostgreSQLTestServer { get throws { PostgreSQLTestServer(server: try PostgreSQLServer.shared) } }

    private let server: PostgreSQLServer

    /// What a session says to a script: one line of text for each row of each statement.
    ///
    /// Columns end with U+001F, rows with U+001E, and null is U+0000's picture. An error is a row that begins with
    /// `ERROR`, and the statements behind it run.
    func run(_ script: String, database: String = "postgres") throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sql")
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
        defer { for used in [file, output] { try? FileManager.default.removeItem(at: used) } }
        try Data(script.utf8).write(to: file)
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: server.program("psql"))
        process.arguments = [
            "-X", "-q", "-A", "-t", "-h", server.folder, "-U", "postgres", "-d", database, "-F", "\u{1f}", "-R",
            "\u{1e}", "-P", "null=\u{2400}", "-v", "VERBOSITY=verbose", "-f", file.path,
        ]
        let handle = try FileHandle(forWritingTo: output)
        (process.standardOutput, process.standardError) = (handle, handle)
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }

    func makeDatabase(_ name: String) throws { _ = try run("CREATE DATABASE \(name);") }
}
