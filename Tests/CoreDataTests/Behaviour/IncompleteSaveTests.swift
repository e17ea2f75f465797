import Foundation
import Testing

@testable import CoreData

/// Not by the public API alone: nothing in it keeps a store from committing what it could write.
@Suite("Saves that some stores took")
struct IncompleteSaveTests {
    @Test(
        "a store that can't commit after another one has: 134040 names those that did and did not take their part, and a policy lets it be saved again"
    )
    func commit() throws {
        let folder = try StoreFolder()
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: model(entity("Team", [attribute("name", .stringAttributeType)])))
        // Without a log, whoever reads keeps writers from committing, and not from writing.
        let options: [AnyHashable: Any] = [
            NSSQLitePragmasOption: ["journal_mode": "DELETE"], NSPersistentStoreTimeoutOption: NSNumber(value: 0.1),
        ]
        let stores = try ["First", "Second"].map {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file($0 + ".sqlite"), options: options)
        }
        defer { for store in stores { try? coordinator.remove(store) } }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let reader = try SQLiteConnection(path: folder.file("First.sqlite").path, access: .readWrite)
        try context.performAndWait {
            let teams = stores.map { store in
                let team = context.insert("Team", ["name": "old"])
                context.assign(team, to: store)
                return team
            }
            try context.save()
            try reader.execute("BEGIN")
            _ = try reader.integer("SELECT COUNT(*) FROM ZTEAM")
            for team in teams { team.setValue("new", forKey: "name") }
            let error = try #require(thrown { try context.save() })
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreIncompleteSaveError)
            #expect(error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [stores[0]])
            #expect(error.userInfo["NSPersistentStoresSaved"] as? [NSPersistentStore] == [stores[1]])
            #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
            #expect(context.updatedObjects.count == 2, "the context keeps its changes")
        }
        try reader.execute("COMMIT")
        reader.close()
        try context.performAndWait {
            // What the one store has is what the context is about to give it.
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(!context.hasChanges)
            for store in stores {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
                request.affectedStores = [store]
                request.propertiesToFetch = ["name"]
                #expect(try context.fetch(request).map { $0.string("name") } == ["new"])
            }
        }
    }
}
