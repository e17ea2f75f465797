import Foundation
import Testing

/// Eight processes with four contexts each, on one store.
///
/// A full run takes ten minutes of each; see `Tests/Tools/PostgreSQLWriters`.
@Suite("Processes that write at the same time")
struct WritersTests {
    private static let seconds = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == "1" ? 600 : 30

    @Test(
        "no update is lost, nothing is there twice, and inverses agree, under each merge policy",
        arguments: ["calm", "broken"])
    func writers(kind: String) throws {
        let process = Process()
        process.executableURL = try Self.program()
        process.arguments = ["run", "\(Self.seconds)", kind]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(text.split(separator: "\n").count { $0.hasSuffix("all is right") } == 5, "\(text)")
    }

    /// The program, built beside these tests.
    private static func program() throws -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("PostgreSQLWriters")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
