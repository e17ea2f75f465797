import CoreData
import Testing

@Suite("Child contexts")
struct ChildContextTests {
    /// A new team that the context has saved.
    private func savedTeam(in context: NSManagedObjectContext) throws -> NSManagedObject {
        try context.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            return team
        }
    }

    @Test("a child has its parent's coordinator, and knows its parent")
    func parentAndCoordinator() throws {
        let chain = try Chain(depth: 2)
        #expect(chain.last.parent === chain.child && chain.child.parent === chain.root && chain.root.parent == nil)
        #expect(chain.last.persistentStoreCoordinator === chain.stack.coordinator)
    }

    @Test("a fetch in a child sees its parent's unsaved insertions, changes and deletions")
    func fetching() throws {
        let chain = try Chain(depth: 2)
        let (kept, gone) = try chain.root.work { context throws in
            let teams = ["Heat", "Bulls", "Magic"].map { context.insert("Team", ["name": $0]) }
            try context.save()
            teams[1].setValue("Zebras", forKey: "name")
            context.delete(teams[2])
            _ = context.insert("Team", ["name": "Nets"])
            return (teams[1].objectID, teams[2].objectID)
        }
        try chain.last.work { context throws in
            #expect(try context.all("Team", sortedBy: "name").map { $0.string("name") } == ["Heat", "Nets", "Zebras"])
            #expect(try context.all("Team", "name BEGINSWITH 'Z'").map(\.objectID) == [kept])
            #expect(try context.all("Team", "name == 'Bulls'").isEmpty)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
            #expect(try context.count(for: request) == 3)
            request.fetchOffset = 2
            #expect(try context.count(for: request) == 1)
            #expect(thrown { _ = try context.existingObject(with: gone) }?.code == 133000)
            #expect(context.object(with: kept).string("name") == "Zebras")
            #expect(!context.hasChanges)
        }
    }

    @Test("a dictionary fetch sees what is in the store")
    func dictionaries() throws {
        let chain = try Chain()
        try chain.root.work { context throws in
            _ = context.insert("Team", ["name": "Heat"])
            try context.save()
            _ = context.insert("Team", ["name": "Bulls"])
        }
        try chain.child.work { context throws in
            let request = NSFetchRequest<NSDictionary>(entityName: "Team")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            #expect(try context.fetch(request).map { $0["name"] as? String } == ["Heat"])
        }
    }

    @Test("saving pushes one level up, and the root's save writes")
    func savingLevelByLevel() throws {
        let chain = try Chain(depth: 2)
        try chain.last.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            _ = context.insert("Player", ["name": "Wade", "age": 24, "mood": "calm", "team": team])
            try context.save()
            #expect(!context.hasChanges && !team.isInserted)
        }
        try chain.child.work { context throws in
            #expect(context.insertedObjects.count == 2)
            let player = try #require(try context.all("Player").first)
            #expect(player.object("team")?.names("players") == ["Wade"])
            #expect(player.string("mood") == "calm", "transient values are carried, too")
        }
        #expect(!chain.root.hasChanges)
        try chain.child.work { try $0.save() }
        #expect(chain.root.hasChanges)
        try chain.stack.reopened { context throws in #expect(try context.all("Player").isEmpty) }
        try chain.root.work { try $0.save() }
        try chain.stack.reopened { context throws in
            #expect(try context.all("Player").first?.object("team")?.string("name") == "Heat")
        }
    }

    @Test("a child's objects get permanent IDs with the root's save, and stay the same objects")
    func promotion() throws {
        let chain = try Chain(depth: 2)
        let (team, player) = chain.last.work { context in
            let team = context.insert("Team", ["name": "Heat"])
            return (team, context.insert("Player", ["name": "Wade", "team": team]))
        }
        let temporary = team.objectID
        #expect(temporary.isTemporaryID)
        try chain.saveAll()
        try chain.last.work { context throws in
            #expect(!team.objectID.isTemporaryID && !player.objectID.isTemporaryID)
            #expect(context.object(with: team.objectID) === team)
            #expect(try context.existingObject(with: player.objectID) === player)
            #expect(player.object("team") === team && team.names("players") == ["Wade"])
            #expect(try context.all("Team") == [team])
            player.setValue("Dwyane", forKey: "name")
        }
        try chain.saveAll()
        try chain.stack.reopened { context throws in
            let stored = try #require(try context.all("Player").first)
            #expect(stored.string("name") == "Dwyane")
            #expect(stored.objectID.uriRepresentation() == player.objectID.uriRepresentation())
        }
    }

    @Test("a grandchild knows what its parent saved by the permanent ID, once the root has given one")
    func promotedRows() throws {
        let chain = try Chain(depth: 2)
        let team = try savedTeam(in: chain.child)
        try chain.root.work { try $0.save() }
        let id = team.objectID
        try chain.last.work { context throws in
            let found = try #require(try context.all("Team").first)
            #expect(found.objectID == id && context.object(with: id) === found)
            #expect(found.string("name") == "Heat")
        }
        // With a change of its own the parent serves references first, and then rows.
        chain.child.work { _ = $0.insert("Team", ["name": "Bulls"]) }
        try chain.last.work { context throws in
            let ids = try context.all("Team", sortedBy: "name").map(\.objectID)
            #expect(ids.count == 2 && ids.last == id)
        }
    }

    @Test("obtainPermanentIDs goes through the chain, and every level has the same IDs")
    func obtainingIDs() throws {
        let chain = try Chain(depth: 2)
        let team = chain.last.work { $0.insert("Team", ["name": "Heat"]) }
        try chain.last.work { try $0.save() }
        let middle = try chain.child.work { try $0.all("Team")[0] }
        try chain.child.work { try $0.obtainPermanentIDs(for: [middle]) }
        let id = middle.objectID
        #expect(!id.isTemporaryID && middle.isInserted)
        chain.last.work { _ in #expect(team.objectID == id) }
        let other = chain.last.work { $0.insert("Team", ["name": "Bulls"]) }
        try chain.last.work { try $0.obtainPermanentIDs(for: [other]) }
        let otherID = other.objectID
        #expect(!otherID.isTemporaryID)
        try chain.saveAll()
        try chain.stack.reopened { context throws in
            let uris = try context.all("Team").map { $0.objectID.uriRepresentation() }
            #expect(Set(uris) == [id.uriRepresentation(), otherID.uriRepresentation()])
        }
    }

    @Test("a child's deletion deletes its parent's object, with the rules of what the parent has")
    func deleting() throws {
        let chain = try Chain()
        let own = try savedTeam(in: chain.root)
        let id = own.objectID
        // The child does not know this one.
        chain.root.work { _ = $0.insert("Player", ["name": "Wade", "team": own]) }
        let team = try chain.child.work { context throws in
            let team = context.object(with: id)
            context.delete(team)
            try context.save()
            #expect(!team.isDeleted && team.managedObjectContext == nil)
            return team
        }
        chain.root.work { context in
            #expect(context.object(with: id).isDeleted)
            #expect(context.insertedObjects.isEmpty, "the rule cascades")
        }
        try chain.root.work { try $0.save() }
        #expect(team.managedObjectContext == nil)
        try chain.stack.reopened { context throws in #expect(try context.all("Team").isEmpty) }
    }

    @Test("validation runs on each level, and a child that fails leaves its parent as it was")
    func validation() throws {
        let chain = try Chain()
        chain.child.work { context in
            _ = context.insert("Team")
            #expect(thrown { try context.save() }?.code == 1570)
            #expect(context.hasChanges)
        }
        #expect(!chain.root.hasChanges)
        chain.root.work { context in
            let team = context.insert("Team", ["name": "Heat"])
            team.setValue(nil, forKey: "name")
        }
        try chain.child.work { context throws in
            context.rollback()
            _ = context.insert("Team", ["name": "Bulls"])
            try context.save()
        }
        #expect(thrown { try chain.root.work { try $0.save() } }?.code == 1570)
    }

    @Test("what child and parent changed of one object is merged property by property; the child's change wins")
    func bothChanged() throws {
        let chain = try Chain()
        let mine = try chain.root.work { context throws in
            let player = context.insert("Player", ["name": "Wade", "age": 24])
            try context.save()
            return player
        }
        let theirs = try chain.child.work { try $0.all("Player")[0] }
        chain.child.work { _ in #expect(theirs.string("name") == "Wade") }
        chain.root.work { _ in
            mine.setValue(25, forKey: "age")
            mine.setValue("Dwyane", forKey: "name")
        }
        try chain.child.work { context throws in
            theirs.setValue("D. Wade", forKey: "name")
            try context.save()
            #expect(theirs.value(forKey: "age") as? Int == 25, "the child has its parent's values then")
        }
        chain.root.work { _ in
            #expect(mine.string("name") == "D. Wade" && mine.value(forKey: "age") as? Int == 25)
        }
    }

    @Test("a change of an object that is gone from the parent is a conflict, which the child's merge policy settles")
    func conflict() throws {
        for policy in [NSMergePolicy.error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump] {
            let chain = try Chain()
            let mine = try chain.root.work { context throws in
                let team = context.insert("Team", ["name": "Heat"])
                try context.save()
                return team
            }
            let theirs = try chain.child.work { context throws in
                context.mergePolicy = policy
                let team = try context.all("Team")[0]
                team.setValue("Bulls", forKey: "name")
                return team
            }
            chain.root.work { $0.delete(mine) }
            let error = chain.child.work { context in thrown { try context.save() } }
            switch policy.mergeType {
            case .errorMergePolicyType:
                #expect(error?.code == 133020)
                chain.child.work { _ in #expect(theirs.isUpdated) }
            case .mergeByPropertyStoreTrumpMergePolicyType:
                #expect(error == nil)
                chain.root.work { _ in #expect(mine.isDeleted) }
            default:
                #expect(error == nil)
                chain.root.work { _ in #expect(!mine.isDeleted && mine.string("name") == "Bulls") }
            }
        }
    }

    @Test("relationships are handed over, ordered ones in their order")
    func relationships() throws {
        let chain = try Chain(depth: 2)
        try chain.root.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            for name in ["a", "b", "c"] { _ = context.insert("Player", ["name": name, "team": team]) }
            _ = context.insert("Team", ["name": "Bulls"])
            try context.save()
        }
        try chain.last.work { context throws in
            let teams = try context.all("Team", sortedBy: "name")
            let players = try context.all("Player", sortedBy: "name")
            teams[1].setValue(NSOrderedSet(array: [players[2], players[0], players[1]]), forKey: "bench")
            players[0].setValue(teams[0], forKey: "team")
            players[1].setValue(NSSet(array: teams), forKey: "favourites")
            try context.save()
        }
        func check(_ context: NSManagedObjectContext) throws {
            let teams = try context.all("Team", sortedBy: "name")
            let bench = (teams[1].value(forKey: "bench") as? NSOrderedSet)?.array.compactMap {
                ($0 as? NSManagedObject)?.string("name")
            }
            #expect(bench == ["c", "a", "b"])
            #expect(teams[0].names("players") == ["a"] && teams[1].names("players") == ["b", "c"])
            #expect(teams.map { $0.names("fans") } == [["b"], ["b"]])
        }
        try chain.child.work { try check($0) }
        try chain.child.work { try $0.save() }
        try chain.root.work { try check($0) }
        try chain.root.work { try $0.save() }
        try chain.stack.reopened { try check($0) }
    }

    @Test("refresh, rollback and reset of a child bring back what the parent has")
    func lettingGo() throws {
        let chain = try Chain()
        let mine = chain.root.work { $0.insert("Player", ["name": "Wade", "mood": "calm"]) }
        let theirs = try chain.child.work { try $0.all("Player")[0] }
        chain.child.work { context in
            theirs.setValue("x", forKey: "name")
            theirs.setValue("angry", forKey: "mood")
            context.rollback()
            #expect(theirs.string("name") == "Wade" && theirs.string("mood") == nil && !context.hasChanges)
        }
        chain.root.work { _ in mine.setValue("Dwyane", forKey: "name") }
        chain.child.work { context in
            #expect(theirs.string("name") == "Wade", "a child keeps what it has loaded")
            theirs.setValue(30, forKey: "age")
            context.refresh(theirs, mergeChanges: true)
            #expect(theirs.string("name") == "Dwyane" && theirs.value(forKey: "age") as? Int == 30)
            context.refresh(theirs, mergeChanges: false)
            #expect(theirs.value(forKey: "age") == nil && theirs.string("mood") == nil)
            context.reset()
            #expect(context.registeredObjects.isEmpty)
        }
        #expect(chain.root.hasChanges)
    }

    @Test("a parent's refresh does not reach what its child changed")
    func parentsRefresh() throws {
        let chain = try Chain()
        let mine = try chain.root.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            return team
        }
        let theirs = try chain.child.work { try $0.all("Team")[0] }
        chain.child.work { _ in theirs.setValue("Bulls", forKey: "name") }
        chain.root.work { $0.refresh(mine, mergeChanges: false) }
        chain.child.work { _ in #expect(theirs.string("name") == "Bulls" && theirs.isUpdated) }
    }

    @Test("a child's save is a change of its parent: it tells its observers, and can be undone there")
    func parentsChange() throws {
        let chain = try Chain()
        chain.root.work { $0.undoManager = UndoManager() }
        let changes = Collector(.NSManagedObjectContextObjectsDidChange, of: chain.root)
        let saves = Collector(.NSManagedObjectContextDidSave, of: chain.child)
        let rootSaves = Collector(.NSManagedObjectContextDidSave, of: chain.root)
        let theirs = chain.child.work { $0.insert("Team", ["name": "Heat"]) }
        try chain.child.work { try $0.save() }
        let mine = try chain.root.work { try $0.all("Team")[0] }
        #expect(changes.objects(NSInsertedObjectsKey) == [mine])
        #expect(saves.objects(NSInsertedObjectsKey) == [theirs])
        #expect(rootSaves.payloads.isEmpty)
        chain.root.work { context in
            context.undo()
            #expect(!context.hasChanges && mine.managedObjectContext == nil)
        }
    }

    @Test("a child undoes its own changes, saved to its parent or not")
    func childsUndo() throws {
        let chain = try Chain()
        try chain.child.work { context throws in
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            manager.beginUndoGrouping()
            let team = context.insert("Team", ["name": "Heat"])
            manager.endUndoGrouping()
            try context.save()
            context.undo()
            #expect(team.isDeleted)
            try context.save()
            #expect(!chain.root.hasChanges)
            context.redo()
            try context.save()
            #expect(try chain.root.work { try $0.all("Team").count } == 1)
        }
        try chain.saveAll()
        try chain.stack.reopened { context throws in #expect(try context.all("Team").count == 1) }
    }

    @Test(
        "insertions with permanent IDs that are undone, redone and undone again leave no deletion of themselves behind")
    func undoWithPermanentIDs() throws {
        let chain = try Chain()
        try chain.child.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade", "team": team])
            try context.obtainPermanentIDs(for: [team, player])
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            manager.beginUndoGrouping()
            // So that the player goes before the team does. The team's side still says that the player is a member.
            player.setValue(25, forKey: "age")
            context.delete(team)
            manager.endUndoGrouping()
            context.undo()
            context.redo()
            #expect(context.deletedObjects.isEmpty, "nothing was ever saved")
            context.undo()
            #expect(context.deletedObjects.isEmpty)
            #expect(context.insertedObjects == [team, player] && team.names("players") == ["Wade"])
        }
        try chain.saveAll()
        try chain.stack.reopened { context throws in
            #expect(try context.all("Team").first?.names("players") == ["Wade"])
        }
    }

    @Test("a fault that had no row in the parent is not deleted there when the row is back by then")
    func faultWithoutARow() throws {
        let chain = try Chain()
        let team = try savedTeam(in: chain.root)
        chain.root.work { $0.delete(team) }
        let id = team.objectID
        chain.child.work { context in
            let fault = context.object(with: id)
            #expect(fault.string("name") == nil && fault.isDeleted)
        }
        chain.root.work { $0.rollback() }
        try chain.saveAll()
        #expect(team.managedObjectContext != nil)
        try chain.stack.reopened { context throws in #expect(try context.all("Team").count == 1) }
    }

    @Test("a result with a batch size comes from the parent, page by page")
    func batches() throws {
        let chain = try Chain()
        try chain.root.work { context throws in
            for number in 0..<50 { _ = context.insert("Player", ["name": "p\(number + 10)"]) }
            try context.save()
            _ = context.insert("Player", ["name": "p99"])
        }
        try chain.child.work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.fetchBatchSize = 7
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let names = try context.fetch(request).map { $0.string("name") }
            #expect(names == (10..<60).map { "p\($0)" } + ["p99"])
        }
    }

    @Test("a child relies on what it read: detectConflicts(for:) finds what its parent changed since")
    func relying() throws {
        let chain = try Chain()
        let mine = chain.root.work { $0.insert("Team", ["name": "Heat"]) }
        try chain.child.work { context throws in
            let team = try context.all("Team")[0]
            context.detectConflicts(for: team)
            _ = context.insert("Player", ["name": "Wade"])
            try context.save()
            context.detectConflicts(for: team)
            _ = context.insert("Player", ["name": "Shaq"])
            chain.root.work { _ in mine.setValue("Bulls", forKey: "name") }
            #expect(thrown { try context.save() }?.code == 133020)
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try context.save()
            #expect(team.string("name") == "Bulls")
        }
    }

    @Test("a sibling's save can be merged by its notification, unsaved objects included")
    func mergingSiblings() throws {
        let chain = try Chain()
        let sibling = chain.root.makeChild()
        let mine = try chain.child.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            return team
        }
        let theirs = try sibling.work { try $0.all("Team")[0] }
        sibling.work { _ in #expect(theirs.string("name") == "Heat") }
        let saves = Collector(.NSManagedObjectContextDidSave, of: chain.child)
        try chain.child.work { context throws in
            mine.setValue("Bulls", forKey: "name")
            try context.save()
            let note = Notification(
                name: .NSManagedObjectContextDidSave, object: context, userInfo: saves.payloads[0])
            sibling.work { $0.mergeChanges(fromContextDidSave: note) }
        }
        sibling.work { _ in #expect(theirs.string("name") == "Bulls") }
    }

    @Test("children take over what their parent merged from others, once the parent has it")
    func mergingDown() async throws {
        let chain = try Chain(depth: 2)
        let team = try chain.root.work { context throws in
            context.automaticallyMergesChangesFromParent = true
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            return team
        }
        let theirs = try chain.last.work { context throws in
            context.automaticallyMergesChangesFromParent = true
            return try context.all("Team")[0]
        }
        chain.child.work { $0.automaticallyMergesChangesFromParent = true }
        chain.last.work { _ in #expect(theirs.string("name") == "Heat") }
        chain.root.work { _ in #expect(team.string("name") == "Heat") }
        try chain.stack.work { context throws in
            context.object(with: team.objectID).setValue("Bulls", forKey: "name")
            try context.save()
        }
        // Each level hands it down on the next one's queue.
        for context in chain.contexts { await context.perform {} }
        chain.last.work { _ in #expect(theirs.string("name") == "Bulls") }
    }

    @Test("an object that a child assigned to a store goes there when the root saves")
    func assigning() throws {
        let chain = try Chain(depth: 2)
        let url = chain.stack.folder.appendingPathComponent("Second.sqlite")
        let second = try chain.stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let team = chain.last.work { context in
            let team = context.insert("Team", ["name": "Heat"])
            context.assign(team, to: second)
            return team
        }
        try chain.saveAll()
        #expect(team.objectID.persistentStore === second)
    }

    @Test("a late parent, a circle of parents and a coordinator for a child are refused with a sentence")
    func misuse() async throws {
        let objects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack(LeagueModel.make())
            let context = stack.context()
            context.performAndWait { _ = context.insert("Team") }
            context.parent = stack.context()
        }
        expectMessage(objects, "A context that has objects can't get another parent")
        let circle = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let chain = try Chain(depth: 2)
            chain.root.parent = chain.last
        }
        expectMessage(circle, "can't be its own parent's parent")
        let coordinator = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let chain = try Chain()
            chain.child.persistentStoreCoordinator = nil
        }
        expectMessage(coordinator, "A child context has its parent's coordinator")
    }

    @Test("an object that a child gave a permanent ID, and deleted before it saved, leaves no trace in the parent")
    func deletedBeforeItWasSaved() throws {
        let chain = try Chain()
        try chain.root.work { context throws in
            _ = context.insert("Team", ["name": "Heat"])
            try context.save()
        }
        try chain.child.work { context throws in
            let heat = try #require(try context.all("Team").first)
            let player = context.insert("Player", ["name": "Wade"])
            heat.mutableSetValue(forKey: "fans").add(player)
            try context.obtainPermanentIDs(for: [player])
            heat.mutableSetValue(forKey: "fans").remove(player)
            context.delete(player)
            heat.setValue("Bulls", forKey: "name")
            try context.save()
        }
        try chain.root.work { context throws in
            #expect(try context.all("Player").isEmpty && context.deletedObjects.isEmpty)
            #expect(try context.all("Team").map { $0.string("name") } == ["Bulls"])
            try context.save()
        }
    }

    @Test("children that merge by themselves take over what siblings save, and what their parent saves")
    func automaticMerging() async throws {
        let chain = try Chain()
        let sibling = chain.root.makeChild()
        let mine = try chain.root.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            return team
        }
        let theirs = try sibling.work { context throws in
            context.automaticallyMergesChangesFromParent = true
            return try context.all("Team")[0]
        }
        sibling.work { _ in #expect(theirs.string("name") == "Heat") }
        try chain.child.work { context throws in
            try context.all("Team")[0].setValue("Bulls", forKey: "name")
            _ = context.insert("Team", ["name": "Nets"])
            try context.save()
        }
        await sibling.perform {}
        sibling.work { _ in #expect(theirs.string("name") == "Bulls") }
        try chain.root.work { context throws in
            mine.setValue("Magic", forKey: "name")
            try context.save()
        }
        await sibling.perform {}
        sibling.work { _ in #expect(theirs.string("name") == "Magic") }
    }
}
