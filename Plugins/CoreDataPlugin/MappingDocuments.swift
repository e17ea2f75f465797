import Foundation
import PackagePlugin

/// The mapping documents in a target's folder.
struct MappingDocuments {
    private let urls: [URL]

    init(in directory: URL) {
        var found: [URL] = []
        let enumerator = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: [.isDirectoryKey])
        while let url = enumerator?.nextObject() as? URL {
            if ["xcdatamodeld", "xcdatamodel", "xcmappingmodel"].contains(url.pathExtension) {
                enumerator?.skipDescendants()
            }
            if url.pathExtension == "xcmappingmodel" { found.append(url) }
        }
        urls = found.sorted { $0.path < $1.path }
    }

    /// The commands that make a resource of each.
    ///
    /// - Parameter models: Those of the target. Without one of its models there, a document's may be in another target.
    func commands(_ tool: URL, models: ModelDocuments, package: Package, workDirectory: URL) throws -> [Command] {
        guard !urls.isEmpty else { return [] }
        for (name, same) in Dictionary(grouping: urls, by: { $0.deletingPathExtension().lastPathComponent })
        where same.count > 1 {
            throw ModelDocuments.Problem(
                description: "two mapping models are called \(name): \(same.map(\.path).joined(separator: ", "))")
        }
        let others = package.targets.map { ModelDocuments(in: $0.directoryURL) }
        let all = [models] + others
        let arguments = all.flatMap(\.urls).flatMap { ["--model", $0.path(percentEncoded: false)] }
        let modelFiles = all.flatMap { models in models.urls.flatMap { models.files(of: $0) } }
        return urls.map { document in
            let name = document.deletingPathExtension().lastPathComponent
            let bundle = workDirectory.appending(path: "\(name).cdm")
            return .buildCommand(
                displayName: "Compiling mapping model \(name)", executable: tool,
                arguments: [
                    "mapping", "--document", document.path(percentEncoded: false), "--bundle",
                    bundle.path(percentEncoded: false),
                ] + arguments,
                inputFiles: models.files(of: document) + modelFiles, outputFiles: [bundle])
        }
    }
}
