import CoreData
import Foundation
import ModelArchive
import ModelDocument
import StoreInspection

/// A store in a file, with the model that made it and the one that it is to have. Both have plain objects.
///
/// ```swift
/// let migrator = try StoreMigrator(place, from: old, to: new)
/// try migrator.migrate(by: NSMappingModel(compiled))
/// ```
package struct StoreMigrator {
    package let url: URL
    package let type: NSPersistentStore.StoreType
    package let source: NSManagedObjectModel
    package let destination: NSManagedObjectModel
    /// The names of the entities that the store holds; nil: all of its model.
    package let heldEntities: Set<String>?

    package init(
        url: URL, type: NSPersistentStore.StoreType, source: NSManagedObjectModel, destination: NSManagedObjectModel,
        heldEntities: Set<String>?
    ) {
        (self.url, self.type, self.source, self.destination) = (url, type, source, destination)
        self.heldEntities = heldEntities
    }

    /// A store that is looked at first: it has to be of the source model's version.
    ///
    /// - Throws: ``ToolFailure`` for a database, for models that can't be used, and for a store of another version.
    package init(_ place: StorePlace, from old: Model, to new: Model) throws {
        guard case .file(let url) = place else {
            throw ToolFailure(
                .other, "A migration by a mapping model makes a new store, which \(place.name) can't become.")
        }
        let stored = try Self.hashes(of: place)
        let known = try Self.check(stored, of: place, from: old, to: new)
        let models = try ModelAtPath.reporting {
            (
                try NSManagedObjectModel(document: old.withoutClasses),
                try NSManagedObjectModel(document: new.withoutClasses)
            )
        }
        self.init(
            url: url, type: place.type, source: models.0, destination: models.1,
            heldEntities: Set(stored.keys) == known ? nil : Set(stored.keys))
    }

    /// - Returns: The names of the source model's entities.
    private static func check(
        _ stored: [String: Data], of place: StorePlace, from old: Model, to new: Model
    ) throws -> Set<String> {
        let (source, destination) = try ModelAtPath.reporting {
            (try VersionHashes(old).entities, try VersionHashes(new).entities)
        }
        let others = stored.filter { source[$0.key] != $0.value }.map(\.key).sorted()
        if others.isEmpty, !stored.isEmpty { return Set(source.keys) }
        if stored == destination {
            throw ToolFailure(.noModel, "\(place.title) is of the destination version already.")
        }
        throw ToolFailure(
            .noModel, "\(place.title) is not of the source version: what differs is \(list: others).")
    }

    private static func hashes(of place: StorePlace) throws -> [String: Data] {
        let metadata =
            place.isSQLite
            ? try OpenedStore(place) { _ in }.metadata
            : try NSPersistentStoreCoordinator.metadataForPersistentStore(type: place.type, at: place.url)
        return metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    }

    /// The same for a copy of the store.
    package func moved(to url: URL) -> StoreMigrator {
        StoreMigrator(url: url, type: type, source: source, destination: destination, heldEntities: heldEntities)
    }

    // MARK: Looking

    /// Stands in for the app's transformers: values stay as they are stored.
    package func registerTransformers() {
        let attributes = (source.entities + destination.entities).flatMap { $0.attributesByName.values }
        for name in Set(attributes.compactMap(\.valueTransformerName)) {
            ValueTransformer.setValueTransformer(RawTransformer(), forName: NSValueTransformerName(name))
        }
    }

    /// Runs `body` with the rows of the store. The store stays as it is.
    ///
    /// - Parameter mapping: From the model that made the store.
    package func counting<R>(_ mapping: InferredMapping, _ body: (any StoredRows) throws -> R) throws -> R {
        guard type != .sqlite else { return try body(TableRows(StoreInspection(contentsOf: url), mapping)) }
        return try reading(with: source) { try body(ContextRows($0)) }
    }

    /// Runs `body` with a context that reads the store.
    package func reading<R>(
        with model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        registerTransformers()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        // It may have the entities of a configuration.
        let options = [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true]
        let store = try coordinator.addPersistentStore(type: type, configuration: nil, at: url, options: options)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try body(context)
    }

    // MARK: Migrating

    /// Why a mapping can't be carried out without the app; nil where it can.
    package static func refusal(of mapping: CompiledMapping) -> NSError? {
        // The classes are the app's.
        let policies = mapping.entityMappings.filter { $0.migrationPolicyClassName != nil }
        return policies.first.map {
            .cocoa(
                NSEntityMigrationPolicyError, "The mapping \($0.name) needs the app.",
                reason: "Its policy \($0.migrationPolicyClassName ?? "") is a class of the app.")
        }
    }

    /// Migrates the store where it is, object by object: wholly, or it stays as it was.
    ///
    /// - Parameters:
    ///   - mostFailures: With how many objects that fail the migration ends.
    ///   - watch: Given the manager before it begins. What it returns lives as long as the migration.
    /// - Throws: The error of the only object that fails, or those of all under `NSDetailedErrorsKey`.
    package func migrate(
        by mapping: NSMappingModel, configuration: String? = nil, mostFailures: Int = 1,
        watch: (NSMigrationManager) -> Any? = { _ in nil }
    ) throws {
        registerTransformers()
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        manager.mostFailures = mostFailures
        try withExtendedLifetime(watch(manager)) {
            try manager.migrateStore(at: url, type: type.rawValue, mapping: mapping, configuration: configuration)
        }
    }
}
