import Foundation
import Testing

@Suite("Four contexts, one of them in another process")
struct FourContextsTests {
    @Test("two siblings, a child and a context elsewhere are after every step of any script as they should be")
    func anyScript() throws {
        // Always the same scripts; Tests/Tools/FourContexts/run plays as many others as one likes, in a release build.
        let seed = ProcessInfo.processInfo.environment["COREDATA_TEST_SEED"]
        let (status, output) = try play(seed.map { ["--seed", $0] } ?? ["40", "--from", "1"])
        // A failure names its seed, and comes with the steps that are enough for it.
        print(output)
        #expect(status == 0, "\(output)")
    }

    @Test("an oracle with a rule wrong fails, and says with what seed and in how few steps")
    func falseOracle() throws {
        let (status, output) = try play(["--seed", "1", "--false"])
        #expect(status == 1, "\(output)")
        #expect(output.contains("FAILED with seed 1: "))
        #expect(output.contains(" steps are enough"))
    }

    private func play(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = try executable()
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// The program that plays, built beside these tests.
    private func executable() throws -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("FourContexts")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
