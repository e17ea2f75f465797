import Foundation

/// Options that stores of several kinds have.
enum StoreOptions {
    /// How many seconds to wait for a store that another process has locked.
    static func timeout(_ options: [AnyHashable: Any]?) -> Double {
        (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 10
    }

    /// Whether a store records its changes. At Apple a dictionary switches it on, too.
    static func tracksHistory(_ options: [AnyHashable: Any]?) -> Bool {
        switch options?[NSPersistentHistoryTrackingKey] {
        case let value as NSNumber: value.boolValue
        case is [AnyHashable: Any]: true
        default: false
        }
    }
}
