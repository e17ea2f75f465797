import CoreData
import Foundation
import Testing

/// An object that a context found gone, and that others may have brought back, is dealt with like any other.
@Suite("Objects that were found gone")
struct ReturnTests {
    private let stack: Stack
    private let wade: NSManagedObject
    private let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(LeagueModel.make())
        context = stack.context()
        wade = try context.work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let wade = context.insert("Player", ["name": "Wade", "team": heat])
            try context.save()
            return wade
        }
    }

    /// Has a context with a coordinator of its own find Wade gone, whom it knew to play for the Heat.
    ///
    /// - Parameters:
    ///   - isBack: Whether others bring him back then.
    ///   - body: Is given the context, its team and its player.
    private func foundGone(
        isBack: Bool, _ body: (NSManagedObjectContext, NSManagedObject, NSManagedObject) throws -> Void
    ) throws {
        let second = stack.context()
        second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        second.work { $0.object(with: wade.objectID).setValue(40, forKey: "age") }
        try stack.reopened { other throws in
            other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let (team, player) = (try #require(try other.all("Team").first), other.object(with: wade.objectID))
            #expect(team.names("players") == ["Wade"])
            other.refresh(player, mergeChanges: false)
            try context.work { context throws in
                context.delete(wade)
                try context.save()
            }
            #expect(player.string("name") == nil && player.isDeleted)
            if isBack { try second.work { try $0.save() } }
            try body(other, team, player)
        }
    }

    private func stored(_ body: (_ team: NSManagedObject?, _ player: NSManagedObject?) -> Void) throws {
        try stack.reopened { body(try $0.all("Team").first, try $0.all("Player").first) }
    }

    @Test("who is back can be taken out of a relationship", arguments: [true, false])
    func takenOut(isReplaced: Bool) throws {
        try foundGone(isBack: true) { other, team, player throws in
            if isReplaced {
                team.setValue(Set<NSManagedObject>(), forKey: "players")
            } else {
                team.mutableSetValue(forKey: "players").remove(player)
            }
            #expect(!player.isDeleted && player.object("team") == nil && team.names("players") == [])
            try other.save()
            #expect(team.names("players") == [])
        }
        try stored { #expect($1?.string("name") == "Wade" && $1?.object("team") == nil && $0?.names("players") == []) }
    }

    @Test("who is back is deleted with the one it belongs to")
    func cascaded() throws {
        try foundGone(isBack: true) { other, team, player throws in
            other.delete(team)
            try other.save()
            #expect(player.managedObjectContext == nil)
        }
        try stored { #expect($0 == nil && $1 == nil) }
    }

    @Test("inserted, it is as the store has it where others have brought it back, and can be deleted")
    func insertedWhereItIsBack() throws {
        try foundGone(isBack: true) { other, _, player throws in
            other.insert(player)
            #expect(!player.isDeleted && !player.isInserted && player.string("name") == "Wade")
            other.delete(player)
            try other.save()
        }
        try stored { #expect($0?.names("players") == [] && $1 == nil) }
    }

    @Test(
        "inserted, it is a new one under the ID that it had where nobody has brought it back", arguments: [true, false])
    func insertedWhereItIsGone(isUndone: Bool) throws {
        try foundGone(isBack: false) { other, team, player throws in
            other.processPendingChanges()
            if isUndone { other.undoManager = UndoManager() }
            other.insert(player)
            #expect(player.isInserted && !player.isDeleted)
            player.setValue("Flash", forKey: "name")
            player.setValue(team, forKey: "team")
            if isUndone { other.undo() }
            try other.save()
        }
        try stored { team, player in
            if isUndone { return #expect(player == nil) }
            #expect(player?.objectID.uriRepresentation() == wade.objectID.uriRepresentation())
            #expect(player?.string("name") == "Flash" && team?.names("players") == ["Flash"])
        }
    }

    @Test("it is back where a merge tells of it", arguments: [NSInsertedObjectsKey, NSUpdatedObjectsKey])
    func merged(key: String) throws {
        try foundGone(isBack: true) { other, team, player throws in
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [key: [player.objectID.uriRepresentation()]], into: [other])
            #expect(!player.isDeleted && player.string("name") == "Wade" && player.object("team") == team)
            #expect(!other.hasChanges)
        }
    }

    @Test("who is deleted and inserted again asks nobody whom its deletion did not concern")
    func unconcerned() throws {
        let stack = try Stack(LeagueModel.make(teamRule: .noActionDeleteRule))
        let heat = try stack.saved("Team", ["name": "Heat"])
        let wade = try stack.work { context throws in
            let wade = context.insert("Player", ["name": "Wade", "team": context.object(with: heat)])
            try context.save()
            return wade.objectID
        }
        try stack.context().work { other throws in
            let (team, player) = (other.object(with: heat), other.object(with: wade))
            #expect(team.names("players") == ["Wade"])
            other.refresh(player, mergeChanges: false)
            try stack.work { context throws in
                context.delete(context.object(with: wade))
                try context.save()
            }
            other.delete(team)
            other.processPendingChanges()
            other.insert(team)
            #expect(!team.isDeleted && player.isFault && !player.isDeleted)
        }
    }
}
