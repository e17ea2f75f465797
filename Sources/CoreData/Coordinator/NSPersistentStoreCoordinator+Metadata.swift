import FoundationGaps
import ModelFormat

extension NSPersistentStoreCoordinator {
    /// See ``metadataForPersistentStore(ofType:at:options:)``.
    class func storedMetadata(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]?
    ) throws -> [String: Any] {
        try checkFileType(storeType)
        return try SQLiteStore.metadata(at: url, options: options)
    }

    /// See ``setMetadata(_:forPersistentStoreOfType:at:options:)``.
    class func replaceStoredMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]?
    ) throws {
        try checkFileType(storeType)
        try SQLiteStore.setMetadata(metadata ?? [:], at: url, options: options)
    }

    /// See ``metadata(for:)``.
    func openMetadata(for store: NSPersistentStore) -> [String: Any] { writing { store.metadata } }

    /// See ``cachedModelForPersistentStore(at:options:)``.
    class func storedModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel? {
        guard let archive = try SQLiteStore.modelArchive(at: url, options: options) else { return nil }
        let notes = ReadingNotes()
        let model: NSManagedObjectModel
        do {
            model = try NSManagedObjectModel(archive: archive, leavingOut: notes)
        } catch let error as ModelDocumentError {
            throw NSError.cocoa(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "The model in the store “\(url.lastPathComponent)” is damaged.",
                reason: error.message, userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error])
        }
        notes.lines.forEach { NSManagedObjectModel.warn("The model in the store \(url.path): \($0)") }
        return model
    }

    /// See ``setMetadata(_:for:)``.
    func setOpenMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        writing { store.metadata = metadata ?? [:] }
    }

    class func checkType(_ storeType: String) throws {
        guard [NSSQLiteStoreType, NSInMemoryStoreType].contains(storeType) else {
            throw NSError.cocoa(
                NSPersistentStoreInvalidTypeError,
                "There is no store type \"\(storeType)\"; there are NSSQLiteStoreType and NSInMemoryStoreType.")
        }
    }

    /// Refuses a type of stores that are not in a file.
    class func checkFileType(_ storeType: String) throws {
        try checkType(storeType)
        guard storeType == NSSQLiteStoreType else {
            throw NSError.cocoa(
                NSPersistentStoreInvalidTypeError, "A store of the type \"\(storeType)\" is in memory and has no file.")
        }
    }
}
