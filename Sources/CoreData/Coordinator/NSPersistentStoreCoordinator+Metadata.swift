import FoundationGaps

extension NSPersistentStoreCoordinator {
    /// The metadata of the store at a URL, without opening it.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a file that is no store, file errors with their own codes.
    public class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try checkType(storeType)
        return try SQLiteStore.metadata(at: url, options: options)
    }

    /// The metadata of the store at a URL, without opening it.
    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType.rawValue, at: storeURL, options: options)
    }

    /// Replaces the metadata of the store at a URL, without opening it. The store keeps its UUID unless they have one.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try checkType(storeType)
        try SQLiteStore.setMetadata(metadata ?? [:], at: url, options: options)
    }

    /// Replaces the metadata of the store at a URL, without opening it. The store keeps its UUID unless they have one.
    public class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType.rawValue, at: storeURL, options: options)
    }

    /// The metadata of the store at a URL, whatever its type.
    @available(*, deprecated, message: "Use metadataForPersistentStore(ofType:at:options:) instead.")
    public class func metadataForPersistentStore(with url: URL) throws -> [AnyHashable: Any] {
        try SQLiteStore.metadata(at: url)
    }

    /// The metadata of the store at a URL; nil stands for any type.
    @_disfavoredOverload
    @available(*, deprecated, message: "Use metadataForPersistentStore(ofType:at:options:) instead.")
    public class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: storeType ?? NSSQLiteStoreType, at: url, options: nil)
    }

    /// Replaces the metadata of the store at a URL; nil stands for any type.
    @_disfavoredOverload
    @available(*, deprecated, message: "Use setMetadata(_:forPersistentStoreOfType:at:options:) instead.")
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: storeType ?? NSSQLiteStoreType, at: url, options: nil)
    }

    /// The metadata of an open store, changes that are not yet written included.
    public func metadata(for store: NSPersistentStore) -> [String: Any] { writing { store.metadata } }

    /// Changes the metadata of an open store; written at the next save that writes to the store.
    public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
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
