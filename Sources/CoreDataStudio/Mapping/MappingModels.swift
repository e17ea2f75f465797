import Foundation
import ModelDocument

/// The two models of a mapping model, as far as they are found, and the versions that it could name.
struct MappingModels: Sendable, Hashable {
    /// A version of a model, and how the mapping names it.
    struct Version: Sendable, Hashable {
        /// `App/League.xcdatamodeld/League 2.xcdatamodel`
        var path: String
        var name: String
        var model: Model
    }

    private(set) var source: Version?
    private(set) var destination: Version?
    /// The paths of all versions that are at hand.
    private(set) var choices: [String] = []

    /// Looks for both models.
    ///
    /// - Parameter finder: Where they may be.
    init(of mapping: MappingModel, _ finder: ModelFinder) {
        let paths = [mapping.sourceModelPath, mapping.destinationModelPath]
        (source, destination) = (finder.version(at: paths[0]), finder.version(at: paths[1]))
        choices = finder.choices(beside: paths.compactMap { $0 })
    }

    /// The attributes and relationships that an entity of the destination model has and inherits.
    func destinationProperties(of entity: String?) -> (
        attributes: [Model.Attribute], relationships: [Model.Relationship]
    ) {
        let lineage = entity.flatMap { destination?.model.lineage(of: $0) } ?? []
        return (lineage.flatMap(\.attributes), lineage.flatMap(\.relationships))
    }

    /// A path that a mapping may name: below a folder, and that of a version.
    ///
    /// - Throws: `outsideOfFolder`, `invalidEdit`.
    static func checkedPath(_ path: String?) throws -> String? {
        guard let path else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !path.contains("\0") else {
            throw StudioError(.outsideOfFolder, "A mapping model names its models below the folder of its project.")
        }
        guard path.hasSuffix(".xcdatamodel") else {
            throw StudioError(.invalidEdit, "A mapping model names a version: its path ends in .xcdatamodel.")
        }
        return path
    }
}

/// Finds the models that a mapping model names by their paths in a project.
struct ModelFinder: Sendable {
    /// The `.xcmappingmodel`.
    let mapping: URL
    /// Documents that were given with it. They come first.
    let documents: [URL]

    /// So many folders above the mapping are looked into, and their folders.
    private static let mostFolders = 4

    /// The version that a path names; nil where it is not at hand.
    func version(at path: String?) -> MappingModels.Version? {
        guard let path = try? MappingModels.checkedPath(path) else { return nil }
        let parts = path.split(separator: "/").map(String.init)
        let name = URL(filePath: parts.last ?? "").deletingPathExtension().lastPathComponent
        let isVersion = parts.dropLast().last?.hasSuffix(".xcdatamodeld") ?? false
        let folder = isVersion ? Array(parts.dropLast()) : parts
        for url in places(of: folder) {
            guard let document = try? ModelDocumentFolder(contentsOf: url), document.versionNames.contains(name),
                let model = try? document.model(version: name)
            else { continue }
            return MappingModels.Version(path: path, name: name, model: model)
        }
        return nil
    }

    /// Where a document may be: where its path says, or in a folder nearby.
    private func places(of folder: [String]) -> [URL] {
        guard let name = folder.last else { return [] }
        let given = documents.filter { $0.lastPathComponent == name }
        let exact = ancestors.map { $0.appending(path: folder.joined(separator: "/")) }
        let near = ancestors.prefix(2).flatMap { ancestor in
            [ancestor] + Self.folders(in: ancestor)
        }.map { $0.appending(path: name) }
        return (given + exact + near).filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// The folders above the mapping, the nearest first. The root of the disk is none of them.
    private var ancestors: [URL] {
        let first = mapping.standardizedFileURL.deletingLastPathComponent()
        return sequence(first: first) { $0.deletingLastPathComponent() }.prefix(Self.mostFolders)
            .prefix { $0.path != "/" }
    }

    private static func folders(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().prefix(200).filter { !$0.hasPrefix(".") && !$0.contains(".xc") }
            .map { folder.appending(path: $0) }
    }

    /// The paths of the versions of the documents that a mapping names, and of those that were given.
    func choices(beside paths: [String]) -> [String] {
        var folders: [String: URL] = [:]
        for path in paths {
            let folder = path.split(separator: "/").dropLast().map(String.init)
            guard folder.last?.hasSuffix(".xcdatamodeld") ?? false, let url = places(of: folder).first else { continue }
            folders[folder.joined(separator: "/")] = url
        }
        for url in documents where !folders.values.contains(url) { folders[path(of: url)] = url }
        return folders.sorted { $0.key < $1.key }.flatMap { folder, url in
            let names = (try? ModelDocumentFolder(contentsOf: url))?.versionNames ?? []
            let sorted = names.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            return url.pathExtension == "xcdatamodel" ? [folder] : sorted.map { "\(folder)/\($0).xcdatamodel" }
        }
    }

    /// A document's path from the folder that it and the mapping lie in.
    func path(of document: URL) -> String {
        let (own, other) = (mapping.standardizedFileURL.pathComponents, document.standardizedFileURL.pathComponents)
        let shared = zip(own.dropLast(), other.dropLast()).prefix { $0.0 == $0.1 }.count
        return other.dropFirst(shared).joined(separator: "/")
    }
}
