import CoreData
import Foundation
import StoreBrowsing

/// An app with a store of its own model: it saves what a request says, and reads the store as a new program does.
final class StoreWriter {
    /// Edits are saved together. A request without any reads the store.
    struct Request: Codable {
        var edits: [StoreEdit]?
    }

    struct Answer: Codable {
        /// The identifiers of the objects that the edits created, in their order.
        var created: [String] = []
        /// Why nothing is saved.
        var failure: String?
        var objects: [StoredObject]?
    }

    private let url: URL
    /// The store as it is open for the edits; rows that were read once are kept, as in any app.
    private var open: LiveStore?

    init(_ url: URL) { self.url = url }

    func answer(_ request: Request) throws -> Answer {
        guard let edits = request.edits else { return try read() }
        let store = try open ?? newStore()
        open = store
        do {
            return Answer(created: try save(edits, store))
        } catch {
            return Answer(failure: "\(error)")
        }
    }

    private func newStore() throws -> LiveStore {
        try LiveStore(LiveStore.Place(OpenedStore(.file(url)) { _ in }), for: .changing)
    }

    private func newContext(_ store: LiveStore) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.coordinator
        context.stalenessInterval = 0
        return context
    }

    private func save(_ edits: [StoreEdit], _ store: LiveStore) throws -> [String] {
        let context = newContext(store)
        return try context.performAndWait {
            let created = try edits.compactMap { try $0.carryOut(in: context) }
            try context.save()
            return created.map(\.objectID.shortIdentifier)
        }
    }

    private func read() throws -> Answer {
        let store = try newStore()
        defer { try? store.close() }
        let context = newContext(store)
        let objects = try context.performAndWait {
            try store.coordinator.managedObjectModel.entities.filter { $0.superentity == nil }.flatMap { entity in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
                    .map { StoredObject($0) }
            }
        }
        return Answer(objects: objects)
    }
}
