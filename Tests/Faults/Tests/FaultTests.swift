import Foundation
import Testing

/// Some of the faults on purpose; `Tests/Faults/run` has all.
struct FaultTests {
    @Test func storesAreWhollyOldOrNewAfterCallsThatFail() throws {
        try expectNothing(["--only", "errors", "--stride", "227"] + scenarios())
    }

    @Test func storesAreWhollyOldOrNewAfterPowerLossAndKills() throws {
        try expectNothing(["--only", "stops", "--stride", "193"] + scenarios())
    }

    @Test func storesAreWhollyOldOrNewAfterRealKills() throws {
        try expectNothing(["--only", "kills", "--stride", "61", "insert", "replace external data", "replace a store"])
    }

    @Test(arguments: [
        ("unsafe: nothing is synchronized", "stops"),
        ("unsafe: a failure is reported as a success", "errors"),
        ("unsafe: a file is left", "errors"),
        ("unsafe: external data goes before the commit is on the disk", "stops"),
        ("unsafe: the old file goes before the new one is there", "errors"),
        ("unsafe: the old file goes before the new one is there", "stops"),
    ])
    func whatIsUnsafeIsSeen(scenario: String, faults: String) throws {
        let (output, status) = try run(["run", "--unsafe", "--only", faults, scenario])
        #expect(status == 1, "\(output)")
        #expect(output.contains("FAIL  \(scenario)"), "\(output)")
    }

    private func expectNothing(_ arguments: [String]) throws {
        let (output, status) = try run(["run"] + arguments)
        #expect(status == 0, "\(output)")
        #expect(output.contains(" 0 failures: "), "\(output)")
    }

    /// All but most of the random ones.
    private func scenarios() throws -> [String] {
        let names = try run(["list"]).output.split(separator: "\n").map(String.init)
        return names.filter { !$0.hasPrefix("random") || $0.hasSuffix(" 1") }
    }

    private func run(_ arguments: [String]) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = try program()
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    /// The program, built beside these tests.
    private func program() throws -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("Faults")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
