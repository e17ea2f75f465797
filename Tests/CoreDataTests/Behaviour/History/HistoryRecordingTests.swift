import CoreData
import Foundation
import Testing

@Suite("Persistent history: what is recorded")
struct HistoryRecordingTests {
    private let stack: HistoryStack

    init() throws { stack = try HistoryStack() }

    // MARK: Saves

    @Test("a save records what it inserts, changes and deletes")
    func saves() throws {
        try stack.work { context throws in
            let players = (1...3).map { context.insert("Player", ["name": "P\($0)"]) }
            try context.save()
            players[0].setValue("Wade", forKey: "name")
            players[0].setValue(30, forKey: "age")
            context.delete(players[1])
            try context.save()
        }
        #expect(
            try stack.story() == [
                ["insert Player 1", "insert Player 2", "insert Player 3"],
                ["delete Player 2", "update Player 1 age,name"],
            ])
    }

    @Test("a transaction has its author, context, program, store, number and time")
    func origin() throws {
        let before = Date()
        try stack.work(author: "import", name: "worker") { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        try stack.work { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        let found = try stack.transactions()
        #expect(found.map(\.author) == ["import", nil])
        #expect(found.map(\.contextName) == ["worker", nil])
        #expect(found.map(\.transactionNumber) == [1, 2])
        let program = ProcessInfo.processInfo.processName
        for transaction in found {
            #expect(transaction.processID == program)
            #expect(transaction.bundleID == Bundle.main.bundleIdentifier ?? program)
            #expect(transaction.storeID == stack.coordinator.persistentStores[0].identifier)
            #expect(transaction.timestamp >= before && transaction.timestamp <= Date())
        }
    }

    @Test("relationships of both ends are among the changed properties, but for an unwritten transient one")
    func relationships() throws {
        let token = try stack.work { context throws in
            _ = context.insert("Team", ["name": "Heat"])
            _ = context.insert("Team", ["name": "Bulls"])
            _ = context.insert("Player", ["name": "Wade"])
            _ = context.insert("Sponsor", ["name": "Acme"])
            try context.save()
            return stack.token()
        }
        try stack.work { context throws in
            let teams = try context.all("Team", sortedBy: "name")
            let player = try #require(try context.all("Player", sortedBy: "name").first)
            player.setValue(teams[0], forKey: "team")
            player.setValue("sad", forKey: "mood")
            try context.save()
            teams[1].setValue(NSSet(array: try context.all("Sponsor", sortedBy: "name")), forKey: "sponsors")
            try context.save()
        }
        let bulls = try key(of: "Team", "Bulls")
        let heat = try key(of: "Team", "Heat")
        #expect(
            try stack.story(after: token) == [
                ["update Player 1 team", "update Team \(bulls) players"],
                ["update Sponsor 1 teams", "update Team \(heat) sponsors"],
            ])
    }

    private func key(of entity: String, _ name: String) throws -> String {
        try stack.work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: "name == %@", name)
            let object = try #require(try context.fetch(request).first)
            return String(object.objectID.uriRepresentation().lastPathComponent.dropFirst())
        }
    }

    @Test("an element of a composite attribute counts as the attribute")
    func composites() throws {
        try stack.work { context throws in
            let player = context.insert("Player", ["name": "Wade"])
            try context.save()
            player.setValue(["city": "Miami", "zip": 33101], forKey: "home")
            try context.save()
        }
        #expect(try stack.story().last == ["update Player 1 home"])
    }

    @Test("subentities have properties of their own and of their parents")
    func subentities() throws {
        try stack.work { context throws in
            let captain = context.insert("Captain", ["name": "Wade"])
            try context.save()
            captain.setValue(3, forKey: "speeches")
            captain.setValue(33, forKey: "age")
            try context.save()
        }
        #expect(try stack.story().last == ["update Captain 1 age,speeches"])
    }

    @Test("cascades and nullified relationships are recorded as the save writes them")
    func deleteRules() throws {
        let token = try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            _ = context.insert("Player", ["name": "Wade", "team": team])
            _ = context.insert("Note", ["text": "x", "team": team])
            try context.save()
            let token = stack.token()
            context.delete(team)
            try context.save()
            return token
        }
        #expect(
            try stack.story(after: token) == [["delete Note 1", "delete Team 1", "update Player 1 team"]])
    }

    @Test("a save without changes, one that fails, and transient values record nothing")
    func nothing() throws {
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade"])
            try context.save()
            try context.save()
            player.setValue("sad", forKey: "mood")
            try context.save()
            player.setValue("Wade", forKey: "name")
            try context.save()
            _ = context.insert("Team", ["name": "Heat"])
            #expect(throws: CocoaError.self) { try context.save() }
            context.rollback()
            team.setValue("red", forKey: "color")
            try context.save()
        }
        #expect(try stack.story() == [["insert Player 1", "insert Team 1"], ["update Team 1 color"]])
        #expect(try stack.transactions().map(\.transactionNumber) == [1, 2])
    }

    @Test("a child's changes are recorded when the parent saves, with the parent's author")
    func children() throws {
        let parent = stack.context(author: "parent")
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        child.transactionAuthor = "child"
        try child.performAndWait {
            _ = child.insert("Player", ["name": "Wade"])
            try child.save()
        }
        #expect(try stack.story() == [])
        try parent.performAndWait { try parent.save() }
        #expect(try stack.story() == [["insert Player 1"]])
        #expect(try stack.transactions().map(\.author) == ["parent"])
    }

    // MARK: Tombstones

    @Test("a deletion keeps the values that the model asks for, and no others")
    func tombstones() throws {
        let model = BatchLeague.make()
        let player = try #require(model.entitiesByName["Player"])
        let kept = ["age", "code", "home", "isActive", "joined", "name", "page", "photo", "rating", "salary", "tags"]
        for key in kept { player.attributesByName[key]?.preservesValueInHistoryOnDeletion = true }
        let stack = try HistoryStack(model)
        let (code, date) = (UUID(), Date(timeIntervalSinceReferenceDate: 1000))
        let values: [String: Any] = [
            "name": "Wade", "age": 30, "rating": 4.5, "salary": NSDecimalNumber(string: "1.25"), "joined": date,
            "isActive": false, "code": code, "page": URL(string: "https://example.org/wade")!,
            "tags": ["a", "b"] as NSArray, "photo": Data(count: 200_000),
        ]
        try stack.work { context throws in
            let player = context.insert("Player", values)
            let captain = context.insert("Captain", ["name": "Udonis"])
            try context.save()
            context.delete(player)
            context.delete(captain)
            try context.save()
        }
        let changes = try stack.transactions().flatMap { $0.changes ?? [] }
        #expect(changes.filter { $0.changeType == .insert }.allSatisfy { $0.tombstone == nil })
        let deletions = changes.filter { $0.changeType == .delete }
        #expect(deletions.allSatisfy { $0.updatedProperties == nil })
        let tombstone = try #require(deletions.first { $0.changedObjectID.entity.name == "Player" }?.tombstone)
        #expect(tombstone["name"] as? String == "Wade")
        #expect(tombstone["age"] as? Int == 30)
        #expect(tombstone["rating"] as? Double == 4.5)
        #expect(tombstone["salary"] as? NSDecimalNumber == NSDecimalNumber(string: "1.25"))
        #expect(tombstone["joined"] as? Date == date)
        #expect(tombstone["isActive"] as? Bool == false)
        #expect(tombstone["code"] as? UUID == code)
        #expect(tombstone["page"] as? URL == URL(string: "https://example.org/wade"))
        #expect(tombstone["tags"] as? [String] == ["a", "b"])
        // The file of external data is gone, and composite attributes have no column.
        #expect(tombstone["photo"] == nil && tombstone["home"] == nil)
        let other = try #require(deletions.first { $0.changedObjectID.entity.name == "Captain" }?.tombstone)
        #expect(other["name"] as? String == "Udonis")
        #expect(Set(other.keys) == ["age", "isActive", "name"])
    }

    @Test("without such attributes a deletion has no tombstone")
    func noTombstone() throws {
        try stack.work { context throws in
            let player = context.insert("Player")
            try context.save()
            context.delete(player)
            try context.save()
        }
        #expect(try stack.transactions().last?.changes?.first?.tombstone == nil)
    }

    // MARK: Batches

    @Test("batch insertions are recorded, updates for a constraint among them")
    func batchInsertions() throws {
        try stack.work(author: "batch") { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let rows = ["Heat", "Bulls", "Heat"].enumerated().map { ["name": $1, "points": $0] as [String: Any] }
            #expect(try context.count(NSBatchInsertRequest(entityName: "Team", objects: rows)) == 3)
        }
        #expect(try stack.story() == [["insert Team 1", "insert Team 2", "update Team 1 name,points"]])
        #expect(try stack.transactions().map(\.author) == ["batch"])
    }

    @Test("batch updates and deletions are recorded, with what rules delete")
    func batchChanges() throws {
        let token = try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            for name in ["P1", "P2"] { _ = context.insert("Player", ["name": name, "team": team]) }
            _ = context.insert("Captain", ["name": "P3"])
            _ = context.insert("Note", ["text": "x", "team": team])
            try context.save()
            return stack.token()
        }
        try stack.work { context throws in
            _ = try context.execute(NSManagedObjectContext.update("Player", ["age": 30, "name": "P"]))
            #expect(try context.count("Player") == 3)
            _ = try context.execute(NSManagedObjectContext.deletion("Team"))
            _ = try context.execute(NSManagedObjectContext.deletion("Note", "FALSEPREDICATE"))
        }
        let story = try stack.story(after: token)
        #expect(story.count == 2)
        let kinds = story.first?.map { change in
            change.split(separator: " ").enumerated().filter { $0.offset != 2 }.map { String($0.element) }
        }
        #expect(
            kinds == [["update", "Captain", "age,name"]]
                + [["update", "Player", "age,name"], ["update", "Player", "age,name"]])
        #expect(story.last == ["delete Note 1", "delete Team 1"])
    }

    // MARK: Stores without tracking

    @Test("a store without the option records nothing, and asking for its history throws 134091")
    func off() throws {
        let plain = try Stack(BatchLeague.make())
        try plain.work { context throws in
            _ = context.insert("Player")
            try context.save()
            #expect {
                try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
            } throws: { ($0 as NSError).code == NSPersistentStoreUnsupportedRequestTypeError }
        }
        #expect(plain.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    }

    @Test("a store with history that is opened without the option is read-only, and its history can be read")
    func readOnly() throws {
        try stack.work { context throws in
            _ = context.insert("Player", ["name": "Wade"])
            try context.save()
        }
        try stack.reopened(nil) { context throws in
            #expect(context.persistentStoreCoordinator?.persistentStores.first?.isReadOnly == true)
            #expect(try context.transactions(.fetchHistory(after: Date.distantPast)).count == 1)
            let player = try #require(try context.all("Player", sortedBy: "name").first)
            player.setValue("Bosh", forKey: "name")
            #expect {
                try context.save()
            } throws: {
                let error = $0 as NSError
                return error.code == 513
                    && error.localizedFailureReason?.contains("NSPersistentHistoryTrackingKey") == true
            }
        }
        try stack.reopened { context throws in
            let player = try #require(try context.all("Player", sortedBy: "name").first)
            #expect(player.value(forKey: "name") as? String == "Wade")
            player.setValue("Bosh", forKey: "name")
            try context.save()
        }
        #expect(try stack.story().last == ["update Player 1 name"])
    }

    @Test("a store that was made without the option records changes from the time on that it is opened with it")
    func later() throws {
        let plain = try Stack(BatchLeague.make())
        _ = try plain.saved("Player", ["name": "Wade"])
        let other = NSPersistentStoreCoordinator(managedObjectModel: plain.coordinator.managedObjectModel)
        for store in plain.coordinator.persistentStores { try plain.coordinator.remove(store) }
        try other.addPersistentStore(
            ofType: testedStoreType, configurationName: nil, at: plain.storeURL, options: HistoryStack.options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        try context.performAndWait {
            let player = context.insert("Player")
            try context.save()
            let changes = try context.changes(.fetchHistory(after: Date.distantPast))
            #expect(changes.map(\.changedObjectID) == [player.objectID])
            #expect(changes.map(\.changeType) == [.insert])
        }
    }
}
