import CoreData
import Foundation
import Testing

@Suite("Stores that are asked as objects are needed: a subclass of NSIncrementalStore over HTTP")
struct IncrementalStoreTests {
    let service: Service
    let coordinator: NSPersistentStoreCoordinator

    init() throws {
        service = try Service()
        service.put("Club", ServiceRecord(id: "c1", name: "Chess"))
        service.put("Club", ServiceRecord(id: "c2", name: "Rowing"))
        service.put("Person", ServiceRecord(id: "p1", name: "Ann", club: "c1"))
        service.put("Person", ServiceRecord(id: "p2", name: "Bob", club: "c1"))
        service.put("Person", ServiceRecord(id: "p3", name: "Cid"))
        NSPersistentStoreCoordinator.registerStoreClass(ServiceStore.self, type: ServiceStore.type)
        coordinator = try NSPersistentStoreCoordinator.opened(
            ServiceStore.model(), ServiceStore.type.rawValue, at: service.url)
        _ = service.server.takeServed()
    }

    @Test("a store is opened with its metadata; its identifier is in the URIs of objects")
    func opening() throws {
        let store = coordinator.persistentStores[0]
        #expect(store.identifier == "The club service" && store.type == "Service")
        #expect(coordinator.metadata(for: store)[NSStoreUUIDKey] as? String == "The club service")
        try coordinator.work { context throws in
            let uri = try #require(context.all("Club").first).objectID.uriRepresentation()
            #expect(uri.absoluteString == "x-coredata://The%20club%20service/Club/pc1")
            let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
            #expect(try context.existingObject(with: id).string("name") == "Chess")
        }
    }

    @Test("a fetch asks once and makes faults; each fault asks once, and then the row cache answers")
    func faults() throws {
        try coordinator.work { context throws in
            let clubs = try context.all("Club")
            #expect(service.server.takeServed() == ["GET /Club"] && clubs.allSatisfy(\.isFault))
            #expect(clubs.compactMap { $0.string("name") } == ["Chess", "Rowing"])
            #expect(service.server.takeServed() == ["GET /Club/c1", "GET /Club/c2"])
        }
        try coordinator.work { context throws in
            #expect(try context.all("Club").compactMap { $0.string("name") } == ["Chess", "Rowing"])
            #expect(service.server.takeServed() == ["GET /Club"])
        }
    }

