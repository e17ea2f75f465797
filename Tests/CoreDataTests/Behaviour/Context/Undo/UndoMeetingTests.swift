import CoreData
import Foundation
import Testing

/// What random scripts of four contexts found.
@Suite("Undo among other things")
struct UndoMeetingTests {
    private let stack: Stack
    private let context: NSManagedObjectContext
    private let manager = UndoManager()

    init() throws {
        stack = try Stack(LeagueModel.make(teamRule: .denyDeleteRule))
        context = stack.context()
        manager.groupsByEvent = false
        context.performAndWait { [context, manager] in context.undoManager = manager }
    }

    private func group<T>(_ body: () throws -> T) rethrows -> T { try manager.group(body) }

    /// A team with one player, saved.
    private func savedTeam() throws -> (team: NSManagedObject, player: NSManagedObject) {
        try group {
            let team = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade", "team": team])
            try context.save()
            return (team, player)
        }
    }

    @Test("a denied deletion that is undone and redone leaves the members as the deletion left them")
    func deniedDeletion() throws {
        try context.work { context throws in
            let (team, player) = try savedTeam()
            group { context.delete(team) }
            #expect(player.object("team") === team)
            context.undo()
            context.redo()
            #expect(team.isDeleted && player.object("team") === team)
            #expect(thrown { try context.save() }?.code == NSValidationRelationshipDeniedDeleteError)
        }
    }

    @Test("ordered members go back to their places among those that joined without undo")
    func orderedMembers() throws {
        try context.work { context throws in
            let (team, _) = try savedTeam()
            var bench: NSMutableOrderedSet { team.mutableOrderedSetValue(forKey: "bench") }
            func names() -> [String] { bench.compactMap { ($0 as? NSManagedObject)?.string("name") } }
            group { for name in ["a", "b", "c"] { bench.add(context.insert("Player", ["name": name])) } }
            func join(_ name: String, at place: Int) {
                manager.disableUndoRegistration()
                bench.insert(context.insert("Player", ["name": name]), at: place)
                context.processPendingChanges()
                manager.enableUndoRegistration()
            }
            group { bench.moveObjects(at: [2], to: 0) }
            join("d", at: 3)
            #expect(names() == ["c", "a", "b", "d"])
            context.undo()
            #expect(names() == ["a", "b", "c", "d"])
            context.redo()
            #expect(names() == ["c", "a", "b", "d"])
            context.undo()

            group { bench.removeObject(at: 3) }
            join("e", at: 0)
            context.undo()
            #expect(names() == ["e", "a", "b", "c", "d"])
        }
    }

    @Test("what a deleted object said of others comes back with the change that took it")
    func relationshipOfDeleted() throws {
        try context.work { context throws in
            let (team, player) = try savedTeam()
            group { context.delete(team) }
            group { player.setValue(nil, forKey: "team") }
            context.undo()
            #expect(player.object("team") === team)
            #expect(thrown { try context.save() }?.code == NSValidationRelationshipDeniedDeleteError)
        }
    }

    @Test("a save after an undone deletion tells of the objects that it inserted")
    func announcement() throws {
        try context.work { context throws in
            let (_, player) = try savedTeam()
            let other = group { context.insert("Player", ["name": "Shaq"]) }
            group { context.delete(player) }
            context.undo()
            let saves = Collector(.NSManagedObjectContextDidSave, of: context)
            try group { try context.save() }
            #expect(saves.objects(NSInsertedObjectsKey) == [other])
        }
    }

    @Test("undoing a deletion gives back what it took from objects that were faults until then")
    func faults() throws {
        try context.work { context throws in
            let (team, player) = try savedTeam()
            let fan = try group {
                player.setValue(NSSet(object: team), forKey: "favourites")
                player.setValue(team, forKey: "captainOf")
                try context.save()
                return player
            }
            context.refreshAllObjects()
            #expect(fan.isFault)
            group { context.delete(team) }
            #expect(player.object("captainOf") == nil)
            context.undo()
            #expect(player.object("captainOf") === team)
            #expect(!player.hasPersistentChangedValues && !player.isUpdated)
        }
    }

