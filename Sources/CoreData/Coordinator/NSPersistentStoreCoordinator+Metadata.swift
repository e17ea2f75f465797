import FoundationGaps

extension NSPersistentStoreCoordinator {
    /// See ``metadataForPersistentStore(ofType:at:options:)``.
    class func storedMetadata(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]?
    ) throws -> [String: Any] {
        try checkType(storeType)
        return try SQLiteStore.metadata(at: url, options: options)
    }

    /// See ``setMetadata(_:forPersistentStoreOfType:at:options:)``.
    class func replaceStoredMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]?
    ) throws {
        try checkType(storeType)
        try SQLiteStore.setMetadata(metadata ?? [:], at: url, options: options)
    }

    /// See ``metadata(for:)``.
    func openMetadata(for store: NSPersistentStore) -> [String: Any] { writing { store.metadata } }

    /// See ``setMetadata(_:for:)``.
    func setOpenMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        writing { store.metadata = metadata ?? [:] }
    }

    class func checkType(_ storeType: String) throws {
        guard storeType == NSSQLiteStoreType else {
            throw NSError.cocoa(
                NSPersistentStoreInvalidTypeError,
                "There is no store type \"\(storeType)\"; NSSQLiteStoreType is what can be read.")
        }
    }
}
