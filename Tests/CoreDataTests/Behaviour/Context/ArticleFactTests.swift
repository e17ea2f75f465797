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
            print("FACT cascade", player.isDeleted, player.managedObjectContext as Any, player.hasChanges, ours.hasChanges, ours.deletedObjects.count)
            try ours.save()
            print("FACT cascade after save", player.isDeleted, player.managedObjectContext as Any, player.hasChanges, ours.hasChanges)
            print("FACT values", player.value(forKey: "name") as Any, player.isFault)
        }
    }

    @Test("a cascade of another context that was not merged is a conflict for each object changed here")
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
            print("FACT gone refreshed", player.isDeleted, player.managedObjectContext as Any, player.hasChanges, player.isFault)
            print("FACT gone next save", thrown { try ours.save() }?.code as Any)
        }
    }

    @Test("of two objects with one unique value, the new one stays in the context and gets the stored ID")
    func unique() throws {
        for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
            let team = entity("Team", [attribute("name", .stringAttributeType), attribute("city", .stringAttributeType), attribute("size", .integer16AttributeType)])
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
                ours.mergePolicy = policy
                try ours.save()
                print("FACT unique", new.objectID == id, new.managedObjectContext as Any, old.managedObjectContext as Any, old === new, try ours.all("Team").count, try ours.all("Team").first === new, try ours.all("Team").first === old, new.string("city") as Any, try ours.all("Team").first?.value(forKey: "size") as Any, try ours.all("Team").first?.value(forKey: "city") as Any)
            }
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
        let c1 = await context.perform { context.undoManager?.undoCount }
        await context.perform { _ = context.insert("Team", ["name": "Lakers"]) }
        let left = try await context.perform { () throws in
            #expect(context.undoManager?.undoCount == 2)
            context.undo()
            return try context.all("Team").count
        }
        let none = try await context.perform { () throws in
            context.undo()
            return try context.all("Team").count
        }
        #expect(left == 2 && none == 0)
        print("FACT groups", c1 as Any)
        // after performAndWait
        context.performAndWait { _ = context.insert("Team", ["name": "W"]) }
        await context.perform { _ = context.insert("Team", ["name": "X"]) }
        let n = try await context.perform { () throws in
            print("FACT mixed undoCount", context.undoManager?.undoCount as Any)
            context.undo()
            return try context.all("Team").count
        }
        print("FACT mixed left", n)
    }

    @Test("a child's save is one undo group of the parent; IDs")
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
        let object = await child.perform { child.insert("Team", ["name": "Bulls"]) }
        try await child.perform { () throws in try child.save(); print("FACT child undo after save", child.undoManager?.canUndo as Any) }
        try await parent.perform { () throws in
            print("FACT parent groups", parent.undoManager?.undoCount as Any)
            try parent.save()
        }
        print("FACT child ID temporary right after root save", object.objectID.isTemporaryID)
        await child.perform { print("FACT child ID on own queue", object.objectID.isTemporaryID) }
        await parent.perform { parent.undo(); print("FACT parent after undo", (try? parent.all("Team").count) as Any) }
        parent.performAndWait { parent.undoManager?.removeAllActions() }
        child.performAndWait { _ = child.insert("Team", ["name": "A"]); try? child.save(); _ = child.insert("Team", ["name": "B"]); try? child.save() }
        await parent.perform { print("FACT two child saves, parent groups", parent.undoManager?.undoCount as Any) }
    }

    @Test("refresh table")
    func refreshing() throws {
        for keeps in [true, false] {
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
                print("FACT refresh", keeps, player.hasChanges, player.isFault, player.value(forKey: "name") as Any, player.value(forKey: "age") as Any, ours.hasChanges)
            }
        }
    }

    @Test("setting a value of a fault without a row")
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
            print("FACT set gone", player.isDeleted, player.hasChanges, player.isFault, player.string("name") as Any)
            print("FACT set gone save", thrown { try ours.save() }?.code as Any, player.managedObjectContext as Any)
        }
    }
}
