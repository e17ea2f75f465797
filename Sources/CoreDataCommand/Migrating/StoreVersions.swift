import CoreData
import Foundation
import ModelArchive
import ModelDocument
import StoreBrowsing
import StoreInspection

/// A store's version of its model, and the one that it is to get.
struct StoreVersions {
    let place: StorePlace
    let type: NSPersistentStore.StoreType
    /// The names of the versions, as far as they are known.
    let sourceName: String?
    let destinationName: String?
    /// The model that made the store, with plain objects.
    let source: NSManagedObjectModel
    /// The model that the store is to have, with plain objects.
    let destination: NSManagedObjectModel
    let sourceDocument: Model
    let destinationDocument: Model
    /// The version hashes in the store's metadata.
    private let stored: [String: Data]

    /// - Parameters:
    ///   - models: The paths of the models of a store that carries none.
    ///   - path: The model that the store is to have.
    /// - Throws: ``CommandFailure``.
    init(of place: StorePlace, models: [String], to path: String) throws {
        self.place = place
        let target = try TargetModel(path)
        let store = try StoreToMigrate(place, models: models)
        (type, stored) = (store.type, store.hashes)
        (sourceDocument, sourceName) = try Self.source(store, stored, target)
        (destinationDocument, destinationName) = (target.model, target.version)
        do {
            source = try NSManagedObjectModel(document: sourceDocument.withoutClasses)
            destination = try NSManagedObjectModel(document: destinationDocument.withoutClasses)
        } catch {
            throw CommandFailure(error, code: .damaged)
        }
        if let name = target.newerVersion(than: target.version, with: stored) {
            report("note: the store is of a newer version, \(name)")
        }
    }

    var url: URL { place.url }

    private static func source(
        _ store: StoreToMigrate, _ stored: [String: Data], _ target: TargetModel
    ) throws -> (Model, String?) {
        if let beside = try target.version(with: stored) {
            // A model that was given by its path comes before all others.
            if store.isModelGiven, let model = store.model { return (model, nil) }
            return beside
        }
        guard let model = store.model else {
            throw CommandFailure(
                .noModel,
                """
                The model that made \(store.place.name) is not at hand: the store carries none that can be read, \
                and no version beside the new one has its version hashes. --model takes it.
                """)
        }
        let known = (try? VersionHashes(model).entities) ?? [:]
        let others = stored.filter { known[$0.key] != $0.value }.map(\.key).sorted()
        guard others.isEmpty, !stored.isEmpty else {
            throw CommandFailure(
                .noModel,
                """
                The model that made \(store.place.name) is not at hand: what there is differs in \(list: others). \
                --model takes the right one.
                """)
        }
        return (model, nil)
    }

    /// Whether the store has the version already.
    func isDone(configuration: String?) -> Bool {
        let known = destination.entityVersionHashesByName
        let entities = configuration.flatMap { destination.entities(forConfigurationName: $0) }
        let names = entities.map { Set($0.compactMap(\.name)) }
        return !stored.isEmpty && stored == known.filter { names?.contains($0.key) ?? true }
    }

    /// The names of the entities that the store holds; nil: all of its model.
    var heldEntities: Set<String>? {
        let names = Set(stored.keys)
        return names == Set(source.entityVersionHashesByName.keys) ? nil : names
    }

    /// What the migrated store says of its model: with the names of its classes, which this program does not have.
    func storeModel(configuration: String?) throws -> StoreModel {
        let plain = try destination.storeModel(configuration: configuration)
        let document = destinationDocument
        return StoreModel(
            layouts: plain.layouts, owner: plain.owner, entities: plain.entities, hashes: plain.hashes,
            versionIdentifiers: plain.versionIdentifiers, digest: plain.digest, checksum: plain.checksum,
            isIncomplete: plain.isIncomplete,
            archive: { try ModelArchive.write(NSManagedObjectModel(document: document).document, as: .modelCache) })
    }

    /// The store with both models.
    var migrator: StoreMigrator {
        StoreMigrator(url: url, type: type, source: source, destination: destination, heldEntities: heldEntities)
    }

    /// Stands in for the app's transformers: values stay as they are stored.
    func registerTransformers() { migrator.registerTransformers() }

    /// Runs `body` with the rows of the store. The store stays as it is.
    ///
    /// - Parameter mapping: From the model that made the store.
    func counting<R>(_ mapping: InferredMapping, _ body: (any StoredRows) throws -> R) throws -> R {
        try migrator.counting(mapping, body)
    }
}
