import Foundation

/// A look-out for saves to a store that each save writes as a whole.
struct FileWatch: StoreWatch {
    private let file: StoreFile
    private let stamp: FileStamp?

    init(_ url: URL) throws {
        file = StoreFile(url)
        stamp = try file.stamp
    }

    var isQuiet: Bool { get throws { try file.stamp == stamp } }
}
