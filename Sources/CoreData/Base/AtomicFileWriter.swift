import Foundation

/// Writes a file anew: whenever the process or the machine stops, the file has its old content or the new one.
///
/// ```
/// let writer = try AtomicFileWriter(replacing: url)
/// for object in objects { try writer.write(encoded(object)) }
/// try writer.commit()
/// ```
///
/// The content goes to a file `.NAME.new` beside the file, which is removed if there is no ``commit()``. A process that
/// is killed leaves it behind, and the next writer of the file takes it over. A second writer waits for the first one,
/// in other processes too: a thread that has two writers of one file waits for ever.
package final class AtomicFileWriter {
    private let url: URL
    private let part: OpenFile
    private var isCommitted = false
    private var isSynchronized = false

    /// Begins the new content. The file need not exist; its folder has to.
    ///
    /// A link is followed, and stays a link. An existing file keeps its permissions.
    ///
    /// - Throws: 640 if the disk is full, 642 if it is read-only, 513 without permission, 4 without the folder, 512 for
    ///   other failures; so do the other calls.
    package init(replacing url: URL) throws {
        self.url = url.resolvingSymlinksInPath()
        part = try Self.lockedPart(of: self.url)
        try part.empty()
        if let permissions = try Self.permissions(of: self.url) { try part.setPermissions(permissions) }
    }

    deinit { if !isCommitted { unlink(part.url.path) } }

    /// Writes a file in one go.
    package static func write(_ data: Data, to url: URL) throws {
        let writer = try AtomicFileWriter(replacing: url)
        try writer.write(data)
        try writer.commit()
    }

    /// Appends to the new content.
    package func write(_ data: Data) throws {
        isSynchronized = false
        try data.withUnsafeBytes { try part.append($0) }
    }

    /// Forces the new content to the disk, so that only its name is left to be given.
    package func synchronize() throws {
        if isSynchronized { return }
        try part.synchronize()
        isSynchronized = true
    }

    /// What the system knows of the new content, and of the file after ``commit(synchronizesFolder:)``.
    func status() throws -> stat { try part.status() }

    /// Puts the new content in the file's place. It is on the disk when the call returns.
    ///
    /// - Parameter synchronizesFolder: False if the caller does that itself, once for many files.
    /// - Throws: The file is as it was then, except if only its folder could not be forced to the disk.
    package func commit(synchronizesFolder: Bool = true) throws {
        require(!isCommitted, "The file \(url.path) is committed twice; make another AtomicFileWriter.")
        try synchronize()
        guard rename(part.url.path, url.path) == 0 else { throw NSError.file(errno, at: url) }
        isCommitted = true
        if synchronizesFolder { try DurableFile.synchronizeFolder(of: url) }
    }

    /// Gives the new content the file's name, unless there is a file by now. The folder is for the caller to force to
    /// the disk.
    ///
    /// - Returns: False where there is a file; the new content is gone then.
    package func commitUnlessThere() throws -> Bool {
        require(!isCommitted, "The file \(url.path) is committed twice; make another AtomicFileWriter.")
        try synchronize()
        // The first name goes with this object.
        if link(part.url.path, url.path) == 0 { return true }
        guard errno == EEXIST else { throw NSError.file(errno, at: url) }
        return false
    }

    /// Nil where there is no file.
    private static func permissions(of url: URL) throws -> mode_t? {
        var status = stat()
        if stat(url.path, &status) == 0 { return status.st_mode & 0o777 }
        guard errno == ENOENT else { throw NSError.file(errno, at: url) }
        return nil
    }

    /// The file for the new content, which no other writer uses.
    private static func lockedPart(of url: URL) throws -> OpenFile {
        let name = ".\(url.lastPathComponent).new"
        while true {
            let place = url.deletingLastPathComponent().appendingPathComponent(name)
            let part = try OpenFile(place, O_WRONLY | O_CREAT, for: url)
            // A writer that made the file has left its first name: it is the file itself, which may be locked.
            if try part.status().st_nlink > 1 {
                try DurableFile.remove(place)
                continue
            }
            try part.lock()
            // The writer that had it before has given it the file's name, or removed it.
            if try part.hasItsName() { return part }
        }
    }
}
