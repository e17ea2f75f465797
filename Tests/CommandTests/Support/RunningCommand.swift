import Foundation

/// A run of the `coredata` command, or of another program of this package, that goes on beside a test.
final class RunningCommand {
    private let process = Process()
    private let input = Pipe()
    private let folder: TemporaryFolder
    private let (out, err): (URL, URL)

    init(_ arguments: [String], of program: String = "coredata") throws {
        folder = try TemporaryFolder()
        (out, err) = (folder.url.appendingPathComponent("out"), folder.url.appendingPathComponent("err"))
        for file in [out, err] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        process.executableURL = Command.executable(program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: err)
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var output: String { (try? String(contentsOf: out, encoding: .utf8)) ?? "" }
    var errors: String { (try? String(contentsOf: err, encoding: .utf8)) ?? "" }

    /// Types a line.
    func type(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Waits until something is so, for 30 seconds at most.
    ///
    /// - Returns: Whether it is so.
    func wait(until isSo: (RunningCommand) -> Bool) async throws -> Bool {
        for _ in 0..<3000 {
            if isSo(self) { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return isSo(self)
    }

    /// Waits until the process has ended.
    ///
    /// - Returns: Its exit code; negative for the signal that ended it; nil where it goes on.
    func end() async throws -> Int32? {
        guard try await wait(until: { !$0.process.isRunning }) else { return nil }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    var isRunning: Bool { process.isRunning }

    /// Waits for the end of the process, and keeps the thread meanwhile.
    ///
    /// - Returns: Its exit code; negative for the signal that ended it.
    func waitForEnd() -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }
}
