import Foundation

/// Files and folders whose content is on the disk when a call returns.
enum DurableFile {
    private static let portion = 1 << 20

    /// Makes a file, which must not exist. Its folder is for the caller to force to the disk.
    ///
    /// - Throws: As ``AtomicFileWriter``; there is no file then.
    static func create(_ data: Data, at url: URL) throws {
        let file = try OpenFile(url, O_WRONLY | O_CREAT | O_EXCL)
        do {
            try data.withUnsafeBytes { try file.append($0) }
            try file.synchronize()
        } catch {
            unlink(url.path)
            throw error
        }
    }

    /// The content of a file, which must not be an SQLite store: see ``SharedFile``.
    ///
    /// - Throws: 260 without the file, 257 without permission, 256 for other failures.
    static func read(_ url: URL) throws -> Data {
        let file = try OpenFile(url, O_RDONLY)
        let size = Int(try file.status().st_size)
        var data = Data()
        while true {
            let next = try file.next(max(size - data.count, 4096))
            if next.isEmpty { break }
            if data.isEmpty { data = next } else { data += next }
        }
        return data
    }

    /// Copies a file; the copy has its name when all of it is there. Its folder is for the caller to force to the disk.
    static func copy(_ source: URL, to url: URL) throws {
        let original = try OpenFile(source, O_RDONLY)
        let copy = try AtomicFileWriter(replacing: url)
        while case let data = try original.next(portion), !data.isEmpty { try copy.write(data) }
        try copy.commit(synchronizesFolder: false)
    }

    /// Makes a folder and those above it, where they are missing.
    static func makeFolder(_ url: URL) throws {
        if try makesOne(url) { return }
        try makeFolder(url.deletingLastPathComponent())
        guard try makesOne(url) else { throw NSError.file(ENOENT, at: url) }
    }

    /// - Returns: False where the folder above is missing.
    private static func makesOne(_ url: URL) throws -> Bool {
        if mkdir(url.path, 0o777) == 0 {
            try synchronizeFolder(of: url)
            return true
        }
        switch errno {
        case EEXIST: return true
        case ENOENT where url.path != "/": return false
        default: throw NSError.file(errno, at: url)
        }
    }

    /// A file's size; nil where there is no file.
    ///
    /// - Throws: 257 or 256 where that can't be found out: a file that can't be looked at is not taken for missing.
    static func size(of path: String) throws -> Int? {
        var status = stat()
        if stat(path, &status) == 0 { return Int(status.st_size) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw NSError.file(errno, at: URL(fileURLWithPath: path), isReading: true)
    }

    /// Whether the disk that a file is on, or would be on, has no room for another one.
    static func hasNoRoom(at path: String) -> Bool {
        var status = statvfs()
        guard statvfs((path as NSString).deletingLastPathComponent, &status) == 0 else { return false }
        // Some file systems have no table of files, and say that they have none free.
        return status.f_bavail == 0 || (status.f_files > 0 && status.f_favail == 0)
    }

    static func exists(_ url: URL) throws -> Bool { try size(of: url.path) != nil }

    /// Removes a file, if it is there.
    static func remove(_ url: URL) throws {
        if unlink(url.path) != 0, errno != ENOENT { throw NSError.file(errno, at: url) }
    }

    /// Forces the names of the files in a file's folder to the disk, with removals and renamings.
    static func synchronizeFolder(of url: URL) throws { try synchronize(folder: url.deletingLastPathComponent()) }

    /// Forces the names of a folder's files to the disk.
    ///
    /// Not every file system lets a folder be opened and written through. Those that don't keep names by themselves,
    /// and SQLite goes on then with its journals, too.
    static func synchronize(folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP { throw NSError.file(errno, at: folder) }
    }
}
