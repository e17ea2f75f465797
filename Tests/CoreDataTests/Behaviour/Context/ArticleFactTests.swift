import CoreData
import Foundation
import Testing

/// Answers that readers of the articles asked for and that no single article gave: what each object answers after a
/// conflict, a merge, an undo or a refresh.
@Suite("What readers asked")
struct ArticleFactTests {
    private func conflict(
        _ stack: Stack, ours: NSManagedObjectContext, _ id: NSManagedObjectID
    ) throws -> (NSManagedObject, NSError?) {
        let player = try ours.existingObject(with: id)
        player.setValue("Flash", forKey: "name")
        try stack.work { theirs throws in
            let player = try theirs.existingObject(with: id)
            player.setValue("Dwyane", forKey: "name")
            player.setValue(41, forKey: "age")
            try theirs.save()
        }
        return (player, thrown { try ours.save() })
    }

    @Test("a save that failed with a conflict fails again until a refresh; the object keeps its unsaved change")
    func failsAgain() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Player", ["name": "Wade", "age": 40])
        let ours = stack.context()
        try ours.performAndWait { () throws in
            let (player, error) = try conflict(stack, ours: ours, id)
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectMergeError)
            #expect((error?.userInfo["conflictList"] as? [NSMergeConflict])?.first?.sourceObject === player)
            #expect(player.hasChanges && player.string("name") == "Flash")
            #expect(thrown { try ours.save() }?.code == NSManagedObjectMergeError)
            ours.refresh(player, mergeChanges: true)
            try ours.save()
            #expect(player.string("name") == "Flash" && player.value(forKey: "age") as? Int == 41)
        }
    }

    @Test("after a save that a policy by property settled, the object has the values that the store has")
    func inMemory() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Player", ["name": "Wade", "age": 40])
        let ours = stack.context()
        ours.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try ours.performAndWait { () throws in
            let (player, error) = try conflict(stack, ours: ours, id)
            #expect(error == nil && !player.hasChanges)
            #expect(player.string("name") == "Flash" && player.value(forKey: "age") as? Int == 41)
        }
    }

    @Test("an unsaved change of an object that a merged cascade deleted is lost, and the next save succeeds")
    func mergedCascade() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade", "team": team])
            try context.save()
            return player.objectID
        }
        let (ours, theirs) = (stack.context(), stack.context())
        let collector = Collector(.NSManagedObjectContextDidSave, of: theirs)
        try ours.performAndWait { () throws in
            let player = try ours.existingObject(with: id)
            player.setValue("Flash", forKey: "name")
            try theirs.performAndWait { () throws in
                for team in try theirs.all("Team") { theirs.delete(team) }
                try theirs.save()
            }
            ours.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: theirs, userInfo: collector.payloads.last))
            #expect(player.managedObjectContext == nil && !player.isDeleted && !ours.hasChanges)
            #expect(player.string("name") == "Flash")
            #expect(ours.deletedObjects == [player])
            try ours.save()
            #expect(ours.deletedObjects.isEmpty)
        }
    }

    @Test("a cascade that was not merged is a conflict for a changed object, and a refresh does not help")
    func unmergedCascade() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade", "team": team])
            try context.save()
            return player.objectID
        }
        let (ours, theirs) = (stack.context(), stack.context())
        try ours.performAndWait { () throws in
            let player = try ours.existingObject(with: id)
            player.setValue("Flash", forKey: "name")
            try theirs.performAndWait { () throws in
                for team in try theirs.all("Team") { theirs.delete(team) }
                try theirs.save()
            }
            #expect(thrown { try ours.save() }?.code == NSManagedObjectMergeError)
            ours.refresh(player, mergeChanges: true)
            #expect(thrown { try ours.save() }?.code == NSManagedObjectMergeError)
            ours.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try ours.save()
            #expect(player.managedObjectContext == nil)
        }
    }

    @Test(
        "of two objects with one unique value, the new one takes the stored ID if the policy favours the context",
        arguments: [true, false])
    func unique(favoursContext: Bool) throws {
        let team = entity(
            "Team",
            [
                attribute("name", .stringAttributeType), attribute("city", .stringAttributeType),
                attribute("size", .integer16AttributeType),
            ])
        team.uniquenessConstraints = [["name"]]
        let stack = try Stack(model(team))
        let id = try stack.saved("Team", ["name": "Heat", "city": "Miami", "size": 12])
        let ours = stack.context()
        try ours.performAndWait { () throws in
            let old = try ours.existingObject(with: id)
            let new = ours.insert("Team", ["name": "Heat", "size": 15])
            let error = thrown { try ours.save() }
            #expect(error?.code == NSManagedObjectConstraintMergeError)
            #expect(error?.userInfo["conflictList"] is [NSConstraintConflict])
            ours.mergePolicy =
                favoursContext ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.mergeByPropertyStoreTrump
            try ours.save()
            let (stays, leaves) = favoursContext ? (new, old) : (old, new)
            #expect(try ours.all("Team") == [stays] && stays.objectID == id && leaves.managedObjectContext == nil)
            #expect(stays.string("city") == "Miami")
            #expect(stays.value(forKey: "size") as? Int == (favoursContext ? 15 : 12))
        }
    }

    @Test("processing pending changes inside a block of perform begins no new undo group")
    func groups() async throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        await context.perform {
            context.undoManager = UndoManager()
            _ = context.insert("Team", ["name": "Heat"])
            context.processPendingChanges()
            _ = context.insert("Team", ["name": "Bulls"])
        }
        await context.perform { _ = context.insert("Team", ["name": "Lakers"]) }
        let counts = try await context.perform { () throws in
            #expect(context.undoManager?.undoCount == 2)
            context.undo()
            let left = try context.all("Team").count
            context.undo()
            return [left, try context.all("Team").count]
        }
        #expect(counts == [2, 0])
    }

    @Test("a block of perform joins the group that changes outside of one have opened")
    func joinedGroup() async throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        context.performAndWait {
            context.undoManager = UndoManager()
            _ = context.insert("Team", ["name": "Heat"])
        }
        await context.perform { _ = context.insert("Team", ["name": "Bulls"]) }
        let left = try await context.perform { () throws in
            context.undo()
            return try context.all("Team").count
        }
        #expect(left == 0)
    }

    @Test("a child's save is one undo group of the parent, and leaves the child's own undo manager as it is")
    func childUndo() async throws {
        let stack = try Stack(LeagueModel.make())
        let parent = stack.context()
        await parent.perform {
            parent.undoManager = UndoManager()
            _ = parent.insert("Team", ["name": "Heat"])
        }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        child.undoManager = UndoManager()
        let object = try await child.perform { () throws in
            let object = child.insert("Team", ["name": "Bulls"])
            try child.save()
            #expect(child.undoManager?.canUndo == true)
            return object
        }
        try await parent.perform { () throws in
            #expect(parent.undoManager?.undoCount == 2)
            try parent.save()
        }
        #expect(!object.objectID.isTemporaryID)
        let names = try await parent.perform { () throws in
            parent.undo()
            return try parent.all("Team").compactMap { $0.string("name") }
        }
        #expect(names == ["Heat"])
    }

    @Test("a refresh with true keeps changes, one with false drops them and makes a fault", arguments: [true, false])
    func refreshing(keeps: Bool) throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Player", ["name": "Wade", "age": 40])
        let ours = stack.context()
        try ours.performAndWait { () throws in
            let player = try ours.existingObject(with: id)
            player.setValue(42, forKey: "age")
            try stack.work { theirs throws in
                try theirs.existingObject(with: id).setValue("Dwyane", forKey: "name")
                try theirs.save()
            }
            ours.refresh(player, mergeChanges: keeps)
            #expect(player.hasChanges == keeps && player.isFault == !keeps)
            #expect(player.string("name") == "Dwyane")
            #expect(player.value(forKey: "age") as? Int == (keeps ? 42 : 40))
        }
    }

    @Test("a value that is set on a fault without a row stays in memory; the save succeeds and does not write it")
    func settingGone() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Player", ["name": "Wade"])
        let ours = stack.context()
        try ours.performAndWait { () throws in
            let player = ours.object(with: id)
            try stack.work { theirs throws in
                theirs.delete(try theirs.existingObject(with: id))
                try theirs.save()
            }
            player.setValue("Flash", forKey: "name")
            #expect(player.isDeleted && player.string("name") == "Flash")
            try ours.save()
            #expect(player.managedObjectContext == nil)
        }
        #expect(try stack.work { try $0.all("Player").isEmpty })
    }
}
