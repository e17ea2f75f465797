import FoundationGaps
import ModelFormat

/// Opens a store of another version of the model: by a migration, or with an error that says what differs.
struct StoreMigration {
    let kind: any PlacedStoreKind
    let type: String
    let url: URL
    let model: NSManagedObjectModel
    let configuration: String?
    let options: [AnyHashable: Any]?

    /// Migrates the store.
    ///
    /// - Parameter refusal: The error of a store of another version (134100).
    /// - Throws: 134100 where the options ask for no migration; 134130 without the model that made the store; 134140
    ///   without a mapping; 134110 where the migration fails. The store is as it was then.
    func run(after refusal: NSError) throws {
        let metadata = refusal.userInfo["metadata"] as? [String: Any] ?? [:]
        let source = formerModel(metadata)
        guard isAsked(NSMigratePersistentStoresAutomaticallyOption), !isAsked(NSReadOnlyPersistentStoreOption) else {
            throw StoreMismatch(url: shownURL, metadata: metadata, source: source, model: model, options: options)
                .explanation(of: refusal)
        }
        guard let source else { throw missingModel(metadata) }
        try migrate(from: source, metadata)
    }

    /// The place of the store in errors.
    private var shownURL: URL { kind.shown(url) }

    private func isAsked(_ option: String) -> Bool {
        (options?[option] as? NSNumber)?.boolValue ?? options?[option] as? Bool ?? false
    }

    /// The model that made the store: the one in the store, or one of the program's bundles.
    private func formerModel(_ metadata: [String: Any]) -> NSManagedObjectModel? {
        FormerModel.find(kind: kind, url: url, options: options, metadata: metadata)
    }

    private func missingModel(_ metadata: [String: Any]) -> NSError {
        .cocoa(
            NSMigrationMissingSourceModelError, "Can't find the model of the store “\(url.lastPathComponent)”.",
            reason:
                "The store has no readable model in it, and no model of the program's bundles has its version hashes.",
            userInfo: [
                NSFilePathErrorKey: url.path, "URL": shownURL, "metadata": metadata,
                "reason": "Can't find model for source store",
                NSLocalizedRecoverySuggestionErrorKey:
                    "Add the version of the model that made the store to the program.",
            ])
    }

    // MARK: The migration

    /// By the stages in the options, by a mapping model of the program's bundles, or by inference.
    private func migrate(from source: NSManagedObjectModel, _ metadata: [String: Any]) throws {
        if let stages = options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? any StagedMigrating {
            return try stages.migrate(self, from: source)
        }
        if try mapped({ try NSPersistentStore.mappedMigration?.migrateByBundles(self, from: source) ?? false }) {
            return
        }
        guard isAsked(NSInferMappingModelAutomaticallyOption) else { throw missingMapping(source, nil) }
        let stored = Set((metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]).keys)
        try infer(
            from: source, entities: stored == Set(source.entityVersionHashesByName.keys) ? nil : stored)
    }

    /// Migrates the store by what is inferred from the two models.
    ///
    /// - Parameters:
    ///   - source: The model that made the store.
    ///   - entities: The names of the entities that the store holds; nil: all of its configuration.
    func infer(from source: NSManagedObjectModel, entities: Set<String>? = nil) throws {
        let storeModel = try model.storeModel(configuration: configuration)
        let held =
            entities
            ?? configuration.flatMap { source.entities(forConfigurationName: $0) }
            .map { Set($0.compactMap(\.name)) }
        let mapping = InferredMapping(from: source, entities: held, to: model, entities: storeModel.entities)
        let obstacles = mapping.obstacles.filter { $0.rows == nil }
        if !obstacles.isEmpty { throw missingMapping(source, InferenceObstacle.error(obstacles)) }
        try mapped {
            if let kind = kind as? any MigratingStoreKind {
                try kind.migrate(url, by: mapping, to: storeModel, options: options)
            } else {
                try NSPersistentStore.mappedMigration?.migrateByInference(self, from: source)
            }
        }
    }

    /// Runs `body`; what it throws becomes the error of a migration that broke off.
    private func mapped<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch { throw failure(error) }
    }

    private func missingMapping(_ source: NSManagedObjectModel, _ cause: NSError?) -> NSError {
        var info: [String: Any] = [
            NSFilePathErrorKey: url.path, "sourceModel": source, "destinationModel": model,
            "reason": "Can't find or automatically infer mapping model for migration",
            NSLocalizedRecoverySuggestionErrorKey: cause == nil
                ? "Set NSInferMappingModelAutomaticallyOption." : StoreMismatch.waysWithoutInference,
        ]
        info[NSUnderlyingErrorKey] = cause
        return .cocoa(
            NSMigrationMissingMappingModelError,
            "The store “\(url.lastPathComponent)” can't be migrated: there is no mapping to the model.",
            reason: cause?.localizedFailureReason
                ?? "No mapping was to be inferred: NSInferMappingModelAutomaticallyOption is not set.", userInfo: info)
    }

    /// A migration that broke off; the store is as it was.
    private func failure(_ error: any Error) -> NSError {
        let cause = error as NSError
        let reason = cause.localizedFailureReason ?? cause.localizedDescription
        var info: [String: Any] = [
            NSFilePathErrorKey: url.path, "sourceURL": shownURL, "destinationURL": shownURL,
            NSUnderlyingErrorKey: cause,
            "reason": "Cannot migrate store in-place: \(reason)",
        ]
        for key in ["entity", "property"] { info[key] = cause.userInfo[key] }
        let code =
            cause.code == NSMigrationConstraintViolationError && cause.domain == NSCocoaErrorDomain
            ? NSMigrationConstraintViolationError : NSMigrationError
        return .cocoa(
            code, "The migration of the store “\(url.lastPathComponent)” failed; the store is as it was.",
            reason: reason, userInfo: info)
    }
}

/// The model that made a store.
enum FormerModel {
    /// The model in the store, or one of the program's bundles; nil where neither has the store's version hashes.
    static func find(
        kind: any PlacedStoreKind, url: URL, options: [AnyHashable: Any]?, metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty else {
            return nil
        }
        if let cached = cached(kind, url, options), matches(cached, hashes) { return cached }
        return NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata)
    }

    /// The model in the store; nil where there is none that can be read.
    private static func cached(
        _ kind: any PlacedStoreKind, _ url: URL, _ options: [AnyHashable: Any]?
    ) -> NSManagedObjectModel? {
        guard let archive = try? kind.modelArchive(at: url, options: options) else { return nil }
        return try? NSManagedObjectModel(archive: archive, leavingOut: ReadingNotes())
    }

    private static func matches(_ model: NSManagedObjectModel, _ hashes: [String: Data]) -> Bool {
        let known = model.entityVersionHashesByName
        return hashes.allSatisfy { known[$0.key] == $0.value }
    }
}

extension NSError {
    /// Whether a store could not be opened because another version of the model made it.
    var isOtherVersion: Bool {
        domain == NSCocoaErrorDomain && code == NSPersistentStoreIncompatibleVersionHashError
    }
}
