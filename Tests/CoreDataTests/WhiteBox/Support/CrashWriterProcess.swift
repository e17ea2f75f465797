import Foundation

/// A run of `CrashWriter`, the program that tests kill.
final class CrashWriterProcess {
    private let process = Process()
    private let file: URL

    /// - Parameters:
    ///   - more: What the verb takes beside the store.
    ///   - file: What the program prints goes here.
    init(_ verb: String, _ store: URL, _ more: String..., output file: URL) throws {
        self.file = file
        try Data().write(to: file)
        process.executableURL = try Self.executable()
        process.arguments = [verb, store.path] + more
        process.standardOutput = try FileHandle(forWritingTo: file)
        try process.run()
    }

    deinit { if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) } }

    var isRunning: Bool { process.isRunning }

    var output: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    /// Kills the process, and waits until it has ended.
    func kill() throws {
        Foundation.kill(process.processIdentifier, SIGKILL)
        try wait()
    }

    /// Waits half a minute at most: a process that hangs must not hang the tests.
    ///
    /// - Returns: The status with which it ended.
    @discardableResult
    func wait() throws -> Int32 {
        try wait { !process.isRunning }
        return process.terminationStatus
    }

    /// Waits until the process has printed something.
    func wait(forOutput text: String) throws {
        try wait { try !process.isRunning || output.contains(text) }
        guard try output.contains(text) else { throw SQLiteTestFailure("CrashWriter printed \(try output)") }
    }

    private func wait(_ isDone: () throws -> Bool) throws {
        for _ in 0..<3000 {
            if try isDone() { return }
            usleep(10_000)
        }
        Foundation.kill(process.processIdentifier, SIGKILL)
        throw SQLiteTestFailure("CrashWriter \(process.arguments ?? []) did not end")
    }

    /// The writer, built beside these tests.
    private static func executable() throws -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("CrashWriter")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        throw SQLiteTestFailure("CrashWriter was not built beside the tests")
    }
}
