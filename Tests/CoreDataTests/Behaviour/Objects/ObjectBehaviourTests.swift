import CoreData
import Testing

/// Objects: what is left of section 3 of the behaviour that users rely on, beside `LifecycleTests`.
@Suite("Objects behave as at Apple")
struct ObjectBehaviourTests {
    private func witnesses() throws -> Stack {
        try Stack(
            model(
                entity(
                    "Witness", className: "CoreDataTests.Witness",
                    [
                        attribute("name", .stringAttributeType),
                        attribute("mood", .stringAttributeType, transient: true),
                    ]),
                entity(
                    "Counter", className: "CoreDataTests.Counter",
                    [attribute("name", .stringAttributeType), attribute("count", .integer32AttributeType)])))
    }

    @Test("object(with:) does not ask the store, and registeredObject(for:) makes nothing")
    func objectWithID() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            let id = team.objectID
            context.delete(team)
            try context.save()
            return id
        }
        stack.work { context in
            #expect(context.registeredObject(for: id) == nil)
            let fault = context.object(with: id)
            #expect(fault.isFault && fault.objectID == id, "a fault, though there is no row")
            #expect(context.registeredObject(for: id) === fault)
        }
    }

    @Test("refresh keeps or drops what was changed here; the rest is as others saved it")
    func refreshing() throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        try context.performAndWait {
            let player = context.insert("Player", ["name": "Wade", "age": 30])
            try context.save()
            player.setValue("Dwyane", forKey: "name")
            try stack.work { other throws in
                other.object(with: player.objectID).setValue(31, forKey: "age")
                try other.save()
            }
            #expect(player.value(forKey: "age") as? Int == 30, "values stay until they are refreshed")
            context.refresh(player, mergeChanges: true)
            #expect(player.string("name") == "Dwyane" && player.value(forKey: "age") as? Int == 31)
            #expect(!player.isFault && player.isUpdated)
            context.refresh(player, mergeChanges: false)
            #expect(player.isFault && !player.hasChanges && !context.hasChanges)
            #expect(player.string("name") == "Wade")
        }
    }

    @Test("a fault that lost its row traps where it may not become a deleted object")
    func inaccessibleFault() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { context, player in
                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = context.persistentStoreCoordinator
                other.shouldDeleteInaccessibleFaults = false
                let fault = other.object(with: player.objectID)
                context.delete(player)
                try context.save()
                other.performAndWait { _ = fault.value(forKey: "name") }
            }
        }
        #expect(words(result).contains("could not fulfill a fault"))
    }

    @Test("an object's ID, entity and state do not fire its fault")
    func identityDoesNotFire() throws {
        let stack = try witnesses()
        try stack.work { context throws in
            _ = context.insert("Witness", ["name": "a"])
            try context.save()
        }
        try stack.work { context throws in
            let fault = try #require(try context.all("Witness").first as? Witness)
            let other = try #require(try context.all("Witness").first)
            _ = (fault.objectID.uriRepresentation(), fault.entity.name, fault.isFault, fault.faultingState)
            _ = (fault.isInserted, fault.isUpdated, fault.isDeleted, fault.hasChanges, fault.hash)
            _ = (fault.description, fault.isEqual(other), fault == other, fault.managedObjectContext)
            _ = (fault.changedValues(), fault.changedValuesForCurrentEvent(), fault.hasPersistentChangedValues)
            #expect(fault.isFault && fault.faultingState != 0 && fault.takeCalls().isEmpty)
            #expect(fault.description.contains("<fault>"))
            _ = fault.value(forKey: "name")
            #expect(!fault.isFault && fault.faultingState == 0)
        }
    }

    @Test("hooks are called in Apple's order, at each stage of an object's life")
    func hooks() throws {
        try witnesses().work { context throws in
            let witness = try #require(context.insert("Witness", ["name": "a"]) as? Witness)
            #expect(witness.takeCalls() == ["awakeFromInsert"])
            try context.save()
            #expect(witness.takeCalls() == ["willSave", "didSave"])
            context.refresh(witness, mergeChanges: false)
            #expect(witness.takeCalls() == ["willTurnIntoFault full", "didTurnIntoFault fault"])
            #expect(witness.string("name") == "a")
            #expect(witness.takeCalls() == ["awakeFromFetch"])
            #expect(witness.string("mood") == "woken" && !witness.hasChanges, "changes of awakeFromFetch are none")
            context.refresh(witness, mergeChanges: false)
            _ = (witness.string("name"), witness.takeCalls().last == "awakeFromFetch")
            witness.setValue("b", forKey: "name")
            context.delete(witness)
            #expect(witness.takeCalls() == ["prepareForDeletion b"])
            try context.save()
            #expect(witness.takeCalls().prefix(2) == ["willSave", "didSave"])
        }
    }

    @Test("willSave may change values, and is then asked again")
    func willSave() throws {
        let stack = try witnesses()
        try stack.work { context throws in
            let counter = context.insert("Counter", ["name": "three"])
            try context.save()
            #expect(counter.value(forKey: "count") as? Int == 3)
        }
        try stack.reopened { context throws in
            #expect(try context.all("Counter").first?.value(forKey: "count") as? Int == 3)
        }
    }

    @Test("a willSave that never comes to rest ends the program with a sentence, and does not hang")
    func endlessWillSave() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try ObjectBehaviourTests().witnesses().work { context throws in
                _ = context.insert("Counter", ["name": "endless"])
                try context.save()
            }
        }
        #expect(words(result).contains("willSave() kept changing objects for 1,000 rounds"))
        #expect(words(result).contains("Counter"))
    }

    @Test("the changes of an event are those of its own, not all that the object has")
    func changesOfTheEvent() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let player = context.insert("Player", ["name": "Wade", "age": 30])
            #expect(player.changedValuesForCurrentEvent().keys.sorted() == ["age", "name"])
            context.processPendingChanges()
            player.setValue(29, forKey: "age")
            #expect(player.changedValuesForCurrentEvent().keys.sorted() == ["age"])
            try context.save()
            player.setValue("Dwyane", forKey: "name")
            context.processPendingChanges()
            #expect(player.changedValuesForCurrentEvent().isEmpty)
            player.setValue(31, forKey: "age")
            #expect(player.changedValuesForCurrentEvent().keys.sorted() == ["age"])
            #expect(player.changedValues().keys.sorted() == ["age", "name"])
        }
    }

    @Test("key-value coding: operators, several values at once, members by proxies")
    func keyValueCoding() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let players = [("Wade", 30), ("Bosh", 28), ("Allen", 28)].map {
                context.insert("Player", ["name": $0.0, "age": $0.1])
            }
            heat.mutableSetValue(forKey: "players").addObjects(from: players)
            heat.mutableOrderedSetValue(forKey: "bench").addObjects(from: [players[2], players[0]])
            #expect(players[0].value(forKeyPath: "team.name") as? String == "Heat")
            #expect(heat.value(forKeyPath: "players.age") as? Set<Int> == [30, 28])
            #expect(heat.value(forKeyPath: "players.@sum.age") as? Int == 86)
            #expect(heat.value(forKeyPath: "players.@min.age") as? Int == 28)
            #expect((heat.value(forKeyPath: "players.@unionOfObjects.age") as? [Int])?.sorted() == [28, 28, 30])
            #expect((heat.value(forKeyPath: "players.@distinctUnionOfObjects.age") as? Set<Int>) == [28, 30])
            #expect((heat.value(forKeyPath: "bench.name") as? NSOrderedSet)?.array as? [String] == ["Allen", "Wade"])
            let values = players[1].dictionaryWithValues(forKeys: ["name", "age", "captainOf"])
            #expect(values["name"] as? String == "Bosh" && values["age"] as? Int == 28)
            #expect(values["captainOf"] is NSNull)
            players[1].setValue(heat, forKey: "captainOf")
            #expect(heat.object("captain") === players[1])
            players[1].setValue("Miami", forKeyPath: "team.name")
            #expect(heat.string("name") == "Miami")
        }
    }

    @Test("an unknown key traps, naming entity, key and what to do")
    func unknownKey() async {
        let reading = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { _, player in _ = player.value(forKey: "shoes") }
        }
        expectMessage(
            reading, "Player has no property \"shoes\"", "Correct the key, or override value(forUndefinedKey:).")
        let setting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { _, player in player.setValue(1, forKey: "shoes") }
        }
        expectMessage(
            setting, "Player has no property \"shoes\"", "Correct the key, or override setValue(_:forUndefinedKey:).")
    }

    /// An ID names the entity that its text names. The row may be of a subentity.
    @Test(
        "an object that gave way to one of the row's entity leaves its context like all others",
        arguments: [false, true])
    func displaced(byID: Bool) throws {
        let child = entity("Child", [])
        let parent = entity("Parent", [attribute("name", .stringAttributeType)], subentities: [child])
        let stack = try Stack(model(parent, child))
        let id = try stack.saved("Child", ["name": "A"])
        let text = id.uriRepresentation().absoluteString.replacingOccurrences(of: "/Child/", with: "/Parent/")
        let uri = try #require(URL(string: text))
        let asParent = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
        var old: NSManagedObject?
        try stack.work { context throws in
            let first = context.object(with: asParent)
            let second = byID ? try context.existingObject(with: id) : try context.all("Child").first
            #expect(first.entity.name == "Parent" && second?.entity.name == "Child")
            #expect(first.managedObjectContext === context)
            old = first
        }
        let others = (0..<50).map { _ in stack.context() }
        #expect(old != nil && old?.managedObjectContext == nil)
        old = nil
        withExtendedLifetime(others) {}
    }

    @Test("an entity name that the model lacks stops the program, naming it")
    func unknownEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { context, _ in _ = context.insert("Coach") }
        }
        #expect(words(result).contains("Coach"))
    }

    @Test("what an abstract entity has its subentities have; it can be fetched, and not be made")
    func abstractEntity() async throws {
        func people() throws -> Stack {
            let player = entity("Player", [attribute("name", .stringAttributeType)])
            let person = entity(
                "Person", abstract: true, [attribute("dateOfBirth", .dateAttributeType)], subentities: [player])
            return try Stack(model(person, player))
        }
        let date = Date(timeIntervalSinceReferenceDate: 7)
        try people().work { context throws in
            _ = context.insert("Player", ["name": "Wade", "dateOfBirth": date])
            try context.save()
            #expect(try context.all("Person").map { $0.value(forKey: "dateOfBirth") as? Date } == [date])
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let person = entity("Person", abstract: true, [attribute("dateOfBirth", .dateAttributeType)])
            try Stack(model(person)).work { context in _ = context.insert("Person") }
        }
        #expect(words(result).contains("Can't insert an object of the abstract entity Person"))
    }

    @Test("a value of the wrong class traps, naming property, entity, wanted and given type")
    func wrongClass() async {
        let attribute = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { _, player in player.setValue(7, forKey: "name") }
        }
        #expect(words(attribute).contains("Unacceptable type of value for attribute: property = \"name\""))
        #expect(words(attribute).contains("desired type = NSString; given type = Int; value = 7."))
        let relationship = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { context, player in player.setValue(context.insert("Player"), forKey: "team") }
        }
        #expect(words(relationship).contains("desired entity = Team; given entity = Player"))
    }

    @Test("an integer reads as its width and as a number; what is nil reads nil")
    func scalars() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let player = context.insert("Player", ["age": 30])
            #expect(player.value(forKey: "age") as? Int16 == 30 && player.value(forKey: "age") is NSNumber)
            player.setValue(nil, forKey: "age")
            #expect(player.value(forKey: "age") == nil)
        }
    }

    @Test("a transient relationship lives in memory, takes part in undo and is forgotten by a refresh")
    func transientRelationship() throws {
        let (guest, host) = (toOne("guest"), toOne("host"))
        (guest.isTransient, host.isTransient) = (true, true)
        let name = attribute("name", .stringAttributeType)
        let table = entity("Table", [name, guest])
        let person = entity("Person", [attribute("name", .stringAttributeType), host])
        connect(table, guest, person, host)
        let stack = try Stack(model(table, person))
        try stack.work { context throws in
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            manager.beginUndoGrouping()
            let (table, ann) = (context.insert("Table", ["name": "1"]), context.insert("Person", ["name": "Ann"]))
            manager.endUndoGrouping()
            try context.save()
            manager.beginUndoGrouping()
            table.setValue(ann, forKey: "guest")
            manager.endUndoGrouping()
            #expect(ann.object("host") === table, "the inverse follows")
            #expect(!table.hasPersistentChangedValues && table.hasChanges)
            context.undo()
            #expect(table.object("guest") == nil && ann.object("host") == nil)
            context.redo()
            #expect(table.object("guest") === ann)
            try context.save()
            #expect(table.object("guest") === ann, "a save keeps it")
            context.refresh(table, mergeChanges: false)
            #expect(table.object("guest") == nil)
        }
        try stack.reopened { context throws in #expect(try context.all("Table").first?.object("guest") == nil) }
    }

    @Test("a transient attribute with a stored one behind it, by custom accessors")
    func transientPair() throws {
        let stack = try Stack(
            model(
                entity(
                    "Painting", className: "CoreDataTests.Painting",
                    [
                        attribute("tone", .undefinedAttributeType, transient: true),
                        attribute("toneText", .stringAttributeType),
                    ])))
        try stack.work { context throws in
            let painting = try #require(context.insert("Painting") as? Painting)
            #expect(painting.tone == nil)
            painting.tone = Painting.Tone(red: 1, green: 2)
            #expect(painting.changedValues().keys.sorted() == ["toneText"])
            try context.save()
            painting.tone?.green = 7
            #expect(painting.isUpdated && painting.string("toneText") == "1/7")
            context.refresh(painting, mergeChanges: false)
            #expect(painting.tone == Painting.Tone(red: 1, green: 2), "computed anew from what is stored")
            #expect(!painting.hasChanges, "computing it changes nothing")
        }
    }

    @Test("an object keeps its identity when its ID becomes permanent, and its old ID leads to it no more by itself")
    func promotion() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let log = Collector(NSManagedObjectContext.didSaveObjectIDsNotification, of: context)
            let team = context.insert("Team", ["name": "Heat"])
            let temporary = team.objectID
            let names = [temporary: "Heat"]
            try context.save()
            #expect(!team.objectID.isTemporaryID && team.objectID != temporary)
            #expect(names[team.objectID] == nil, "a dictionary knows the old ID")
            #expect(context.registeredObject(for: team.objectID) === team)
            #expect(log.ids(NSInsertedObjectIDsKey) == [team.objectID])
        }
    }
}
