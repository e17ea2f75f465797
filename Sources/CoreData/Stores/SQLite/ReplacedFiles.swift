import Foundation

/// The files of external data that go with a store when it is destroyed or replaced.
///
/// Stores whose names differ by their extensions alone have one folder for their files. Beside such a store those files
/// go that the store's own database names. Else all files go that were there before, also those that a killed process
/// has left.
///
/// The files are listed before the database changes, and before other stores are looked for: a store is there before
/// its files are. So no file goes that another process makes meanwhile.
struct ReplacedFiles {
    private let folder: URL
    private let names: Set<String>

    /// - Throws: File errors.
    init(of store: URL, timeout: Double) throws {
        folder = ExternalFiles.folder(of: store)
        let present = Set(try SQLiteCopy.fileNames(in: folder))
        if present.isEmpty {
            names = []
        } else if try ExternalFiles.sharesFolder(store) {
            names = present.intersection(Self.names(in: store, timeout: timeout))
        } else {
            names = present
        }
    }

    /// What a database names; nothing where it can't be read, as a damaged one: it may have to go all the same.
    private static func names(in store: URL, timeout: Double) -> Set<String> {
        (try? SQLiteFile.look(at: store, timeout: timeout) { try $0.namedFiles() }) ?? []
    }

    /// Removes the files.
    ///
    /// - Parameter names: Those that the new database names.
    func remove(keeping kept: Set<String> = []) throws {
        for name in names.subtracting(kept).sorted() {
            try DurableFile.remove(folder.appendingPathComponent(name))
        }
        // It stays where there are other files.
        if !names.isEmpty { rmdir(folder.path) }
    }
}

extension ExternalFiles {
    /// Whether another store, whose name differs by its extension alone, has its files in the same folder.
    package static func sharesFolder(_ store: URL) throws -> Bool {
        let (name, base) = (store.lastPathComponent, store.deletingPathExtension().lastPathComponent)
        let folder = store.deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { other in
            guard other != name, (other as NSString).deletingPathExtension == base else { return false }
            return !["-wal", "-shm", "-journal"].contains(where: other.hasSuffix)
                && mayBeStore(folder.appendingPathComponent(other))
        }
    }

    /// Whether a file is a database, or can't be looked at.
    private static func mayBeStore(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue { return false }
        guard let head = SharedFile(url.path)?.read(upTo: 16) else { return true }
        return head.starts(with: Data("SQLite format 3\0".utf8))
    }
}

extension SQLiteConnection {
    /// The files of external data that the database names, whatever model made it.
    func namedFiles() throws -> Set<String> {
        var names: Set<String> = []
        for (table, columns) in try columnsByTable() where table.hasPrefix("Z") && table != "Z_METADATA" {
            for column in columns where column.type.uppercased() == "BLOB" {
                let values = try bound(.select(.namingFiles(column.name, in: table)))
                while try values.step() {
                    if let name = values.blob(0).flatMap({ ExternalFiles.fileName(in: $0) }) { names.insert(name) }
                }
            }
        }
        return names
    }
}
