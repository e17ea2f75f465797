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
            (sleep 3; kill -KILL "$server" 2>/dev/null) &
            wait "$server" 2>/dev/null
            kill -KILL "$!" 2>/dev/null
        fi
        rm -rf "$folder"
        """

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
        let commands = try ChildProcess.makePipe()
        let answers = try ChildProcess.makePipe()
        defer {
            close(commands.reading)
            close(answers.writing)
        }
        // The shell is no child of this process: the library of the tests waits for the end of any child, and one that
        // ended and is left alone would hide the others. Its errors go nowhere: a reader of this process's errors would
        // wait for the shell, too.
        let shell = ["setsid", "--fork", "/bin/bash", "-c", Self.script, "keeper", folder]
        try ChildProcess.wait(
            for: ChildProcess.start(
                shell + command, input: commands.reading, output: answers.writing, errors: nil))
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
}
