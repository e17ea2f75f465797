import Foundation

/// By what a file is known to be another one than before: each save puts a new file in the place of the old one.
struct FileStamp: Equatable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int
    let mode: mode_t

    /// The stamp of the file at a path; nil where there is none.
    ///
    /// - Throws: 257 or 256 where that can't be found out: a file that can't be looked at is not taken for missing.
    init?(path: String) throws {
        var status = stat()
        guard stat(path, &status) != 0 else {
            self.init(status)
            return
        }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw NSError.file(errno, at: URL(fileURLWithPath: path), isReading: true)
        }
        return nil
    }

    init(file: Int32, at url: URL) throws {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw NSError.file(errno, at: url, isReading: true) }
        self.init(status)
    }

    init(_ status: stat) {
        (device, inode, size, mode) = (status.st_dev, status.st_ino, status.st_size, status.st_mode)
        #if os(Linux) || os(Android)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #else
            (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #endif
    }

    var isEmpty: Bool { size == 0 }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
    var isFile: Bool { mode & S_IFMT == S_IFREG }

    func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}
