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
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(file: Int32) {
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
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
