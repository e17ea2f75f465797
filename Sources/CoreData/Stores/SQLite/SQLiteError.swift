import CSQLite
import Foundation

/// What SQLite reported: its extended code and its own words.
package struct SQLiteError: Error, CustomStringConvertible {
    /// The extended result code; its lowest byte is the primary one.
    let code: Int32
    package let message: String
    /// The statement that failed, if one did.
    let sql: String?
    /// What the system reported where a file could not be opened, read or written; else 0, or an older error.
    let systemError: Int32

    init(code: Int32, message: String, sql: String? = nil, systemError: Int32 = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemError = systemError
    }

    var primaryCode: Int32 { code & 0xff }

    /// Another connection has the lock.
    var isLocked: Bool { primaryCode == SQLITE_BUSY }

    var isUniqueViolation: Bool { code == SQLiteError.constraintUnique || code == SQLiteError.constraintPrimaryKey }

    // SQLite's header composes these with shifts, which Swift does not import.
    static let constraintUnique: Int32 = SQLITE_CONSTRAINT | (8 << 8)
    static let constraintPrimaryKey: Int32 = SQLITE_CONSTRAINT | (6 << 8)

    /// A journal has to be rolled back, which a connection for reading can't do.
    static let readOnlyRollback: Int32 = SQLITE_READONLY | (3 << 8)

    /// The file was removed, or got another name, since it was opened.
    static let readOnlyMoved: Int32 = SQLITE_READONLY | (4 << 8)

    package var description: String { "SQLite error \(code): \(message)" + (sql.map { " (\($0))" } ?? "") }
}

extension SQLiteError {
    /// The Cocoa error for it.
    ///
    /// - Parameters:
    ///   - path: The store's file.
    ///   - isOpening: Whether the store was being opened: what can't be read then has other codes than a failed write.
    func cocoaError(path: String, isOpening: Bool = false) -> NSError {
        let name = (path as NSString).lastPathComponent
        let (code, sentence) = cocoaCode(path: path, name: name, isOpening: isOpening)
        return .cocoa(
            code, sentence, reason: reason,
            userInfo: [
                NSFilePathErrorKey: path,
                NSSQLiteErrorDomain: NSNumber(value: self.code),
                NSUnderlyingErrorKey: NSError(
                    domain: NSSQLiteErrorDomain, code: Int(self.code),
                    userInfo: [NSLocalizedDescriptionKey: description]),
            ])
    }

    /// SQLite's words; of reading and writing it has the same few for whatever went wrong, and the rest is in the code.
    private var reason: String {
        guard primaryCode == SQLITE_IOERR else { return message }
        let system = systemError == 0 ? "" : "; the system: \(String(cString: strerror(systemError)))"
        return "\(message) (SQLite's code \(code)\(system))"
    }

    private var isDiskFull: Bool { systemError == ENOSPC || systemError == EDQUOT }

    private func cocoaCode(path: String, name: String, isOpening: Bool) -> (code: Int, sentence: String) {
        switch primaryCode {
        case SQLITE_NOTADB, SQLITE_FORMAT:
            (259, "The file “\(name)” is not an SQLite database, or it is encrypted.")
        case SQLITE_CORRUPT: (259, "The store “\(name)” is damaged.")
        case SQLITE_FULL: (640, "The store “\(name)” could not be written because the disk is full.")
        // SQLite does not tell why it could not make a file or lengthen the log's index.
        case SQLITE_CANTOPEN where DurableFile.hasNoRoom(at: path), SQLITE_IOERR where isDiskFull:
            (640, "The store “\(name)” could not be written because the disk is full.")
        case SQLITE_READONLY: (513, "There is no permission to write the store “\(name)”.")
        case SQLITE_PERM, SQLITE_AUTH: (257, "There is no permission to open the store “\(name)”.")
        case SQLITE_CANTOPEN: (256, "The store “\(name)” could not be opened.")
        case SQLITE_IOERR:
            isOpening
                ? (256, "The store “\(name)” could not be read.")
                : (512, "The store “\(name)” could not be read or written.")
        case SQLITE_BUSY, SQLITE_LOCKED:
            (NSPersistentStoreTimeoutError, "The store “\(name)” stayed locked by another process for too long.")
        default:
            isOpening
                ? (NSPersistentStoreOpenError, "The store “\(name)” could not be opened.")
                : (NSSQLiteError, "SQLite refused an operation on the store “\(name)”.")
        }
    }
}
