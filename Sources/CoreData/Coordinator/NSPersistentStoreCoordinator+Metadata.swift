import FoundationGaps
import ModelFormat

extension NSPersistentStoreCoordinator {
    /// See ``metadataForPersistentStore(ofType:at:options:)``.
    class func storedMetadata(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]?
    ) throws -> [String: Any] {
        try StoreKinds.placedKind(of: storeType, at: url).metadata(at: url, options: options)
    }

    /// See ``setMetadata(_:forPersistentStoreOfType:at:options:)``.
    class func replaceStoredMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]?
    ) throws {
        try StoreKinds.placedKind(of: storeType, at: url).setMetadata(metadata ?? [:], at: url, options: options)
    }

    /// See ``metadata(for:)``.
    func openMetadata(for store: NSPersistentStore) -> [String: Any] { writing { store.metadata } }

    /// See ``cachedModelForPersistentStore(at:options:)``.
    class func storedModel(at url: URL, options: [AnyHashable: Any]?) throws -> NSManagedObjectModel? {
        let kind = try kind(at: url)
        guard let archive = try kind.modelArchive(at: url, options: options) else { return nil }
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
        let place = kind.shown(url)
        let name = place.isFileURL ? place.path : place.absoluteString
        notes.lines.forEach { NSManagedObjectModel.warn("The model in the store \(name): \($0)") }
        return model
    }

    /// The kind of the store at a URL, by the URL or by what is in the file.
    private class func kind(at url: URL) throws -> any PlacedStoreKind {
        if let kind = StoreKinds.kind(at: url) { return kind }
        let kind = try StoreKinds.fileKind(of: NSSQLiteStoreType, at: url)
        return StoreKinds.fileKind(at: url) ?? kind
    }

    /// See ``setMetadata(_:for:)``.
    func setOpenMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        writing { store.metadata = metadata ?? [:] }
    }
}
