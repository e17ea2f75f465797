import Foundation
import ModelDocument

/// The files of the document: what was read or written last, and whether they are still like that.
struct DocumentFiles: Sendable {
    /// The `.xcdatamodeld` or `.xcdatamodel` folder.
    let url: URL
    /// What is on disk as far as we know; `nil` before the first save of a new document, and after another program
    /// wrote something that can't be read and that is to be replaced.
    private(set) var base: VersionedModel?
    /// The bytes of the files, by their paths in the folder.
    private(set) var bytes: [String: Data] = [:]
    private var stamps: [String: FileStamp] = [:]
    /// The bytes of the list of versions that `base` has.
    private var baseList: Data?
    /// Files with bytes that are known to stand for a model: undoing everything gives the first bytes back, also where
    /// ours would be others.
    private var known: [String: [KnownFile]] = [:]

    private struct KnownFile {
        var model: Model
        var data: Data
    }

    var isSingleVersion: Bool { url.pathExtension == "xcdatamodel" }

    /// A document that is not on disk yet.
    init(new url: URL) {
        self.url = url
    }

    /// Reads a document.
    ///
    /// - Throws: `ModelDocumentError`, placed in its file.
    init(contentsOf url: URL) throws {
        self.url = url
        try adopt(VersionedModel(contentsOf: url))
    }

    /// Takes what is on disk for what we know of it.
    mutating func adopt(_ document: VersionedModel?) throws {
        base = document
        (bytes, stamps) = try contentsOnDisk()
        baseList = bytes[Self.listPath]
        remember(document)
    }

    /// Takes note of what is on disk without taking it over: saving will replace it.
    mutating func acknowledgeDisk() throws {
        (bytes, stamps) = try contentsOnDisk()
    }

    private mutating func remember(_ document: VersionedModel?) {
        for version in document?.versions ?? [] {
            let path = path(ofVersion: version.name)
            guard let data = bytes[path], known[path]?.contains(where: { $0.model == version.model }) != true else {
                continue
            }
            known[path, default: []].append(KnownFile(model: version.model, data: data))
            // The first and the last are what people go back to.
            if let count = known[path]?.count, count > 3 { known[path]?.remove(at: 1) }
        }
    }

    func path(ofVersion name: String) -> String {
        isSingleVersion ? "contents" : "\(name).xcdatamodel/contents"
    }

    // MARK: - Writing

    /// The files that make up a document, each as it was where it says the same.
    ///
    /// - Throws: `ModelDocumentError` `unwritableContent`.
    func files(of document: VersionedModel) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for version in document.versions {
            let path = path(ofVersion: version.name)
            files[path] =
                try known[path]?.last { $0.model == version.model }?.data ?? version.model.contents()
        }
        guard !isSingleVersion, let list = document.versionList else { return files }
        files[Self.listPath] = list == base?.versionList ? baseList : try list.data()
        return files
    }

    /// The files that would be written, and the versions that would go.
    func changes(to document: VersionedModel) throws -> (files: [String: Data], removed: [String]) {
        let files = try files(of: document)
        let names = Set(document.versions.map(\.name))
        let removed = (base?.versions ?? []).map(\.name).filter { !names.contains($0) }
        return (files.filter { bytes[$0.key] != $0.value }, removed)
    }

    /// Writes a document: new and changed versions first, then the list that may name them, and last what was deleted
    /// goes.
    ///
    /// - Returns: the paths that were written or removed.
    /// - Throws: `ModelDocumentError` `unwritableContent`, before anything is touched, or `unwritableFile`.
    mutating func save(_ document: VersionedModel) throws -> [String] {
        let (files, removed) = try changes(to: document)
        let drafts = Drafts(besideDocument: url)
        for (path, data) in files.sorted(by: { $0.key < $1.key }) where path != Self.listPath {
            try drafts.write(data, to: url.appending(path: path))
        }
        if let list = files[Self.listPath] {
            try drafts.write(list, to: url.appending(path: Self.listPath))
        }
        for name in removed {
            let folder = url.appending(path: "\(name).xcdatamodel")
            try DocumentFile.onDisk(folder) {
                guard FileManager.default.fileExists(atPath: folder.path) else { return }
                try FileManager.default.removeItem(at: folder)
            }
        }
        try adopt(document)
        return files.keys.sorted() + removed.map { "\($0).xcdatamodel" }
    }

    static let listPath = ".xccurrentversion"
}

// MARK: - Looking at the disk

/// What tells a file that was written from one that was not.
struct FileStamp: Sendable, Hashable {
    var size: UInt64
    var modified: Double
    var inode: UInt64
}

extension DocumentFiles {
    /// How the files on disk are to what we know of them.
    enum DiskState: Sendable, Hashable {
        case same
        /// Another program wrote; the paths that are not what they were.
        case changed([String])
        /// Another program wrote what can't be read.
        case unreadable(String)
        case missing
    }

    /// Looks at the files, and into them where they may have changed.
    mutating func check() -> DiskState {
        guard !bytes.isEmpty else {
            return FileManager.default.fileExists(atPath: url.path) ? .changed([]) : .same
        }
        guard FileManager.default.fileExists(atPath: url.path) else { return .missing }
        guard let paths = try? documentPaths() else { return .missing }
        let now = Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in
                FileStamp(url.appending(path: path)).map { (path, $0) }
            })
        guard now != stamps else { return .same }
        guard let (contents, newStamps) = try? contentsOnDisk() else { return .missing }
        guard contents != bytes else {
            stamps = newStamps
            return .same
        }
        let changed = Set(contents.keys).union(bytes.keys).filter { contents[$0] != bytes[$0] }
        do {
            _ = try VersionedModel(contentsOf: url)
            return .changed(changed.sorted())
        } catch {
            return .unreadable(StudioError(error).message)
        }
    }

    /// The paths of the document's files that there are.
    private func documentPaths() throws -> [String] {
        guard !isSingleVersion else { return ["contents"] }
        let entries = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return entries.filter { $0.hasSuffix(".xcdatamodel") }.map { $0 + "/contents" }
            + entries.filter { $0 == Self.listPath }
    }

    private func contentsOnDisk() throws -> ([String: Data], [String: FileStamp]) {
        var (contents, stamps) = ([String: Data](), [String: FileStamp]())
        guard FileManager.default.fileExists(atPath: url.path) else { return (contents, stamps) }
        for path in try documentPaths() {
            let file = url.appending(path: path)
            // The stamp first: what is written in between is noticed the next time.
            stamps[path] = FileStamp(file)
            contents[path] = try? Data(contentsOf: file)
        }
        return (contents, stamps)
    }
}

extension FileStamp {
    /// `nil` for a file that is not there.
    init?(_ url: URL) {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else { return nil }
        size = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
        modified = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
        inode = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    }
}
