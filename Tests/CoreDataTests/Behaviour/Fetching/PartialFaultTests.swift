import CoreData
import Foundation
import Testing

/// Objects fetched with some of their properties.
@Suite("Partial faults")
struct PartialFaultTests {
    private func request(
        _ properties: [Any], sortedBy key: String = "age", _ format: String? = nil
    ) -> NSFetchRequest<NSManagedObject> {
        let request = PlayersByAge.request(0)
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        request.propertiesToFetch = properties
        request.predicate = format.map { NSPredicate(format: $0) }
        return request
    }

    /// Has another coordinator set a value of every player, behind everybody's back.
    private func set(_ key: String, _ value: Any, _ stack: Stack) throws {
        try stack.reopened { context throws in
            for player in try context.all("Player") { player.setValue(value, forKey: key) }
            try context.save()
        }
    }

    @Test(
        "what was named is there and leaves the object a fault; anything else reads the row, once the fetch is long over"
    )
    func reading() throws {
        let stack = try PlayersByAge.stack(3)
        try stack.reopened { context throws in
            let players = try context.fetch(request(["age", "team", "salary"]))
            try set("name", "new", stack)
            #expect(players.map { $0.value(forKey: "age") as? Int } == [0, 1, 2])
            #expect(players.allSatisfy { $0.object("team") != nil && $0.primitiveValue(forKey: "salary") == nil })
            #expect(players.allSatisfy { $0.isFault && $0.hasFault(forRelationshipNamed: "team") })
            // The name was not read with the rest: it is what the store has now.
            #expect(players[1].string("name") == "new")
            #expect(!players[1].isFault && players[0].isFault)
            #expect(players[1].value(forKey: "age") as? Int == 1 && players[1].value(forKey: "salary") == nil)
        }
    }

