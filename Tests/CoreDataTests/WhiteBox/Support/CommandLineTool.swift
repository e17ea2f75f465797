import Foundation

/// The `coredata` command that was built beside these tests.
enum CommandLineTool {
    /// What the command prints.
    ///
    /// - Throws: If it ends with another status.
    static func run(_ arguments: [String], expecting status: Int32 = 0) throws -> String {
        try output(of: url, arguments, expecting: status)
    }

    /// What any program prints.
    ///
    /// - Throws: If it ends with another status.
    static func output(of program: URL, _ arguments: [String], expecting status: Int32 = 0) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == status else {
            throw SQLiteTestFailure("\(program.lastPathComponent) ended \(arguments) with \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static var url: URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        repeat {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("coredata")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        } while folder.path != "/"
        return folder
    }
}
