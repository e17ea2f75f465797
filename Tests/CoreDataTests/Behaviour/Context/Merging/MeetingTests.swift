import CoreData
import Foundation
import Testing

/// What random scripts of four contexts found.
@Suite("Contexts that meet")
struct MeetingTests {
    private let stack: Stack
    private let first: NSManagedObjectContext
    private let second: NSManagedObjectContext

    init() throws {
        stack = try Stack(LeagueModel.make())
        first = stack.context()
        second = stack.context()
    }

    /// A team and a player, saved by the first context, which holds them.
    private func savedObjects(in context: NSManagedObjectContext) throws -> (NSManagedObject, NSManagedObject) {
        try context.work { context throws in
            let objects = (context.insert("Team", ["name": "Heat"]), context.insert("Player", ["name": "Wade"]))
            try context.save()
            return objects
        }
    }

    // MARK: Deleting

    @Test("an object that was never saved is forgotten by all others, whatever its delete rule")
    func neverSaved() throws {
        for rule in [NSDeleteRule.denyDeleteRule, .noActionDeleteRule] {
            let stack = try Stack(LeagueModel.make(teamRule: rule))
            try stack.work { context throws in
                let team = context.insert("Team", ["name": "Heat"])
                let player = context.insert("Player", ["name": "Wade", "team": team])
                context.delete(team)
                context.processPendingChanges()
                #expect(player.object("team") == nil)
                try context.save()
                #expect(player.object("team") == nil)
            }
        }
    }

    @Test(
        "an object that others related meanwhile is deleted with its rules, and no object is left that points to nothing"
    )
    func relatedMeanwhile() throws {
        let (team, player) = try savedObjects(in: first)
        try second.work { second throws in
            let theirs = second.object(with: team.objectID)
            theirs.setValue(second.object(with: player.objectID), forKey: "captain")
            try second.save()
        }
        try first.work { first throws in
            first.delete(player)
            first.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try first.save()
        }
        try stack.reopened { context throws in
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Player")) == 0)
            #expect(try context.all("Team").allSatisfy { $0.object("captain") == nil })
        }
    }

