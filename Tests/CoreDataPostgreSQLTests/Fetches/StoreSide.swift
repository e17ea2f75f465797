import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import SQLSamples

/// One of the two sides of a comparison: stores of one kind behind a coordinator, and contexts of it.
///
/// Each object has a number of its own, in the attribute `serial`. It is the same on both sides.
final class StoreSide {
    enum Kind: String { case sqlite = "SQLite", postgreSQL = "PostgreSQL" }

    let kind: Kind
    let coordinator: NSPersistentStoreCoordinator
    let stores: [NSPersistentStore]
    /// A context with changes that are not saved.
    let dirty: NSManagedObjectContext
    /// A context above the changed one.
    let child: NSManagedObjectContext
    private(set) var serials: [NSManagedObjectID: Int] = [:]
    private(set) var ids: [Int: NSManagedObjectID] = [:]
    private let folder: URL

    /// - Parameter sample: What is in each store. The changes follow from it.
    init(_ kind: Kind, _ sample: FetchSample) throws {
        SQLTintTransformer.register()
        self.kind = kind
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("side-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: sample.model)
        stores = try Self.places(kind, sample.storeCount, folder).map { [coordinator] url in
            try coordinator.addPersistentStore(type: kind == .sqlite ? .sqlite : .postgreSQL, at: url)
        }
        dirty = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        dirty.persistentStoreCoordinator = coordinator
        child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = dirty
        try fill(sample)
        try change(sample)
    }

    deinit {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
        try? FileManager.default.removeItem(at: folder)
    }

    private static func places(_ kind: Kind, _ count: Int, _ folder: URL) throws -> [URL] {
        if kind == .sqlite { return (0..<count).map { folder.appendingPathComponent("\($0).sqlite") } }
        let database = try PostgreSQLServer.shared.newDatabase()
        return (0..<count).compactMap { URL(string: $0 == 0 ? database : "\(database)&schema=s\($0)") }
    }

    /// A context that has no object yet.
    func newContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    // MARK: Objects

    private func fill(_ sample: FetchSample) throws {
        let context = newContext()
        try context.performAndWait {
            var graph = SampleGraph(sample.random)
            for store in stores {
                let objects = graph.fill(context, sample.counts)
                for object in objects {
                    context.assign(object, to: store)
                    object.setValue(serials.count + 1, forKey: "serial")
                    // Keys follow the serials.
                    try context.obtainPermanentIDs(for: [object])
                    note(object)
                }
            }
            try context.save()
        }
    }

    private func note(_ object: NSManagedObject) {
        guard let serial = object.value(forKey: "serial") as? Int else { return }
        (serials[object.objectID], ids[serial]) = (serial, object.objectID)
    }

    /// Makes the changes that stay unsaved.
    private func change(_ sample: FetchSample) throws {
        dirty.performAndWait {
            var graph = SampleGraph(sample.changes)
            let objects = ids.sorted { $0.key < $1.key }.map { dirty.object(with: $0.value) }
            for store in stores {
                let own = objects.filter { $0.objectID.persistentStore == store }
                for object in graph.change(own, sample.insertions, in: dirty) {
                    dirty.assign(object, to: store)
                    object.setValue(serials.count + 1, forKey: "serial")
                    note(object)
                }
            }
            dirty.processPendingChanges()
        }
    }
}

extension SampleGraph {
    /// Changes, deletes and inserts some objects.
    ///
    /// - Returns: The inserted ones, in their order.
    mutating func change(
        _ objects: [NSManagedObject], _ insertions: KeyValuePairs<String, Int>, in context: NSManagedObjectContext
    ) -> [NSManagedObject] {
        for object in objects where random.chance(0.25) {
            let attributes = object.entity.attributesByName.values.filter { $0.name != "serial" }
            for attribute in attributes.sorted(by: { $0.name < $1.name }) where random.chance(0.3) {
                set(attribute, of: object)
            }
            if random.chance(0.4) { relate(object, objects) }
        }
        let inserted = fill(context, insertions)
        for object in objects where random.chance(0.08) { context.delete(object) }
        return inserted
    }
}
