import Foundation

/// The file of a store that is read and written as a whole.
struct StoreFile {
    let url: URL
    /// Where the file really is: the URL may be that of a link.
    private var path: String { url.resolvingSymlinksInPath().path }

    init(_ url: URL) { self.url = url }

    /// Nil where there is no file.
    var stamp: FileStamp? { get throws { try FileStamp(path: path) } }

    /// Whether there is no file, or an empty one, in which a store can be made.
    var isFree: Bool { get throws { try stamp.map { $0.isFile && $0.isEmpty } ?? true } }

    // MARK: Reading

    /// - Throws: 260 without a file, 259 for a folder, 257 without permission.
    func read() throws -> Data {
        guard let stamp = try stamp else {
            throw error(260, "There is no store at “\(url.path)”.", reason: "No such file.")
        }
        guard stamp.isFile else { throw error(259, "“\(url.path)” is no file, and so no store.") }
        do { return try DurableFile.read(URL(fileURLWithPath: path)) } catch {
            throw self.error(
                FileManager.default.isReadableFile(atPath: path) ? 256 : 257,
                "The store “\(url.lastPathComponent)” can't be read.", reason: error.localizedDescription)
        }
    }

    /// The first bytes of the file, which may be a store of any kind; none where it can't be read.
    func head() -> Data { SharedFile(path)?.read(upTo: 64) ?? Data() }

    // MARK: Writing

    /// Refuses a place where no store can be made.
    ///
    /// - Throws: 512 without a folder, 513 without permission, 259 for what is no file.
    func checkPlace() throws {
        if let stamp = try stamp, !stamp.isFile { throw error(259, "“\(url.path)” is no file, and so no store.") }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard try FileStamp(path: folder)?.isFolder ?? false else {
            throw error(
                512,
                "The store “\(url.lastPathComponent)” could not be created because the folder “\(folder)” does not exist.",
                number: ENOENT)
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw error(
                513, "There is no permission to create the store “\(url.lastPathComponent)” in “\(folder)”.",
                number: EACCES)
        }
    }

    /// Puts other bytes in the place of the file: all of them, or none.
    ///
    /// The bytes are in a new file beside the old one before that is replaced, and both are on the disk when the call
    /// returns.
    ///
    /// - Parameter willReplace: Called when all is written but the replacement; where it throws, nothing has changed.
    /// - Returns: The stamp of the new file.
    /// - Throws: As ``AtomicFileWriter``.
    func replace(with data: Data, willReplace: () throws -> Void = {}) throws -> FileStamp {
        let (writer, stamp) = try written(data)
        try willReplace()
        try writer.commit(synchronizesFolder: false)
        synchronizeFolder()
        return stamp
    }

    /// Makes the file, unless there is one.
    ///
    /// - Returns: Its stamp; nil where another process has made a file there.
    func create(with data: Data) throws -> FileStamp? {
        if try stamp != nil { return try replace(with: data) }
        let (writer, stamp) = try written(data)
        guard try writer.commitUnlessThere() else { return nil }
        synchronizeFolder()
        return stamp
    }

    /// Removes the file; nothing happens where there is none.
    func remove() throws {
        try DurableFile.remove(URL(fileURLWithPath: path))
        synchronizeFolder()
    }

    private func written(_ data: Data) throws -> (AtomicFileWriter, FileStamp) {
        let writer = try AtomicFileWriter(replacing: url)
        try writer.write(data)
        try writer.synchronize()
        return (writer, FileStamp(try writer.status()))
    }

    /// The file has its new content by now: that its folder can't be forced to the disk is no failure of the save.
    private func synchronizeFolder() { try? DurableFile.synchronizeFolder(of: URL(fileURLWithPath: path)) }

    // MARK: Locking

    /// Runs `body` while no other process, and no other coordinator, replaces the file.
    ///
    /// - Throws: 134090 where another process has the lock for longer than `timeout` seconds.
    func locked<R>(timeout: Double, _ body: () throws -> R) throws -> R {
        let end = Date().addingTimeInterval(timeout)
        while true {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else {
                if errno == EINTR { continue }
                guard errno == ENOENT else { throw NSError.file(errno, at: url, isReading: true) }
                // Without a file there is nothing that others could have replaced.
                return try body()
            }
            defer { close(file) }
            while flock(file, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw NSError.file(errno, at: url) }
                guard Date() < end else {
                    throw error(
                        NSPersistentStoreTimeoutError,
                        "The store “\(url.lastPathComponent)” is in use: another process kept it locked for \(timeout) seconds."
                    )
                }
                usleep(2_000)
            }
            // A save that was waited for has put another file in its place.
            guard let stamp = try stamp, try FileStamp(file: file, at: url).isSameFile(as: stamp) else { continue }
            return try body()
        }
    }

    // MARK: Errors

    func error(_ code: Int, _ sentence: String, reason: String? = nil, number: Int32? = nil) -> NSError {
        var info: [String: Any] = [NSFilePathErrorKey: url.path]
        if let number { info[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(number)) }
        return .cocoa(code, sentence, reason: reason, userInfo: info)
    }
}
