import CSQLite
import Foundation

/// A file that is read as bytes, and that this process may have open as a database at the same time.
///
/// An example: `SharedFile(url.path)?.read(upTo: 64)`.
///
/// Use it in place of a `FileHandle` for each file that may be a store. The system gives up all locks that a process
/// has on a file as soon as the process closes *any* descriptor of it. Then other programs find no lock of this one.
/// The last of them that closes the store removes its log, and what this process saves later is lost. SQLite opens the
/// file here, too: it closes a descriptor when the process has no more locks.
package final class SharedFile {
    private let connection: OpaquePointer
    private let file: UnsafeMutablePointer<sqlite3_file>
    /// How many bytes the file has.
    package let size: Int

    private static let portion = 1 << 20

    /// - Returns: Nil where the file is missing, is a folder, or can't be read.
    package init?(_ path: String) {
        var opened: OpaquePointer?
        var found: UnsafeMutableRawPointer?
        var bytes: Int64 = 0
        // No statement is run: SQLite takes no lock, and does not look at what is in the file.
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened,
            sqlite3_file_control(opened, "main", SQLITE_FCNTL_FILE_POINTER, &found) == SQLITE_OK,
            let file = found?.assumingMemoryBound(to: sqlite3_file.self), let methods = file.pointee.pMethods,
            methods.pointee.xFileSize?(file, &bytes) == SQLITE_OK
        else {
            sqlite3_close(opened)
            return nil
        }
        (connection, self.file, size) = (opened, file, Int(bytes))
    }

    deinit { sqlite3_close(connection) }

    /// Reads a part of the file.
    ///
    /// - Returns: Fewer bytes at the end of the file; nil where they can't be read.
    package func read(from start: Int = 0, upTo count: Int) -> Data? {
        var data = Data(count: max(0, min(count, size - start)))
        if data.isEmpty { return data }
        let code = data.withUnsafeMutableBytes { bytes in
            file.pointee.pMethods?.pointee.xRead?(file, bytes.baseAddress, Int32(bytes.count), Int64(start))
        }
        return code == SQLITE_OK ? data : nil
    }

    /// Copies the file to a new one, which must not exist.
    func copy(to url: URL) throws {
        let copy = try OpenFile(url, O_WRONLY | O_CREAT | O_EXCL)
        for start in stride(from: 0, to: size, by: Self.portion) {
            guard let data = read(from: start, upTo: Self.portion) else {
                throw NSError.file(EIO, at: url, isReading: true)
            }
            try data.withUnsafeBytes { try copy.append($0) }
        }
    }
}
