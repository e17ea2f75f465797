import Foundation

/// Options that stores of several kinds have.
enum StoreOptions {
    /// How many seconds to wait for a store that another process has locked.
    static func timeout(_ options: [AnyHashable: Any]?) -> Double {
        (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 10
    }
}
