import ArgumentParser
import Foundation
import ModelCompiler

/// `coredata generate DOCUMENT`: the classes of a model as files.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Write the classes of a model's entities into a folder.",
        discussion: """
            The plug-in generates the same code at build time; this is for projects that keep it with their sources. Entities \
            with the code generation Manual/None are left alone unless --manual is given. Files that were generated from \
            the model before, and that it no longer asks for, are removed; others are never touched.

            EXAMPLES
              coredata generate League.xcdatamodeld --module League --output Sources/League/Generated
              coredata generate League.xcdatamodeld --module League --output Sources/League/Generated --check
            """)

    @Argument(help: "An .xcdatamodeld or an .xcdatamodel.", completion: .file())
    var document: String

    @Option(name: [.short, .long], help: "The folder to write into; it is made if need be.", completion: .directory)
    var output: String

    @Option(help: "The module that the code will be part of.")
    var module: String

    @Flag(help: "Classes for entities with the code generation Manual/None, too.")
    var manual = false

    @Flag(help: "Write nothing; exit with 1 and list what would change, if anything would.")
    var check = false

    func run() throws {
        let source = URL(fileURLWithPath: document)
        guard FileManager.default.fileExists(atPath: source.path) else {
            throw CommandFailure(.missingFile, "There is no file at \(document).")
        }
        let files = try generated(from: source)
        let folder = URL(fileURLWithPath: output)
        let changed = files.filter { text(of: folder.appendingPathComponent($0.name)) != $0.text }
        let model = source.deletingPathExtension().lastPathComponent
        let generated = Set(files.map(\.name))
        let stale = names(in: folder).filter { name in
            guard !generated.contains(name) else { return false }
            return text(of: folder.appendingPathComponent(name)).map {
                GeneratedFile.isGenerated($0, fromModel: model)
            } ?? false
        }
        for name in changed.map(\.name) { print(check ? "differs \(name)" : "wrote \(name)") }
        for name in stale { print(check ? "stale \(name)" : "removed \(name)") }
        guard !check else {
            if !changed.isEmpty || !stale.isEmpty { throw ExitCode(CommandFailure.Code.other.rawValue) }
            return
        }
        do { try write(changed, removing: stale, in: folder) } catch { throw CommandFailure(error) }
    }

    private func generated(from source: URL) throws -> [GeneratedFile] {
        do {
            return try ModelCompiler(module: module).classFiles(documentAt: source, includesManual: manual)
        } catch let error as CompilerError {
            error.sentences.forEach { report("\(error.path): error: \($0)") }
            throw ExitCode(CommandFailure.Code.other.rawValue)
        }
    }

    private func names(in folder: URL) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted()
    }

    private func text(of file: URL) -> String? {
        (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func write(_ files: [GeneratedFile], removing stale: [String], in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files {
            try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name), options: .atomic)
        }
        for name in stale { try FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
    }
}
