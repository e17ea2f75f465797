import CoreData
import Testing

@Suite("Stacks as they were set up from 2012 to 2024")
struct StackTests {
    let folder = Folder()

    @available(*, deprecated)
    @Test("2012: a merged model, a context without a queue, options that ask for a migration")
    func cookbooks() throws {
        let delegate = AppDelegate2012()
        delegate.applicationDocumentsDirectory = folder.url
        // This process holds the models of other tests as well.
        delegate.managedObjectModel = try #require(NSManagedObjectModel.mergedModel(from: [Bundle.module]))
        let program = PeopleProgram(managedObjectContext: delegate.managedObjectContext)
        #expect(program.createNewPerson(firstName: "Anthony", lastName: "Robbins", age: 51))
        #expect(program.readAllPersons() == ["Person 1 Anthony Robbins 51"])
    }

    @MainActor
    @Test("2014: the model from the main bundle, a context for the main queue")
    func xcode6() throws {
        let delegate = AppDelegate2014()
        delegate.applicationDocumentsDirectory = folder.url
        let context = try #require(delegate.managedObjectContext)
        context.performAndWait {
            Item(context: context).timestamp = Date()
            delegate.saveContext()
            #expect(!context.hasChanges)
        }
        #expect(
            FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("SingleViewCoreData.sqlite").path))
    }

    @Test("2016: a container by name, its store in the platform's directory")
    func xcode8() throws {
        let delegate = AppDelegate2016()
        let context = delegate.persistentContainer.viewContext
        let url = try #require(delegate.persistentContainer.persistentStoreDescriptions.first?.url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(url.deletingLastPathComponent() == NSPersistentContainer.defaultDirectoryURL())
        context.performAndWait {
            Item(context: context).timestamp = Date()
            delegate.saveContext()
            #expect(!context.hasChanges)
        }
    }

    @MainActor
    @Test("2020: a shared controller, and a preview in memory; both have the same model twice")
    func xcode12() throws {
        let context = PersistenceController.preview.container.viewContext
        let other = PersistenceController(inMemory: true).container.viewContext
        try context.performAndWait { () throws in
            let request: NSFetchRequest<Item> = Item.fetchRequest()
            #expect(try context.count(for: request) == 10)
        }
        try other.performAndWait {
            #expect(Item(context: other).managedObjectContext === other)
            try other.save()
            #expect(try other.count(for: Item.fetchRequest()) == 1)
        }
    }

    @Test("2024: an actor over background contexts gives values, and throws what fails")
    func actors() async throws {
        let store = try await ItemStore(at: folder.url.appendingPathComponent("Items.sqlite"))
        let dates = [1, 2, 3].map { Date(timeIntervalSinceReferenceDate: $0) }
        try await store.add(dates)
        #expect(try await store.items(since: dates[1]).map(\.timestamp) == [dates[1], dates[2]])
        await #expect(throws: CocoaError.self) {
            _ = try await ItemStore(at: URL(fileURLWithPath: "/nowhere/at/all/Items.sqlite"))
        }
    }
}

/// A folder that goes with the test.
final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("tutorials-\(UUID().uuidString)")

    init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }
}
