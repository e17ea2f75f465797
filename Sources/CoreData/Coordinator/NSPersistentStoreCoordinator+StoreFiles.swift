import FoundationGaps

/// `userInfo`: a store that was moved and the one that took its place, in an array.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"

/// Option of `destroyPersistentStore`: whether a file that is no store, or that somebody has locked, is removed
/// (`NSNumber`).
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"

extension NSPersistentStoreCoordinator {
    // MARK: Destroying

    /// Empties the store at a URL, and removes its external files.
    ///
    /// A blank database stays: a store that is added there is made anew. If this coordinator has the store, it lets it go
    /// first. Nothing happens where there is no file.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for a file that is no store; `NSPersistentStoreTimeoutError` (134090) while
    ///   somebody else writes to it. With `NSPersistentStoreForceDestroyOption` the files go in both cases.
    public func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil) throws
    {
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

    /// Empties the store at a URL. See ``destroyPersistentStore(at:ofType:options:)``.
    public func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    // MARK: Replacing

    /// Makes the store at a URL a copy of another one, its external files included.
    ///
    /// The copy is made through SQLite: it has what is in the other one's log, waits for locks, and comes all or not at all.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if this coordinator has the store that would be replaced: remove it
    ///   first; what SQLite and the file system report.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
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

    /// Makes the store at a URL a copy of another one. See
    /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: sourceType.rawValue)
    }

    // MARK: Moving

    /// Copies a store to another place and goes on with the copy, which gets a UUID of its own.
    ///
    /// Objects and their IDs stay what they are, and belong to the copy. The store that was copied is closed; its file stays.
    /// Posts `NSPersistentStoreCoordinatorStoresDidChange` with `NSUUIDChangedPersistentStoresKey`.
    ///
    /// - Returns: The store at the new place.
    /// - Throws: `NSFileWriteFileExistsError` (516) if there is a store already; what SQLite and the file system report. After a
    ///   failure the coordinator has the store that it had.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        try Self.checkType(storeType)
        let moved = try writing { try move(store, to: URL, options) }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSUUIDChangedPersistentStoresKey: [store, moved]])
        return moved
    }

    /// Copies a store to another place and goes on with the copy. See
    /// ``migratePersistentStore(_:to:options:withType:)``.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// Lets a store go on with the file at another place, where a copy of it must be already. Rows are read anew from there.
    ///
    /// - Returns: Whether it could; if not, the store stays where it was, and standard error says why.
    @discardableResult
    public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
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
