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
    /// - Parameter willReplace: Called when the database at the URL is locked; where it throws, nothing is done. The
    ///   pages of `source` get the size of the database's before.
    /// - Returns: The files that are new.
    /// - Throws: ``SQLiteError``; file errors. The database is as it was then.
    static func write(
        _ source: SQLiteConnection, externalFolder: URL?, to url: URL, timeout: Double,
        willReplace: (() throws -> Void)? = nil
    ) throws -> [URL] {
        if willReplace != nil { try fitPages(of: source, to: url, timeout: timeout) }
        let replaced = try ReplacedFiles(of: url, timeout: timeout)
        var copy = FileCopy(from: externalFolder, to: ExternalFiles.folder(of: url))
        do {
            let isOnDisk = try copy.run(source) { try overwrite(url, with: source, timeout: timeout, willReplace) }
            // The new rows are there. A file that only the old ones named does no harm.
            if isOnDisk { try? replaced.remove(keeping: copy.names) }
        } catch {
            copy.copied.forEach { try? DurableFile.remove($0) }
            throw error
        }
        return copy.copied
    }

    /// The files of external data that come with a database.
    private struct FileCopy {
        /// What the database names.
        private(set) var names: Set<String> = []
        /// The copies. A file that is there already is none: no name is used twice.
        private(set) var copied: [URL] = []
        private let source: URL?
        private let folder: URL

        init(from source: URL?, to folder: URL) { (self.source, self.folder) = (source, folder) }

        /// Runs `body` in a transaction that reads the database, all of whose files are copied by then.
        ///
        /// The names are those of one state of the database, so no file is missed that another process saves meanwhile.
        /// If it removes one, another state is tried. What that one names, and has not, was lost before.
        mutating func run<R>(_ database: SQLiteConnection, _ body: () throws -> R) throws -> R {
            var lost: Set<String> = []
            while true {
                let result = try database.read { () -> R? in
                    names = try source == nil ? [] : database.namedFiles()
                    let missing = try copyAll()
                    defer { lost = missing }
                    return missing.isSubset(of: lost) ? try body() : nil
                }
                if let result { return result }
            }
        }

        /// - Returns: The names of files that are not there.
        private mutating func copyAll() throws -> Set<String> {
            guard let source, !names.isEmpty else { return [] }
            try DurableFile.makeFolder(folder)
            var missing: Set<String> = []
            for name in names.sorted() {
                let (original, copy) = (source.appendingPathComponent(name), folder.appendingPathComponent(name))
                if try DurableFile.exists(copy) { continue }
                guard try DurableFile.exists(original) else {
                    missing.insert(name)
                    continue
                }
                copied.append(copy)
                do { try DurableFile.copy(original, to: copy) } catch {
                    guard try !DurableFile.exists(original) else { throw error }
                    copied.removeLast()
                    missing.insert(name)
                }
            }
            try DurableFile.synchronize(folder: folder)
            return missing
        }
    }

    /// Leaves a blank database at a URL, without its external files.
    ///
    /// - Throws: ``SQLiteError``; file errors. The store is as it was then, or blank with external files.
    static func blank(_ url: URL, timeout: Double) throws {
        let files = try ReplacedFiles(of: url, timeout: timeout)
        let nothing = try SQLiteConnection(path: "/dev/null", access: .create)
        _ = try overwrite(url, with: nothing, timeout: timeout)
        try files.remove()
    }

    /// - Returns: Whether the copy is on the disk for certain.
    private static func overwrite(
        _ url: URL, with source: SQLiteConnection, timeout: Double, _ willReplace: (() throws -> Void)? = nil
    ) throws -> Bool {
        let destination = try SQLiteConnection(path: url.path, access: .create, timeout: timeout)
        defer { destination.close() }
        try overwrite(destination, with: source, willReplace)
        return (try? destination.synchronizeCommits()) != nil
    }

    /// Makes a database a copy of another one.
    ///
    /// - Parameter willReplace: Called when the copy's database is locked; where it throws, nothing is done.
    static func overwrite(
        _ destination: SQLiteConnection, with source: SQLiteConnection, _ willReplace: (() throws -> Void)? = nil
    ) throws {
        try fitPages(of: source, to: destination)
        guard let backup = sqlite3_backup_init(destination.handle, "main", source.handle, "main") else {
            throw destination.error()
        }
        if let willReplace {
            do {
                // A step without pages takes the lock.
                guard sqlite3_backup_step(backup, 0) == SQLITE_OK else { throw destination.error() }
                try willReplace()
            } catch {
                sqlite3_backup_finish(backup)
                throw error
            }
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

    /// Gives a database the size of pages that another one has.
    private static func fitPages(of source: SQLiteConnection, to url: URL, timeout: Double) throws {
        let size = try SQLiteFile.look(at: url, timeout: timeout) { try $0.pageSize() }
        guard try source.pageSize() != size else { return }
        _ = try source.text("PRAGMA journal_mode = DELETE")
        try source.execute("PRAGMA page_size = \(size); VACUUM")
    }

    /// The names of the files in a folder; none where there is no such folder.
    static func fileNames(in folder: URL) throws -> [String] {
        guard try DurableFile.exists(folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
}
