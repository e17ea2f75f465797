import CoreData
import Foundation
import Testing

@Suite("Stores that are read and written as a whole: XML and binary files")
struct FileStoreTests {
    let folder: FileFolder
    let model = StoreKindModel.make()
    static let types = [NSXMLStoreType, NSBinaryStoreType]

    init() throws { folder = try FileFolder() }

    func url(_ name: String = "Store") -> URL { folder.file(name) }

    /// A coordinator that has saved one of everything.
    func filled(_ type: String, _ name: String = "Store") throws -> NSPersistentStoreCoordinator {
        let coordinator = try NSPersistentStoreCoordinator.opened(model, type, at: url(name))
        try coordinator.work { context throws in
            StoreKindModel.fill(context)
            try context.save()
        }
        return coordinator
    }

    func reopened<T>(_ type: String, _ block: (NSManagedObjectContext) throws -> T) throws -> T {
        let coordinator = try NSPersistentStoreCoordinator.opened(model, type, at: url())
        defer { coordinator.persistentStores.forEach { try? coordinator.remove($0) } }
        return try coordinator.work(block)
    }

    @Test("all values, relationships and their orders are there when the file is opened again", arguments: types)
    func roundTrip(type: String) throws {
        let before = try filled(type).work { try StoreKindModel.summary($0) }
        #expect(before.count == 8)
        #expect(try reopened(type) { try StoreKindModel.summary($0) } == before)
        #expect(folder.names == ["Store"])
    }

    @Test("an object keeps its URI, and deleted objects' keys are not given again", arguments: types)
    func keys(type: String) throws {
        let coordinator = try filled(type)
        let (uri, gone) = try coordinator.work { context throws in
            let tags = try context.all("Tag", sortedBy: "name")
            context.delete(tags[2])
            try context.save()
            return (tags[0].objectID.uriRepresentation(), tags[2].objectID.uriRepresentation())
        }
        try coordinator.remove(coordinator.persistentStores[0])
        try reopened(type) { context throws in
            let id = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
            #expect(try context.existingObject(with: id).string("name") == "x")
            let new = context.insert("Tag", ["name": "new"])
            try context.save()
            #expect(new.objectID.uriRepresentation() != gone)
            let old = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: gone))
            #expect(
                thrown { _ = try context.existingObject(with: old) }?.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("updates and deletions are written, and to-many relationships follow", arguments: types)
    func changes(type: String) throws {
        try filled(type).work { context throws in
            let box = try #require(context.all("Box", "name BEGINSWITH 'first'").first)
            box.setValue("renamed", forKey: "name")
            let full = try #require(context.all("Thing", "short == -7").first)
            full.setValue(nil, forKey: "date")
            try context.delete(#require(context.all("SmallThing").first))
            try context.delete(#require(context.all("Tag", "name == 'y'").first))
            try context.save()
        }
        try reopened(type) { context throws in
            let box = try #require(context.all("Box", "name == 'renamed'").first)
            #expect(box.names("tags") == ["x", "z"] && box.names("items", "text").count == 1)
            #expect((box.value(forKey: "steps") as? NSOrderedSet)?.count == 2)
            #expect(try context.all("Thing", "short == -7").first?.value(forKey: "date") == nil)
        }
    }

    @Test("a uniqueness constraint is kept: the save throws 133021 and writes nothing", arguments: types)
    func constraint(type: String) throws {
        let coordinator = try filled(type)
        let before = try Data(contentsOf: url())
        coordinator.work { context in
            _ = context.insert("Tag", ["name": "x"])
            #expect(thrown { try context.save() }?.code == NSManagedObjectConstraintMergeError)
        }
        #expect(try Data(contentsOf: url()) == before)
    }

    // MARK: Several openings

    @Test("a coordinator sees what another one has saved to the same file, and finds conflicts", arguments: types)
    func twoCoordinators(type: String) throws {
        let first = try filled(type)
        let second = try NSPersistentStoreCoordinator.opened(model, type, at: url())
        try first.work { a throws in
            let tag = try #require(a.all("Tag", "name == 'x'").first)
            try second.work { b throws in
                let same = try #require(b.all("Tag", "name == 'x'").first)
                #expect(same.string("name") == "x" && tag.string("name") == "x")
                same.setValue("theirs", forKey: "name")
                _ = b.insert("Tag", ["name": "new"])
                try b.save()
            }
            #expect(try a.all("Tag").count == 4)
            tag.setValue("mine", forKey: "name")
            _ = a.insert("Tag", ["name": "newer"])
            #expect(thrown { try a.save() }?.code == NSManagedObjectMergeError)
            a.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try a.save()
        }
        #expect(
            try reopened(type) { try $0.all("Tag", sortedBy: "name").map { $0.string("name") } } == [
                "mine", "new", "newer", "y", "z",
            ])
    }

    // MARK: Metadata

    @Test("metadata are those of the type, with the model's hashes; an app's are written by a save", arguments: types)
    func metadata(type: String) throws {
        let coordinator = try filled(type)
        let store = coordinator.persistentStores[0]
        store.metadata["when"] = Date(timeIntervalSinceReferenceDate: 5)
        try coordinator.work { try $0.save() }
        var read = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url())
        #expect(read[NSStoreTypeKey] as? String == type && read[NSStoreUUIDKey] as? String == store.identifier)
        #expect(read["when"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(read[NSStoreModelVersionHashesKey] as? [String: Data] == model.entityVersionHashesByName)
        #expect(read["_NSAutoVacuumLevel"] == nil)
        read["more"] = ["a", 1] as [Any]
        try NSPersistentStoreCoordinator.setMetadata(read, forPersistentStoreOfType: type, at: url())
        #expect(try reopened(type) { $0.persistentStoreCoordinator?.persistentStores[0].metadata["more"] } is [Any])
        store.metadata["bad"] = NSObject()
        #expect(thrown { try coordinator.work { try $0.save() } }?.code == NSPersistentStoreSaveError)
    }

