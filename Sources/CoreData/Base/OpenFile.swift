import Foundation

/// An open file whose failures are thrown as Cocoa errors with the file's path.
struct OpenFile: ~Copyable {
    let url: URL
    /// The file that errors name.
    private let subject: URL
    private let descriptor: Int32
    /// Whether the file is only read, as errors say.
    private let isReading: Bool

    /// - Parameter subject: The file that errors name, if it is another one.
    init(_ url: URL, _ flags: Int32, for subject: URL? = nil) throws {
        let subject = subject ?? url
        let isReading = flags & O_ACCMODE == O_RDONLY
        descriptor = try Self.retrying(subject, isReading) { open(url.path, flags | O_CLOEXEC, 0o666) }
        (self.url, self.subject, self.isReading) = (url, subject, isReading)
    }

    deinit { close(descriptor) }

    /// Writes all bytes, behind those that were written before.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            rest = rest.dropFirst(try Self.retrying(subject) { write(descriptor, part.baseAddress, part.count) })
        }
    }

    /// Reads what comes next, of at most so many bytes; empty at the end of the file.
    func next(_ count: Int) throws -> Data {
        var data = Data(count: count)
        let length = try data.withUnsafeMutableBytes { bytes in
            try Self.retrying(subject, isReading) { read(descriptor, bytes.baseAddress, bytes.count) }
        }
        return data.prefix(length)
    }

    /// Forces what was written to the disk.
    func synchronize() throws { _ = try Self.retrying(subject) { fsync(descriptor) } }

    /// Removes the file's content.
    func empty() throws { _ = try Self.retrying(subject) { ftruncate(descriptor, 0) } }

    /// Waits until no other process, and no other open file, has this one locked. It is locked until it is closed.
    func lock() throws { _ = try Self.retrying(subject) { flock(descriptor, LOCK_EX) } }

    /// Locks the file, as ``lock()`` does, unless it is locked.
    ///
    /// - Returns: Whether it is locked by this open file now.
    func lockIfFree() throws -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw NSError.file(errno, at: subject, isReading: isReading) }
        }
        return true
    }

    /// Gives the file the permissions of another one.
    func setPermissions(_ permissions: mode_t) throws {
        _ = try Self.retrying(subject) { fchmod(descriptor, permissions) }
    }

    /// What the system knows of the file.
    func status() throws -> stat {
        var status = stat()
        _ = try Self.retrying(subject) { fstat(descriptor, &status) }
        return status
    }

    /// Whether the file still has the name by which it was opened.
    func hasItsName() throws -> Bool {
        let here = try status()
        var there = stat()
        return stat(url.path, &there) == 0 && here.st_ino == there.st_ino && here.st_dev == there.st_dev
    }

    /// Calls until no signal interrupts the call.
    private static func retrying<Result: BinaryInteger>(
        _ subject: URL, _ isReading: Bool = false, _ call: () -> Result
    ) throws -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw NSError.file(errno, at: subject, isReading: isReading) }
        }
    }
}
