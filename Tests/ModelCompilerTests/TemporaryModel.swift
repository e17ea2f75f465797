import Foundation
import ModelCompiler

/// A model document in a temporary directory, made of the lines inside `<model>`.
final class TemporaryModel {
    let url: URL
    private let directory: URL

    convenience init(_ entities: String, name: String = "Test") throws {
        try self.init(contents: Data("<model>\n\(entities)\n</model>".utf8), name: name)
    }

    init(contents: Data, name: String = "Test") throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "model-\(UUID().uuidString)")
        url = directory.appending(path: "\(name).xcdatamodeld")
        let version = url.appending(path: "\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try contents.write(to: version.appending(path: "contents"))
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func compiled(module: String = "App") throws -> CompiledModel {
        try ModelCompiler(module: module).compile(documentAt: url)
    }

    /// The error of a compilation that has to fail, nil if it does not.
    func failure() -> CompilerError? {
        do {
            _ = try compiled()
            return nil
        } catch { return error as? CompilerError }
    }
}
