import ArgumentParser
import CoreData
import Foundation
import ModelDocument
import StoreBrowsing
import StoreInspection

/// `coredata model infer OLD NEW -o X.xcmappingmodel`: the mapping that is inferred, as a document.
struct ModelInferCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "infer",
        abstract: "Write the mapping that is inferred from two versions of a model, as a document for Xcode.",
        discussion: """
            The document says what a lightweight migration would do, to be changed and compiled. What can't be inferred \
            is an error that says why; with --partly it is left open in the document, and told on standard error.

            A version in a document is League.xcdatamodeld/League\\ 2. The document names the models by their paths, from \
            the folder that all three lie in.

            EXAMPLES
              coredata model infer League.xcdatamodeld/League 'League.xcdatamodeld/League 2' -o League2.xcmappingmodel
              coredata model infer Old.xcdatamodel New.xcdatamodel -o OldToNew.xcmappingmodel --partly
            """)

    @Argument(help: "The model that made the stores.", completion: .file())
    var old: String

    @Argument(help: "The model that they are to get.", completion: .file())
    var new: String

    @Option(
        name: [.short, .long], help: "The .xcmappingmodel to write; what is there is replaced.", completion: .file())
    var output: String

    @Flag(help: "Leave open what can't be inferred.")
    var partly = false

    func validate() throws {
        guard URL(fileURLWithPath: output).pathExtension == "xcmappingmodel" else {
            throw ValidationError("--output takes a name that ends in .xcmappingmodel.")
        }
    }

    func run() throws {
        let (source, destination) = (try TargetModel(old), try TargetModel(new))
        let inferred = try ModelAtPath.reporting {
            InferredMapping(
                from: try NSManagedObjectModel(document: source.model.withoutClasses),
                to: try NSManagedObjectModel(document: destination.model.withoutClasses))
        }
        let obstacles = inferred.obstacles
        if !obstacles.isEmpty {
            guard partly else { throw CommandFailure(InferenceObstacle.error(obstacles)) }
            for sentence in InferenceObstacle.sentences(obstacles) { report("left open: \(sentence)") }
        }
        let target = URL(fileURLWithPath: output)
        var mapping = try ModelAtPath.reporting { try MappingModel(inferred) }
        (mapping.sourceModelPath, mapping.destinationModelPath) = paths(source, destination, target)
        do {
            try XMLStoreDocument(mapping).write(to: target)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The paths of both models from the folder that they and the document lie in.
    private func paths(_ source: TargetModel, _ destination: TargetModel, _ target: URL) -> (String, String) {
        let all = [source.versionURL, destination.versionURL, target].map {
            $0.standardizedFileURL.resolvingSymlinksInPath().pathComponents
        }
        let shared = all.map(\.count).min().map { most in
            (0..<(most - 1)).first { place in all.contains { $0[place] != all[0][place] } } ?? most - 1
        }
        let paths = all.map { $0.dropFirst(shared ?? 0).joined(separator: "/") }
        return (paths[0], paths[1])
    }
}
