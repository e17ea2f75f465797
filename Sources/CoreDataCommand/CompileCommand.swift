import ArgumentParser
import Foundation
import ModelArchive
import ModelDocument
import StoreBrowsing

/// `coredata compile DOCUMENT -o PATH`: what Xcode's compilers make of a document.
struct CompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compile a model or mapping document as Xcode does.",
        discussion: """
            An .xcdatamodeld becomes a .momd folder with every version and VersionInfo.plist, an .xcdatamodel a single \
            .mom file. Apple's framework and this one read both. An .xcmappingmodel becomes a .cdm file; its two models \
            are looked for where the document says, relative to each folder above it.

            EXAMPLES
              coredata compile League.xcdatamodeld -o League.momd
              coredata compile Migration.xcmappingmodel
            """)

    @Argument(help: "An .xcdatamodeld, an .xcdatamodel or an .xcmappingmodel.", completion: .file())
    var document: String

    @Option(
        name: [.short, .long],
        help: "The .momd, .mom or .cdm to write; what is there is replaced. Without it: beside the document.",
        completion: .file())
    var output: String?

    @Option(help: "The model that a mapping maps from: an .xcdatamodel, or a compiled one.", completion: .file())
    var sourceModel: String?

    @Option(help: "The model that a mapping maps to: an .xcdatamodel, or a compiled one.", completion: .file())
    var destinationModel: String?

    func run() throws {
        let source = URL(fileURLWithPath: document)
        guard FileManager.default.fileExists(atPath: source.path) else {
            throw CommandFailure(.missingFile, "There is no file at \(document).")
        }
        guard let pathExtension = Self.compiledExtensions[source.pathExtension.lowercased()] else {
            throw CommandFailure(
                .foreign, "\(document) is neither an .xcdatamodeld nor an .xcdatamodel nor an .xcmappingmodel.")
        }
        let target =
            output.map { URL(fileURLWithPath: $0) }
            ?? source.deletingPathExtension().appendingPathExtension(pathExtension)
        guard target.pathExtension.lowercased() == pathExtension else {
            throw CommandFailure(.other, "\(target.lastPathComponent) must end in .\(pathExtension).")
        }
        let write = try pathExtension == "cdm" ? compiledMapping(source) : compiledModel(source)
        do {
            try write(target)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// What a document's extension becomes.
    private static let compiledExtensions = ["xcdatamodeld": "momd", "xcdatamodel": "mom", "xcmappingmodel": "cdm"]
}

// MARK: - Compiling

extension CompileCommand {
    /// Compiles a model document.
    ///
    /// - Returns: What writes it.
    private func compiledModel(_ folder: URL) throws -> (URL) throws -> Void {
        let compiled = try ModelAtPath.reporting { try CompiledDocument(ModelDocumentFolder(contentsOf: folder)) }
        return { try compiled.write(to: $0) }
    }

    /// Compiles a mapping document.
    ///
    /// - Returns: What writes it.
    private func compiledMapping(_ folder: URL) throws -> (URL) throws -> Void {
        let file = try ModelAtPath.reporting {
            try XMLStoreDocument(data: Data(contentsOf: folder.appendingPathComponent("xcmapping.xml")))
        }
        let document = try ModelAtPath.reporting { try MappingModel(file) }
        for statement in file.unknownStatements { report("warning: \(statement.message)") }
        let source = try model(sourceModel, recorded: document.sourceModelPath, "source", for: folder)
        let destination = try model(
            destinationModel, recorded: document.destinationModelPath, "destination", for: folder)
        let data = try ModelAtPath.reporting {
            try CompiledMapping(document, source: source, destination: destination).data()
        }
        return { try data.write(to: $0, options: .atomic) }
    }

    /// One of the two models: the one that an option names, else the one that the document names, looked for in all
    /// folders above it, as its path begins at the folder of Xcode's project.
    private func model(_ path: String?, recorded: String?, _ side: String, for document: URL) throws -> Model {
        if let path { return try ModelAtPath.read(path, version: nil) }
        guard let recorded else {
            throw CommandFailure(.other, "The document names no \(side) model; --\(side)-model takes it.")
        }
        var folder = document.standardizedFileURL.deletingLastPathComponent()
        while true {
            let candidate = folder.appendingPathComponent(recorded)
            if FileManager.default.fileExists(atPath: candidate.path) {
                return try ModelAtPath.read(candidate.path, version: nil)
            }
            guard folder.path != "/" else { break }
            folder = folder.deletingLastPathComponent()
        }
        throw CommandFailure(
            .missingFile,
            "The \(side) model, \(recorded), is in no folder above the document; --\(side)-model takes it.")
    }
}
