import Foundation

/// A server of PostgreSQL in a temporary folder, for the tests of one process. It ends with the process.
final class PostgreSQLTestServer: Sendable {
    /// Nil where the machine has no PostgreSQL.
    static let shared = binaries.map { PostgreSQLTestServer(binaries: $0) }

    let folder: URL
    private let binaries: URL

    /// The folder with `postgres` and `initdb`.
    private static let binaries: URL? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders = versions.sorted { Int($0) ?? 0 > Int($1) ?? 0 }.map { "/usr/lib/postgresql/\($0)/bin" }
        let path = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        return (folders + path).first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
            .map { URL(fileURLWithPath: $0) }
    }()

    private init(binaries: URL) {
        self.binaries = binaries
        folder = URL(fileURLWithPath: "/tmp/coredata-postgresql-\(getpid())")
        start()
    }

    /// The server's shell waits for the end of its input, which comes with that of this process.
    private func start() {
        let script = """
            set -e
            trap 'kill -QUIT $server 2>/dev/null; rm -rf \(folder.path)' EXIT
            mkdir -m 711 \(folder.path)
            \(binaries.path)/initdb -D \(folder.path)/data --locale=C.UTF-8 -E UTF8 -N -A trust -U postgres >/dev/null
            \(binaries.path)/postgres -D \(folder.path)/data -c listen_addresses='' -c fsync=off \
            -c unix_socket_directories=\(folder.path) -c shared_buffers=32MB -c max_connections=20 \
            >\(folder.path)/log 2>&1 </dev/null &
            server=$!
            cat >/dev/null
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        if getuid() == 0 {
            // PostgreSQL refuses to run as root.
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=postgres", "--regid=postgres", "--clear-groups", "/bin/sh"] + (process.arguments ?? [])
        }
        process.currentDirectoryURL = URL(fileURLWithPath: "/tmp")
        process.standardInput = Self.lifeline
        do { try process.run() } catch { fatalError("The server does not start: \(error)") }
        for _ in 0..<600 where !FileManager.default.fileExists(atPath: folder.path + "/.s.PGSQL.5432") {
            Thread.sleep(forTimeInterval: 0.1)
        }
    }

    /// Open as long as this process.
    private static let lifeline = Pipe()

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
        process.executableURL = binaries.appendingPathComponent("psql")
        process.arguments = [
            "-X", "-q", "-A", "-t", "-h", folder.path, "-U", "postgres", "-d", database, "-F", "\u{1f}", "-R", "\u{1e}",
            "-P", "null=\u{2400}", "-v", "VERBOSITY=verbose", "-f", file.path,
        ]
        let handle = try FileHandle(forWritingTo: output)
        (process.standardOutput, process.standardError) = (handle, handle)
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }

    /// Makes a database with the functions that statements call.
    func makeDatabase(_ name: String) throws {
        _ = try run("CREATE DATABASE \(name);")
    }
}