    @Test(
        "undone, a deletion gives back what others had saved of those that it let go, and what was set on the deleted object"
    )
    func deletionThatMeetsNewerRows() throws {
        let stack = try Stack(LeagueModel.make(teamRule: .nullifyDeleteRule))
        let context = stack.context()
        context.work { $0.undoManager = manager }
        let (team, player) = try context.work { context throws in
            try group {
                let objects = (context.insert("Team", ["name": "Heat"]), context.insert("Player", ["name": "Wade"]))
                try context.save()
                return objects
            }
        }
        try stack.work { other throws in
            other.object(with: player.objectID).setValue(other.object(with: team.objectID), forKey: "team")
            try other.save()
        }
        context.work { context in
            context.refresh(team, mergeChanges: false)
            group { team.setValue(player, forKey: "captain") }
            group { context.delete(team) }
            context.undo()
            #expect(team.object("captain") === player && player.object("captainOf") === team)
            #expect(player.object("team") === team)
        }
    }

    @Test("what an object that turns out to be gone leaves behind is no event to undo, and needs no group")
    func gone() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.context().work { context throws in
            let (team, player) = (
                context.insert("Team", ["name": "Heat"]), context.insert("Player", ["name": "Wade"])
            )
            try context.save()
            context.refresh(team, mergeChanges: false)
            player.mutableSetValue(forKey: "favourites").add(team)
            context.undoManager = manager
            try stack.work { other throws in
                other.delete(other.object(with: team.objectID))
                try other.save()
            }
            #expect(team.string("name") == nil && team.isDeleted)
            context.processPendingChanges()
            #expect(player.names("favourites").isEmpty && !manager.canUndo)
        }
    }

    @Test(
        "a fault that is deleted and turns out to be gone is nothing that undo could bring back",
        arguments: [false, true])
    func deletedWhereGone(isSaved: Bool) throws {
        let stack = try Stack(LeagueModel.make())
        try stack.context().work { context throws in
            let player = context.insert("Player", ["name": "Wade"])
            try context.save()
            context.refresh(player, mergeChanges: false)
            context.undoManager = manager
            try stack.work { other throws in
                other.delete(other.object(with: player.objectID))
                try other.save()
            }
            group { context.delete(player) }
            #expect(player.isDeleted)
            if isSaved { try context.save() }
            context.undo()
            #expect(context.insertedObjects.isEmpty)
            #expect(isSaved ? player.managedObjectContext == nil : player.isDeleted)
            try context.save()
            #expect(try context.all("Player").isEmpty && !context.hasChanges)
        }
    }

    @Test("a deletion is undone also where its preparation has pending changes processed")
    func processedByPreparation() throws {
        let stack = try Stack(DiaryModel.make())
        try stack.context().work { context throws in
            let page = try #require(context.insert("Page", ["title": "Monday"]) as? DiaryPage)
            try context.save()
            context.undoManager = manager
            page.whenPrepared = {
                page.setValue("Sunday", forKey: "title")
                context.processPendingChanges()
            }
            group { context.delete(page) }
            try context.save()
            context.undo()
            #expect(context.insertedObjects == [page] && page.string("title") == "Monday")
        }
    }

    @Test("what went with its owner, and was gone already, does not come back with the owner")
    func cascadedWhereGone() throws {
        let chain = try Chain()
        let (team, player) = try chain.root.work { root throws in
            let objects = (root.insert("Team", ["name": "Heat"]), root.insert("Player", ["name": "Wade"]))
            try root.save()
            return objects
        }
        try chain.stack.work { other throws in
            other.object(with: player.objectID).setValue(other.object(with: team.objectID), forKey: "team")
            try other.save()
        }
        chain.root.work { root in
            root.refresh(team, mergeChanges: false)
            root.delete(player)
        }
        try chain.child.work { child throws in
            child.undoManager = manager
            let own = child.object(with: team.objectID)
            group { child.delete(own) }
            try child.save()
            child.undo()
            #expect(child.insertedObjects == [own] && own.string("name") == "Heat")
        }
    }
}
