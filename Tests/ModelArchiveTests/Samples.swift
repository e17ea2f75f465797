import Foundation
import Testing

/// Where the samples are: committed ones in the package, and the whole collection beside it, where that is at hand.
enum Samples {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let collection = package.deletingLastPathComponent().appending(path: "shared/fixtures")

    /// Whether the whole collection is at hand.
    static let hasCollection = FileManager.default.fileExists(atPath: collection.path)
    /// A reader of Apple's archives that knows nothing of this package.
    static let independentReader = package.deletingLastPathComponent().appending(path: "shared/tools/apple_store.py")

    static let compiledFolders = existing([
        package.appending(path: "Tests/ModelArchiveTests/Fixtures/Compiled"), collection.appending(path: "compiled"),
    ])
    static let storeFolders = existing([
        package.appending(path: "Tests/CoreDataTests/Fixtures/Stores"), collection.appending(path: "stores"),
    ])
    static let documentFolders = existing([
        package.appending(path: "Tests/ModelDocumentTests/Fixtures"),
        package.appending(path: "Tests/ModelArchiveTests/Fixtures/Documents"), collection.appending(path: "models"),
    ])

    /// Every compiled model in a file of its own.
    static let compiledModels = files(in: compiledFolders, extensions: ["mom"])
    /// Every store.
    static let allStores = files(in: storeFolders, extensions: ["sqlite", "moody", "db"])
        .compactMap { try? StoreSample($0) }
    /// Every store that carries its model.
    static let stores = allStores.filter { $0.modelCache != nil }
    /// Every `VersionInfo.plist`.
    static let versionInfos = files(in: compiledFolders, extensions: ["plist"])
    /// Every document with its versions.
    static let documents = folders(in: documentFolders, extension: "xcdatamodeld")

    /// Every mapping document's file.
    static let mappingDocuments = files(in: existing([collection.appending(path: "mappings")]), extensions: ["xml"])

    /// Every compiled mapping model.
    static let compiledMappings = files(in: existing([collection.appending(path: "mappings")]), extensions: ["cdm"])

    /// Every archive of a model, by its path.
    static let archives: [ArchiveSample] =
        compiledModels.map { ArchiveSample(path: $0.path, data: (try? Data(contentsOf: $0)) ?? Data()) }
        + stores.map { ArchiveSample(path: $0.url.path, data: $0.modelCache ?? Data()) }

    static func compiled(_ path: String) throws -> Data {
        try Data(contentsOf: compiledFolders[0].appending(path: path))
    }

    /// The first of some folders that has something at a path.
    static func first(_ path: String, in folders: [URL]) -> URL? {
        folders.map { $0.appending(path: path) }.first { FileManager.default.fileExists(atPath: $0.path) }
    }

    static func mapping(_ path: String) throws -> Data {
        try Data(contentsOf: package.appending(path: "Tests/ModelArchiveTests/Fixtures/Mappings/" + path))
    }

    private static func existing(_ folders: [URL]) -> [URL] {
        folders.filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    private static func files(in folders: [URL], extensions: Set<String>) -> [URL] {
        descendants(of: folders).filter { extensions.contains($0.pathExtension) }
    }

    private static func folders(in folders: [URL], extension pathExtension: String) -> [URL] {
        descendants(of: folders).filter { $0.pathExtension == pathExtension }
    }

    private static func descendants(of folders: [URL]) -> [URL] {
        folders.flatMap { folder in
            (FileManager.default.subpaths(atPath: folder.path) ?? []).sorted().map { folder.appending(path: $0) }
        }
    }
}

/// One keyed archive of a model.
struct ArchiveSample: Sendable, CustomTestStringConvertible {
    var path: String
    var data: Data

    var testDescription: String { path.components(separatedBy: "/").suffix(2).joined(separator: "/") }
}
