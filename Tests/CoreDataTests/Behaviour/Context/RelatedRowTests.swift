import CoreData
import Foundation
import Testing

/// A save where a row that is older than the store's says that nothing changed.
@Suite("Rows that a save relies on")
struct RelatedRowTests {
    private let stack: Stack
    private let context: NSManagedObjectContext
    private let heat: NSManagedObject
    private let wade: NSManagedObject
    private let shaq: NSManagedObject

    init() throws {
        stack = try Stack(LeagueModel.make())
        let context = stack.context()
        self.context = context
        (heat, wade, shaq) = try context.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let players = ["Wade", "Shaq"].map { context.insert("Player", ["name": $0]) }
            team.setValue(players[0], forKey: "captain")
            try context.save()
            return (team, players[0], players[1])
        }
    }

    /// The captain goes, comes back, and has been replaced meanwhile by another player. The context has seen that
    /// player's team, but not the player.
    private func meet() throws {
        try context.work { context throws in
            #expect(wade.object("captainOf") === heat)
            context.refresh(heat, mergeChanges: false)
        }
        try stack.work { other throws in
            other.object(with: heat.objectID).setValue(other.object(with: shaq.objectID), forKey: "captain")
            try other.save()
        }
        context.work { _ in
            wade.setValue(nil, forKey: "captainOf")
            wade.setValue(heat, forKey: "captainOf")
        }
    }

    @Test("a partner that is set to what its row had, which the store has no longer, is a conflict")
    func conflict() throws {
        try meet()
        try context.work { context throws in
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSManagedObjectMergeError)
            let conflicts = try #require(error.userInfo["conflictList"] as? [NSMergeConflict])
            #expect(conflicts.map(\.sourceObject).contains(wade))
        }
    }

    @Test(
        "a policy settles that conflict, and both ends agree",
        arguments: [
            NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
            .overwriteMergePolicyType, .rollbackMergePolicyType,
        ])
    func settled(_ type: NSMergePolicyType) throws {
        try meet()
        try context.work { context throws in
            context.mergePolicy = NSMergePolicy(merge: type)
            try context.save()
        }
        try stack.reopened { other throws in
            let team = try #require(try other.all("Team").first)
            let captain = try #require(team.object("captain"))
            #expect(captain.object("captainOf") === team)
            #expect(try other.all("Player", "captainOf != nil").count == 1)
        }
    }

    @Test("no object points to a deleted player where the team's row says wrongly that it has no captain")
    func deletedPartner() throws {
        let other = stack.context()
        try context.work { context throws in
            heat.setValue(nil, forKey: "captain")
            try context.save()
        }
        let (team, player) = try other.work { other throws in
            let team = other.object(with: heat.objectID)
            #expect(team.object("captain") == nil)
            return (team, other.object(with: wade.objectID))
        }
        try stack.reopened { elsewhere throws in
            let team = try #require(try elsewhere.all("Team").first)
            team.setValue(try elsewhere.all("Player", "name == 'Wade'").first, forKey: "captain")
            try elsewhere.save()
        }
        try other.work { other throws in
            other.refresh(player, mergeChanges: false)
            #expect(player.object("captainOf") === team)
            team.setValue(player, forKey: "captain")
            other.delete(player)
            #expect(thrown { try other.save() }?.code == NSManagedObjectMergeError)
            other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try other.save()
        }
        try stack.reopened { elsewhere throws in
            #expect(try elsewhere.all("Team").map { $0.object("captain") } == [nil])
            #expect(try elsewhere.all("Player").map { $0.string("name") } == ["Shaq"])
        }
    }

    @Test("a new member of a relationship between many is not linked to if others deleted it")
    func newMemberThatIsGone() throws {
        try context.work { context throws in
            heat.mutableSetValue(forKey: "fans").add(shaq)
            try context.save()
            #expect(shaq.names("favourites") == ["Heat"])
        }
        try stack.reopened { other throws in
            other.delete(try #require(try other.all("Player", "name == 'Shaq'").first))
            try other.save()
        }
        try context.work { context throws in
            context.refresh(heat, mergeChanges: false)
            #expect(heat.names("fans") == [] && shaq.names("favourites") == ["Heat"])
            heat.mutableSetValue(forKey: "fans").add(shaq)
            #expect(!shaq.hasChanges)
            #expect(thrown { try context.save() }?.code == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(heat.names("fans") == [])
        }
        try stack.reopened { other throws in
            #expect((try other.all("Team").first?.value(forKey: "fans") as? NSSet)?.count == 0)
        }
    }

    @Test(
        "a member stays without an owner if its new owner was deleted by others, and has it already as far as it knows")
    func newOwnerThatIsGone() throws {
        try context.work { context throws in
            wade.setValue(heat, forKey: "team")
            try context.save()
            #expect(heat.names("players") == ["Wade"])
        }
        try stack.reopened { other throws in
            let team = try #require(try other.all("Team").first)
            try other.all("Player").forEach { $0.setValue(nil, forKey: "team") }
            other.processPendingChanges()
            other.delete(team)
            try other.save()
        }
        try context.work { context throws in
            context.refresh(wade, mergeChanges: false)
            #expect(wade.object("team") == nil)
            wade.setValue(heat, forKey: "team")
            #expect(thrown { try context.save() }?.code == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try context.save()
        }
        try stack.reopened { other throws in
            #expect(try other.all("Player").allSatisfy { $0.object("team") == nil })
        }
    }

    @Test(
        "a fault that lost its row is no member of any object in what is saved, whatever its delete rule, looked at before or not",
        arguments: [false, true])
    func goneByDenyRule(isLookedAt: Bool) throws {
        let (sponsors, teams) = (toMany("sponsors"), toMany("teams", rule: .denyDeleteRule))
        let name = { attribute("name", .stringAttributeType) }
        let (teamEntity, sponsorEntity) = (entity("Team", [name(), sponsors]), entity("Sponsor", [name(), teams]))
        connect(teamEntity, sponsors, sponsorEntity, teams)
        let stack = try Stack(model(teamEntity, sponsorEntity))
        let manager = UndoManager()
        manager.groupsByEvent = false
        try stack.context().work { context throws in
            context.undoManager = manager
            let team = context.insert("Team", ["name": "Heat"])
            try manager.group {
                team.mutableSetValue(forKey: "sponsors").add(context.insert("Sponsor", ["name": "Acme"]))
                try context.save()
            }
            for entity in ["Sponsor", "Team"] { try manager.group { try context.all(entity).forEach(context.delete) } }
            try context.save()
            context.undo()
            #expect(team.isInserted)
            if isLookedAt {
                let sponsor = try #require((team.value(forKey: "sponsors") as? Set<NSManagedObject>)?.first)
                #expect(sponsor.string("name") == nil && sponsor.isDeleted)
            }
            #expect(thrown { try context.save() }?.code == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.overwrite
            try context.save()
            #expect((team.value(forKey: "sponsors") as? NSSet)?.count == 0)
        }
        try stack.reopened { other throws in
            #expect((try other.all("Team").first?.value(forKey: "sponsors") as? NSSet)?.count == 0)
        }
    }

    @Test("a relationship set to what it was is no conflict where no object at the other end is written")
    func unrelated() throws {
        try stack.work { other throws in
            #expect(other.object(with: heat.objectID).object("captain") === other.object(with: wade.objectID))
            try context.work { context throws in
                heat.setValue("Miami", forKey: "name")
                try context.save()
            }
            other.object(with: heat.objectID).setValue(other.object(with: wade.objectID), forKey: "captain")
            _ = other.insert("Team", ["name": "Bulls"])
            try other.save()
        }
    }
}
