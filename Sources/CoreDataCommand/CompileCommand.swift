import ArgumentParser
import Foundation
import ModelArchive
import ModelDocument

/// `coredata compile DOCUMENT -o PATH`: what Xcode's compiler makes of a document.
struct CompileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compile",
        abstract: "Compile a model document as Xcode does.",
        discussion: """
            An .xcdatamodeld becomes a .momd folder with every version and VersionInfo.plist, an .xcdatamodel a single \
            .mom file. Apple's framework and this one read both.
            """)

    @Argument(help: "An .xcdatamodeld or an .xcdatamodel.", completion: .file())
    var document: String

    @Option(
        name: [.short, .long],
        help: "The .momd or .mom to write; what is there is replaced. Without it: beside the document.",
        completion: .file())
    var output: String?

    func run() throws {
        let source = URL(fileURLWithPath: document)
        guard FileManager.default.fileExists(atPath: source.path) else {
            throw CommandFailure(.missingFile, "There is no file at \(document).")
        }
        guard let pathExtension = Self.compiledExtensions[source.pathExtension.lowercased()] else {
            throw CommandFailure(.foreign, "\(document) is neither an .xcdatamodeld nor an .xcdatamodel.")
        }
        let target =
            output.map { URL(fileURLWithPath: $0) }
            ?? source.deletingPathExtension().appendingPathExtension(pathExtension)
        guard target.pathExtension.lowercased() == pathExtension else {
            throw CommandFailure(.other, "\(target.lastPathComponent) must end in .\(pathExtension).")
        }
        let compiled = try ModelAtPath.reporting { try CompiledDocument(ModelDocumentFolder(contentsOf: source)) }
        do {
            try compiled.write(to: target)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// What a document's extension becomes.
    private static let compiledExtensions = ["xcdatamodeld": "momd", "xcdatamodel": "mom"]
}