    @Test("every kind of value, nil included, is what it is in a whole object, subentities' too")
    func kinds() throws {
        let keys: [(String, NSAttributeType, any Hashable)] = [
            ("int", .integer32AttributeType, 7), ("flag", .booleanAttributeType, true),
            ("double", .doubleAttributeType, 2.5), ("text", .stringAttributeType, "tëxt"),
            ("date", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 9)),
            ("number", .decimalAttributeType, NSDecimalNumber(string: "1.25")), ("id", .UUIDAttributeType, UUID()),
            ("uri", .URIAttributeType, URL(string: "https://example.org")!),
            ("data", .binaryDataAttributeType, Data([1, 2, 3])),
        ]
        let item = entity(
            "Item",
            keys.map { attribute($0.0, $0.1) }
                + [DiaryModel.place, externalData("photo"), attribute("words", .transformableAttributeType)])
        item.subentities = [entity("Special", [attribute("extra", .stringAttributeType)])]
        let stack = try Stack(model(item, item.subentities[0]))
        let rest: [String: Any] = [
            "place": ["town": "Bern"], "photo": Data(repeating: 3, count: 200_000), "words": ["a", "b"] as NSArray,
        ]
        try stack.work { context throws in
            _ = context.insert("Item")
            _ = context.insert("Special", rest.merging(keys.map { ($0.0, $0.2) }) { $1 })
            try context.save()
        }
        let all = keys.map(\.0) + rest.keys
        // Each alone, then all but each.
        for wanted in all.map({ [$0] }) + all.map({ name in all.filter { $0 != name } }) {
            try stack.reopened { context throws in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                request.propertiesToFetch = wanted
                let objects = try context.fetch(request)
                for key in wanted {
                    let values = objects.map { "\($0.value(forKey: key) ?? "none")" }
                    let expected = rest[key] ?? keys.first { $0.0 == key }.map { $0.2 as Any } ?? "none"
                    #expect(
                        Set(values) == ["none", expected as? Bool == true ? "1" : "\(expected)"], "\(key) of \(wanted)")
                }
                #expect(objects.allSatisfy { $0.isFault }, "\(wanted)")
                for key in all where !wanted.contains(key) {
                    #expect(Set(objects.map { $0.value(forKey: key) == nil }) == [true, false], "\(key)")
                    #expect(objects.allSatisfy { !$0.isFault })
                }
            }
        }
    }

    @Test("pages and lazy results are partial faults too; children and asynchronous fetches have them")
    func otherWays() async throws {
        let stack = try PlayersByAge.stack(10)
        try stack.reopened { context throws in
            let paged = request(["age"])
            paged.fetchBatchSize = 4
            let players = try context.fetch(paged)
            #expect(players.map { $0.value(forKey: "age") as? Int } == Array(0..<10))
            #expect(players.allSatisfy { $0.isFault })
            #expect(players.allSatisfy { $0.string("name") == "old" } && players.allSatisfy { !$0.isFault })
        }
        try stack.reopened { context throws in
            let players = try context.results(of: request(["age"]))
            #expect(players.map { $0.value(forKey: "age") as? Int } == Array(0..<10))
            #expect(players.allSatisfy { $0.isFault && $0.string("name") == "old" })
        }
        try stack.reopened { context throws in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                let players = try child.fetch(request(["age"]))
                #expect(players.map { $0.value(forKey: "age") as? Int } == Array(0..<10))
                #expect(players.allSatisfy { $0.string("name") == "old" })
            }
        }
        let context = stack.context()
        let names = await withCheckedContinuation { continuation in
            context.perform {
                let fetch = NSAsynchronousFetchRequest(fetchRequest: request(["age"])) { result in
                    let players = result.finalResult ?? []
                    let areFaults = players.allSatisfy { $0.value(forKey: "age") != nil && $0.isFault }
                    continuation.resume(returning: players.map { "\($0.string("name") ?? "") \(areFaults)" })
                }
                do { try context.execute(fetch) } catch { continuation.resume(returning: ["\(error)"]) }
            }
        }
        #expect(names == Array(repeating: "old true", count: 10))
    }

    @Test("the row cache does not take a part of a row for the whole")
    func rowCache() throws {
        let stack = try PlayersByAge.stack(2)
        try stack.reopened { context throws in
            let parts = try context.fetch(request(["age"]))
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            try other.performAndWait {
                for part in parts {
                    #expect(try other.existingObject(with: part.objectID).string("name") == "old")
                }
                // Objects with whole rows go on having them.
                let whole = try other.fetch(request(["age"]))
                try set("name", "new", stack)
                #expect(whole.allSatisfy { $0.string("name") == "old" })
            }
        }
    }

    @Test("a partial fault is changed and saved like any other object")
    func changing() throws {
        let stack = try PlayersByAge.stack(3)
        try stack.reopened { context throws in
            let players = try context.fetch(request(["age"]))
            players[0].setValue(50, forKey: "age")
            #expect(players[0].changedValues().keys.sorted() == ["age"])
            #expect(players[0].committedValues(forKeys: nil)["name"] as? String == "old")
            players[1].setValue("other", forKey: "name")
            context.delete(players[2])
            try context.save()
            let all = try context.fetch(request(["name"], "age >= 0"))
            #expect(all.map { "\($0.string("name") ?? "") \($0.value(forKey: "age") ?? "")" } == ["other 1", "old 50"])
        }
        try stack.reopened { context throws in
            let players = try context.all("Player", sortedBy: "age")
            #expect(players.map { $0.string("name") } == ["other", "old"])
            #expect(try context.all("Team")[0].names("players") == ["old", "other"])
        }
    }

    @Test("what was fetched stays when others change the row, and a save sees the conflict; of what else was read, too")
    func conflicts() throws {
        for (key, value) in [("age", 77 as Any), ("name", "theirs")] {
            let stack = try PlayersByAge.stack(1)
            try stack.reopened { context throws in
                let player = try #require(try context.fetch(request(["age"])).first)
                try set(key, value, stack)
                // Fires the fault: the rest of the row is newer.
                player.setValue(NSDecimalNumber(value: 5), forKey: "salary")
                #expect(player.value(forKey: "age") as? Int == 0)
                #expect(player.string("name") == (key == "name" ? "theirs" : "old"))
                let error = thrown { try context.save() }
                #expect(error?.code == NSManagedObjectMergeError)
                context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                try context.save()
                let row = ["age": key == "age" ? 77 : 0, "salary": 5]
                for (key, value) in row { #expect(player.value(forKey: key) as? Int == value, "\(key)") }
            }
        }
    }

    @Test("deleting a partial fault that others have changed is a conflict")
    func deletedConflict() throws {
        let stack = try PlayersByAge.stack(1)
        try stack.reopened { context throws in
            let player = try #require(try context.fetch(request(["age"])).first)
            try set("name", "new", stack)
            context.delete(player)
            #expect(thrown { try context.save() }?.code == NSManagedObjectMergeError)
        }
    }

    @Test("overwriting an object that is known in part leaves alone what is not known of it")
    func overwriting() throws {
        let stack = try PlayersByAge.stack(1)
        try stack.reopened { context throws in
            context.mergePolicy = NSMergePolicy.overwrite
            let player = try #require(try context.fetch(request(["age"])).first)
            // The player is changed by it, and stays a fault.
            _ = context.insert("Team", ["name": "Jazz", "fans": NSSet(object: player)])
            try set("name", "new", stack)
            try set("age", 9, stack)
            try context.save()
        }
        try stack.reopened { context throws in
            let player = try #require(try context.all("Player").first)
            #expect(player.string("name") == "new" && player.value(forKey: "age") as? Int == 0)
            #expect(player.names("favourites") == ["Jazz"])
        }
    }

    @Test("a fault that lost its row is deleted when more of it is asked for")
    func gone() throws {
        let stack = try PlayersByAge.stack(1)
        try stack.reopened { context throws in
            let player = try #require(try context.fetch(request(["age"])).first)
            try stack.work { other throws in
                try other.all("Player").forEach(other.delete)
                try other.save()
            }
            #expect(player.value(forKey: "age") as? Int == 0 && !player.isDeleted)
            #expect(player.string("name") == nil && player.isDeleted)
            #expect(player.value(forKey: "age") == nil)
        }
    }

    @Test("refreshing, merging and a fetch of whole objects let go of the part")
    func refreshing() throws {
        let ways: [(String, (NSManagedObject, NSManagedObjectContext) throws -> Void)] = [
            ("refresh", { $1.refresh($0, mergeChanges: false) }), ("merge", { $1.refresh($0, mergeChanges: true) }),
            ("all", { $1.refreshAllObjects() }), ("fetch", { _ = try $1.all("Player") }),
            (
                "remote",
                {
                    NSManagedObjectContext.mergeChanges(
                        fromRemoteContextSave: [NSUpdatedObjectsKey: [$0.objectID]], into: [$1])
                }
            ),
        ]
        for (name, way) in ways {
            let stack = try PlayersByAge.stack(1)
            try stack.reopened { context throws in
                let player = try #require(try context.fetch(request(["age"])).first)
                try set("age", 9, stack)
                try way(player, context)
                #expect(player.value(forKey: "age") as? Int == 9, "\(name)")
                #expect(player.string("name") == "old" && player.isFault == false, "\(name)")
                player.setValue(10, forKey: "age")
                try context.save()
            }
        }
    }

    @Test("objects are whole where their values are asked for, refreshed, or not to be read at all")
    func options() throws {
        let stack = try PlayersByAge.stack(2)
        try stack.reopened { context throws in
            let request = request(["age"])
            request.returnsObjectsAsFaults = false
            let values = try context.fetch(request)
            try PlayersByAge.rename(stack)
            #expect(values.allSatisfy { !$0.isFault && $0.string("name") == "old" })
            request.returnsObjectsAsFaults = true
            request.shouldRefreshRefetchedObjects = true
            #expect(try context.fetch(request).allSatisfy { $0.string("name") == "new" })
        }
        try stack.reopened { context throws in
            let request = request(["age"])
            request.includesPropertyValues = false
            let faults = try context.fetch(request)
            try set("age", 5, stack)
            #expect(faults.allSatisfy { $0.value(forKey: "age") as? Int == 5 && !$0.isFault })
        }
    }

    @Test("relationships are prefetched with one query, whether they were named or not")
    func prefetching() throws {
        let stack = try PlayersByAge.stack(20)
        for properties in [["age"], ["age", "team"]] {
            try stack.reopened { context throws in
                let request = request(properties)
                request.relationshipKeyPathsForPrefetching = ["team.players"]
                let players = try context.fetch(request)
                #expect(players.allSatisfy { $0.object("team")?.isFault == false })
                #expect(players.allSatisfy { $0.isFault == (properties.count == 2) })
            }
        }
    }

    @Test("a results controller has what decides order and sections, and its objects stay faults")
    func controller() throws {
        let stack = try PlayersByAge.stack(10)
        try stack.reopened { context throws in
            let controller = NSFetchedResultsController(
                fetchRequest: request(["salary"]), managedObjectContext: context, sectionNameKeyPath: "name",
                cacheName: nil)
            try controller.performFetch()
            let players = controller.fetchedObjects ?? []
            #expect(players.count == 10 && controller.sections?.map(\.name) == ["old"])
            #expect(players.map { $0.value(forKey: "age") as? Int } == Array(0..<10))
            #expect(players.allSatisfy { $0.isFault })
        }
    }

    @Test("what is no stored attribute or to-one relationship is named in the error")
    func errors() throws {
        let stack = try PlayersByAge.stack(1)
        let expression = NSExpressionDescription()
        expression.name = "half"
        expression.expression = NSExpression(format: "age / 2")
        try stack.work { context throws in
            for (property, name) in [
                ("nothing" as Any, "nothing"), ("mood", "mood"), ("cousins", "cousins"), (expression, "half"),
                ("team.name", "team.name"),
            ] {
                let error = thrown { _ = try context.fetch(request(["age", property])) }
                #expect(error?.code == NSPersistentStoreOperationError, "\(name)")
                #expect(error?.localizedDescription.contains(name) == true, "\(error as Any)")
            }
            let description = try #require(context.all("Player").first?.entity.attributesByName["age"])
            #expect(try context.fetch(request([description])).first?.value(forKey: "age") as? Int == 0)
            #expect(try context.fetch(request([])).first?.string("name") == "old")
        }
    }
}
