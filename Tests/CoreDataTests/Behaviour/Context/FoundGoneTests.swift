import CoreData
import Foundation
import Testing

/// An object that a context found gone, and that others may have brought back, is dealt with like any other.
@Suite("Objects that were found gone")
struct FoundGoneTests {
    /// A context with a coordinator of its own. It knew that Wade plays for the Heat, and has found Wade gone.
    private final class Finding {
        let context: NSManagedObjectContext
        let team: NSManagedObject
        let player: NSManagedObject
        /// A context that changed Wade before it found Wade gone.
        private let second: NSManagedObjectContext
        private let his: NSManagedObject

        init(_ stack: Stack, _ context: NSManagedObjectContext, _ wade: NSManagedObjectID) throws {
            second = stack.context()
            second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            his = second.work { second in
                let his = second.object(with: wade)
                his.setValue(40, forKey: "age")
                return his
            }
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            (self.context, player) = (context, context.object(with: wade))
            team = try #require(try context.all("Team").first)
            #expect(team.names("players") == ["Wade"])
            context.refresh(player, mergeChanges: false)
            try stack.work { context throws in
                context.delete(context.object(with: wade))
                try context.save()
            }
            #expect(player.string("name") == nil && player.isDeleted)
        }

        /// Others bring him back, to the Heat or to another team.
        func bringBack(isTraded: Bool = false) throws {
            try second.work { second throws in
                if isTraded { his.setValue(second.insert("Team", ["name": "Bulls"]), forKey: "team") }
                try second.save()
            }
        }
    }

    /// - Parameters:
    ///   - rule: What becomes of a team's players.
    ///   - stored: Is given those of the store afterwards, by name.
    private func find(
        rule: NSDeleteRule = .cascadeDeleteRule, _ body: (Finding) throws -> Void,
        stored: ([String: NSManagedObject], NSManagedObjectID) -> Void = { _, _ in }
    ) throws {
        let model = LeagueModel.make(teamRule: rule)
        model.entitiesByName["Player"]?.attributesByName["age"]?.defaultValue = 7
        let stack = try Stack(model)
        let heat = try stack.saved("Team", ["name": "Heat"])
        let wade = try stack.work { context throws in
            let wade = context.insert("Player", ["name": "Wade", "team": context.object(with: heat)])
            try context.save()
            return wade.objectID
        }
        try stack.reopened { try body(Finding(stack, $0, wade)) }
        try stack.reopened { context throws in
            let all = try context.all("Team") + context.all("Player")
            stored(Dictionary(uniqueKeysWithValues: all.map { ($0.string("name") ?? "", $0) }), wade)
        }
    }

    @Test("an object that is back can be taken out of a relationship", arguments: [true, false])
    func takenOut(isReplaced: Bool) throws {
        try find { found throws in
            try found.bringBack()
            let (team, player) = (found.team, found.player)
            if isReplaced {
                team.setValue(Set<NSManagedObject>(), forKey: "players")
            } else {
                team.mutableSetValue(forKey: "players").remove(player)
            }
            #expect(!player.isDeleted && player.object("team") == nil && team.names("players") == [])
            try found.context.save()
            #expect(team.names("players") == [])
        } stored: { all, _ in
            #expect(all["Wade"] != nil && all["Wade"]?.object("team") == nil && all["Heat"]?.names("players") == [])
        }
    }

    @Test(
        "an object that is back is deleted with the one it belongs to, and stays with another",
        arguments: [true, false])
    func cascaded(isTraded: Bool) throws {
        try find { found throws in
            try found.bringBack(isTraded: isTraded)
            found.context.delete(found.team)
            try found.context.save()
            #expect((found.player.managedObjectContext != nil) == isTraded)
        } stored: { all, _ in
            #expect(all.keys.sorted() == (isTraded ? ["Bulls", "Wade"] : []))
            #expect(all["Wade"]?.object("team") == all["Bulls"])
        }
    }

    @Test("an object that is back denies a deletion, unless it belongs to another by then", arguments: [true, false])
    func denied(isTraded: Bool) throws {
        try find(rule: .denyDeleteRule) { found throws in
            try found.bringBack(isTraded: isTraded)
            found.context.delete(found.team)
            let error = thrown { try found.context.save() }
            #expect(error?.code == (isTraded ? nil : NSValidationRelationshipDeniedDeleteError))
        } stored: { all, _ in
            #expect(all.keys.sorted() == [isTraded ? "Bulls" : "Heat", "Wade"])
        }
    }

    @Test("inserted, it is as the store has it where others have brought it back, and can be deleted")
    func insertedWhereItIsBack() throws {
        try find { found throws in
            try found.bringBack()
            let player = found.player
            found.context.insert(player)
            #expect(!player.isDeleted && !player.isInserted && player.string("name") == "Wade")
            found.context.delete(player)
            try found.context.save()
        } stored: { all, _ in
            #expect(all["Wade"] == nil && all["Heat"]?.names("players") == [])
        }
    }

    @Test(
        "inserted, it is a new one under the ID that it had where no context has brought it back",
        arguments: [true, false])
    func insertedWhereItIsGone(isUndone: Bool) throws {
        try find { found throws in
            let (context, player) = (found.context, found.player)
            context.processPendingChanges()
            if isUndone { context.undoManager = UndoManager() }
            context.insert(player)
            #expect(player.isInserted && !player.isDeleted && player.value(forKey: "age") as? Int == 7)
            player.setValue("Flash", forKey: "name")
            player.setValue(found.team, forKey: "team")
            if isUndone { context.undo() }
            try context.save()
        } stored: { all, wade in
            if isUndone { return #expect(all.count == 1) }
            #expect(all["Flash"]?.objectID.uriRepresentation() == wade.uriRepresentation())
            #expect(all["Heat"]?.names("players") == ["Flash"])
        }
    }

    @Test("inserted before others bring it back, it keeps what it was given, and has of others what it was not")
    func insertedBeforeItIsBack() throws {
        try find { found throws in
            found.context.insert(found.player)
            found.player.setValue("Flash", forKey: "name")
            try found.bringBack()
            try found.context.save()
        } stored: { all, _ in
            #expect(all["Flash"]?.value(forKey: "age") as? Int == 40 && all["Flash"]?.object("team") == all["Heat"])
        }
    }

    @Test("it is back where a merge tells of it", arguments: [NSInsertedObjectsKey, NSUpdatedObjectsKey])
    func merged(key: String) throws {
        try find { found throws in
            try found.bringBack()
            let player = found.player
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [key: [player.objectID.uriRepresentation()]], into: [found.context])
            #expect(!player.isDeleted && player.string("name") == "Wade" && player.object("team") == found.team)
            #expect(!found.context.hasChanges)
        }
    }

    @Test("an object that was never looked at, is deleted and inserted again is there as before")
    func fault() throws {
        let stack = try Stack(LeagueModel.make())
        let wade = try stack.saved("Player", ["name": "Wade"])
        stack.work { context in
            let player = context.object(with: wade)
            context.delete(player)
            context.insert(player)
            #expect(!player.isDeleted && !player.isInserted && !context.hasChanges && player.string("name") == "Wade")
        }
    }

    @Test("an object that is deleted and inserted again loads no objects that its deletion did not concern")
    func unconcerned() throws {
        try find(rule: .noActionDeleteRule) { found throws in
            let (context, team, player) = (found.context, found.team, found.player)
            context.rollback()
            #expect(player.isFault)
            context.delete(team)
            context.processPendingChanges()
            context.insert(team)
            #expect(!team.isDeleted && player.isFault && !player.isDeleted)
        }
    }
}