    // MARK: What can't be opened

    @Test("no file 260, no folder 512, a folder 259, a damaged file 259, one of another type 259", arguments: types)
    func unreadable(type: String) throws {
        func code(_ url: URL, _ options: [AnyHashable: Any]? = nil) -> Int? {
            thrown { _ = try NSPersistentStoreCoordinator.opened(model, type, at: url, options: options) }?.code
        }
        #expect(code(url("none"), [NSReadOnlyPersistentStoreOption: true]) == 260)
        #expect(code(folder.file("no/such/Store")) == 512 && code(folder.url) == 259)
        try Data("nonsense".utf8).write(to: url("bad"))
        #expect(code(url("bad")) == 259)
        #expect(try Data(contentsOf: url("bad")) == Data("nonsense".utf8))
        _ = try filled(type == NSXMLStoreType ? NSBinaryStoreType : NSXMLStoreType, "other")
        #expect(code(url("other")) == 259)
        let noPlace = thrown {
            _ = try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(
                ofType: type, configurationName: nil, at: nil)
        }
        #expect(noPlace?.code == NSPersistentStoreOpenError && folder.names == ["bad", "other"])
    }

    @Test(
        "a store of another version of the model is refused (134100), or taken if versions are ignored",
        arguments: types)
    func otherVersion(type: String) throws {
        let coordinator = try filled(type)
        try coordinator.remove(coordinator.persistentStores[0])
        let newer = StoreKindModel.make()
        newer.entitiesByName["Tag"]?.properties.append(attribute("added", .stringAttributeType))
        let refusal = thrown { _ = try NSPersistentStoreCoordinator.opened(newer, type, at: url()) }
        #expect(refusal?.code == NSPersistentStoreIncompatibleVersionHashError)
        let ignoring = [NSIgnorePersistentStoreVersioningOption: true]
        let opened = try NSPersistentStoreCoordinator.opened(newer, type, at: url(), options: ignoring)
        #expect(try opened.work { try $0.all("Tag", "added == nil").count } == 3)
        let older = StoreKindModel.make()
        older.entitiesByName["Tag"]?.properties.removeAll { $0.name == "name" }
        older.entitiesByName["Tag"]?.uniquenessConstraints = []
        #expect(
            thrown { _ = try NSPersistentStoreCoordinator.opened(older, type, at: url(), options: ignoring) }?.code
                == 259)
    }

    @Test(
        "a read-only store is read and refuses saves with 513; a second opening in one coordinator 134080",
        arguments: types)
    func refusals(type: String) throws {
        let coordinator = try filled(type)
        #expect(
            thrown { try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url()) }?.code
                == NSPersistentStoreOpenError)
        let reader = try NSPersistentStoreCoordinator.opened(
            model, type, at: url(), options: [NSReadOnlyPersistentStoreOption: true])
        try reader.work { context throws in
            try #require(context.all("Tag").first).setValue("no", forKey: "name")
            #expect(thrown { try context.save() }?.code == 513)
        }
    }

    @Test("an XML store refuses a text with a character that XML does not have, and names it")
    func unwritable() throws {
        let coordinator = try filled(NSXMLStoreType)
        let before = try Data(contentsOf: url())
        try coordinator.work { context throws in
            let tag = context.insert("Tag", ["name": "bell \u{07}"])
            let error = thrown { try context.save() }
            #expect(error?.code == NSPersistentStoreSaveError)
            #expect(error?.localizedFailureReason?.contains("Tag.name has the character U+7") ?? false)
            #expect(try Data(contentsOf: url()) == before && tag.objectID.isTemporaryID)
            tag.setValue("bell", forKey: "name")
            try context.save()
        }
    }

    // MARK: Files

    @Test("destroying removes the file, and only a store's", arguments: types)
    func destroying(type: String) throws {
        let coordinator = try filled(type)
        try Data("nonsense".utf8).write(to: url("bad"))
        #expect(thrown { try coordinator.destroyPersistentStore(at: url("bad"), ofType: type) }?.code == 259)
        try coordinator.destroyPersistentStore(at: url("none"), ofType: type)
        try coordinator.destroyPersistentStore(at: url(), ofType: type)
        #expect(folder.names == ["bad"] && coordinator.persistentStores.isEmpty)
        try coordinator.destroyPersistentStore(
            at: url("bad"), ofType: type, options: [NSPersistentStoreForceDestroyOption: true])
        #expect(folder.names.isEmpty)
    }

    @Test("replacing makes a copy with the same UUID; a damaged source leaves the destination", arguments: types)
    func replacing(type: String) throws {
        let coordinator = try filled(type)
        try coordinator.replacePersistentStore(at: url("Copy"), withPersistentStoreFrom: url(), ofType: type)
        let copy = try NSPersistentStoreCoordinator.opened(model, type, at: url("Copy"))
        #expect(copy.persistentStores[0].identifier == coordinator.persistentStores[0].identifier)
        try Data("nonsense".utf8).write(to: url("bad"))
        let replace = { (source: URL) in
            thrown {
                try coordinator.replacePersistentStore(at: url("Copy"), withPersistentStoreFrom: source, ofType: type)
            }
        }
        #expect(replace(url("bad"))?.code == 259 && replace(url("none"))?.code == 260)
        #expect(try copy.work { try $0.all("Tag").count } == 3)
    }

    @Test("a file at a link is replaced where it is, and keeps its permissions", arguments: types)
    func links(type: String) throws {
        _ = try filled(type, "Real")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url("Real").path)
        try FileManager.default.createSymbolicLink(at: url(), withDestinationURL: url("Real"))
        try reopened(type) { context throws in
            _ = context.insert("Tag", ["name": "more"])
            try context.save()
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: url("Real").path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
        #expect(
            (try FileManager.default.attributesOfItem(atPath: url().path))[.type] as? FileAttributeType
                == .typeSymbolicLink)
        #expect(folder.names == ["Real", "Store"])
    }

    @Test("a binary store has its model in it")
    func cachedModel() throws {
        _ = try filled(NSBinaryStoreType)
        let stored = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url())
        #expect(stored?.entityVersionHashesByName == model.entityVersionHashesByName)
        _ = try filled(NSXMLStoreType, "xml")
        #expect(try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url("xml")) == nil)
    }

    @Test("derived attributes follow a save, also those of objects that it does not write", arguments: types)
    func derived(type: String) throws {
        let count = NSDerivedAttributeDescription()
        count.name = "count"
        count.attributeType = .integer64AttributeType
        count.derivationExpression = NSExpression(format: "members.@count")
        let upper = NSDerivedAttributeDescription()
        upper.name = "upper"
        upper.attributeType = .stringAttributeType
        upper.derivationExpression = NSExpression(format: "uppercase:(name)")
        let (members, club) = (toMany("members"), toOne("club"))
        let clubs = entity("Club", [attribute("name", .stringAttributeType), count, upper, members])
        let people = entity("Person", [club])
        connect(clubs, members, people, club)
        let coordinator = try NSPersistentStoreCoordinator.opened(CoreDataTests.model(clubs, people), type, at: url())
        try coordinator.work { context throws in
            let club = context.insert("Club", ["name": "chess"])
            try context.save()
            #expect(club.string("upper") == "CHESS" && club.value(forKey: "count") as? Int == 0)
            context.insert("Person").setValue(club, forKey: "club")
            try context.save()
            context.refreshAllObjects()
            #expect(club.value(forKey: "count") as? Int == 1)
            #expect(try context.all("Club", "count == 1 AND upper == 'CHESS'").count == 1)
        }
    }
}
