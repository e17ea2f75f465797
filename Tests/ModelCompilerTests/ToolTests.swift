import Foundation
import Testing

@Suite("The tool that the plug-in runs")
struct ToolTests {
    private let league = package.appending(path: "Examples/LeagueManager/League.xcdatamodeld")

    @Test("It writes the code and the resource, and says nothing")
    func success() throws {
        let output = try OutputDirectory()
        let run = try output.run(model: league)
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(
            try String(contentsOf: output.code, encoding: .utf8).contains("public nonisolated class Player: Person"))
        #expect(FileManager.default.fileExists(atPath: output.bundle.path))
    }

    @Test("What did not change is not written again, so that nothing is compiled for it")
    func unchangedFiles() throws {
        let output = try OutputDirectory()
        _ = try output.run(model: league)
        let past = Date(timeIntervalSince1970: 1_000_000)
        for file in [output.code, output.bundle] {
            try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file.path)
        }
        #expect(try output.run(model: league).status == 0)
        for file in [output.code, output.bundle] {
            let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
            #expect(date == past)
        }
    }

    @Test("A warning is printed with file and line, and the build goes on")
    func warnings() throws {
        let output = try OutputDirectory()
        let model = try TemporaryModel("<entity name=\"A\" codeGenerationType=\"class\"/>")
        let run = try output.run(model: model.url)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("\(model.url.path)/Test.xcdatamodel/contents:2: warning: A asks "))
    }

    @Test("A broken model fails the build and leaves no files")
    func failure() throws {
        let output = try OutputDirectory()
        let model = try TemporaryModel(
            "<entity name=\"A\" representedClassName=\"A\" parentEntity=\"B\" codeGenerationType=\"class\"/>")
        let run = try output.run(model: model.url)
        #expect(run.status == 1)
        #expect(run.output == "\(model.url.path): error: the parent of entity A, B, is not in the model\n")
        #expect(!FileManager.default.fileExists(atPath: output.code.path))
        #expect(!FileManager.default.fileExists(atPath: output.bundle.path))
    }

    @Test("A missing option is named")
    func usage() throws {
        let run = try OutputDirectory().run(["--model", "x", "--code", "y", "--bundle", "z"])
        #expect(run.status == 1)
        #expect(run.output.contains("missing or unknown --module"))
    }
}

/// A temporary directory for the tool's output, and the tool.
private final class OutputDirectory {
    private let url = FileManager.default.temporaryDirectory.appending(path: "tool-\(UUID().uuidString)")
    var code: URL { url.appending(path: "Model.swift") }
    var bundle: URL { url.appending(path: "Model.momd") }

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func run(model: URL) throws -> (status: Int32, output: String) {
        try run(["--model", model.path, "--module", "App", "--code", code.path, "--bundle", bundle.path])
    }

    func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        // A build of all tests builds the tool beside them.
        try ModelCompilerTests.run(Bundle.main.bundleURL.appending(path: "ModelCompilerTool").path, arguments)
    }
}
