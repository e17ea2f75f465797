import FoundationGaps

/// The stores of a migration: the one that is read, and the one that is made beside its place and comes there at the
/// end.
struct MigrationStores {
    private let source: StoreAddress
    private let destination: StoreAddress
    /// Where the destination is made.
    private let folder: MigrationFolder
    private let destinationKind: any FileStoreKind

    init(_ source: StoreAddress, _ destination: StoreAddress) throws {
        self.source = source
        self.destination = destination
        (destinationKind, folder) = try Self.asDestination(destination.url) {
            (try StoreKinds.fileKind(of: destination.type), try MigrationFolder(beside: destination.url))
        }
    }

    // MARK: Opening

    /// Opens both stores.
    func open(_ source: MigrationStack, _ destination: MigrationStack) throws {
        try Self.asSource(self.source.url) { try openSource(source) }
        try Self.asDestination(self.destination.url) {
            try Self.requireFree(self.destination.url, destinationKind)
            try openDestination(destination)
        }
        takeOverMetadata(from: source, to: destination)
    }

    private func openSource(_ stack: MigrationStack) throws {
        var options = source.openingOptions
        options[NSReadOnlyPersistentStoreOption] = NSNumber(value: true)
        _ = try StoreKinds.fileKind(of: source.type)
        try stack.coordinator.addPersistentStore(
            ofType: source.type, configurationName: source.configuration, at: source.url, options: options)
    }

    private func openDestination(_ stack: MigrationStack) throws {
        var options = destination.openingOptions
        options[NSReadOnlyPersistentStoreOption] = nil
        options[StoreLoadingOption] = NSNumber(value: true)
        try stack.coordinator.addPersistentStore(
            ofType: destination.type, configurationName: destination.configuration, at: folder.store, options: options)
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

    /// Closes both stores, and has the destination come to its place.
    func finish(_ source: MigrationStack, _ destination: MigrationStack) throws {
        try Self.asDestination(self.destination.url) {
            for store in destination.loadingStores { try store.finishLoading() }
            try destination.close()
            try destinationKind.move(folder.store, to: self.destination.url)
        }
        folder.remove()
        // It was only read.
        try? source.close()
    }

    /// Closes both stores, and removes what was made of the destination.
    func abandon(_ source: MigrationStack, _ destination: MigrationStack) {
        try? source.close()
        try? destination.close()
        folder.remove()
    }

    // MARK: Errors

    /// Runs `body`; what it throws becomes an error about the source store.
    static func asSource<R>(_ url: URL, _ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            throw NSError.cocoa(
                NSMigrationManagerSourceStoreError, "The store at “\(url.path)” could not be read to migrate it.",
                reason: error.localizedDescription,
                userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error as NSError])
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
                NSMigrationManagerDestinationStoreError, "The store at “\(url.path)” could not be made.",
                reason: error.localizedDescription,
                userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error as NSError])
        }
    }

    private static func constraintViolation(_ error: NSError, _ url: URL) -> NSError {
        if error.code == NSMigrationConstraintViolationError { return error }
        return NSError.cocoa(
            NSMigrationConstraintViolationError, "Migrated objects violate a uniqueness constraint of the new model.",
            reason: error.localizedDescription,
            userInfo: [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error])
    }
}

extension NSError {
    /// Whether an error says that an object is not valid.
    fileprivate var isValidation: Bool { domain == NSCocoaErrorDomain && (1550...1699).contains(code) }
}
