import FoundationGaps

/// What stores of an app's classes can't do.
enum StoreClassFailure {
    /// Marks the error of a class that does not read metadata of files.
    private static let missingOverride = "NSPersistentStoreMissingOverride"

    static func noMetadata(_ type: NSPersistentStore.Type, _ method: String) -> NSError {
        .cocoa(
            NSPersistentStoreOperationError,
            "Stores of the class \(type) have no metadata that are read without opening.",
            reason: "\(type) does not override \(method).", userInfo: [missingOverride: method])
    }

    /// Whether an error says that a class does not override a method.
    static func isMissingOverride(_ error: any Error) -> Bool { (error as NSError).userInfo[missingOverride] != nil }

    static func unsupported(_ what: String, _ type: NSPersistentStore.Type) -> NSError {
        .cocoa(NSPersistentStoreOperationError, "A store of the class \(type) can't be \(what) by the coordinator.")
    }
}
