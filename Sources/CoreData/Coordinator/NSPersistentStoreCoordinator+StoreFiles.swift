import FoundationGaps

/// `userInfo`: a store that was moved and the one that took its place, in an array.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"

/// Option of `destroyPersistentStore`: whether a file that is no store, or that somebody has locked, is removed
/// (`NSNumber`).
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

extension NSPersistentStoreCoordinator {
    // MARK: Destroying

    /// See ``destroyPersistentStore(at:ofType:options:)``.
    func destroyStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]?) throws {
        try Self.checkType(storeType)
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
        try Self.checkType(storeType)
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
        let moved = try writing { try move(store, to: URL, options) }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSUUIDChangedPersistentStoresKey: [store, moved]])
        return moved
    }

    /// See ``setURL(_:for:)``.
    func reopenStore(_ url: URL, for store: NSPersistentStore) -> Bool {
        do {
            try writing {
                guard let store = store as? SQLiteStore, persistentStores.contains(store) else {
                    throw NSError.cocoa(NSPersistentStoreOperationError, "The store is not one of this coordinator's.")
                }
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

    private func move(_ store: NSPersistentStore, to url: URL, _ options: [AnyHashable: Any]?) throws
        -> NSPersistentStore
    {
        guard let source = store as? SQLiteStore, persistentStores.contains(source) else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError, "The store \(store.url?.path ?? "") is not one of this coordinator's.")
        }
        guard SQLiteFile.isEmpty(url) else {
            throw NSError.cocoa(
                CocoaError.Code.fileWriteFileExists.rawValue,
                "There is a file at “\(url.path)” already; destroy the store there, or choose another place.",
                userInfo: [NSFilePathErrorKey: url.path])
        }
        let copy: SQLiteStore
        do {
            copy = try source.copied(to: url, options: options, model: managedObjectModel)
        } catch {
            if url.path != "/dev/null" { try? FileManager.default.removeItem(at: url) }
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
    fileprivate func isAt(_ url: URL) -> Bool {
        self.url?.standardizedFileURL.resolvingSymlinksInPath() == url.standardizedFileURL.resolvingSymlinksInPath()
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
            try SQLiteStore.setMetadata(metadata, at: url, options: options)
        }
        return try SQLiteStore(
            model: model.storeModel(configuration: configuration), configurationName: configuration, url: url,
            options: options)
    }
}
