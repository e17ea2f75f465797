import Foundation

/// The file of a store that is read and written as a whole.
struct StoreFile {
    let url: URL
    /// Where the file really is: the URL may be that of a link.
    private var path: String { url.resolvingSymlinksInPath().path }

    init(_ url: URL) { self.url = url }

    var stamp: FileStamp? { FileStamp(path: path) }

    /// Whether there is no file, or an empty one, in which a store can be made.
    var isFree: Bool { stamp.map { $0.isFile && $0.isEmpty } ?? true }

    // MARK: Reading

    /// - Throws: 260 without a file, 259 for a folder, 257 without permission.
    func read() throws -> Data {
        guard let stamp else { throw error(260, "There is no store at “\(url.path)”.", reason: "No such file.") }
        guard stamp.isFile else { throw error(259, "“\(url.path)” is no file, and so no store.") }
        do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw self.error(
                FileManager.default.isReadableFile(atPath: path) ? 256 : 257,
                "The store “\(url.lastPathComponent)” can't be read.", reason: error.localizedDescription)
        }
    }

    /// The first bytes of the file; none where it can't be read.
    func head() -> Data {
        guard let handle = FileHandle(forReadingAtPath: path) else { return Data() }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 64)) ?? Data()
    }

    // MARK: Writing

    /// Refuses a place where no store can be made.
    ///
    /// - Throws: 512 without a folder, 513 without permission, 259 for what is no file.
    func checkPlace() throws {
        if let stamp, !stamp.isFile { throw error(259, "“\(url.path)” is no file, and so no store.") }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileStamp(path: folder)?.isFolder ?? false else {
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
    func replace(with data: Data, willReplace: () throws -> Void = {}) throws -> FileStamp? {
        let calls = StoreFileCalls.current
        let new = path + ".new-" + UUID().uuidString
        let stamp = try write(data, to: new, calls)
        do {
            try willReplace()
            guard calls.rename(new, path) == 0 else { throw failure("replaced") }
        } catch {
            _ = calls.unlink(new)
            throw error
        }
        synchronizeFolder(calls)
        return stamp
    }

    /// Makes the file, unless there is one.
    ///
    /// - Returns: Its stamp; nil where another process has made a file there.
    func create(with data: Data) throws -> FileStamp? {
        if stamp != nil { return try replace(with: data) }
        let calls = StoreFileCalls.current
        let new = path + ".new-" + UUID().uuidString
        let stamp = try write(data, to: new, calls)
        let isMade = calls.link(new, path) == 0
        let number = errno
        _ = calls.unlink(new)
        guard isMade || number == EEXIST else { throw failure("created", number) }
        synchronizeFolder(calls)
        return isMade ? stamp : nil
    }

    /// Removes the file; nothing happens where there is none.
    func remove() throws {
        let calls = StoreFileCalls.current
        guard calls.unlink(path) == 0 || errno == ENOENT else { throw failure("removed") }
        synchronizeFolder(calls)
    }

    private func write(_ data: Data, to new: String, _ calls: any FileCalls) throws -> FileStamp? {
        let mode = (stamp?.mode ?? 0o644) & 0o7777
        let file = calls.open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw failure("written") }
        var isOpen = true
        do {
            try writeAll(data, file, calls)
            guard calls.fsync(file) == 0 else { throw failure("written") }
            let stamp = FileStamp(file: file)
            // Closed it is in any case.
            isOpen = false
            guard calls.close(file) == 0 else { throw failure("written") }
            return stamp
        } catch {
            if isOpen { _ = calls.close(file) }
            _ = calls.unlink(new)
            throw error
        }
    }

    private func writeAll(_ data: Data, _ file: Int32, _ calls: any FileCalls) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = calls.write(file, UnsafeRawBufferPointer(rebasing: rest))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure("written", count == 0 ? ENOSPC : errno) }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// The new name of a file is on the disk when its folder is. That a file system can't do this is no failure of the
    /// save.
    private func synchronizeFolder(_ calls: any FileCalls) {
        let folder = calls.open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC, 0)
        guard folder >= 0 else { return }
        _ = calls.fsync(folder)
        _ = calls.close(folder)
    }

    // MARK: Locking

    /// Runs `body` while no other process, and no other coordinator, replaces the file.
    ///
    /// - Throws: 134090 where another process has the lock for longer than `timeout` seconds.
    func locked<R>(timeout: Double, _ body: () throws -> R) throws -> R {
        let end = Date().addingTimeInterval(timeout)
        while true {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            // Without a file there is nothing that others could have replaced.
            guard file >= 0 else { return try body() }
            defer { close(file) }
            while flock(file, LOCK_EX | LOCK_NB) != 0 {
                guard Date() < end else {
                    throw error(
                        NSPersistentStoreTimeoutError,
                        "The store “\(url.lastPathComponent)” is in use: another process kept it locked for \(timeout) seconds."
                    )
                }
                usleep(2_000)
            }
            // A save that was waited for has put another file in its place.
            guard let held = FileStamp(file: file), let stamp, held.isSameFile(as: stamp) else { continue }
            return try body()
        }
    }

    // MARK: Errors

    func error(_ code: Int, _ sentence: String, reason: String? = nil, number: Int32? = nil) -> NSError {
        var info: [String: Any] = [NSFilePathErrorKey: url.path]
        if let number { info[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(number)) }
        return .cocoa(code, sentence, reason: reason, userInfo: info)
    }

    private func failure(_ what: String, _ number: Int32 = errno) -> NSError {
        let code =
            switch number {
            case ENOSPC, EDQUOT: CocoaError.Code.fileWriteOutOfSpace.rawValue
            case EACCES, EPERM: CocoaError.Code.fileWriteNoPermission.rawValue
            case EROFS: CocoaError.Code.fileWriteVolumeReadOnly.rawValue
            case ENOENT: CocoaError.Code.fileNoSuchFile.rawValue
            default: CocoaError.Code.fileWriteUnknown.rawValue
            }
        return error(
            code, "The store “\(url.lastPathComponent)” could not be \(what).",
            reason: String(cString: strerror(number)),
            number: number)
    }
}
