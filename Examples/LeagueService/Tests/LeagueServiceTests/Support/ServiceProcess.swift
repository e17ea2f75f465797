import Foundation

@testable import LeagueService

/// The program, as an operator starts it.
final class ServiceProcess {
    private let process = Process()
    private(set) var port = 0

    init(_ place: TestedPlace, author: String = "league-service") throws {
        let output = Pipe()
        process.executableURL = Self.program
        process.arguments = ["--store", place.text, "--port", "0", "--pool", "4", "--author", author]
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var said = Data()
        while !said.contains(10) {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw ServiceError("The service did not start.") }
            said.append(part)
        }
        port =
            String(decoding: said, as: UTF8.self).split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) }
            ?? 0
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var address: String { "http://127.0.0.1:\(port)/" }

    /// Sends a signal, and waits for the end.
    ///
    /// - Returns: The status; nil for a process that goes on, or that ended by the signal.
    func end(_ signal: Int32) -> Int32? {
        kill(process.processIdentifier, signal)
        let end = Date(timeIntervalSinceNow: 8)
        while process.isRunning, Date() < end { usleep(10_000) }
        return process.isRunning || process.terminationReason != .exit ? nil : process.terminationStatus
    }

    private static var program: URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appending(path: "league-service")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder = folder.deletingLastPathComponent()
        }
        return URL(fileURLWithPath: "/nowhere/league-service")
    }
}