    @Test("predicates, order, limits, counts, IDs and dictionaries are the store's")
    func requests() throws {
        try coordinator.work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            (request.fetchLimit, request.fetchOffset) = (1, 1)
            #expect(try context.fetch(request).map { $0.string("name") } == ["Bob"])
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == 3)
            #expect(try context.all("Person", "club.name == 'Chess'").count == 2)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Club")
            ids.resultType = .managedObjectIDResultType
            #expect(try context.fetch(ids).map { $0.entity.name } == ["Club", "Club"])
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Club")
            dictionaries.resultType = .dictionaryResultType
            dictionaries.propertiesToFetch = ["name"]
            #expect(try context.fetch(dictionaries).map { $0["name"] as? String } == ["Chess", "Rowing"])
        }
    }

    @Test("relationships are followed in both directions")
    func relationships() throws {
        try coordinator.work { context throws in
            let club = try #require(context.all("Club", "name == 'Chess'").first)
            #expect(club.names("members") == ["Ann", "Bob"])
            #expect(try #require(context.all("Person", "name == 'Ann'").first).object("club") === club)
            #expect(try #require(context.all("Person", "name == 'Cid'").first).object("club") == nil)
        }
    }

    @Test("unsaved changes take part in fetches")
    func pendingChanges() throws {
        try coordinator.work { context throws in
            _ = context.insert("Club", ["name": "Bridge"])
            try #require(context.all("Club", "name == 'Chess'").first).setValue("Go", forKey: "name")
            #expect(try context.all("Club", sortedBy: "name").map { $0.string("name") } == ["Bridge", "Go", "Rowing"])
            #expect(try context.all("Club", "name == 'Chess'").isEmpty)
        }
    }

    @Test("a save sends what is new, changed and deleted; new objects have the IDs that the store gives")
    func saving() throws {
        try coordinator.work { context throws in
            let club = context.insert("Club", ["name": "Bridge"])
            let ann = try #require(context.all("Person", "name == 'Ann'").first)
            ann.setValue(club, forKey: "club")
            try context.delete(#require(context.all("Person", "name == 'Cid'").first))
            try context.save()
            #expect(!context.hasChanges && club.objectID.uriRepresentation().lastPathComponent == "pnew-1")
            #expect(service.records("Person").map { "\($0.name) \($0.club ?? "-")" } == ["Ann new-1", "Bob c1"])
            #expect(service.records("Club").map(\.name) == ["Chess", "Rowing", "Bridge"])
            // The saved rows are known.
            _ = service.server.takeServed()
            context.refreshAllObjects()
            #expect(club.string("name") == "Bridge" && ann.object("club") === club)
        }
    }

    @Test("a save that the store refuses changes nothing here, and can be repeated")
    func failingSave() throws {
        try coordinator.work { context throws in
            let ann = try #require(context.all("Person", "name == 'Ann'").first)
            ann.setValue("Anna", forKey: "name")
            service.setDown(true)
            #expect(thrown { try context.save() }?.code == NSPersistentStoreOperationError)
            #expect(ann.hasChanges && service.records("Person")[0].name == "Ann")
            let new = context.insert("Club", ["name": "New"])
            #expect(thrown { try context.save() }?.code == NSPersistentStoreOperationError)
            #expect(new.objectID.isTemporaryID)
            service.setDown(false)
            try context.save()
            #expect(service.records("Person")[0].name == "Anna" && !new.objectID.isTemporaryID)
        }
    }

    @Test("two contexts that change one object conflict, and the merge policy resolves it")
    func conflict() throws {
        try coordinator.work { a throws in
            let mine = try #require(a.all("Club", "name == 'Chess'").first)
            #expect(mine.string("name") == "Chess")
            try coordinator.work { b throws in
                try #require(b.all("Club", "name == 'Chess'").first).setValue("Theirs", forKey: "name")
                try b.save()
            }
            mine.setValue("Mine", forKey: "name")
            #expect(thrown { try a.save() }?.code == NSManagedObjectMergeError)
            a.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try a.save()
            #expect(service.records("Club")[0].name == "Mine")
        }
    }

    @Test("an object that is gone is missing (133000); an error of the service is thrown as it is")
    func gone() throws {
        try coordinator.work { context throws in
            let club = try #require(context.all("Club").first)
            service.remove("Club", "c1")
            let error = thrown { _ = try context.existingObject(with: club.objectID) }
            #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("child contexts, permanent IDs and refreshing reach the store")
    func children() throws {
        try coordinator.work { parent throws in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            let id = try child.performAndWait {
                let club = child.insert("Club", ["name": "Child"])
                try child.obtainPermanentIDs(for: [club])
                #expect(club.objectID.uriRepresentation().lastPathComponent == "pnew-1")
                try child.save()
                return club.objectID
            }
            try parent.save()
            #expect(service.records("Club").map(\.id) == ["c1", "c2", "new-1"])
            let club = try parent.existingObject(with: id)
            var record = service.records("Club")[2]
            (record.name, record.version) = ("Renamed", 9)
            service.put("Club", record)
            #expect(club.string("name") == "Child")
            parent.refresh(club, mergeChanges: true)
            #expect(club.string("name") == "Renamed")
        }
    }

    @Test("metadata that are set are saved by a request without objects")
    func metadata() throws {
        let store = try #require(coordinator.persistentStores[0] as? ServiceStore)
        store.metadata["mine"] = 1
        for _ in 0..<2 { try coordinator.work { try $0.save() } }
        #expect(store.metadataSaves == 1 && store.metadata["mine"] as? Int == 1)
    }

    @Test("a store moves into a file with all its objects; into an incremental store nothing moves (134070)")
    func moving() throws {
        let folder = try FileFolder()
        let store = coordinator.persistentStores[0]
        let moved = try coordinator.migratePersistentStore(store, to: folder.file("Copy"), withType: NSSQLiteStoreType)
        try coordinator.work { context throws in
            #expect(try #require(context.all("Club", "name == 'Chess'").first).names("members") == ["Ann", "Bob"])
        }
        let error = thrown {
            try coordinator.migratePersistentStore(moved, to: service.url, withType: ServiceStore.type.rawValue)
        }
        #expect(error?.code == NSPersistentStoreOperationError && coordinator.persistentStores == [moved])
    }
}
