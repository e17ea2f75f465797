import CoreData
import Foundation

extension Scenario {
    private static let other = "Other.sqlite"

    /// What coordinators do to the files of stores.
    static let storeFiles = [
        onFiles("destroy a store") { coordinator, stage in
            try coordinator.destroyPersistentStore(at: stage.url(Library.storeName), type: .sqlite)
        }.with { $0.mayFailLate = true },
        onFiles("destroy a store by force") { coordinator, stage in
            try coordinator.destroyPersistentStore(
                at: stage.url(Library.storeName), type: .sqlite, options: [NSPersistentStoreForceDestroyOption: true])
        }.with { $0.mayFailLate = true },
        onFiles("set the metadata of a store") { coordinator, stage in
            try NSPersistentStoreCoordinator.setMetadata(
                ["app": "a value"], type: .sqlite, at: stage.url(Library.storeName))
        }.with { $0.mayFailLate = true },
        onFiles("replace a store") { coordinator, stage in
            try coordinator.replacePersistentStore(
                at: stage.url(Library.storeName), withPersistentStoreFrom: stage.url(other), type: .sqlite)
        }.with {
            $0.prepare = { try twoStores($0) }
            $0.mayLeaveOrphans = true
            $0.mayFailLate = true
        },
        onFiles("replace a store that is not there") { coordinator, stage in
            try coordinator.replacePersistentStore(
                at: stage.url("New.sqlite"), withPersistentStoreFrom: stage.url(Library.storeName), type: .sqlite)
        }.with {
            $0.stores = ["New.sqlite", Library.storeName]
            $0.mayFailLate = true
        },
        Scenario("move a store") { stage in
            let coordinator = try stage.coordinator()
            _ = try stage.context(coordinator)
            return {
                guard let store = coordinator.persistentStores.first else { throw ScenarioFailure("no store") }
                try coordinator.migratePersistentStore(store, to: stage.url("Moved.sqlite"), type: .sqlite)
            }
        }.with {
            $0.stores = [Library.storeName, "Moved.sqlite"]
            $0.mayFailLate = true
        },
    ]

    private static func onFiles(
        _ name: String, _ body: @escaping @Sendable (NSPersistentStoreCoordinator, Stage) throws -> Void
    ) -> Scenario {
        Scenario(name) { stage in
            let coordinator = try stage.coordinator(stores: [])
            return { try body(coordinator, stage) }
        }.with { $0.stores = [Library.storeName, other] }
    }

    /// The library, and another store with other covers.
    private static func twoStores(_ stage: Stage) throws {
        try Library.fill(stage)
        let context = try stage.context(stage.coordinator(stores: [other]))
        try context.performAndWait {
            for number in 1...3 {
                let book = Library.add("Book", "other \(number)", to: context)
                book.setValue(Library.cover(UInt8(20 + number)), forKey: "cover")
            }
            try context.save()
        }
    }
}
