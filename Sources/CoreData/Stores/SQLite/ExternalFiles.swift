import Foundation

/// The files of attributes with external storage, during one save.
///
/// A value's column holds a leading byte: 1, and the data follows; 2, and the name of a file in the store's support
/// folder follows. Files are on the disk before the rows that name them are committed. They are removed when the commit
/// that removed the rows is on the disk; see ``SQLiteStore/remove(_:)``. A crash in between leaves a file that no row
/// names, never a name without its file.
package final class ExternalFiles {
    /// Larger values go to files: 100 KB.
    static let threshold = 100 * 1024

    private let findFolder: () -> URL?
    /// Asked for when a value is first looked at; few saves have any.
    private lazy var folder = findFolder()
    /// What was written for new rows.
    private(set) var created: [URL] = []
    /// What the old rows name.
    private(set) var discarded: [URL] = []

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
        if created.isEmpty { try DurableFile.makeFolder(folder) }
        let file = folder.appendingPathComponent(name)
        created.append(file)
        try DurableFile.create(data, at: file)
        return Data([2]) + Data(name.utf8) + Data([0])
    }

    /// Notes that a column's value goes away, with its file if it names one.
    func discard(_ raw: UnsafeRawBufferPointer) {
        if let name = Self.fileName(raw), let folder { discarded.append(folder.appendingPathComponent(name)) }
    }

    /// Forces the names of the new files to the disk: a power loss must not take them from committed rows.
    func willCommit() throws {
        if !created.isEmpty, let folder { try DurableFile.synchronize(folder: folder) }
    }

    /// The data of a column's value; nil where the file that it names is missing.
    package static func data(_ raw: Data, folder: URL?) throws -> Data? {
        switch raw.first {
        case 1: return raw.dropFirst()
        case 2:
            guard let folder, let name = fileName(in: raw) else { return nil }
            do { return try DurableFile.read(folder.appendingPathComponent(name)) } catch let error as NSError
                where error.code == CocoaError.Code.fileReadNoSuchFile.rawValue
            { return nil }
        // A row of a database that the store has taken the place of.
        default: return DistantData.count(in: raw) == nil ? raw : nil
        }
    }

    /// How many bytes the name of a file has at most.
    private static let longestName = 255

    /// The file that a column's value names, or nil where it names none.
    package static func fileName(in raw: Data) -> String? { raw.withUnsafeBytes { fileName($0) } }

    /// The file that a column's value names. A name with a slash would lead out of the folder, and is none; nor is one
    /// that no file system takes: other columns, too, have values that begin with a 2.
    private static func fileName(_ raw: UnsafeRawBufferPointer) -> String? {
        guard raw.first == 2 else { return nil }
        let bytes = raw.dropFirst().prefix(longestName + 1).prefix { $0 != 0 }
        guard bytes.count <= longestName else { return nil }
        let name = String(decoding: bytes, as: UTF8.self)
        return name.isEmpty || name.contains("/") || name == "." || name == ".." ? nil : name
    }
}
