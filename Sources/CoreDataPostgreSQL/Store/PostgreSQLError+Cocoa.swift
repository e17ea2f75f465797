import CoreData
import PostgreSQLClient

/// `userInfo` of errors of a PostgreSQL store: the five characters of the server's SQLSTATE.
public let NSPostgreSQLStateErrorKey = "NSPostgreSQLStateErrorKey"

extension PostgreSQLError {
    /// What an app gets for what the server, or the connection to it, reports.
    func cocoaError(_ place: PostgreSQLPlace, isOpening: Bool = false, isWriting: Bool = false) -> NSError {
        var info: [String: Any] = [NSUnderlyingErrorKey: self]
        info[NSPostgreSQLStateErrorKey] = sqlState
        let code = code(isOpening: isOpening, isWriting: isWriting)
        return .cocoa(code, "\(sentence(isOpening, isWriting)) \(place.name).", reason: message, userInfo: info)
    }

    /// What an app gets when the connection broke at the COMMIT, and the server has taken everything back.
    func cocoaErrorOfLostSave(_ place: PostgreSQLPlace) -> NSError {
        .cocoa(
            NSPersistentStoreSaveError, "The connection to \(place.name) broke; nothing was saved. Save again.",
            reason: message, userInfo: [NSUnderlyingErrorKey: self])
    }

    /// Whether the transaction has had no effect, and may succeed next time.
    var mayBeginAnew: Bool { isRetryable || isConnectionLost && kind != .commitIsUnknown }

    /// Whether the server refused a statement for what it is, and not because it took too long or broke it off.
    var mayBeConflict: Bool {
        kind == .server && !isConnectionLost && !isRetryable && !isCancelled && sqlState != "55P03"
    }

    private func code(isOpening: Bool, isWriting: Bool) -> Int {
        switch sqlState {
        case "42501", "25006":
            (isWriting ? CocoaError.Code.fileWriteNoPermission : .fileReadNoPermission).rawValue
        case "53100": CocoaError.Code.fileWriteOutOfSpace.rawValue
        case "55P03", "57014": NSPersistentStoreTimeoutError
        default:
            isOpening
                ? NSPersistentStoreOpenError : isWriting ? NSPersistentStoreSaveError : NSPersistentStoreOperationError
        }
    }

    private func sentence(_ isOpening: Bool, _ isWriting: Bool) -> String {
        if kind == .commitIsUnknown {
            return "The connection broke while the server committed. Look whether the save was carried out in"
        }
        if isConnectionLost { return "There is no connection to" }
        return isOpening
            ? "The store can't be opened in" : isWriting ? "The store can't be saved in" : "Can't read from"
    }

    /// Whether another session has made the same object.
    var isDuplicateObject: Bool { ["42P07", "42P06", "42710", "23505"].contains(sqlState ?? "") }

    var isForeignKeyViolation: Bool { sqlState == "23503" }
}
