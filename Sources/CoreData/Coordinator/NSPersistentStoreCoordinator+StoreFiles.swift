import FoundationGaps

/// `userInfo`: an array of three: a store that was moved, the one that took its place, and an array of the IDs
/// (`NSManagedObjectID`) of all objects that moved.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"

/// Option of `destroyPersistentStore`: whether a file that is no store, or that somebody has locked, is removed
/// (`NSNumber`).
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

extension NSPersistentStoreCoordinator {
    // MARK: Destroying

    /// See ``destroyPersistentStore(at:ofType:options:)``.
    func destroyStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]?) throws {
        try Self.checkType(storeType)
        if storeType == NSInMemoryStoreType { return }
        for store in persistentStores where store.isAt(url) { try remove(store) }
        guard SQLiteFile.exists(url), url.path != "/dev/null" else { return }
        do {
            try SQLiteFile.cocoa(url, isOpening: false) {
                try SQLiteCopy.blank(url, timeout: SQLiteOpening.timeout(options))
            }
        } catch {
            guard (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue ?? false else { throw error }
            for suffix in ["", "-wal", "-shm", "-journal"] {
                let path = url.path + suffix
                if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
            }
        }
    }

    // MARK: Replacing

    /// See ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
    func replaceStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]?,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]?, ofType storeType: String
    ) throws {
        try Self.checkFileType(storeType)
        try requireDetached(destinationURL)
        try SQLiteFile.check(sourceURL)
        _ = try SQLiteStore.metadata(at: sourceURL, options: sourceOptions)
        try SQLiteFile.cocoa(sourceURL) {
            try SQLiteCopy.read(sourceURL, timeout: SQLiteOpening.timeout(sourceOptions)) { source in
                try SQLiteFile.cocoa(destinationURL, isOpening: false) {
                    try SQLiteCopy.write(
                        source, externalFolder: ExternalFiles.folder(of: sourceURL), to: destinationURL,
                        timeout: SQLiteOpening.timeout(destinationOptions))
                }
            }
        }
    }

    // MARK: Moving

    /// See ``migratePersistentStore(_:to:options:withType:)``.
    func moveStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]?, withType storeType: String
    ) throws -> NSPersistentStore {
        try Self.checkType(storeType)
        let (moved, ids) = try writing {
            let moved = try move(store, to: URL, options, storeType)
            return (moved, try objectIDs(in: moved))
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
                guard let store = store as? SQLiteStore, persistentStores.contains(store) else {
                    throw NSError.cocoa(NSPersistentStoreOperationError, "The store is not one of this coordinator's.")
                }
                if store.isInMemory { return store.url = url }
                try SQLiteFile.check(url)
                let model = try managedObjectModel.storeModel(configuration: store.namedConfiguration)
                try store.reopen(at: url, model: model)
                locked { rows.removeAll(store: store.token.number) }
            }
            return true
        } catch {
            let sentence = "CoreData: error: The store can't go on at \(url.path): \(error.localizedDescription)\n"
            FileHandle.standardError.write(Data(sentence.utf8))
            return false
        }
    }

    private func move(
        _ store: NSPersistentStore, to url: URL, _ options: [AnyHashable: Any]?, _ storeType: String
    ) throws -> NSPersistentStore {
        guard let source = store as? SQLiteStore, persistentStores.contains(source) else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError, "The store \(store.url?.path ?? "") is not one of this coordinator's.")
        }
        let isInMemory = storeType == NSInMemoryStoreType
        guard isInMemory || SQLiteFile.isEmpty(url) else {
            throw NSError.cocoa(
                CocoaError.Code.fileWriteFileExists.rawValue,
                "There is a file at “\(url.path)” already; destroy the store there, or choose another place.",
                userInfo: [NSFilePathErrorKey: url.path])
        }
        let copy: SQLiteStore
        do {
            copy =
                try isInMemory
                ? source.copiedToMemory(url: url, options: options, model: managedObjectModel)
                : source.copied(to: url, options: options, model: managedObjectModel)
        } catch {
            if !isInMemory, url.path != "/dev/null" { try? FileManager.default.removeItem(at: url) }
            throw error
        }
        // The old store is done with: that it can't be closed in order is no reason to lose the new one.
        try? source.close()
        copy.takeOver(from: source)
        replace(source, by: copy)
        return copy
    }

    private func requireDetached(_ url: URL) throws {
        guard !persistentStores.contains(where: { $0.isAt(url) }) else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "The store at “\(url.path)” is in use by this coordinator; remove(_:) it before it is replaced.")
        }
    }
}

extension NSPersistentStore {
    /// Whether this is the store of the file at a URL.
    func isAt(_ url: URL) -> Bool {
        type == NSSQLiteStoreType
            && self.url?.standardizedFileURL.resolvingSymlinksInPath()
                == url.standardizedFileURL.resolvingSymlinksInPath()
            && url.path != "/dev/null"
    }
}

extension SQLiteStore {
    /// The configuration, as it is given to coordinators.
    fileprivate var namedConfiguration: String? {
        configurationName == NSPersistentStore.defaultConfigurationName ? nil : configurationName
    }

    /// A store at another place with everything that this one has but its UUID.
    fileprivate func copied(to url: URL, options: [AnyHashable: Any]?, model: NSManagedObjectModel) throws
        -> SQLiteStore
    {
        let configuration = namedConfiguration
        if url.path != "/dev/null" {
            try cocoa {
                try SQLiteCopy.write(
                    connection, externalFolder: externalFolder, to: url, timeout: SQLiteOpening.timeout(options))
            }
            var metadata = metadata ?? [:]
            metadata[NSStoreUUIDKey] = UUID().uuidString
            metadata[NSStoreTypeKey] = NSSQLiteStoreType
            try SQLiteStore.setMetadata(metadata, at: url, options: options)
        }
        return try SQLiteStore(
            model: model.storeModel(configuration: configuration), configurationName: configuration, url: url,
            options: options)
    }

    /// A store in memory with everything that this one has but its UUID.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) where values of this store are in files beside it, which a store in memory
    ///   does not have.
    fileprivate func copiedToMemory(
        url: URL, options: [AnyHashable: Any]?, model: NSManagedObjectModel
    ) throws -> SQLiteStore {
        if let folder = externalFolder, try !SQLiteCopy.fileNames(in: folder).isEmpty {
            throw NSError.cocoa(
                NSPersistentStoreOperationError, "The store can't be moved into memory.",
                reason: "Attributes with external storage have values in files beside the store.")
        }
        let copy = try SQLiteStore(
            inMemory: model.storeModel(configuration: namedConfiguration), configurationName: namedConfiguration,
            url: url, options: options)
        try cocoa { try SQLiteCopy.overwrite(copy.connection, with: connection) }
        copy.metadata = metadata.filter { $0.key != NSStoreUUIDKey }
        return copy
    }
}
