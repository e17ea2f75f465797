import CoreData
import Foundation
import Testing

@Suite("Stores in memory (NSInMemoryStoreType)")
struct InMemoryStoreTests {
    private static func coordinator(
        _ model: NSManagedObjectModel = LeagueModel.make(), at url: URL? = nil
    ) throws -> (NSPersistentStoreCoordinator, NSPersistentStore) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: url, options: nil)
        return (coordinator, store)
    }

    private static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    // MARK: Identity

    @Test("type, URL, metadata and object IDs are those of a store in memory")
    func identity() throws {
        let (coordinator, store) = try Self.coordinator()
        #expect(NSInMemoryStoreType == "InMemory" && NSPersistentStore.StoreType.inMemory.rawValue == "InMemory")
        #expect(store.type == NSInMemoryStoreType && store.url == nil && !store.isReadOnly)
        #expect(store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME" && coordinator.persistentStores == [store])
        #expect(coordinator.metadata(for: store)[NSStoreTypeKey] as? String == NSInMemoryStoreType)
        #expect(coordinator.metadata(for: store)[NSStoreUUIDKey] as? String == store.identifier)
        let context = Self.context(coordinator)
        try context.performAndWait {
            let team = context.insert("Team", ["name": "Reds"])
            #expect(team.objectID.isTemporaryID)
            try context.save()
            let uri = team.objectID.uriRepresentation()
            #expect(!team.objectID.isTemporaryID && uri.host == store.identifier)
            #expect(coordinator.managedObjectID(forURIRepresentation: uri) == team.objectID)
        }
    }

    @Test("a description's type makes a container's store one in memory; a store in a file alone gets a folder")
    func container() throws {
        let container = HousedContainer(name: "Memory", managedObjectModel: LeagueModel.make())
        container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
        nonisolated(unsafe) var error: (any Error)?
        container.loadPersistentStores { error = $1 }
        #expect(error == nil && container.persistentStoreCoordinator.persistentStores.map(\.type) == ["InMemory"])
        let plain = NSPersistentStoreDescription()
        plain.type = NSInMemoryStoreType
        plain.url = nil
        container.persistentStoreDescriptions = [plain]
        container.loadPersistentStores { error = $1 }
        #expect(error == nil && container.persistentStoreCoordinator.persistentStores.count == 2)
        #expect(!FileManager.default.fileExists(atPath: HousedContainer.folder.path))
        // A store in a file has its folder made.
        let housed = HousedContainer(name: "Memory", managedObjectModel: LeagueModel.make())
        housed.loadPersistentStores { error = $1 }
        #expect(error == nil && FileManager.default.fileExists(atPath: HousedContainer.folder.path))
        try FileManager.default.removeItem(at: HousedContainer.folder)
    }

    @Test("each store that is added has its own content, which goes with it")
    func ownContent() throws {
        let url = URL(fileURLWithPath: "/tmp/shared-name.sqlite")
        let (first, store) = try Self.coordinator(at: url)
        let context = Self.context(first)
        try context.performAndWait {
            _ = context.insert("Team", ["name": "Reds"])
            try context.save()
        }
        let (second, _) = try Self.coordinator(at: url)
        let other = Self.context(second)
        try other.performAndWait { () throws in #expect(try other.all("Team").isEmpty) }
        try first.remove(store)
        try first.addPersistentStore(type: .inMemory, at: url)
        let again = Self.context(first)
        try again.performAndWait { () throws in #expect(try again.all("Team").isEmpty) }
    }

    @Test("a URL that is wrong is harmless: nothing is read, written or destroyed there")
    func wrongURLs() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Memory-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = folder.appendingPathComponent("Text.sqlite")
        try Data("no store".utf8).write(to: text)
        let urls = [
            text, folder, folder.appendingPathComponent("no/such/folder/Store.sqlite"), URL(string: "memory://x"),
        ]
        for url in urls {
            let (coordinator, store) = try Self.coordinator(at: url)
            #expect(store.url == url)
            let context = Self.context(coordinator)
            try context.performAndWait {
                _ = context.insert("Team", ["name": "Reds"])
                try context.save()
            }
            if let url {
                #expect(coordinator.persistentStore(for: url) === store)
                try coordinator.destroyPersistentStore(at: url, ofType: NSInMemoryStoreType)
            }
        }
        #expect(try Data(contentsOf: text) == Data("no store".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Text.sqlite"])
    }

    @Test("there is no file to read metadata of, or to replace")
    func files() throws {
        let url = URL(fileURLWithPath: "/tmp/nothing")
        let error = thrown {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSInMemoryStoreType, at: url)
        }
        #expect(error?.code == NSPersistentStoreInvalidTypeError)
    }

    // MARK: Fetching

    static let predicates = [
        "age > 30", "age == nil", "name BEGINSWITH[c] 'a'", "name LIKE '*n*'", "team.name == 'Reds'", "team == nil",
        "ANY favourites.name == 'Blues'", "age BETWEEN {20, 35}", "name IN {'Ann', 'Cleo'}",
        "NOT (age < 35) AND age != nil",
        "favourites.@count == 0", "SUBQUERY(favourites, $f, $f.name == 'Reds').@count > 0", "name MATCHES '.*o.*'",
        "TRUEPREDICATE",
    ]

    @Test("a predicate finds the same in memory, in a store in memory and in a file", arguments: predicates)
    func predicate(format: String) throws {
        func names(_ context: NSManagedObjectContext) throws -> (fetched: [String], evaluated: [String]) {
            let teams = ["Reds", "Blues"].map { context.insert("Team", ["name": $0]) }
            let ages: [(String, Int?)] = [("Ann", 30), ("Bob", nil), ("Cleo", 40), ("Dora", 20)]
            for (place, (name, age)) in ages.enumerated() {
                let player = context.insert("Player", ["name": name])
                if let age { player.setValue(age, forKey: "age") }
                if place < 2 { player.setValue(teams[place], forKey: "team") }
                if place > 1 { player.setValue(NSSet(array: Array(teams.prefix(place - 1))), forKey: "favourites") }
            }
            try context.save()
            let fetched = try context.all("Player", format).compactMap { $0.string("name") }.sorted()
            let all = try context.all("Player") as NSArray
            let evaluated = all.filtered(using: NSPredicate(format: format)).compactMap {
                ($0 as? NSManagedObject)?.string("name")
            }
            return (fetched, evaluated.sorted())
        }
        let memory = Self.context(try Self.coordinator().0)
        let inMemory = try memory.performAndWait { try names(memory) }
        let stack = try Stack(LeagueModel.make())
        let inFile = try stack.work { try names($0) }
        #expect(inMemory.fetched == inMemory.evaluated && inMemory.fetched == inFile.fetched)
    }

    @Test("contexts, background contexts and children see each other's saves; a results controller follows")
    func contexts() throws {
        let (coordinator, _) = try Self.coordinator()
        let main = Self.context(coordinator)
        main.automaticallyMergesChangesFromParent = true
        let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: main, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = ChangeCounter()
        results.delegate = delegate
        try main.performAndWait { try results.performFetch() }
        for number in 0..<4 {
            let context = Self.context(coordinator)
            try context.performAndWait {
                _ = context.insert("Team", ["name": "Team \(number)"])
                try context.save()
            }
        }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = main
        try child.performAndWait {
            _ = child.insert("Team", ["name": "Team of a child"])
            try child.save()
        }
        try main.performAndWait {
            try main.save()
            #expect(results.fetchedObjects?.count == 5 && delegate.count >= 5)
        }
        let last = Self.context(coordinator)
        try last.performAndWait { () throws in #expect(try last.all("Team").count == 5) }
    }

    private final class ChangeCounter: NSObject, NSFetchedResultsControllerDelegate {
        var count = 0

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange object: Any,
            at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) { count += 1 }
    }

    // MARK: Saving

    @Test("a merge conflict and a violated constraint are errors, and policies settle them")
    func conflicts() throws {
        let tag = entity("Tag", [attribute("name", .stringAttributeType), attribute("size", .integer16AttributeType)])
        tag.uniquenessConstraints = [["name"]]
        let (coordinator, _) = try Self.coordinator(model(tag))
        let (first, second) = (Self.context(coordinator), Self.context(coordinator))
        let id = try first.performAndWait {
            let tag = first.insert("Tag", ["name": "a", "size": 1])
            try first.save()
            return tag.objectID
        }
        try second.performAndWait { try second.existingObject(with: id).setValue(2, forKey: "size") }
        try first.performAndWait {
            try first.existingObject(with: id).setValue(3, forKey: "size")
            try first.save()
        }
        try second.performAndWait {
            #expect(thrown { try second.save() }?.code == NSManagedObjectMergeError)
            second.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try second.save()
            #expect(try second.existingObject(with: id).value(forKey: "size") as? Int == 2)
        }
        try first.performAndWait {
            _ = first.insert("Tag", ["name": "a", "size": 9])
            #expect(thrown { try first.save() }?.code == NSManagedObjectConstraintMergeError)
            first.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            try first.save()
            #expect(try first.all("Tag").count == 1)
        }
    }

    @Test("an ordered relationship keeps its order, transformables, large data and decimals come back")
    func values() throws {
        let bench = toMany("bench", ordered: true)
        let owner = toOne("owner")
        let colour = attribute("colour", .transformableAttributeType)
        let box = entity(
            "Box", [attribute("price", .decimalAttributeType), colour, externalData("photo"), bench])
        let thing = entity("Thing", [attribute("name", .stringAttributeType), owner])
        connect(box, bench, thing, owner)
        let (coordinator, _) = try Self.coordinator(model(box, thing))
        let context = Self.context(coordinator)
        let photo = Data(repeating: 7, count: 300_000)
        let id = try context.performAndWait {
            let box = context.insert(
                "Box",
                ["price": NSDecimalNumber(string: "12.34"), "photo": photo, "colour": ["red", "blue"] as NSArray])
            let things = ["c", "a", "b"].map { context.insert("Thing", ["name": $0]) }
            box.setValue(NSOrderedSet(array: things), forKey: "bench")
            try context.save()
            return box.objectID
        }
        let other = Self.context(coordinator)
        try other.performAndWait {
            let box = try other.existingObject(with: id)
            let things = (box.value(forKey: "bench") as? NSOrderedSet)?.array as? [NSManagedObject]
            #expect(things?.map { $0.string("name") } == ["c", "a", "b"])
            #expect(box.value(forKey: "photo") as? Data == photo)
            #expect(box.value(forKey: "colour") as? [String] == ["red", "blue"])
            #expect(box.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "12.34"))
        }
    }

    @Test("undo, rollback, refreshed objects and deletions work as with a file")
    func lifecycle() throws {
        let (coordinator, _) = try Self.coordinator()
        let context = Self.context(coordinator)
        try context.performAndWait {
            let team = context.insert("Team", ["name": "Reds"])
            team.setValue(NSSet(object: context.insert("Player", ["name": "Ann"])), forKey: "players")
            try context.save()
            team.setValue("Blues", forKey: "name")
            context.rollback()
            #expect(team.string("name") == "Reds")
            context.refresh(team, mergeChanges: false)
            #expect(team.isFault && team.string("name") == "Reds")
            context.delete(team)
            try context.save()
            #expect(try context.all("Player").isEmpty && context.all("Team").isEmpty)
        }
    }

    @Test("a read-only store in memory is empty and refuses a save")
    func readOnly() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil,
            options: [NSReadOnlyPersistentStoreOption: true])
        #expect(store.isReadOnly)
        let context = Self.context(coordinator)
        try context.performAndWait { () throws in
            #expect(try context.all("Team").isEmpty)
            _ = context.insert("Team", ["name": "Reds"])
            #expect(thrown { try context.save() } != nil)
        }
    }

    // MARK: Moving

    @Test("a store moves from memory to a file and back, with its objects")
    func moving() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Memory-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Saved.sqlite")
        let (coordinator, store) = try Self.coordinator()
        let context = Self.context(coordinator)
        try context.performAndWait {
            let team = context.insert("Team", ["name": "Reds"])
            try context.save()
            let saved = try coordinator.migratePersistentStore(store, to: file, withType: NSSQLiteStoreType)
            #expect(saved.type == NSSQLiteStoreType && team.objectID.persistentStore === saved)
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: file)
            #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
            team.setValue("Blues", forKey: "name")
            try context.save()
            let savedID = saved.identifier
            let back = try coordinator.migratePersistentStore(saved, to: file, withType: NSInMemoryStoreType)
            #expect(back.type == NSInMemoryStoreType && back.identifier != savedID)
            team.setValue("Greens", forKey: "name")
            try context.save()
            #expect(try context.all("Team", "name == 'Greens'").count == 1)
        }
        let other = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        try other.addPersistentStore(type: .sqlite, at: file)
        let reader = Self.context(other)
        try reader.performAndWait { () throws in #expect(try reader.all("Team").map { $0.string("name") } == ["Blues"])
        }
    }
}

/// A container with stores in a folder of their own, which is not there yet.
private final class HousedContainer: NSPersistentContainer, @unchecked Sendable {
    static let folder = FileManager.default.temporaryDirectory.appending(path: "memory-\(UUID().uuidString)")

    override class func defaultDirectoryURL() -> URL { folder }
}
