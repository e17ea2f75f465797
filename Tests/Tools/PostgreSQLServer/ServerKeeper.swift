import Foundation
import Synchronization

/// A shell that runs the server, and ends it when this process ends.
///
/// The shell reads commands from a pipe that this process alone can write to. The pipe's end, which also a killed
/// process brings, is the end of the server. The shell has a session of its own, so that no Ctrl-C gets to it.
final class ServerKeeper: Sendable {
    private static let script = """
        trap '' HUP INT TERM
        # Pipes that another thread has just made for a child of its own: they would not end before this shell.
        for file in /proc/self/fd/*; do
            [ "${file##*/}" -le 2 ] || eval "exec ${file##*/}>&-"
        done
        folder=$1
        shift
        server=
        while read -r command; do
            case $command in
            start)
                "$@" </dev/null >>"$folder/log" 2>&1 &
                server=$!
                echo "$server"
                ;;
            wait)
                wait "$server" 2>/dev/null
                server=
                echo ended
                ;;
            esac
        done
        if [ -n "$server" ]; then
            kill -QUIT "$server" 2>/dev/null
            for _ in 1 2 3 4 5 6 7 8 9 10; do
                kill -0 "$server" 2>/dev/null || break
                sleep 0.2
            done
            kill -KILL "$server" 2>/dev/null
        fi
        rm -rf "$folder"
        """

    /// `POSIX_SPAWN_SETSID`, which Swift does not see.
    private static let ownSession: Int16 = 0x80

    private struct State {
        var commands: Int32
        var answers: Int32
        /// The server's first process; nil while it is stopped.
        var server: Int32?
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - command: Runs the server.
    ///   - folder: Is removed in the end.
    init(command: [String], folder: String) throws {
        let commands = try Self.makePipe()
        let answers = try Self.makePipe()
        defer {
            close(commands.reading)
            close(answers.writing)
        }
        let arguments = ["/bin/bash", "-c", Self.script, "keeper", folder] + command
        try Self.spawn(arguments, input: commands.reading, output: answers.writing)
        state = Mutex(State(commands: commands.writing, answers: answers.reading))
    }

    deinit {
        state.withLock { state in
            close(state.commands)
            close(state.answers)
        }
    }

    /// Whether the server's first process runs. One that ended by itself counts as stopped.
    var isRunning: Bool {
        state.withLock { state in
            guard let server = state.server else { return false }
            if !Self.isZombie(server) { return true }
            _ = try? Self.ask("wait", state)
            state.server = nil
            return false
        }
    }

    func start() throws {
        try state.withLock { state in
            guard let server = Int32(try Self.ask("start", state)) else {
                throw PostgreSQLServerError("The shell of the server does not answer.")
            }
            state.server = server
        }
    }

    func end(signal: Int32) throws {
        try state.withLock { state in
            guard let server = state.server else { return }
            _ = kill(server, signal)
            _ = try Self.ask("wait", state)
            state.server = nil
        }
    }

    /// Whether a process has ended and its parent has not asked for its result yet.
    private static func isZombie(_ process: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return text.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }

    /// Sends a command and reads a line.
    private static func ask(_ command: String, _ state: borrowing State) throws -> String {
        let bytes = Array((command + "\n").utf8)
        guard write(state.commands, bytes, bytes.count) == bytes.count else {
            throw PostgreSQLServerError("The shell of the server has ended.")
        }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(state.answers, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// A pipe that no other child of this process gets.
    private static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw PostgreSQLServerError("No pipe can be made: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func spawn(_ arguments: [String], input: Int32, output: Int32) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        // A reader of this process's output does not have to wait for the shell.
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Threads of Dispatch block signals, and children inherit that: a shell would never hear of its child's end.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Self.ownSession | Int16(POSIX_SPAWN_SETSIGMASK))
        let pointers = arguments.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, "/bin/bash", &actions, &attributes, pointers, environ)
        guard code == 0 else {
            throw PostgreSQLServerError("No shell can be started: \(String(cString: strerror(code)))")
        }
    }
}
