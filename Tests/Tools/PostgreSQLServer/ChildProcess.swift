import Foundation

/// Processes that this one starts. Unlike Foundation's, they are started from any thread alike.
enum ChildProcess {
    /// Runs a program to its end.
    ///
    /// - Throws: ``PostgreSQLServerError`` with what the program wrote, if it failed.
    static func run(_ arguments: [String]) throws {
        let output = try makePipe()
        defer { close(output.reading) }
        let process: Int32
        do {
            defer { close(output.writing) }
            process = try start(arguments, input: nil, output: output.writing, errors: output.writing)
        }
        let text = readToEnd(output.reading)
        guard wait(for: process) == 0 else {
            throw PostgreSQLServerError("\(arguments.joined(separator: " ")) failed: \(text)")
        }
    }

    /// Waits for the end of a child, and gives its status, which is 0 for success.
    @discardableResult
    static func wait(for process: Int32) -> Int32 {
        var status: Int32 = -1
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private static func readToEnd(_ file: Int32) -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += part.prefix(count)
        }
    }

    /// A pipe that no other child of this process gets.
    static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw PostgreSQLServerError("No pipe can be made: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The first one names the program, which is looked for in `PATH`.
    ///   - input: Its standard input, and so on; nil for none.
    /// - Returns: The process.
    static func start(_ arguments: [String], input: Int32?, output: Int32?, errors: Int32?) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, file) in [input, output, errors].enumerated() {
            let number = Int32(number)
            if let file {
                posix_spawn_file_actions_adddup2(&actions, file, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        // Threads of Dispatch block signals, and children inherit that: a shell would never hear of its child's end.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let pointers = arguments.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, arguments[0], &actions, &attributes, pointers, environ)
        guard code == 0 else {
            throw PostgreSQLServerError("\(arguments[0]) can't be started: \(String(cString: strerror(code)))")
        }
        return process
    }
}
