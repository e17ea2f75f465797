import FoundationGaps

extension NSMigrationManager {
    /// See
    /// ``migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)``.
    func migrate(_ source: StoreAddress, to destination: StoreAddress, by mapping: NSMappingModel?) throws {
        guard let mapping else {
            throw NSError.cocoa(
                NSMigrationMissingMappingModelError, "There is no mapping model for the migration.",
                reason: "Load one with NSMappingModel(contentsOf:), or infer one.")
        }
        for store in [source, destination] { try StoreKinds.check(store.url, type: store.type) }
        require(status.begin(), "The migration manager migrates a store already; make another manager.")
        defer { status.end() }
        setProgress(0)
        defer {
            run = nil
            renewStacks()
        }
        if let migration = SpecificMigration(source, destination), usesStoreSpecificMigrationManager,
            try carryOut(mapping, migration)
        {
            return setProgress(1)
        }
        let stores = try MigrationStores(source, destination)
        let contexts = (source: sourceContext, destination: destinationContext)
        // What policies do with either context is done on its queue.
        try contexts.source.performAndWait {
            try contexts.destination.performAndWait {
                try carryOut(mapping, stores, from: source.url, to: destination.url)
            }
        }
        setProgress(1)
    }

    /// Migrates inside the database if the mapping is what is inferred, and nothing else.
    ///
    /// - Returns: False if it is not. Nothing is done then.
    private func carryOut(_ mapping: NSMappingModel, _ migration: SpecificMigration) throws -> Bool {
        guard let inferred = try? InferredMapping.unconditional(from: sourceModel, to: destinationModel),
            NSMappingModel(inferred).compiled == mapping.compiled
        else { return false }
        try migration.run(inferred, to: destinationModel)
        return true
    }

    private func carryOut(
        _ mapping: NSMappingModel, _ stores: MigrationStores, from source: URL, to destination: URL
    ) throws {
        let run = try MigrationRun(self, mapping, from: source, to: destination)
        self.run = run
        do {
            try stores.open(run.source, run.destination)
            try run.perform()
            try stores.finish(run.source, run.destination)
        } catch {
            stores.abandon(run.source, run.destination)
            throw error
        }
    }
}
