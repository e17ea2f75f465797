import FoundationGaps

/// Stores of an app's subclass of `NSAtomicStore`.
struct AtomicClassKind: FileStoreKind {
    let type: String
    private let atomicClass: NSAtomicStore.Type

    init(type: String, storeClass: NSAtomicStore.Type) { (self.type, atomicClass) = (type, storeClass) }

    var storeClass: AnyClass { atomicClass }

    func open(
        _ model: StoreModel, configurationName: String?, at url: URL?, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        guard let url else {
            throw NSError.cocoa(NSPersistentStoreOpenError, "A store of type \(type) needs a URL.")
        }
        _ = try RowDerivations(model.layouts)
        let isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
        if let stored = try storedMetadata(at: url) { try model.checkHashes(stored, url, isReadOnly: isReadOnly) }
        guard
            let store = atomicClass.make(model.openingCoordinator, configurationName, url, options) as? NSAtomicStore
        else { programmerError("\(atomicClass) makes stores of another class.") }
        store.registeredType = type
        store.openedModel = model
        try store.loadMetadata()
        try store.load()
        try model.checkHashes(store.metadata, url, isReadOnly: store.isReadOnly)
        store.complete(model.metadata(type: type))
        try store.readNodes()
        return store
    }

    /// The metadata of the file; nil where there is none, or the class does not read them.
    private func storedMetadata(at url: URL) throws -> [String: Any]? {
        if try StoreFile(url).isFree { return nil }
        do { return try atomicClass.metadataForPersistentStore(with: url) } catch
            where
            StoreClassFailure
            .isMissingOverride(error)
        { return nil }
    }

    func copy(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        try StoreCopy.requireFree(url)
        guard let coordinator = source.persistentStoreCoordinator else { throw StoreIsClosed() }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            try CallingContext.with(context) {
                let store = try open(model, configurationName: source.namedConfiguration, at: url, options: options)
                do { try fill(store, from: source, context) } catch {
                    try? StoreFile(url).remove()
                    throw error
                }
                return store
            }
        }
    }

    /// Objects keep their keys, and get reference objects.
    private func fill(
        _ target: any ObjectStore, from source: any ObjectStore, _ context: NSManagedObjectContext
    ) throws {
        guard let store = target as? NSAtomicStore else { return }
        try StoreCopy(from: source, to: store).run { references in
            for reference in references {
                let data = store.newReferenceObject(for: context.object(for: reference))
                store.token.references?.set(data, of: reference.key, source.layouts[reference.entity])
            }
        }
    }

    // MARK: Files

    func recognizes(_ head: Data) -> Bool { false }

    func metadata(at url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try atomicClass.metadataForPersistentStore(with: url)
    }

    func setMetadata(_ metadata: [String: Any], at url: URL, options: [AnyHashable: Any]?) throws {
        try atomicClass.setMetadata(metadata, forPersistentStoreAt: url)
    }

    func modelArchive(at url: URL, options: [AnyHashable: Any]?) throws -> Data? { nil }

    func destroy(_ url: URL, options: [AnyHashable: Any]?) throws {
        let isForced = (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue ?? false
        if !isForced { _ = try storedMetadata(at: url) }
        guard try StoreFile(url).stamp?.isFile ?? false else { return }
        try StoreFile(url).remove()
    }

    func watch(_ url: URL) throws -> any StoreWatch { try FileWatch(url) }

    func replace(
        _ url: URL, options: [AnyHashable: Any]?, by source: URL, sourceOptions: [AnyHashable: Any]?,
        willReplace: (() throws -> Void)?
    ) throws {
        let data = try StoreFile(source).read()
        _ = try storedMetadata(at: source)
        try StoreFile(url).checkPlace()
        _ = try StoreFile(url).replace(with: data, willReplace: willReplace ?? {})
    }
}

extension StoreModel {
    /// Refuses a store of another version of the model, if its metadata have the hashes of versions.
    func checkHashes(_ metadata: [String: Any], _ url: URL, isReadOnly: Bool) throws {
        guard metadata[NSStoreModelVersionHashesKey] != nil else { return }
        try check(metadata, path: url.path, isReadOnly: isReadOnly)
    }
}

extension NSPersistentStore {
    /// Fills in what a store of an app's class has not read of a file. This is not to be saved before something else
    /// is.
    func complete(_ metadata: [String: Any]) {
        self.metadata = StoreMetadata.completed(self.metadata, from: metadata)
        savedMetadataEdits = metadataEdits
    }
}
