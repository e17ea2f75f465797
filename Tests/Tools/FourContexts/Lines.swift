import Foundation

/// A pipe's two ends as lines of JSON.
final class Lines {
    private let input: Int32
    private let output: Int32
    private var rest: [UInt8] = []
    private var chunk = [UInt8](repeating: 0, count: 65_536)
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    func send(_ message: some Encodable) throws {
        var data = try encoder.encode(message)
        data.append(10)
        try data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(output, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Failure("the other process does not listen") }
                sent += count
            }
        }
    }

    /// - Returns: Nil at the end.
    func receive<Message: Decodable>(_ type: Message.Type) throws -> Message? {
        guard let line = receiveLine() else { return nil }
        return try decoder.decode(type, from: line)
    }

    private func receiveLine() -> Data? {
        var searched = 0
        while true {
            if let end = rest[searched...].firstIndex(of: 10) {
                let line = Data(rest[..<end])
                rest.removeSubrange(...end)
                return line
            }
            searched = rest.count
            let count = read(input, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            rest.append(contentsOf: chunk[..<count])
        }
    }
}

/// Another process of this program that answers lines with lines.
final class Helper {
    private let process = Process()
    private let lines: Lines
    private let toChild = Pipe()
    private let fromChild = Pipe()
    /// What it says when it traps.
    private let complaints = FileManager.default.temporaryDirectory.appendingPathComponent(
        "FourContexts-" + UUID().uuidString + ".txt")

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        _ = FileManager.default.createFile(atPath: complaints.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: complaints)
        process.standardInput = toChild
        process.standardOutput = fromChild
        try process.run()
        // Its own ends are the child's alone: it sees the end when this process is gone.
        try toChild.fileHandleForReading.close()
        try fromChild.fileHandleForWriting.close()
        lines = Lines(
            input: fromChild.fileHandleForReading.fileDescriptor,
            output: toChild.fileHandleForWriting.fileDescriptor)
    }

    func send(_ message: some Encodable) throws { try lines.send(message) }

    func receive<Answer: Decodable>(_ type: Answer.Type) throws -> Answer? { try lines.receive(type) }

    /// How the process ended, and what it said last.
    func end() -> String {
        try? toChild.fileHandleForWriting.close()
        process.waitUntilExit()
        let said = (try? String(contentsOf: complaints, encoding: .utf8)) ?? ""
        try? FileManager.default.removeItem(at: complaints)
        let how = process.terminationReason == .uncaughtSignal ? "signal" : "status"
        let last = said.split(separator: "\n").suffix(3).joined(separator: "\n")
        return "\(how) \(process.terminationStatus)\(last.isEmpty ? "" : ": ")\(last)"
    }
}
