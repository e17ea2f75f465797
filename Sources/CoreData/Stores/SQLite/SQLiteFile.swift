import Foundation

/// Ways to open a store's file.
package enum SQLiteFile {
    /// Runs `body` with a connection for a look at an existing file, leaving store and log as they are.
    ///
    /// Without a log beside the file no process is writing, and it is read without locks and without new files beside
    /// it. With a journal that a killed process left, what the store will be once the journal is rolled back is seen in
    /// a copy.
    static func look<R>(at url: URL, timeout: Double, _ body: (SQLiteConnection) throws -> R) throws -> R {
        try check(url)
        let access: SQLiteConnection.Access = try hasLog(url) ? .readOnly : .immutable
        do {
            return try body(SQLiteConnection(path: url.path, access: access, timeout: timeout))
        } catch let error as SQLiteError {
            if error.code == SQLiteError.readOnlyRollback { return try lookAtCopy(of: url, body) }
            guard access == .immutable, try hasLog(url) else { throw error }
            // A process has begun to write meanwhile, and half of that may have been read.
            return try look(at: url, timeout: timeout, body)
        }
    }

    /// Runs `body` with a connection to the file as evidence, or to a copy where it has a log.
    static func lookAtCopy<R>(of url: URL, _ body: (SQLiteConnection) throws -> R) throws -> R {
        let copy = try EvidenceCopy(of: url)
        return try withExtendedLifetime(copy) {
            try body(SQLiteConnection(path: copy.url.path, access: copy.access))
        }
    }

    /// Whether there is anything in a log or journal of the store.
    static func hasLog(_ url: URL) throws -> Bool { try !logs(of: url).isEmpty }

    /// What the names of a store's log and journal end with, where there is anything in them.
    fileprivate static func logs(of url: URL) throws -> [String] {
        let path = place(of: url).path
        return try ["-wal", "-journal"].filter { try DurableFile.size(of: path + $0) ?? 0 > 0 }
    }

    /// Sees to it that a closed store is in its file alone. A connection that closes does so, but does not say if it
    /// can't.
    static func putLogAway(of url: URL) throws {
        guard try hasLog(url) else { return }
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        let isBusy: Int64?
        do {
            defer { connection.close() }
            isBusy = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        guard isBusy == 0, try !hasLog(url) else { throw NSError.file(EBUSY, at: url) }
    }

    /// Where the store really is, and its log beside it: a URL may be that of a link.
    static func place(of url: URL) -> URL { url.resolvingSymlinksInPath() }

    /// Refuses what can't be a store before SQLite is asked, which would say the same of all of them.
    static func check(_ url: URL) throws {
        var isFolder: ObjCBool = false
        let path = url.path
        guard try DurableFile.exists(url), FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw NSError.cocoa(
                260, "There is no store at “\(path)”.", reason: "No such file.", userInfo: [NSFilePathErrorKey: path])
        }
        if isFolder.boolValue {
            throw NSError.cocoa(
                259, "“\(path)” is a folder, not a store.", userInfo: [NSFilePathErrorKey: path])
        }
        if !FileManager.default.isReadableFile(atPath: path) {
            throw NSError.cocoa(
                257, "There is no permission to read the store “\(url.lastPathComponent)”.",
                userInfo: [NSFilePathErrorKey: path])
        }
    }

    /// Whether there is nothing in the file yet, or no file.
    static func isEmpty(_ url: URL) throws -> Bool {
        if url.path == "/dev/null" { return true }
        return try DurableFile.size(of: url.path) ?? 0 == 0
    }

    /// Removes a store's file, and what SQLite keeps beside it.
    static func remove(_ url: URL) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try DurableFile.remove(URL(fileURLWithPath: url.path + suffix))
        }
    }

    /// Runs `body`, with what SQLite reports as Cocoa errors.
    package static func cocoa<R>(_ url: URL, isOpening: Bool = true, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw error.cocoaError(path: url.path, isOpening: isOpening)
        }
    }
}

/// A store opened as evidence: whatever is read, neither it nor its log changes, and no file appears beside it.
///
/// Without a log the file is read in place, without locks; with one, store and log are copied to a private folder,
/// since SQLite writes beside a store when it reads the store's log. The copy lives as long as this object.
package final class EvidenceCopy {
    /// The file to open.
    package let url: URL
    package let access: SQLiteConnection.Access
    private let folder: URL?

    package init(of original: URL) throws {
        try SQLiteFile.check(original)
        let original = SQLiteFile.place(of: original)
        let beside = try SQLiteFile.logs(of: original)
        guard !beside.isEmpty else {
            (url, access, folder) = (original, .immutable, nil)
            return
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-" + UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let copy = folder.appendingPathComponent(original.lastPathComponent)
        do {
            guard let file = SharedFile(original.path) else {
                throw NSError.file(EACCES, at: original, isReading: true)
            }
            try file.copy(to: copy)
            for suffix in beside {
                try FileManager.default.copyItem(atPath: original.path + suffix, toPath: copy.path + suffix)
                // A copy of a read-only file is read-only, and SQLite must write to the log's index.
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path + suffix)
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        (url, access, self.folder) = (copy, .readWrite, folder)
    }

    deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }
}
