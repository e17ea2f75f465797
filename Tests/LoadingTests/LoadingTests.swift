import Foundation
import Testing

/// Builds and runs the packages beside this file, as apps and libraries would be: slow, for the framework is compiled
/// for them.
@Suite(
    "Finding a model in every way that Apple's platforms know", .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] != nil, "only in ./test --full"))
struct LoadingTests {
    @Test(
        "programs, a library and a dynamic library find compiled and uncompiled models",
        arguments: [["-c", "debug"], ["-c", "release", "--static-swift-stdlib"]])
    func programs(options: [String]) throws {
        let apps = Apps()
        for program in ["Plugged", "Plain", "Till", "Shown"] {
            // A program that links a dynamic library can't have the standard library in itself.
            let options = program == "Shown" ? Array(options.prefix(2)) : options
            let build = try apps.swift("build", options + ["--product", program])
            #expect(build.status == 0, "\(program) \(options): \(build.output)")
            let run = try apps.run(program, configuration: options[1])
            #expect(run.output == "every way\n", "\(program) \(options)")
        }
    }

    @Test("tests find the model of their target")
    func tests() throws {
        let run = try Apps().swift("test", [])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("Test run with 1 test in 0 suites passed"), "\(run.output)")
    }
}

private struct Apps {
    private let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Apps")
    /// Beside the folder of this package's own build, so that the next run has less to do.
    private var scratch: URL {
        URL(filePath: #filePath).appending(path: "../../../.build-loading").standardizedFileURL
    }

    func swift(_ command: String, _ options: [String]) throws -> (status: Int32, output: String) {
        try run(
            "/usr/bin/env",
            ["swift", command, "--package-path", package.path, "--scratch-path", scratch.path] + options)
    }

    func run(_ program: String, configuration: String) throws -> (status: Int32, output: String) {
        try run(scratch.appending(path: "\(configuration)/\(program)").path, [])
    }

    private func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        // The folder from which a program is started has nothing to do with where its model is.
        process.currentDirectoryURL = FileManager.default.temporaryDirectory
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
