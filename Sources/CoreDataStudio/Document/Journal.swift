import Digests
import Foundation
import ModelDocument

/// What would be lost if the program ended now: the files that saving would write, in a hidden file beside the
/// document.
///
/// It lies beside the folder, not in it, so that Xcode and build tools see nothing of it, and is there only while there
/// are unsaved changes. It is replaced in one step and is on the disk, not in a cache, when ``write(_:)`` returns.
struct Journal: Sendable {
    let url: URL
    private let drafts: Drafts

    /// - Parameter document: the `.xcdatamodeld` or `.xcdatamodel` folder.
    init(besideDocument document: URL) {
        url = document.deletingLastPathComponent()
            .appending(path: ".\(document.lastPathComponent).studio-journal")
        drafts = Drafts(besideDocument: document)
    }

    /// What a journal says.
    struct Entry: Sendable, Hashable, Codable {
        var format = 1
        /// When it was written, in seconds since 2001.
        var time: Double
        /// The files that saving would write, by their paths in the document.
        var files: [String: String]
        /// The versions that saving would remove.
        var removed: [String]
        /// The SHA-256 digests of the files that the changes are made to.
        var base: [String: String]
    }

    var isThere: Bool { FileManager.default.fileExists(atPath: url.path) }

    /// Gives the journal another name.
    func putAside() -> URL {
        let place = url.appendingPathExtension("unread")
        try? FileManager.default.removeItem(at: place)
        try? FileManager.default.moveItem(at: url, to: place)
        return place
    }

    func read() -> Entry? {
        guard let data = try? Data(contentsOf: url),
            let entry = try? JSONDecoder().decode(Entry.self, from: data), entry.format == 1
        else { return nil }
        return entry
    }

    /// Replaces what the journal says.
    ///
    /// - Throws: `unwritableFile`.
    func write(_ entry: Entry) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(entry)
        do {
            // What is in a model is its owner's business.
            try drafts.replace(url, with: data, permissions: 0o600)
        } catch {
            throw StudioError(
                .unwritableFile, "The journal \(url.path) can't be written: \(error.localizedDescription)")
        }
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}

extension Journal.Entry {
    /// What is unsaved of a document.
    ///
    /// - Throws: `ModelDocumentError` `unwritableContent`.
    init(_ document: VersionedModel, _ files: DocumentFiles) throws {
        let changes = try files.changes(to: document)
        self.init(files: changes.files, removed: changes.removed, base: files.bytes)
    }

    /// - Parameters:
    ///   - files: The files that saving would write.
    ///   - removed: The versions that saving would remove.
    ///   - base: The files that the changes are made to.
    init(files: [String: Data], removed: [String] = [], base: [String: Data]) {
        time = Date.now.timeIntervalSinceReferenceDate
        self.files = files.mapValues { String(decoding: $0, as: UTF8.self) }
        self.removed = removed
        self.base = base.mapValues(Self.digest)
    }

    /// When it was written, as windows are told.
    var savedAt: String { DateText.iso(fromInterval: String(time.rounded())) }

    private static func digest(_ data: Data) -> String {
        Digest.sha256(data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Whether the files on disk are those that the changes were made to.
    func isBased(on files: DocumentFiles) -> Bool { isBased(on: files.bytes) }

    func isBased(on files: [String: Data]) -> Bool { base == files.mapValues(Self.digest) }

    /// The document with the journal's changes in it.
    ///
    /// - Throws: `ModelDocumentError` if that is none that can be read.
    func recovered(_ files: DocumentFiles) throws -> VersionedModel {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let folder = scratch.appending(path: files.url.lastPathComponent)
        var contents = files.bytes
        for name in removed { contents["\(name).xcdatamodel/contents"] = nil }
        for (path, text) in self.files where Self.isDocumentPath(path) { contents[path] = Data(text.utf8) }
        for (path, data) in contents { try DocumentFile.write(data, to: folder.appending(path: path)) }
        return try VersionedModel(contentsOf: folder)
    }

    /// A forged journal must not write outside of its scratch folder.
    private static func isDocumentPath(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(".."), !parts.contains("") else { return false }
        return path == DocumentFiles.listPath || path == "contents"
            || parts.count == 2 && parts[0].hasSuffix(".xcdatamodel") && parts[1] == "contents"
    }
}
