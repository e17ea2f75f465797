import Foundation
import RandomSeeds
import Testing

/// Eight processes with four contexts each, on one store.
///
/// With `COREDATA_FULL_TESTS` each takes ten minutes. See `Tests/Tools/PostgreSQLWriters`.
@Suite("Processes that write at the same time", .serialized)
struct WritersTests {
    @Test(
        "no update is lost, nothing is there twice, and inverses agree, under each merge policy",
        arguments: [("calm", 10), ("broken", 10)])
    func writers(kind: String, seconds: Int) throws {
        let process = Process()
        process.executableURL = try Self.program()
        process.arguments = ["run", "\(FullRun.isOn ? 600 : seconds)", kind]
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
