import Foundation
import ModelDocument

/// Where the sample documents are.
enum Samples {
    static let committed = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// The whole collection beside the package, where it is at hand.
    static let collection = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/fixtures")
    static var hasCollection: Bool { FileManager.default.fileExists(atPath: collection.path) }
    /// What there is of both.
    static let collections: [URL] = [committed] + (hasCollection ? [collection] : [])

    static func document(_ path: String) throws -> ModelDocumentFolder {
        try ModelDocumentFolder(contentsOf: committed.appending(path: path))
    }
}

func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}
