import Foundation

/// The installed programs of a server, and how they are run.
struct ServerPrograms {
    private static let parent = "/usr/lib/postgresql"
    /// The server refuses to run as root: a user that Debian's package makes runs it then.
    private static let user = "postgres"
    private let folder: String
    private let isRoot = getuid() == 0

    init() throws {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: Self.parent)) ?? []
        let found = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(Self.parent)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
        guard let found else {
            throw PostgreSQLServerError(
                "There is no PostgreSQL server in \(Self.parent). Install the Debian package `postgresql`.")
        }
        folder = found
    }

    func path(_ program: String) -> String { "\(folder)/\(program)" }

    /// A command as the user that the server runs as.
    private func asUser(_ command: [String]) -> [String] {
        guard isRoot else { return command }
        return ["setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups"] + command
    }

    /// Makes a folder with a short path: that of a socket has at most 107 bytes.
    func makeFolder() throws -> String {
        var template = Array("/tmp/coredata-postgresql-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw PostgreSQLServerError("No folder can be made in /tmp: \(String(cString: strerror(errno)))")
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if isRoot {
            guard let user = getpwnam(Self.user), chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
                throw PostgreSQLServerError(
                    "There is no user `\(Self.user)`, which Debian's package `postgresql` makes.")
            }
        }
        return path
    }

    /// Makes the data of a new server.
    func initialize(_ folder: String) throws {
        let command = asUser([
            path("initdb"), "--pgdata=\(folder)/data", "--auth=trust", "--username=postgres", "--encoding=UTF8",
            "--locale=C.UTF-8", "--no-sync", "--no-instructions",
        ])
        try ChildProcess.run(command)
    }

    func copy(_ template: String, to folder: String) throws {
        try ChildProcess.run(asUser(["cp", "--archive", "--reflink=auto", "\(template)/data", folder]))
    }

    /// Makes a key and a certificate that is signed by itself, where a server looks for them.
    func makeCertificate(in folder: String, name: String) throws {
        let command = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "30", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
            "-keyout", "\(folder)/data/server.key", "-out", "\(folder)/data/server.crt",
        ]
        try ChildProcess.run(asUser(command))
    }

    /// Adds to the configuration.
    ///
    /// Later lines count.
    func configure(
        _ folder: String, _ durability: PostgreSQLServer.Durability, _ settings: [String: String]
    ) throws {
        var lines = ["listen_addresses": "", "unix_socket_directories": folder, "max_connections": "100"]
        if durability == .none {
            lines.merge(["fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"]) { $1 }
        }
        lines.merge(settings) { $1 }
        try add(lines, to: folder)
    }

    /// Adds lines to the configuration.
    func add(_ lines: [String: String], to folder: String) throws {
        let text = lines.map { "\($0) = '\($1.replacingOccurrences(of: "'", with: "''"))'\n" }.sorted().joined()
        let path = "\(folder)/data/postgresql.auto.conf"
        // The file is there: its owner stays.
        guard let file = FileHandle(forWritingAtPath: path) else {
            throw PostgreSQLServerError("\(path) can't be written.")
        }
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// Makes the data of a server that follows another one.
    func copy(serverIn source: String, to folder: String) throws {
        try ChildProcess.run(
            asUser([
                path("pg_basebackup"), "-h", source, "-U", "postgres", "-D", "\(folder)/data", "--write-recovery-conf",
                "--checkpoint=fast", "--no-sync",
            ]))
    }

    /// The command that runs pgbouncer.
    ///
    /// - Throws: ``PostgreSQLServerError``, which names the Debian package if it is missing.
    func poolerCommand(_ folder: String) throws -> [String] {
        let program = "/usr/sbin/pgbouncer"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw PostgreSQLServerError("There is no \(program). Install the Debian package `pgbouncer`.")
        }
        return asUser([program, "--quiet", "\(folder)/pgbouncer.ini"])
    }

    func serverCommand(_ folder: String) -> [String] { asUser([path("postgres"), "-D", "\(folder)/data"]) }

    /// The arguments of a client.
    func client(_ folder: String) -> [String] { ["-h", folder, "-U", "postgres", "-d", "postgres", "-X", "-q"] }

    func accepts(_ folder: String) -> Bool {
        (try? ChildProcess.run([path("pg_isready"), "-q", "-h", folder, "-U", "postgres", "-d", "postgres"])) != nil
    }
}
