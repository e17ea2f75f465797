import FoundationGaps

/// `userInfo` of `NSPersistentStoreCoordinatorStoresDidChange`: what a store that was moved has become.
///
/// The value is an array of three: the store that was moved, the store that took its place, and an array of the IDs
/// (`NSManagedObjectID`) of all objects that moved. See
/// ``NSPersistentStoreCoordinator/migratePersistentStore(_:to:options:type:)``.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"

extension NSPersistentStoreCoordinator {
    // MARK: Destroying

    /// See ``destroyPersistentStore(at:ofType:options:)``.
    func destroyStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]?) throws {
        guard let kind = try StoreKinds.kind(of: storeType) as? any PlacedStoreKind else { return }
        try kind.check(url, type: storeType)
        for store in persistentStores where store.isAt(url) { try remove(store) }
        try kind.destroy(url, options: options)
    }

    // MARK: Replacing

    /// See ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
    func replaceStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]?,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]?, ofType storeType: String
    ) throws {
        let kind = try StoreKinds.fileKind(of: storeType, at: destinationURL)
        try kind.check(sourceURL, type: storeType)
        try requireDetached(destinationURL)
        try kind.replace(destinationURL, options: destinationOptions, by: sourceURL, sourceOptions: sourceOptions)
    }

    // MARK: Moving

    /// See ``migratePersistentStore(_:to:options:withType:)``.
    func moveStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]?, withType storeType: String
    ) throws -> NSPersistentStore {
        let kind = try StoreKinds.kind(of: storeType)
        try kind.check(URL, type: storeType)
        let (moved, ids) = try writing {
            // They stay. What can't be read shows before anything is done.
            let source = try own(store)
            let ids = try objectIDs(in: source)
            return (try move(source, to: URL, options, kind), ids)
        }
        let change: [Any] = [store, moved, ids]
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSUUIDChangedPersistentStoresKey: change])
        return moved
    }

    /// The IDs of all objects in a store.
    private func objectIDs(in store: NSPersistentStore) throws -> [NSManagedObjectID] {
        var ids: [NSManagedObjectID] = []
        for layout in layouts.layouts where !layout.isAbstract && holds(store, layout) {
            var fetch = StoreFetch(entity: layout, output: .references)
            fetch.includesSubentities = false
            ids += try references(fetch, in: [store]).map {
                NSManagedObjectID($0, entity: layout.entity, token: store.token)
            }
        }
        return ids
    }

    /// See ``setURL(_:for:)``.
    func reopenStore(_ url: URL, for store: NSPersistentStore) -> Bool {
        do {
            try writing {
                guard let store = store as? any ObjectStore, persistentStores.contains(store) else {
                    throw NSError.cocoa(NSPersistentStoreOperationError, "The store is not one of this coordinator's.")
                }
                try StoreKinds.check(url, type: store.type)
                let model = try managedObjectModel.storeModel(configuration: store.namedConfiguration)
                try store.reopen(at: url, model: model)
                locked { rows.removeAll(store: store.token.number) }
            }
            return true
        } catch {
            let place = url.mayBeFile ? url.path : StoreKinds.shown(url).absoluteString
            let sentence = "CoreData: error: The store can't go on at \(place): \(error.localizedDescription)\n"
            FileHandle.standardError.write(Data(sentence.utf8))
            return false
        }
    }

    private func move(
        _ source: any ObjectStore, to url: URL, _ options: [AnyHashable: Any]?, _ kind: any StoreKind
    ) throws -> NSPersistentStore {
        let model = try managedObjectModel.storeModel(configuration: source.namedConfiguration, for: self)
        let copy = try kind.copy(source, model, to: url, options: options)
        do { try watch(copy) } catch {
            // The store stays where it is.
            try? copy.close()
            throw error
        }
        source.willRemove(from: self)
        // The old store is done with: that it can't be closed in order is no reason to lose the new one.
        try? source.close()
        copy.takeOver(from: source)
        replace(source, by: copy)
        return copy
    }

    private func own(_ store: NSPersistentStore) throws -> any ObjectStore {
        if let store = store as? any ObjectStore, persistentStores.contains(store) { return store }
        throw NSError.cocoa(
            NSPersistentStoreOperationError, "The store \(store.url?.path ?? "") is not one of this coordinator's.")
    }

    private func requireDetached(_ url: URL) throws {
        guard !persistentStores.contains(where: { $0.isAt(url) }) else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "The store at “\(url.path)” is in use by this coordinator; remove(_:) it before it is replaced.")
        }
    }
}
