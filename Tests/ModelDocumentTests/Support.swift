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

/// Random numbers that come again with the same seed.
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}
