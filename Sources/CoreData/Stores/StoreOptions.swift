import Foundation

/// Options that stores of several kinds have.
package enum StoreOptions {
    /// How many seconds to wait for a store that another process has locked.
    package static func timeout(_ options: [AnyHashable: Any]?) -> Double {
        (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 10
    }

    /// Whether a store records its changes. At Apple a dictionary switches it on, too.
    package static func tracksHistory(_ options: [AnyHashable: Any]?) -> Bool {
        switch options?[NSPersistentHistoryTrackingKey] {
        case let value as NSNumber: value.boolValue
        case is [AnyHashable: Any]: true
        default: false
        }
    }

    /// Whether a store has an index for full-text search.
    ///
    /// - Throws: 134080 for a value that is no number.
    package static func keepsSearchIndexes(_ options: [AnyHashable: Any]?) throws -> Bool {
        guard let value = options?[NSPersistentStoreFullTextSearchOptionKey] else { return false }
        if let flag = (value as? NSNumber)?.boolValue ?? value as? Bool { return flag }
        throw NSError.cocoa(
            NSPersistentStoreOpenError,
            "The option NSPersistentStoreFullTextSearchOptionKey is true or false, not \(value).")
    }
}
