import Foundation

/// The files of attributes with external storage, during one save.
///
/// A value's column holds a leading byte: 1, and the data follows; 2, and the name of a file in the store's support
/// folder follows. Files are written before the rows that name them are committed, and removed after the rows that
/// named them are gone; a crash in between leaves a file that no row names, never a name without its file.
package final class ExternalFiles {
    /// Larger values go to files: 100 KB.
    static let threshold = 100 * 1024

    private let findFolder: () -> URL?
    /// Asked for when a value is first looked at; few saves have any.
    private lazy var folder = findFolder()
    private var created: [URL] = []
    private var discarded: [URL] = []

    /// - Parameter folder: See ``folder(of:)``; nil for a store in memory, which keeps everything inline.
    init(folder: @escaping () -> URL?) { findFolder = folder }

    /// `.NAME_SUPPORT/_EXTERNAL_DATA` beside the store.
    package static func folder(of store: URL) -> URL {
        support(of: store).appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
    }

    /// `.NAME_SUPPORT` beside the store.
    static func support(of store: URL) -> URL {
        let name = store.deletingPathExtension().lastPathComponent
        return store.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
    }

    /// What the column gets for a value. A large value's file is written.
    func store(_ data: Data) throws -> Data {
        guard let folder, data.count > Self.threshold else { return Data([1]) + data }
        let name = UUID().uuidString
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(name)
        created.append(file)
        try Self.writeDurably(data, to: file)
        return Data([2]) + Data(name.utf8) + Data([0])
    }

    /// Notes that a column's value goes away, with its file if it names one.
    func discard(_ raw: UnsafeRawBufferPointer) {
        if let folder, let name = Self.fileName(raw) { discarded.append(folder.appendingPathComponent(name)) }
    }

    /// Removes what no row names any more. A file that can't be removed does no harm.
    ///
    /// - Parameter postpone: Takes the files over if a held state still has rows that name them.
    func committed(_ postpone: ([URL]) -> Bool) {
        if discarded.isEmpty || postpone(discarded) { return }
        discarded.forEach { try? FileManager.default.removeItem(at: $0) }
    }

    /// Removes what was written for rows that never came to be. A file that can't be removed does no harm.
    func rolledBack() { created.forEach { try? FileManager.default.removeItem(at: $0) } }

    /// The data of a column's value; nil where the file that it names is missing.
    package static func data(_ raw: Data, folder: URL?) throws -> Data? {
        switch raw.first {
        case 1: return raw.dropFirst()
        case 2:
            guard let folder, let name = fileName(in: raw) else { return nil }
            let file = folder.appendingPathComponent(name)
            return FileManager.default.fileExists(atPath: file.path) ? try Data(contentsOf: file) : nil
        default: return raw
        }
    }

    /// The file that a column's value names, or nil where it names none.
    package static func fileName(in raw: Data) -> String? { raw.withUnsafeBytes { fileName($0) } }

    /// The file that a column's value names. A name with a slash would lead out of the folder, and is none.
    private static func fileName(_ raw: UnsafeRawBufferPointer) -> String? {
        guard raw.first == 2 else { return nil }
        let name = String(decoding: raw.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        return name.isEmpty || name.contains("/") || name == "." || name == ".." ? nil : name
    }

    private static func writeDurably(_ data: Data, to file: URL) throws {
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw NSError.cocoa(
                512, "The external data of an attribute could not be written.",
                userInfo: [NSFilePathErrorKey: file.path])
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.write(contentsOf: data)
        try handle.synchronize()
        // The name must survive a power cut as well as the bytes.
        synchronizeFolder(of: file)
    }

    /// Has the names in a file's folder survive a power cut.
    ///
    /// Not every file system lets a folder be opened and written through; those that don't keep names by themselves,
    /// and SQLite goes on then with its journals, too.
    static func synchronizeFolder(of file: URL) {
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
