import FoundationGaps

/// The stores of a migration: the one that is read, and the one that is made.
struct MigrationStores {
    private let source: StoreAddress
    private let destination: StoreAddress
    private let making: Making

    /// Where the destination is made.
    private enum Making {
        /// Beside its place. A finished store comes there in one step.
        case beside(MigrationFolder, any FileStoreKind)
        /// In its place, for a database has no files. Its metadata say that it is unfinished until it is finished.
        case inPlace(any PlacedStoreKind)
    }

    init(_ source: StoreAddress, _ destination: StoreAddress) throws {
        self.source = source
        self.destination = destination
        making = try Self.asDestination(destination.url) {
            let kind = try StoreKinds.placedKind(of: destination.type)
            guard let kind = kind as? any FileStoreKind else { return .inPlace(kind) }
            return .beside(try MigrationFolder(beside: destination.url), kind)
        }
    }

    // MARK: Opening

    /// Opens both stores.
    func open(_ source: MigrationStack, _ destination: MigrationStack) throws {
        try Self.asSource(self.source.url) { try openSource(source) }
        try Self.asDestination(self.destination.url) {
            if case .beside(_, let kind) = making { try Self.requireFree(self.destination.url, kind) }
            try openDestination(destination)
        }
        takeOverMetadata(from: source, to: destination)
    }

    private func openSource(_ stack: MigrationStack) throws {
        var options = source.openingOptions
        options[NSReadOnlyPersistentStoreOption] = NSNumber(value: true)
        _ = try StoreKinds.placedKind(of: source.type)
        try stack.coordinator.addPersistentStore(
            ofType: source.type, configurationName: source.configuration, at: source.url, options: options)
    }

    private func openDestination(_ stack: MigrationStack) throws {
        var options = destination.openingOptions
        options[NSReadOnlyPersistentStoreOption] = nil
        options[StoreLoadingOption] = NSNumber(value: true)
        var url = destination.url
        switch making {
        case .beside(let folder, _): url = folder.store
        // No copy goes on with what a migration has left: no store has this UUID.
        case .inPlace: options[StoreCopyOption] = UUID().uuidString
        }
        try stack.coordinator.addPersistentStore(
            ofType: destination.type, configurationName: destination.configuration, at: url, options: options)
    }

    /// Refuses to migrate into a store that is there, or into a file that is none.
    static func requireFree(_ url: URL, _ kind: any FileStoreKind) throws {
        guard try !kind.isVacant(url) else { return }
        throw NSError.cocoa(
            CocoaError.Code.fileWriteFileExists.rawValue,
            "There is a file at “\(url.path)” already; destroy the store there, or choose another place.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    /// What the app has put into the metadata goes with the data.
    private func takeOverMetadata(from source: MigrationStack, to destination: MigrationStack) {
        guard let old = source.coordinator.persistentStores.first,
            let new = destination.coordinator.persistentStores.first
        else { return }
        let before = source.coordinator.metadata(for: old)
        var metadata = destination.coordinator.metadata(for: new)
        for (key, value) in before where metadata[key] == nil && !key.hasPrefix("NS") && !key.hasPrefix("_NS") {
            metadata[key] = value
        }
        destination.coordinator.setMetadata(metadata, for: new)
    }

    // MARK: Ending

    /// Finishes the destination and closes both stores.
    func finish(_ source: MigrationStack, _ destination: MigrationStack) throws {
        try Self.asDestination(self.destination.url) {
            for store in destination.loadingStores { try store.finishLoading() }
            switch making {
            case .beside(let folder, let kind):
                try destination.close()
                try kind.move(folder.store, to: self.destination.url)
                folder.remove()
            case .inPlace:
                for store in destination.loadingStores { try Self.endFilling(store) }
                try destination.close()
            }
        }
        // It was only read.
        try? source.close()
    }

    /// Has the metadata say no more that a store is unfinished.
    private static func endFilling(_ store: any LoadingStore) throws {
        store.metadata[UnfinishedCopy.key] = nil
        _ = try store.save(StoreChanges())
    }

    /// Closes both stores, and removes what was made of the destination.
    func abandon(_ source: MigrationStack, _ destination: MigrationStack) {
        try? source.close()
        // A store that could not be opened may be another one's.
        let isMade = !destination.coordinator.persistentStores.isEmpty
        try? destination.close()
        switch making {
        case .beside(let folder, _): folder.remove()
        case .inPlace(let kind) where isMade:
            // What can't be removed says that it is unfinished.
            try? kind.destroy(self.destination.url, options: self.destination.options)
        case .inPlace: break
        }
    }

    // MARK: Errors

    /// Runs `body`; what it throws becomes an error about the source store.
    static func asSource<R>(_ url: URL, _ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            throw NSError.cocoa(
                NSMigrationManagerSourceStoreError, "The store at “\(place(url))” could not be read to migrate it.",
                reason: error.localizedDescription, userInfo: userInfo(url, error))
        }
    }

    /// Runs `body`; what it throws becomes an error about the destination store, unless it is one of the migrated
    /// objects.
    static func asDestination<R>(_ url: URL, isSaving: Bool = false, _ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            // What is wrong with an object is told as a save tells it.
            if isSaving, (error as NSError).isValidation { throw error }
            let known = [NSMigrationConstraintViolationError, NSManagedObjectConstraintMergeError]
            if (error as NSError).domain == NSCocoaErrorDomain, known.contains((error as NSError).code) {
                throw constraintViolation(error as NSError, url)
            }
            throw NSError.cocoa(
                NSMigrationManagerDestinationStoreError, "The store at “\(place(url))” could not be made.",
                reason: error.localizedDescription, userInfo: userInfo(url, error))
        }
    }

    private static func constraintViolation(_ error: NSError, _ url: URL) -> NSError {
        if error.code == NSMigrationConstraintViolationError { return error }
        return NSError.cocoa(
            NSMigrationConstraintViolationError, "Migrated objects violate a uniqueness constraint of the new model.",
            reason: error.localizedDescription, userInfo: userInfo(url, error))
    }

    private static func place(_ url: URL) -> String {
        url.mayBeFile ? url.path : StoreKinds.shown(url).absoluteString
    }

    private static func userInfo(_ url: URL, _ error: any Error) -> [String: Any] {
        var info: [String: Any] = [NSUnderlyingErrorKey: error as NSError]
        if url.mayBeFile { info[NSFilePathErrorKey] = url.path }
        return info
    }
}

extension NSError {
    /// Whether an error says that an object is not valid.
    fileprivate var isValidation: Bool { domain == NSCocoaErrorDomain && (1550...1699).contains(code) }
}
