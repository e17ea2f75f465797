import FoundationGaps

/// Stores of an app's subclass of `NSIncrementalStore`.
struct IncrementalClassKind: FileStoreKind {
    let type: String
    private let incrementalClass: NSIncrementalStore.Type

    init(type: String, storeClass: NSIncrementalStore.Type) { (self.type, incrementalClass) = (type, storeClass) }

    var storeClass: AnyClass { incrementalClass }

    /// What a URL means is the class's matter: it may be that of a server.
    var takesAnyURL: Bool { true }

    func open(
        _ model: StoreModel, configurationName: String?, at url: URL?, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        guard let url else {
            throw NSError.cocoa(NSPersistentStoreOpenError, "A store of type \(type) needs a URL.")
        }
        let made = incrementalClass.make(model.openingCoordinator, configurationName, url, options)
        guard let store = made as? NSIncrementalStore else {
            programmerError("\(incrementalClass) makes stores of another class.")
        }
        store.registeredType = type
        store.openedModel = model
        store.identifier = "\(incrementalClass.identifierForNewStore(at: url))"
        try store.loadMetadata()
        try model.checkHashes(store.metadata, url, isReadOnly: store.isReadOnly)
        store.savedMetadataEdits = store.metadataEdits
        return store
    }

    func copy(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        throw NSError.cocoa(
            NSPersistentStoreOperationError, "A store can't be moved into one of the class \(incrementalClass).",
            reason: "An incremental store gives its objects their IDs. Insert copies of the objects, and save them.")
    }

    // MARK: Stores that no coordinator has

    func recognizes(_ head: Data) -> Bool { false }

    func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try incrementalClass.metadataForPersistentStore(with: url)
    }

    func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        try incrementalClass.setMetadata(metadata, forPersistentStoreAt: url)
    }

    func modelArchive(at url: URL, options: [AnyHashable: Any]?) throws -> Data? { nil }

    func destroy(_ url: URL, options: [AnyHashable: Any]?) throws {
        throw StoreClassFailure.unsupported("destroyed", incrementalClass)
    }

    func watch(_ url: URL) throws -> any StoreWatch {
        throw StoreClassFailure.unsupported("replaced", incrementalClass)
    }

    func replace(
        _ url: URL, options: [AnyHashable: Any]?, by source: URL, sourceOptions: [AnyHashable: Any]?,
        willReplace: (() throws -> Void)?
    ) throws {
        throw StoreClassFailure.unsupported("replaced", incrementalClass)
    }
}
