import Foundation

/// A finished run of the `coredata` command.
struct Command {
    let status: Int32
    let output: String
    let errors: String

    /// Runs `coredata`.
    ///
    /// - Parameter environment: What is added to the environment.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        try self.init(executable: Self.executable("coredata"), arguments: arguments, environment: environment)
    }

    init(executable: URL, arguments: [String], environment: [String: String] = [:]) throws {
        let folder = try TemporaryFolder()
        let (stdout, stderr) = (folder.url.appendingPathComponent("out"), folder.url.appendingPathComponent("err"))
        for file in [stdout, stderr] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: stdout)
        process.standardError = try FileHandle(forWritingTo: stderr)
        try process.run()
        process.waitUntilExit()
        // A process that a signal ended, a crash above all, must never look like one that ended in order.
        status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        output = String(decoding: try Data(contentsOf: stdout), as: UTF8.self)
        errors = String(decoding: try Data(contentsOf: stderr), as: UTF8.self)
    }

    /// The executable of that name that was built beside these tests.
    static func executable(_ name: String) -> URL {
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var folder = tests.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder = folder.deletingLastPathComponent()
        }
        return tests.deletingLastPathComponent().appendingPathComponent(name)
    }
}

/// A folder that is removed with this object.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("command-tests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file into the folder.
    @discardableResult
    func file(_ name: String, _ content: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try content.write(to: file)
        return file
    }
}
