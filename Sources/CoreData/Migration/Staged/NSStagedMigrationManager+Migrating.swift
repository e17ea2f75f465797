import FoundationGaps

extension NSStagedMigrationManager: StagedMigrating {
    func migrate(_ store: StoreMigration, from source: NSManagedObjectModel) throws {
        let way = try StagedPath(stages).way(
            from: source.versionHashes.checksum, to: store.model.versionHashes.checksum)
        var model = source
        for (version, next) in zip(way, way.dropFirst()) {
            guard let nextModel = try self.model(of: next, store) else { continue }
            try step(store, from: model, version, to: nextModel)
            model = nextModel
        }
    }

    /// The model of a version; nil for one of a lightweight stage that the program does not have.
    private func model(of version: StagedPath.Version, _ store: StoreMigration) throws -> NSManagedObjectModel? {
        if version.checksum == store.model.versionHashes.checksum { return store.model }
        if let reference = version.reference { return try reference.resolve() }
        return NSManagedObjectModel.allVersions(in: nil).first { $0.versionHashes.checksum == version.checksum }
    }

    private func step(
        _ store: StoreMigration, from model: NSManagedObjectModel, _ version: StagedPath.Version,
        to next: NSManagedObjectModel
    ) throws {
        let migration = StoreMigration(
            kind: store.kind, type: store.type, url: store.url, model: next, configuration: store.configuration,
            options: store.options)
        guard let stage = version.stage, stage.nextModel.versionChecksum == next.versionHashes.checksum else {
            return try migration.infer(from: model)
        }
        try call(stage.willMigrateHandler, stage, store, model)
        try migration.infer(from: model)
        try call(stage.didMigrateHandler, stage, store, next)
    }

    /// Calls a handler, with the store open in a container.
    private func call(
        _ handler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?,
        _ stage: NSCustomMigrationStage, _ store: StoreMigration, _ model: NSManagedObjectModel
    ) throws {
        guard let handler else { return }
        let name = store.url.deletingPathExtension().lastPathComponent
        let container = NSPersistentContainer(name: name, managedObjectModel: model)
        let address = StoreAddress(url: store.url, type: store.type, options: store.options)
        do {
            let opened = try container.persistentStoreCoordinator.addPersistentStore(
                ofType: store.type, configurationName: store.configuration, at: store.url,
                options: address.openingOptions)
            openContainer = container
            defer { openContainer = nil }
            let result = Result { try handler(self, stage) }
            try container.persistentStoreCoordinator.remove(opened)
            try result.get()
        } catch {
            throw failure(stage, store, error as NSError)
        }
    }

    private func failure(_ stage: NSCustomMigrationStage, _ store: StoreMigration, _ cause: NSError) -> NSError {
        NSError.cocoa(
            NSMigrationError,
            "The migration of the store “\(store.url.lastPathComponent)” failed in the stage \(stage.label ?? "without a label").",
            reason: cause.localizedFailureReason ?? cause.localizedDescription,
            userInfo: [NSFilePathErrorKey: store.url.path, NSUnderlyingErrorKey: cause])
    }
}
