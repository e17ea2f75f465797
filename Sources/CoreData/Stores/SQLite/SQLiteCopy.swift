import CSQLite
import Foundation

/// Copies of whole databases, made through SQLite: they keep its locks, see what is still in a log, and come as one
/// transaction, all or nothing.
enum SQLiteCopy {
    /// Runs `body` with a connection for copying a database that others may be writing to.
    static func read(_ url: URL, timeout: Double, _ body: (SQLiteConnection) throws -> Void) throws {
        let paths = [url.path, url.deletingLastPathComponent().path]
        guard paths.allSatisfy({ FileManager.default.isWritableFile(atPath: $0) }) else {
            return try SQLiteFile.look(at: url, timeout: timeout, body)
        }
        // With locks, and with the right to finish what a killed process left.
        let source = try SQLiteConnection(path: url.path, access: .readWrite, timeout: timeout)
        defer { source.close() }
        try body(source)
    }

    /// Makes the database at a URL, and the external files beside it, those of a store.
    ///
    /// - Throws: ``SQLiteError``; file errors.
    static func write(_ source: SQLiteConnection, externalFolder: URL?, to url: URL, timeout: Double) throws {
        let folder = ExternalFiles.folder(of: url)
        let names = try externalFolder.map { try fileNames(in: $0) } ?? []
        var copied: [URL] = []
        do {
            if let externalFolder, !names.isEmpty {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for name in names {
                    let file = folder.appendingPathComponent(name)
                    if FileManager.default.fileExists(atPath: file.path) { continue }
                    copied.append(file)
                    try FileManager.default.copyItem(at: externalFolder.appendingPathComponent(name), to: file)
                }
            }
            try overwrite(url, with: source, timeout: timeout)
        } catch {
            copied.forEach { try? FileManager.default.removeItem(at: $0) }
            throw error
        }
        for name in try fileNames(in: folder) where !names.contains(name) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    /// Leaves a blank database at a URL, and no external files beside it.
    ///
    /// - Throws: ``SQLiteError``; file errors.
    static func blank(_ url: URL, timeout: Double) throws {
        let nothing = try SQLiteConnection(path: "/dev/null", access: .create)
        try overwrite(url, with: nothing, timeout: timeout)
        let folder = ExternalFiles.folder(of: url)
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    }

    private static func overwrite(_ url: URL, with source: SQLiteConnection, timeout: Double) throws {
        let destination = try SQLiteConnection(path: url.path, access: .create, timeout: timeout)
        defer { destination.close() }
        try overwrite(destination, with: source)
    }

    /// Makes a database a copy of another one.
    static func overwrite(_ destination: SQLiteConnection, with source: SQLiteConnection) throws {
        try fitPages(of: source, to: destination)
        guard let backup = sqlite3_backup_init(destination.handle, "main", source.handle, "main") else {
            throw destination.error()
        }
        let step = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, end == SQLITE_OK else { throw destination.error() }
        // The copy is complete, in the log at least. A reader may keep the log from being removed. The next connection
        // that closes removes it.
        _ = try? destination.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// A database with a log can't change the size of its pages: it gets rid of the log first, or the blank source
    /// follows.
    private static func fitPages(of source: SQLiteConnection, to destination: SQLiteConnection) throws {
        let (from, to) = try (source.pageSize(), destination.pageSize())
        guard from != to, try destination.text("PRAGMA journal_mode") == "wal" else { return }
        if try source.integer("PRAGMA page_count") == 0 {
            try source.execute("PRAGMA page_size = \(to)")
        } else {
            _ = try destination.text("PRAGMA journal_mode = DELETE")
        }
    }

    /// The names of the files in a folder; none where there is no such folder.
    static func fileNames(in folder: URL) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
}
