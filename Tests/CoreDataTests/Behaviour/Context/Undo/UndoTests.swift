import CoreData
import Testing

/// A context with an undo manager. The test closes the manager's groups: each block is what one `undo()` takes back.
private struct UndoStack {
    let stack: Stack
    let context: NSManagedObjectContext
    let manager = UndoManager()

    init(_ model: NSManagedObjectModel = LeagueModel.make()) throws {
        stack = try Stack(model)
        context = stack.context()
        manager.groupsByEvent = false
        context.undoManager = manager
    }

    func group<T>(_ body: () throws -> T) rethrows -> T { try manager.group(body) }

    func run(_ body: (UndoStack) throws -> Void) rethrows { try context.performAndWait { try body(self) } }
}

@Suite("Undo")
struct UndoTests {
    @Test("a context has no undo manager unless it is given one, as on iOS; then undo and redo do nothing")
    func noManager() throws {
        try Stack(LeagueModel.make()).work { context throws in
            #expect(context.undoManager == nil)
            let team = context.insert("Team", ["name": "Heat"])
            context.undo()
            context.redo()
            #expect(team.isInserted)
        }
    }

    @Test("a changed attribute gets its old value back, and the object is unchanged again")
    func attribute() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            try context.save()
            undo.group {
                team.setValue("Lakers", forKey: "name")
                team.setValue("Bulls", forKey: "name")
            }
            context.undo()
            #expect(team.string("name") == "Heat")
            #expect(!team.hasChanges && !context.hasChanges)
            context.redo()
            #expect(team.string("name") == "Bulls")
            #expect(team.isUpdated && context.hasChanges)
        }
    }

    @Test("an undone insertion is out of its context, a redone one is the same object with the same ID")
    func insertion() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            let id = team.objectID
            context.undo()
            #expect(team.managedObjectContext == nil)
            #expect(!context.hasChanges)
            #expect(try context.all("Team").isEmpty)
            context.redo()
            #expect(try context.all("Team") == [team])
            #expect(team.isInserted && team.objectID == id && team.string("name") == "Heat")
            try context.save()
            try undo.stack.reopened { context throws in #expect(try context.all("Team").count == 1) }
        }
    }

    @Test("an undone deletion brings back what its rules cascaded to and nullified")
    func deletion() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            let player = context.insert("Player", ["name": "Wade", "team": team])
            let fan = context.insert("Player", ["name": "Spike", "favourites": NSSet(object: team)])
            undo.group { context.processPendingChanges() }
            try context.save()
            undo.group { context.delete(team) }
            #expect(player.isDeleted)
            #expect(fan.names("favourites").isEmpty)
            context.undo()
            #expect(!team.isDeleted && !player.isDeleted && !context.hasChanges)
            #expect(team.names("players") == ["Wade"])
            #expect(player.object("team") === team)
            #expect(fan.names("favourites") == ["Heat"])
            context.redo()
            #expect(team.isDeleted && player.isDeleted && fan.names("favourites").isEmpty)
            try context.save()
            try undo.stack.reopened { context throws in
                #expect(try context.all("Team").isEmpty)
                #expect(try context.all("Player").count == 1)
            }
        }
    }

    @Test("to-one, to-many and ordered relationships go back on both sides, order included")
    func relationships() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let (heat, bulls) = undo.group {
                (context.insert("Team", ["name": "Heat"]), context.insert("Team", ["name": "Bulls"]))
            }
            let players = undo.group { ["a", "b", "c"].map { context.insert("Player", ["name": $0, "team": heat]) } }
            undo.group { heat.setValue(NSOrderedSet(array: players), forKey: "bench") }
            undo.group { players[0].setValue(bulls, forKey: "team") }
            undo.group { heat.mutableOrderedSetValue(forKey: "bench").moveObjects(at: [0], to: 2) }
            undo.group { heat.mutableSetValue(forKey: "players").remove(players[1]) }
            undo.group { heat.mutableOrderedSetValue(forKey: "bench").remove(players[2]) }
            func bench() -> [String] {
                (heat.value(forKey: "bench") as? NSOrderedSet)?.array.compactMap {
                    ($0 as? NSManagedObject)?.string("name")
                } ?? []
            }
            #expect(bench() == ["b", "a"])
            context.undo()
            #expect(bench() == ["b", "c", "a"])
            #expect(players[2].object("benchOf") === heat)
            context.undo()
            #expect(heat.names("players") == ["b", "c"])
            #expect(players[1].object("team") === heat)
            context.undo()
            #expect(bench() == ["a", "b", "c"])
            context.undo()
            #expect(heat.names("players") == ["a", "b", "c"])
            #expect(bulls.names("players").isEmpty)
            context.undo()
            #expect(bench().isEmpty && players[0].object("benchOf") == nil)
            for _ in 0..<5 { context.redo() }
            #expect(bench() == ["b", "a"] && heat.names("players") == ["c"] && bulls.names("players") == ["a"])
        }
    }

    @Test("undo across a save is a new change against the saved row")
    func acrossSave() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            undo.group { team.setValue("Bulls", forKey: "name") }
            try context.save()
            context.undo()
            #expect(team.string("name") == "Heat")
            #expect(team.isUpdated && context.hasChanges)
            #expect(team.committedValues(forKeys: ["name"])["name"] as? String == "Bulls")
            try context.save()
            try undo.stack.reopened { context throws in #expect(try context.all("Team").first?.string("name") == "Heat")
            }
        }
    }

    @Test("undoing a saved insertion deletes the object, redoing inserts it again under its ID")
    func savedInsertion() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            try context.save()
            let id = team.objectID
            context.undo()
            #expect(team.isDeleted)
            try context.save()
            #expect(team.managedObjectContext == nil)
            context.redo()
            #expect(team.isInserted && team.objectID == id && team.managedObjectContext === context)
            try context.save()
            try undo.stack.reopened { other throws in
                #expect(try other.all("Team").map { $0.objectID.uriRepresentation() } == [id.uriRepresentation()])
            }
        }
    }

    @Test("undoing a saved deletion inserts the very object again, with its ID, its values and its relationships")
    func savedDeletion() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let (team, player) = undo.group {
                let team = context.insert("Team", ["name": "Heat"])
                return (team, context.insert("Player", ["name": "Wade", "age": 24, "team": team]))
            }
            try context.save()
            let ids = [team.objectID, player.objectID]
            undo.group { context.delete(team) }
            try context.save()
            #expect(player.managedObjectContext == nil)
            context.undo()
            #expect(team.isInserted && player.isInserted)
            #expect([team.objectID, player.objectID] == ids)
            #expect(player.object("team") === team && team.names("players") == ["Wade"])
            try context.save()
            try undo.stack.reopened { context throws in
                let player = try #require(try context.all("Player").first)
                #expect(player.value(forKey: "age") as? Int == 24)
                #expect(player.object("team")?.string("name") == "Heat")
            }
        }
    }

    @Test("an object that comes back twice is the member that a set shows which was read before")
    func deletedAgain() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let (team, player) = undo.group {
                let team = context.insert("Team", ["name": "Heat"])
                return (team, context.insert("Player", ["name": "Wade", "team": team]))
            }
            try context.save()
            undo.group { context.delete(player) }
            try context.save()
            context.undo()
            let players = try #require(team.value(forKey: "players") as? NSSet)
            #expect(players.contains(player))
            // Only the team has a row by now.
            undo.group { context.delete(team) }
            #expect(team.isDeleted && player.managedObjectContext == nil)
            context.undo()
            #expect(team.value(forKey: "players") as? NSSet == [player])
            #expect(context.registeredObject(for: player.objectID) === player)
            try context.save()
            try undo.stack.reopened { context throws in
                #expect(try context.all("Team").first?.names("players") == ["Wade"])
            }
        }
    }

    @Test("what changes between two points of processing is undone together; a manager's groups join several")
    func events() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            manager.beginUndoGrouping()
            let team = context.insert("Team", ["name": "Heat"])
            context.processPendingChanges()
            team.setValue("Bulls", forKey: "name")
            manager.endUndoGrouping()
            #expect(manager.undoCount == 1)
            manager.undo()
            #expect(team.managedObjectContext == nil)
        }
    }

    @Test("each block of perform is an event of its own")
    func performIsAnEvent() async throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        await context.perform {
            context.undoManager = UndoManager()
            _ = context.insert("Team", ["name": "Heat"])
        }
        await context.perform { _ = context.insert("Team", ["name": "Bulls"]) }
        let names = try await context.perform { () throws in
            #expect(context.undoManager?.undoCount == 2)
            context.undo()
            return try context.all("Team").map { $0.string("name") }
        }
        #expect(names == ["Heat"])
    }

    @Test("a turn of the main queue is an event of a main-queue context") @MainActor
    func mainQueueTurn() async throws {
        let stack = try Stack(LeagueModel.make())
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.undoManager = UndoManager()
        for name in ["Heat", "Bulls"] {
            _ = context.insert("Team", ["name": name])
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        }
        #expect(context.undoManager?.undoCount == 2)
        context.undo()
        #expect(try context.all("Team").map { $0.string("name") } == ["Heat"])
    }

    @Test("levels of undo, action names and disabled registration are the manager's")
    func managersOwn() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            undo.manager.levelsOfUndo = 2
            let team = undo.group { context.insert("Team", ["name": "a"]) }
            for name in ["b", "c", "d"] {
                undo.group {
                    team.setValue(name, forKey: "name")
                    undo.manager.setActionName("Rename to \(name)")
                }
            }
            #expect(undo.manager.undoMenuItemTitle == "Undo Rename to d")
            for _ in 0..<4 { context.undo() }
            #expect(team.string("name") == "b")
            #expect(undo.manager.redoActionName == "Rename to c")
            context.processPendingChanges()
            undo.manager.disableUndoRegistration()
            team.setValue("secret", forKey: "name")
            context.processPendingChanges()
            undo.manager.enableUndoRegistration()
            #expect(!undo.manager.canUndo)
            #expect(team.string("name") == "secret")
        }
    }

    @Test("rollback and reset empty the undo manager")
    func rollbackAndReset() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            try context.save()
            undo.group { team.setValue("Bulls", forKey: "name") }
            context.rollback()
            #expect(team.string("name") == "Heat")
            #expect(!undo.manager.canUndo && !undo.manager.canRedo)
            undo.group { team.setValue("Bulls", forKey: "name") }
            context.reset()
            #expect(!undo.manager.canUndo)
            undo.manager.undo()
            #expect(!context.hasChanges)
        }
    }

    @Test("the change notification after undoing says which objects came, went and changed")
    func notifications() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            nonisolated(unsafe) var last: [String: Set<NSManagedObject>] = [:]  // posted on this queue
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { last = $0.userInfo as? [String: Set<NSManagedObject>] ?? [:] }
            defer { NotificationCenter.default.removeObserver(observer) }
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            context.undo()
            #expect(last == [NSDeletedObjectsKey: [team]])
            context.redo()
            #expect(last == [NSInsertedObjectsKey: [team]])
            try context.save()
            undo.group { team.setValue("Bulls", forKey: "name") }
            context.undo()
            #expect(last == [NSUpdatedObjectsKey: [team]])
            undo.group { context.delete(team) }
            #expect(last == [NSDeletedObjectsKey: [team]])
            context.undo()
            #expect(last == [NSInsertedObjectsKey: [team]])
        }
    }

    @Test("transient attributes take part in undo")
    func transient() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let player = undo.group { context.insert("Player", ["name": "Wade", "mood": "calm"]) }
            undo.group { player.setValue("angry", forKey: "mood") }
            context.undo()
            #expect(player.string("mood") == "calm")
            context.redo()
            #expect(player.string("mood") == "angry")
            try context.save()
            context.undo()
            #expect(player.string("mood") == "calm" && player.isUpdated, "the save was of another mood")
        }
    }

    @Test("a change of an object is undone though the object's values were let go in between")
    func refreshed() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            undo.group { team.setValue("Bulls", forKey: "name") }
            try context.save()
            context.refresh(team, mergeChanges: false)
            #expect(team.isFault)
            context.undo()
            #expect(team.string("name") == "Heat" && team.isUpdated)
        }
    }

    @Test("what another context deleted meanwhile does not come back with a change that is undone")
    func deletedByOthers() throws {
        try UndoStack().run { undo in
            let context = undo.context
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            let player = undo.group { context.insert("Player", ["name": "Wade", "favourites": NSSet(object: team)]) }
            try context.save()
            undo.group {
                team.setValue("Bulls", forKey: "name")
                player.setValue("Dwyane", forKey: "name")
            }
            try context.save()
            try undo.stack.work { other throws in
                other.delete(other.object(with: team.objectID))
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [
                    NSDeletedObjectIDsKey: [team.objectID], NSUpdatedObjectIDsKey: [player.objectID],
                ],
                into: [context])
            #expect(team.managedObjectContext == nil)
            context.undo()
            #expect(team.managedObjectContext == nil && player.string("name") == "Wade")
            try context.save()
            try undo.stack.reopened { context throws in #expect(try context.all("Team").isEmpty) }
        }
    }

    @Test("a new change after undoing makes redoing impossible, also before pending changes are processed")
    func newChangeEndsRedo() throws {
        try UndoStack().run { undo throws in
            let context = undo.context
            let team = undo.group { context.insert("Team", ["name": "Heat"]) }
            undo.group { team.setValue("Bulls", forKey: "name") }
            context.undo()
            #expect(undo.manager.canRedo)
            undo.manager.beginUndoGrouping()
            team.setValue("Magic", forKey: "name")
            #expect(!undo.manager.canRedo)
            undo.manager.endUndoGrouping()
        }
    }
}
