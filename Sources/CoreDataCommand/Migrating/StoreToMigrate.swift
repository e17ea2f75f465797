import CoreData
import Foundation
import ModelDocument
import StoreBrowsing

/// A store before its migration: its type, its version hashes, and the model that made it, if that is at hand.
struct StoreToMigrate {
    let place: StorePlace
    let type: NSPersistentStore.StoreType
    /// The version hashes in the store's metadata.
    let hashes: [String: Data]
    let model: Model?
    /// Whether the user gave the model.
    let isModelGiven: Bool

    /// - Parameter models: The paths of the models of a store that carries none.
    /// - Throws: ``CommandFailure``.
    init(_ place: StorePlace, models: [String]) throws {
        self.place = place
        let url = place.url
        switch place.type {
        case let type where type != .sqlite:
            self.type = type
            do {
                let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
                hashes = Self.hashes(metadata)
                isModelGiven = !models.isEmpty
                model =
                    isModelGiven
                    ? try StoreModels.read(models, hashes: hashes, telling: report)
                    : try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url, options: nil)?.document
            } catch let failure as CommandFailure {
                throw failure
            } catch {
                throw OpenedStore.failure(error)
            }
        default:  // An SQLite file, or one that is no store.
            let store = try OpenedStore(url: url, models: models)
            (type, hashes, model) = (.sqlite, Self.hashes(store.metadata), store.model)
            if case .given = store.modelOrigin { isModelGiven = true } else { isModelGiven = false }
        }
    }

    private static func hashes(_ metadata: [String: Any]) -> [String: Data] {
        metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    }
}
