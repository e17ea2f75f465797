import CoreData
import Foundation

extension Scenario {
    /// Stores that are read and written as a whole.
    static let fileStores = ["Library.xml", "Library.bin"].flatMap { name in
        let kind = name.hasSuffix("xml") ? "XML" : "binary"
        return [
            saving("insert in a \(kind) store", name) { context in
                let shelf = Library.add("Shelf", "new shelf", to: context)
                Library.add("Book", "new", to: context).setValue(shelf, forKey: "shelf")
            },
            saving("delete in a \(kind) store", name) { context in
                context.delete(try Library.find("Shelf", "shelf 1", in: context))
                try Library.find("Book", "book 2.1", in: context).setValue(Library.cover(9), forKey: "cover")
            },
            Scenario("make a \(kind) store and save") { stage in
                stage.steps([
                    { _ = try stage.coordinator(stores: [name]) }, { try Library.fill(stage, name) },
                ])
            }.with {
                $0.stores = [name]
                $0.prepare = { _ in }
                $0.mayFailLate = true
            },
            onFile("set the metadata of a \(kind) store", name) { _, url in
                try NSPersistentStoreCoordinator.setMetadata(["app": "a value"], type: Stage.type(of: name), at: url)
            },
            onFile("destroy a \(kind) store", name) { coordinator, url in
                try coordinator.destroyPersistentStore(at: url, type: Stage.type(of: name))
            },
            onFile("replace a \(kind) store", name) { coordinator, url in
                let other = url.deletingLastPathComponent().appendingPathComponent("Other-\(name)")
                try coordinator.replacePersistentStore(
                    at: url, withPersistentStoreFrom: other, type: Stage.type(of: name))
            }.with {
                $0.stores = [name, "Other-\(name)"]
                $0.prepare = { stage in
                    try Library.fill(stage, name)
                    let context = try Stage.context(on: stage.coordinator(stores: ["Other-\(name)"]))
                    try context.performAndWait {
                        Library.add("Tag", "other", to: context)
                        try context.save()
                    }
                }
            },
            Scenario("move a store to a \(kind) store") { stage in
                let coordinator = try stage.coordinator()
                _ = try stage.context(coordinator)
                return {
                    guard let store = coordinator.persistentStores.first else { throw ScenarioFailure("no store") }
                    try coordinator.migratePersistentStore(store, to: stage.url(name), type: Stage.type(of: name))
                }
            }.with {
                $0.stores = [Library.storeName, name]
                $0.mayFailLate = true
                // Where the disk is gone, the first name of the new file can't be removed. The next save does that.
                $0.mayLeaveOrphans = true
            },
        ]
    }

    private static func saving(
        _ title: String, _ store: String, _ edit: @escaping @Sendable (NSManagedObjectContext) throws -> Void
    ) -> Scenario {
        Scenario(title) { stage in
            let context = try stage.context(stage.coordinator(stores: [store]))
            try context.performAndWait {
                try edit(context)
                context.processPendingChanges()
            }
            return { try context.performAndWait { try context.save() } }
        }.with {
            $0.stores = [store]
            $0.prepare = { try Library.fill($0, store) }
            $0.isDurable = true
        }
    }

    private static func onFile(
        _ title: String, _ store: String,
        _ body: @escaping @Sendable (NSPersistentStoreCoordinator, URL) throws -> Void
    ) -> Scenario {
        Scenario(title) { stage in
            let coordinator = try stage.coordinator(stores: [])
            return { try body(coordinator, stage.url(store)) }
        }.with {
            $0.stores = [store]
            $0.prepare = { try Library.fill($0, store) }
        }
    }
}
