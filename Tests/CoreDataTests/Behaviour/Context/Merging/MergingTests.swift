import CoreData
import Foundation
import Testing

@Suite("Merging what others saved")
struct MergingTests {
    /// Three players in a store, and a context that holds them, with values.
    private func withPlayers(
        _ body: (Stack, NSManagedObjectContext, [NSManagedObject]) throws -> Void
    ) throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            for name in ["Bosh", "James", "Wade"] {
                _ = context.insert("Player", ["name": name, "age": 30, "team": team])
            }
            try context.save()
        }
        let context = stack.context()
        try context.performAndWait {
            let players = try context.all("Player", sortedBy: "name")
            players.forEach { _ = $0.string("name") }
            try body(stack, context, players)
        }
    }

    /// Saves changes in a context of its own, and gives the notification.
    private func saved(
        _ stack: Stack, ids: Bool = false, _ body: (NSManagedObjectContext) throws -> Void
    ) throws -> Notification {
        nonisolated(unsafe) var notification: Notification?
        let other = stack.context()
        let name: Notification.Name = ids ? .NSManagedObjectContextDidSaveObjectIDs : .NSManagedObjectContextDidSave
        let token = NotificationCenter.default.addObserver(forName: name, object: other, queue: nil) {
            notification = $0
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try other.performAndWait {
            try body(other)
            try other.save()
        }
        return try #require(notification)
    }

    @Test("new objects come as faults, changed ones are refreshed, deleted ones leave", arguments: [false, true])
    func merging(ids: Bool) throws {
        try withPlayers { stack, context, players in
            let told = Collector(.NSManagedObjectContextObjectsDidChange, of: context)
            let toldIDs = Collector(NSManagedObjectContext.didMergeChangesObjectIDsNotification, of: context)
            let notification = try saved(stack, ids: ids) { other throws in
                _ = other.insert("Player", ["name": "Allen", "age": 37])
                other.object(with: players[1].objectID).setValue(31, forKey: "age")
                other.delete(other.object(with: players[2].objectID))
            }
            #expect(players[1].value(forKey: "age") as? Int == 30)
            context.mergeChanges(fromContextDidSave: notification)

            #expect(players[1].value(forKey: "age") as? Int == 31)
            #expect(players[2].managedObjectContext == nil && !context.registeredObjects.contains(players[2]))
            #expect(!context.hasChanges)
            let new = try #require(told.objects(NSInsertedObjectsKey).first)
            #expect(new.isFault && new.string("name") == "Allen" && new.managedObjectContext === context)
            #expect(told.objects(NSRefreshedObjectsKey).contains(players[1]))
            #expect(told.objects(NSDeletedObjectsKey) == [players[2]])
            #expect(toldIDs.ids(NSInsertedObjectIDsKey) == [new.objectID])
            #expect(toldIDs.ids(NSUpdatedObjectIDsKey).contains(players[1].objectID))
            #expect(toldIDs.ids(NSDeletedObjectIDsKey) == [players[2].objectID])
            // The refreshed objects are those of the change notification.
            let refreshed = toldIDs.ids(NSRefreshedObjectIDsKey)
            #expect(refreshed.contains(players[1].objectID))
            #expect(refreshed == Set(told.objects(NSRefreshedObjectsKey).map(\.objectID)))
            // The team's members follow, though its own row did not change.
            let team = try #require(try context.all("Team").first)
            #expect(team.names("players") == ["Bosh", "James"])
        }
    }

    @Test("what is changed here stays changed, over the values that others saved, and saves without a conflict")
    func localChanges() throws {
        try withPlayers { stack, context, players in
            players[0].setValue("mine", forKey: "name")
            let notification = try saved(stack) { other throws in
                let player = other.object(with: players[0].objectID)
                player.setValue("theirs", forKey: "name")
                player.setValue(33, forKey: "age")
            }
            context.mergeChanges(fromContextDidSave: notification)
            #expect(players[0].string("name") == "mine" && players[0].value(forKey: "age") as? Int == 33)
            #expect(players[0].isUpdated)
            try context.save()
            try stack.reopened { context throws in
                let player = try #require(try context.all("Player", "name == 'mine'").first)
                #expect(player.value(forKey: "age") as? Int == 33)
            }
        }
    }

    @Test("an object that others deleted is forgotten by what was changed here")
    func danglingChanges() throws {
        try withPlayers { stack, context, players in
            let bulls = context.insert("Team", ["name": "Bulls", "captain": players[0]])
            bulls.setValue(NSSet(array: [players[0], players[1]]), forKey: "fans")
            bulls.setValue(NSOrderedSet(array: [players[0], players[1]]), forKey: "bench")
            let notification = try saved(stack) { other throws in
                other.delete(other.object(with: players[0].objectID))
            }
            context.mergeChanges(fromContextDidSave: notification)
            #expect(bulls.object("captain") == nil)
            #expect(bulls.names("fans") == ["James"] && bulls.names("bench") == ["James"])
            try context.save()
            try stack.reopened { context throws in
                let bulls = try #require(try context.all("Team", "name == 'Bulls'").first)
                #expect(bulls.object("captain") == nil && bulls.names("fans") == ["James"])
                #expect(bulls.names("bench") == ["James"])
            }
        }
    }

    @Test("an object that others deleted loses what was changed here, and the context has nothing to save")
    func changedAndDeleted() throws {
        try withPlayers { stack, context, players in
            players[0].setValue("mine", forKey: "name")
            let notification = try saved(stack) { other throws in
                other.delete(other.object(with: players[0].objectID))
            }
            context.mergeChanges(fromContextDidSave: notification)
            #expect(!context.hasChanges && players[0].managedObjectContext == nil)
            try context.save()
        }
    }

    @Test("an object that a merge deleted is among the deleted objects until the next save, a rollback or a reset")
    func mergedDeletions() throws {
        let ends: [(NSManagedObjectContext) throws -> Void] = [{ try $0.save() }, { $0.rollback() }, { $0.reset() }]
        for end in ends {
            try withPlayers { stack, context, players in
                let notification = try saved(stack) { other in
                    for player in players.prefix(2) { other.delete(other.object(with: player.objectID)) }
                }
                context.mergeChanges(fromContextDidSave: notification)
                #expect(context.deletedObjects == Set(players.prefix(2)) && !context.hasChanges)
                context.delete(players[2])
                #expect(context.deletedObjects == Set(players))
                context.processPendingChanges()
                #expect(context.deletedObjects == Set(players))
                try end(context)
                #expect(context.deletedObjects.isEmpty)
            }
        }
    }

    @Test("a context that merges deletions and never saves keeps no deleted object")
    func mergedDeletionsAreLetGo() throws {
        try withPlayers { stack, context, _ in
            var held = (0..<100).map { context.insert("Team", ["name": "\($0)"]) }
            try context.save()
            for id in held.map(\.objectID) {
                let notification = try saved(stack) { other in other.delete(other.object(with: id)) }
                context.mergeChanges(fromContextDidSave: notification)
            }
            #expect(context.deletedObjects == Set(held))
            held = []
            #expect(context.deletedObjects.isEmpty)
        }
    }

    @Test("with automatic merging every save of another context of the coordinator arrives, on the context's own queue")
    func automatically() throws {
        try withPlayers { stack, context, players in
            let automatic = stack.context()
            automatic.automaticallyMergesChangesFromParent = true
            let mine = automatic.performAndWait { automatic.object(with: players[0].objectID) }
            automatic.performAndWait { #expect(mine.string("name") == "Bosh") }
            players[0].setValue("Chris", forKey: "name")
            try context.save()
            automatic.performAndWait { #expect(mine.string("name") == "Chris" && !automatic.hasChanges) }

            automatic.automaticallyMergesChangesFromParent = false
            players[0].setValue("Christopher", forKey: "name")
            try context.save()
            automatic.performAndWait { #expect(mine.string("name") == "Chris") }
        }
    }

    @Test("a context that merges by itself is let go like any other")
    func lifetime() throws {
        try withPlayers { stack, context, players in
            weak var gone: NSManagedObjectContext?
            do {
                let automatic = stack.context()
                automatic.automaticallyMergesChangesFromParent = true
                gone = automatic
            }
            #expect(gone == nil)
            players[0].setValue("Chris", forKey: "name")
            try context.save()
        }
    }

    @Test("what another process wrote is merged by IDs or URIs; what it deleted without saying is found out")
    func remotely() throws {
        try withPlayers { stack, context, players in
            let team = try #require(players[0].object("team"))
            #expect(team.names("players").count == 3)
            try stack.reopened { other throws in
                let others = try other.all("Player", sortedBy: "name")
                others[0].setValue(35, forKey: "age")
                others[1].setValue(36, forKey: "age")
                other.delete(others[2])
                _ = other.insert("Player", ["name": "Zeller"])
                try other.save()
            }
            #expect(players[0].value(forKey: "age") as? Int == 30)
            #expect(team.names("players").count == 3)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [
                    NSUpdatedObjectsKey: [players[0].objectID],
                    NSRefreshedObjectIDsKey: Set([players[1].objectID.uriRepresentation()]),
                    NSUpdatedObjectIDsKey: NSSet(array: [players[2].objectID, team.objectID]),
                ], into: [context])
            #expect(players[0].value(forKey: "age") as? Int == 35)
            #expect(players[1].value(forKey: "age") as? Int == 36)
            #expect(players[2].managedObjectContext == nil)
            #expect(team.names("players") == ["Bosh", "James"])
        }
    }

    @Test("a merged deletion empties a changed object's relationship, although a link to what is gone was saved")
    func linkToWhatIsGone() throws {
        let (lineup, lineups) = (toMany("lineup", ordered: true), toMany("lineups"))
        let team = entity("Team", [attribute("name", .stringAttributeType), lineup])
        let player = entity("Player", [lineups])
        connect(team, lineup, player, lineups)
        let stack = try Stack(model(team, player))
        try stack.work { context throws in
            context.mergePolicy = NSMergePolicy.overwrite
            let player = context.insert("Player")
            try context.save()
            try stack.work { other throws in
                try other.all("Player").forEach(other.delete)
                try other.save()
            }
            let team = context.insert("Team", ["name": "Heat", "lineup": NSOrderedSet(object: player)])
            try context.save()
            team.setValue("Miami Heat", forKey: "name")
            context.processPendingChanges()
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [player.objectID]], into: [context])
            #expect(team.mutableOrderedSetValue(forKey: "lineup").count == 0)
            #expect(team.string("name") == "Miami Heat")
        }
    }

    @Test("NSInvalidatedAllObjectsKey has every object take fresh values")
    func everything() throws {
        try withPlayers { stack, context, players in
            try stack.reopened { other throws in
                for player in try other.all("Player") { player.setValue(40, forKey: "age") }
                try other.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInvalidatedAllObjectsKey: NSNull()], into: [context])
            #expect(players.map { $0.value(forKey: "age") as? Int } == [40, 40, 40])
        }
    }

    @Test("what is of another store, or of none, is passed over")
    func foreign() throws {
        try withPlayers { _, context, players in
            let foreign = try Stack(LeagueModel.make())
            let notification = try saved(foreign) { other throws in _ = other.insert("Team", ["name": "Bulls"]) }
            context.mergeChanges(fromContextDidSave: notification)
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [
                    NSUpdatedObjectsKey: [URL(string: "x-coredata://somewhere/Player/p1"), URL(string: "https://a.b")]
                ], into: [context])
            #expect(context.registeredObjects.count == players.count && !context.hasChanges)
        }
    }

    @Test("observers of an object are told of values that come by merging")
    func observers() throws {
        try withPlayers { stack, context, players in
            let watcher = Watcher()
            players[0].addObserver(watcher, forKeyPath: "age", context: nil)
            defer { players[0].removeObserver(watcher, forKeyPath: "age") }
            let notification = try saved(stack) { other throws in
                other.object(with: players[0].objectID).setValue(33, forKey: "age")
            }
            context.mergeChanges(fromContextDidSave: notification)
            #expect(watcher.seen == [33])
        }
    }

    @Test("refresh(_:mergeChanges:) mentions the object as refreshed", arguments: [false, true])
    func refreshing(mergeChanges: Bool) throws {
        try withPlayers { stack, context, players in
            let told = Collector(.NSManagedObjectContextObjectsDidChange, of: context)
            context.refresh(players[0], mergeChanges: mergeChanges)
            context.processPendingChanges()
            #expect(told.objects(NSRefreshedObjectsKey) == [players[0]] && told.objects(NSUpdatedObjectsKey).isEmpty)
            #expect(!context.hasChanges)
        }
    }
}

/// Notes an age whenever it is told that it changed.
private final class Watcher: KeyValueObserver {
    private(set) var seen: [Int?] = []

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        seen.append((object as? NSManagedObject)?.value(forKey: "age") as? Int)
    }
}
