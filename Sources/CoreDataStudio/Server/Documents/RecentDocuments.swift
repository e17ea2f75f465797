import Foundation
import StoreBrowsing

/// The documents that were opened last, in a file of the user's folder for application data. Only the user can read it.
///
/// A URL is kept without its password. Copies that were dropped into a window are not kept.
struct RecentDocuments: Sendable {
    /// More are not kept.
    static let most = 30
    private let file: URL

    private struct Item: Codable {
        var kind: DocumentKind
        var location: String
        var name: String
        /// When it was opened, in seconds since 2001.
        var time: Double
    }

    private struct Content: Codable { var documents: [Item] }

    init(in folder: URL = StoreMemory.folder) { file = folder.appending(path: "recent.json") }

    /// Puts a document before all others. What can't be written is not remembered; opening goes on.
    func add(_ document: any StudioDocument) {
        let item = Item(
            kind: document.kind, location: document.location, name: document.tabTitle,
            time: Date.now.timeIntervalSinceReferenceDate)
        try? write([item] + items().filter { $0.location != item.location })
    }

    /// Forgets a document, or without a location all of them.
    ///
    /// - Throws: `unwritableFile` with the reason of the system.
    func forget(_ location: String?) throws {
        do {
            try write(location == nil ? [] : items().filter { $0.location != location })
        } catch {
            throw StudioError(.unwritableFile, "\(file.path) can't be written: \(error.localizedDescription)")
        }
    }

    var json: JSON {
        [
            "recent": .array(
                items().map { item in
                    return [
                        "kind": .text(item.kind.rawValue), "location": .text(item.location), "name": .text(item.name),
                        "opened": .text(Date(timeIntervalSinceReferenceDate: item.time).ISO8601Format()),
                        "isMissing": .bool(isMissing(item)),
                    ]
                })
        ]
    }

    /// A document that was never saved is there as long as its journal is.
    private func isMissing(_ item: Item) -> Bool {
        !StorePlace.isDatabase(item.location) && !FileManager.default.fileExists(atPath: item.location)
            && !(item.kind != .store && Journal(besideDocument: URL(fileURLWithPath: item.location)).isThere)
    }

    /// Nothing where there is no file, or one that is damaged.
    private func items() -> [Item] {
        guard let data = try? Data(contentsOf: file), data.count <= 1 << 20,
            let content = try? JSONDecoder().decode(Content.self, from: data)
        else { return [] }
        return Array(content.documents.filter { $0.time.isFinite && abs($0.time) < 1e11 }.prefix(Self.most))
    }

    private func write(_ items: [Item]) throws {
        try PrivateFile.write(JSONEncoder().encode(Content(documents: Array(items.prefix(Self.most)))), to: file)
    }
}

/// Files that only the user can read.
enum PrivateFile {
    /// Replaces a file, and makes its folder.
    static func write(_ data: Data, to file: URL) throws {
        try makeFolder(file.deletingLastPathComponent())
        try data.write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    static func makeFolder(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
