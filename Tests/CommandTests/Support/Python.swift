import Foundation

/// Runs Python. Its own formatting is the reference for ours.
enum Python {
    /// What the program prints, given `input` on standard input.
    static func run(_ program: String, input: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program]
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        try process.run()
        // Fed from another thread: neither side may wait for the other with a full pipe.
        let data = Data(input.utf8)
        let writer = Thread {
            stdin.fileHandleForWriting.write(data); try? stdin.fileHandleForWriting.close()
        }
        writer.start()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return String(decoding: output, as: UTF8.self)
    }

    struct Failure: Error {
        let status: Int32
    }
}
