import Foundation

/// Where the tests find stores and what is expected of them.
enum Samples {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    /// The committed stores.
    static let stores = package.appendingPathComponent("Tests/CoreDataTests/Fixtures/Stores")
    static let expected = package.appendingPathComponent("Tests/CommandTests/Expected")
    static let compiledModels = package.appendingPathComponent("Tests/ModelArchiveTests/Fixtures/Compiled")
    static let modelDocuments = package.appendingPathComponent("Tests/ModelDocumentTests/Fixtures")

    /// The independent reader, and the larger collection of stores, that lie beside the package where it is developed.
    static let reader = package.appendingPathComponent("../shared/tools/apple_store.py").standardizedFileURL
    static let moreStores = package.appendingPathComponent("../shared/fixtures/stores").standardizedFileURL
    static var hasReader: Bool { FileManager.default.fileExists(atPath: reader.path) }

    /// The committed stores as `folder/file`.
    static let storeNames = names(of: stores)
    /// The committed stores that carry their model.
    static let storeNamesWithModel = storeNames.filter {
        FileManager.default.fileExists(atPath: expected.path + "/\($0).model.json")
    }

    /// The stores below a folder, without their logs.
    static func names(of folder: URL) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.filter { path in
            let isPart = ["-wal", "-shm", "-journal", ".md"].contains { path.hasSuffix($0) }
            return !isPart && path.split(separator: "/").count == 2 && !path.hasPrefix(".")
        }.sorted()
    }

    /// A store's path.
    static func path(_ name: String) -> String { stores.appendingPathComponent(name).path }

    /// What is recorded for a store; nil where nothing is.
    static func recorded(_ name: String, _ kind: String) -> String? {
        (try? Data(contentsOf: expected.appendingPathComponent("\(name).\(kind)"))).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

extension String {
    /// JSON of another writer with what commands a terminal, or turns the order of a line, escaped as `coredata` does.
    var harmlessJSON: String {
        unicodeScalars.map { scalar in
            switch scalar.value {
            case 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                String(format: "\\u%04x", scalar.value)
            default: String(scalar)
            }
        }.joined()
    }
}
