import CoreData
import Foundation
import Testing

@Suite("Fetched properties")
struct FetchedPropertyTests {
    /// Authors here and there. Their fetched property finds others by what they look for.
    private static func model(_ format: String, ascending: Bool = true) -> NSManagedObjectModel {
        let found = NSFetchedPropertyDescription()
        found.name = "found"
        found.userInfo = ["color": "Green"]
        let authors = entity(
            "Author",
            [
                attribute("name", .stringAttributeType), attribute("favoriteColor", .stringAttributeType),
                attribute("university", .stringAttributeType), attribute("searchTerm", .stringAttributeType), found,
            ])
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: ascending)]
        found.fetchRequest = request
        return CoreDataTests.model(authors)
    }

    private static let wanted =
        "university LIKE[c] $FETCH_SOURCE.searchTerm AND favoriteColor LIKE[c] $FETCHED_PROPERTY.userInfo.color"

    private func fill(_ context: NSManagedObjectContext) -> NSManagedObject {
        for (name, university, color) in [
            ("Ada", "Cambridge", "green"), ("Grace", "Cambridge", "Red"), ("Alan", "cambridge", "GREEN"),
            ("Linus", "Durham", "Green"),
        ] {
            _ = context.insert("Author", ["name": name, "university": university, "favoriteColor": color])
        }
        return context.insert("Author", ["name": "Reader", "searchTerm": "Cambridge"])
    }

    private func found(_ object: NSManagedObject) -> [String?] {
        (object.value(forKey: "found") as? [NSManagedObject] ?? []).map { $0.string("name") }
    }

    @Test("an array in its request's order, with the source and the property's user info in its predicate")
    func variables() throws {
        for (ascending, names) in [(true, ["Ada", "Alan"]), (false, ["Alan", "Ada"])] {
            try Stack(Self.model(Self.wanted, ascending: ascending)).work { context throws in
                let reader = fill(context)
                try context.save()
                #expect(found(reader) == names)
            }
        }
    }

    @Test("evaluated when first read, kept until the object is refreshed in either way, unsaved changes in it")
    func laziness() throws {
        try Stack(Self.model(Self.wanted)).work { context throws in
            let reader = fill(context)
            try context.save()
            _ = context.insert(
                "Author", ["name": "Zoe", "university": "Cambridge", "favoriteColor": "Green"])
            #expect(found(reader) == ["Ada", "Alan", "Zoe"], "unsaved objects are found")
            reader.setValue("Durham", forKey: "searchTerm")
            _ = context.insert("Author", ["name": "Eve", "university": "Durham", "favoriteColor": "Green"])
            #expect(found(reader) == ["Ada", "Alan", "Zoe"], "and what was found is kept")
            try context.save()
            #expect(found(reader) == ["Ada", "Alan", "Zoe"], "over a save, too")
            context.refresh(reader, mergeChanges: true)
            #expect(found(reader) == ["Eve", "Linus"])
            reader.setValue("Cambridge", forKey: "searchTerm")
            try context.save()
            context.refresh(reader, mergeChanges: false)
            #expect(found(reader) == ["Ada", "Alan", "Zoe"])
            #expect(!reader.hasChanges && reader.changedValues().isEmpty, "reading it changes nothing")
        }
    }

    @Test("it reaches into the other stores of its coordinator, and what it finds there stays where it is")
    func acrossStores() throws {
        let stack = try Stack(Self.model(Self.wanted))
        let second = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.appendingPathComponent("Second.sqlite"))
        let first = try #require(stack.coordinator.persistentStores.first)
        try stack.work { context throws in
            let reader = fill(context)
            context.assign(reader, to: first)
            for object in context.insertedObjects where object.string("name") == "Alan" {
                context.assign(object, to: second)
            }
            try context.save()
            #expect(found(reader) == ["Ada", "Alan"], "sorted over both stores")
            let objects = try #require(reader.value(forKey: "found") as? [NSManagedObject])
            #expect(objects.map { $0.objectID.persistentStore } == [first, second])
            context.reset()
            let again = try #require(try context.all("Author", "name == 'Reader'").first)
            #expect(found(again) == ["Ada", "Alan"])
        }
    }

    @Test("it can't be set, and takes no part in a predicate")
    func readOnly() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(FetchedPropertyTests.model("name != nil")).work { context in
                context.insert("Author").setValue([], forKey: "found")
            }
        }
        #expect(words(result).contains("The fetched property \"found\" of Author can't be set"))
        try Stack(Self.model(Self.wanted)).work { context throws in
            _ = fill(context)
            try context.save()
            #expect(thrown { _ = try context.all("Author", "found.@count > 0") }?.domain == NSCocoaErrorDomain)
        }
    }

    @Test(
        "a variable stands for a value, never for a part of the predicate's structure",
        arguments: [
            "name $OPERATOR 'Ada'", "$FETCH_SOURCE", "name == 'Ada' $AND favoriteColor == 'Green'",
        ])
    func structure(format: String) {
        #expect(throws: (any Error).self) { _ = try NSPredicate.parse(format) }
    }

    @Test("each context evaluates for itself; a child finds what its parent has not saved")
    func childContexts() throws {
        let stack = try Stack(Self.model(Self.wanted))
        let parent = stack.context()
        try parent.performAndWait {
            let reader = fill(parent)
            try parent.save()
            _ = parent.insert("Author", ["name": "Zoe", "university": "Cambridge", "favoriteColor": "Green"])
            let id = reader.objectID
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            child.performAndWait {
                let own = child.object(with: id)
                #expect(found(own) == ["Ada", "Alan", "Zoe"])
                let members = own.value(forKey: "found") as? [NSManagedObject] ?? []
                #expect(members.allSatisfy { $0.managedObjectContext === child })
            }
        }
    }
}
