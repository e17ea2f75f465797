import CoreData
import Testing

@Suite("Objects and their life")
struct LifecycleTests {
    @Test("an object is inserted, saved, and found again by another context and a reopened store")
    func insertSaveFetch() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Boston Celtics"])
            _ = context.insert("Player", ["name": "Wade", "age": 30, "team": team])
            #expect(team.isInserted && team.hasChanges && context.hasChanges)
            #expect(team.objectID.isTemporaryID)
            try context.save()
            #expect(!team.isInserted && !team.hasChanges && !context.hasChanges)
            #expect(!team.objectID.isTemporaryID)
            #expect(try context.all("Team").first === team)
        }
        try stack.work { context throws in
            let players = try context.all("Player", "team.name == 'Boston Celtics'")
            #expect(players.map { $0.string("name") } == ["Wade"])
            #expect(players.first?.value(forKey: "age") as? Int == 30)
        }
        try stack.reopened { context throws in
            #expect(try context.all("Team").first?.names("players") == ["Wade"])
        }
    }

    @Test("a fetched object is a fault until a property is read")
    func faulting() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            _ = context.insert("Team", ["name": "Heat"])
            try context.save()
        }
        try stack.work { context throws in
            let team = try #require(try context.all("Team").first)
            #expect(team.isFault)
            _ = (
                team.objectID, team.entity, team.isInserted, team.hasChanges, team.description, team.changedValues(),
                team.faultingState
            )
            #expect(team.isFault, "none of these fires a fault")
            #expect(team.hasFault(forRelationshipNamed: "players"))
            #expect(team.string("name") == "Heat")
            #expect(!team.isFault)
            context.refresh(team, mergeChanges: false)
            #expect(team.isFault)
            #expect(team.string("name") == "Heat")
        }
    }

    @Test("one context has one object per ID")
    func uniquing() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            #expect(try context.all("Team").first === team)
            #expect(context.object(with: team.objectID) === team)
            #expect(context.registeredObject(for: team.objectID) === team)
            #expect(try context.existingObject(with: team.objectID) === team)
            let other = stack.context()
            #expect(other.registeredObject(for: team.objectID) == nil)
            let twin = other.performAndWait { other.object(with: team.objectID) }
            #expect(twin !== team && twin.objectID == team.objectID && twin.isFault)
        }
    }

    @Test("an object that lost its row: existingObject throws 133000, a fault becomes a deleted object with nil values")
    func missingRows() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Team", ["name": "Heat"])
        let late = stack.context()
        let fault = late.performAndWait { late.object(with: id) }
        try stack.work { context throws in
            context.delete(context.object(with: id))
            try context.save()
        }
        late.performAndWait {
            #expect(fault.string("name") == nil)
            #expect(fault.isDeleted)
        }
        let error = stack.work { context in thrown { _ = try context.existingObject(with: id) } }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        #expect(error?.domain == NSCocoaErrorDomain)
    }

    @Test("changed, committed and unchanged values are told apart")
    func changedValues() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let player = context.insert("Player", ["name": "Wade", "age": 30])
            try context.save()
            #expect(player.changedValues().isEmpty)
            player.setValue(31, forKey: "age")
            #expect(player.isUpdated)
            #expect(player.changedValues()["age"] as? Int == 31)
            #expect(player.committedValues(forKeys: ["age"])["age"] as? Int == 30)
            #expect(player.hasPersistentChangedValues)
            try context.save()
            player.setValue(31, forKey: "age")
            #expect(player.isUpdated, "setting an equal value marks the object")
            #expect(!player.hasPersistentChangedValues, "and leaves nothing to write")
            try context.save()
            #expect(!player.hasChanges)
        }
    }

    @Test("isDeleted is true between delete and save; then the object has no context")
    func deletion() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let player = context.insert("Player", ["name": "Wade"])
            try context.save()
            let uri = stack.work { $0.object(with: player.objectID).objectID.uriRepresentation() }
            context.delete(player)
            #expect(player.isDeleted && context.deletedObjects == [player])
            #expect(try context.all("Player").isEmpty, "a fetch does not see it")
            try context.save()
            #expect(!player.isDeleted)
            #expect(player.managedObjectContext == nil)
            #expect(player.objectID.uriRepresentation() == uri)
            #expect(try context.all("Player").isEmpty)
        }
    }

    @Test("rollback needs no undo manager: inserted objects go, changed and deleted ones are as stored")
    func rollback() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let wade = context.insert("Player", ["name": "Wade"])
            let warner = context.insert("Player", ["name": "Warner"])
            try context.save()
            wade.setValue("Wayne", forKey: "name")
            context.delete(warner)
            let extra = context.insert("Player", ["name": "Extra"])
            context.rollback()
            #expect(!context.hasChanges)
            #expect(wade.string("name") == "Wade")
            #expect(!warner.isDeleted && extra.managedObjectContext == nil)
            #expect(try context.all("Player", sortedBy: "name").map { $0.string("name") } == ["Wade", "Warner"])
        }
    }

    @Test("a context lets go of unchanged objects without references, and keeps changed ones")
    func memory() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            for index in 0..<10 { _ = context.insert("Player", ["name": "\(index)"]) }
            #expect(context.registeredObjects.count == 10)
            try context.save()
            #expect(context.registeredObjects.isEmpty)
            try context.all("Player").first?.setValue("changed", forKey: "name")
            #expect(context.registeredObjects.count == 1)
            #expect(context.updatedObjects.first?.string("name") == "changed")
        }
    }

    @Test("transient attributes live in memory, survive a save and are never stored")
    func transientAttributes() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let player = context.insert("Player", ["name": "Wade", "mood": "glad"])
            try context.save()
            #expect(player.string("mood") == "glad")
            context.refresh(player, mergeChanges: false)
            #expect(player.string("mood") == nil)
        }
    }

    @Test("object IDs survive as URIs; a URI of an unknown store means nothing")
    func uris() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            #expect(team.objectID.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Team/t"))
            try context.save()
            let uri = team.objectID.uriRepresentation()
            #expect(uri.absoluteString.hasSuffix("/Team/p1"))
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == team.objectID)
            let foreign = try #require(URL(string: "x-coredata://9F1B2F37-0000-0000-0000-000000000000/Team/p1"))
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: foreign) == nil)
        }
    }

    @Test("values of every attribute type come back as they were, with the types that Apple's code casts to")
    func values() throws {
        let all = model(
            entity(
                "Value",
                [
                    attribute("i16", .integer16AttributeType), attribute("i32", .integer32AttributeType),
                    attribute("i64", .integer64AttributeType), attribute("flag", .booleanAttributeType),
                    attribute("double", .doubleAttributeType), attribute("float", .floatAttributeType),
                    attribute("decimal", .decimalAttributeType), attribute("text", .stringAttributeType),
                    attribute("date", .dateAttributeType), attribute("data", .binaryDataAttributeType),
                    attribute("uuid", .UUIDAttributeType), attribute("uri", .URIAttributeType),
                ]))
        let stack = try Stack(all)
        let uuid = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 123_456.789)
        let decimal = NSDecimalNumber(string: "123456789012.345")
        try stack.work { context throws in
            _ = context.insert(
                "Value",
                [
                    "i16": Int16.min, "i32": Int32.max, "i64": Int64.min, "flag": true, "double": Double.infinity,
                    "float": Float(1.5),
                    "decimal": decimal, "text": "Ünïcödé 🦊", "date": date, "data": Data([0, 1, 255]), "uuid": uuid,
                    "uri": URL(string: "https://example.com/a?b=c") as Any,
                ])
            try context.save()
        }
        try stack.reopened { context throws in
            let value = try #require(try context.all("Value").first)
            #expect(value.value(forKey: "i16") as? Int16 == .min)
            #expect(value.value(forKey: "i16") as? Int == Int(Int16.min))
            #expect(value.value(forKey: "i32") as? Int32 == .max)
            #expect(value.value(forKey: "i64") as? Int64 == .min)
            #expect(value.value(forKey: "flag") as? Bool == true)
            #expect(value.value(forKey: "double") as? Double == .infinity)
            #expect(value.value(forKey: "float") as? Float == 1.5)
            #expect(value.value(forKey: "decimal") as? NSDecimalNumber == decimal)
            #expect(value.value(forKey: "text") as? String == "Ünïcödé 🦊")
            #expect(value.value(forKey: "date") as? Date == date)
            #expect(value.value(forKey: "data") as? Data == Data([0, 1, 255]))
            #expect(value.value(forKey: "uuid") as? UUID == uuid)
            #expect(value.value(forKey: "uri") as? URL == URL(string: "https://example.com/a?b=c"))
        }
    }

    @Test("a deleted object has the ID that it had, after the save and without its context, asked for the first time")
    func idsOfDeletedObjects() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Team", ["name": "Heat"])
        let team = try stack.work { context throws in
            let team = try #require(try context.all("Team").first)
            context.delete(team)
            try context.save()
            #expect(team.managedObjectContext == nil)
            return team
        }
        #expect(team.objectID == id && team.objectID.uriRepresentation() == id.uriRepresentation())
        #expect(team.objectID.persistentStore === stack.coordinator.persistentStores.first)
        let store = try #require(stack.coordinator.persistentStores.first)
        try stack.coordinator.remove(store)
        #expect(team.objectID.persistentStore == nil && team.objectID == id)
    }

    @Test("an object equals itself alone: no other object, and no number that happens to be its address")
    func equality() throws {
        let stack = try Stack(LeagueModel.make())
        stack.work { context in
            let (heat, bulls) = (context.insert("Team"), context.insert("Team"))
            let address = UInt(bitPattern: Unmanaged.passUnretained(heat).toOpaque())
            #expect(heat.isEqual(heat) && heat == heat && heat.isEqual(heat as NSObject))
            #expect(!heat.isEqual(bulls) && heat != bulls && !heat.isEqual(nil) && !heat.isEqual("Heat"))
            #expect(!heat.isEqual(address) && !heat.isEqual((address, address)))
        }
    }
}