    @Test(
        "an object that became a member of a deleted one meanwhile is not left pointing to it, also if its members were changed here"
    )
    func memberMeanwhile() throws {
        let (team, player) = try savedObjects(in: first)
        first.work { _ in #expect(team.names("players").isEmpty) }
        try second.work { second throws in
            second.object(with: player.objectID).setValue(second.object(with: team.objectID), forKey: "team")
            try second.save()
        }
        try first.work { first throws in
            // The members that are known here, and were changed, are not those that the store has.
            _ = first.insert("Player", ["name": "Shaq", "team": team])
            first.delete(team)
            first.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try first.save()
        }
        try stack.reopened { context throws in
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Team")) == 0)
            #expect(try context.all("Player").allSatisfy { $0.object("team") == nil })
        }
    }

    @Test("a deleted object that is merged is deleted with its rules for what others related it to")
    func relatedAndMerged() throws {
        let (team, player) = try savedObjects(in: first)
        let saves = Collector(.NSManagedObjectContextDidSave, of: second)
        try second.work { second throws in
            second.object(with: team.objectID).setValue(second.object(with: player.objectID), forKey: "captain")
            try second.save()
        }
        try first.work { first throws in
            first.delete(player)
            first.processPendingChanges()
            for payload in saves.payloads {
                let note = Notification(name: .NSManagedObjectContextDidSave, object: second, userInfo: payload)
                first.mergeChanges(fromContextDidSave: note)
            }
            #expect(team.object("captain") == nil)
            try first.save()
        }
        try stack.reopened { context throws in
            #expect(try context.all("Team").allSatisfy { $0.object("captain") == nil })
        }
    }

    // MARK: Faults

    @Test("rolled back, an object that lost its row is a fault again, not an object without values")
    func rolledBack() throws {
        let (_, player) = try savedObjects(in: first)
        first.work { $0.refreshAllObjects() }
        try stack.reopened { context throws in
            context.delete(context.object(with: try #require(context.all("Player").first).objectID))
            try context.save()
        }
        first.work { first in
            first.refresh(player, mergeChanges: false)
            #expect(player.string("name") == nil && player.isDeleted)
            first.rollback()
            #expect(player.isFault && !player.isDeleted)
        }
    }

    /// Runs a block with a fault of the second context. A fetch brought its row before the first context changed it.
    private func withOldFault(_ block: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
        let (_, player) = try savedObjects(in: first)
        try second.work { second throws in
            let theirs = try #require(second.all("Player").first)
            #expect(theirs.isFault)
            try first.work { first throws in
                player.setValue("Shaq", forKey: "name")
                try first.save()
            }
            try block(second, theirs)
            #expect(theirs.string("name") == "Shaq")
        }
    }

    @Test("a refreshed fault lets go of the row that a fetch brought along", arguments: [true, false])
    func refreshedFault(merging: Bool) throws {
        try withOldFault { context, player in context.refresh(player, mergeChanges: merging) }
    }

    @Test("refreshing everything is refreshing faults too")
    func refreshedFaults() throws {
        try withOldFault { context, _ in context.refreshAllObjects() }
    }

    @Test("a fetch brings faults their rows as they are now, also where the context has unsaved changes")
    func fetchedWithChanges() throws {
        try withOldFault { context, player throws in
            let own = context.insert("Player", ["name": "Own"])
            #expect(Set(try context.all("Player")) == [player, own])
        }
    }

    // MARK: Conflicts

    @Test("after a conflict no context sees the older row again")
    func olderRow() throws {
        let (_, player) = try savedObjects(in: first)
        try stack.reopened { context throws in
            try #require(context.all("Player").first).setValue("Shaq", forKey: "name")
            try context.save()
        }
        try first.work { first throws in
            player.setValue("Wade II", forKey: "name")
            first.mergePolicy = NSMergePolicy.rollback
            try first.save()
            #expect(player.string("name") == "Shaq")
        }
        second.work { second in #expect(second.object(with: player.objectID).string("name") == "Shaq") }
    }

    @Test("a value that was set to what it was is no change that others' changes could clash with")
    func equalValue() throws {
        let (_, player) = try savedObjects(in: first)
        player.managedObjectContext?.performAndWait { player.setValue("Wade", forKey: "name") }
        try second.work { second throws in
            second.object(with: player.objectID).setValue("Shaq", forKey: "name")
            try second.save()
        }
        try first.work { first throws in
            player.setValue(34, forKey: "age")
            first.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try first.save()
            #expect(player.string("name") == "Shaq" && player.value(forKey: "age") as? Int == 34)
        }
    }

    @Test("an added object that turns out to be a member already is no change that others' changes could clash with")
    func knownMember() throws {
        let (team, player) = try savedObjects(in: first)
        try second.work { second throws in
            second.object(with: player.objectID).mutableSetValue(forKey: "favourites").add(
                second.object(with: team.objectID))
            try second.save()
        }
        try first.work { first throws in
            first.refreshAllObjects()
            // The members have not been asked for: they are not loaded for this.
            team.mutableSetValue(forKey: "fans").add(player)
            #expect(team.hasFault(forRelationshipNamed: "fans") && team.hasPersistentChangedValues)
            #expect(team.names("fans") == ["Wade"] && player.names("favourites") == ["Heat"])
            #expect(!team.hasPersistentChangedValues && !player.hasPersistentChangedValues)
        }
        try second.work { second throws in
            second.object(with: team.objectID).setValue("Miami", forKey: "name")
            try second.save()
        }
        try first.work { first throws in
            try first.save()
            #expect(team.string("name") == "Heat", "nothing had to be written, and nobody asked what others did")
        }
        try second.work { second throws in #expect(try second.all("Team").first?.string("name") == "Miami") }
    }

    // MARK: Parents

    @Test("to a child an object that its parent deleted has no members to cascade to")
    func deletedInParent() throws {
        let (team, player) = try savedObjects(in: first)
        try first.work { first throws in
            player.setValue(team, forKey: "team")
            try first.save()
        }
        let child = first.makeChild()
        try child.work { child throws in
            let (hers, his) = (child.object(with: team.objectID), child.object(with: player.objectID))
            his.setValue(3, forKey: "age")
            first.work { first in
                first.delete(team)
                first.processPendingChanges()
            }
            #expect(hers.string("name") == nil && hers.isDeleted)
            child.processPendingChanges()
            #expect(!his.isDeleted)
        }
    }

    @Test("a fault that a child relies on has seen nothing that could have changed")
    func reliedFault() throws {
        let (team, player) = try savedObjects(in: first)
        let child = first.makeChild()
        try child.work { child throws in
            let relied = child.object(with: team.objectID)
            child.detectConflicts(for: relied)
            child.refreshAllObjects()
            child.object(with: player.objectID).setValue("Shaq", forKey: "name")
            try child.save()
            #expect(!child.hasChanges)
        }
    }
}
