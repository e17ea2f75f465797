import CoreData
import Foundation
import RandomSeeds
import Testing

extension TwoStores {
    /// Expects what is in the two files.
    fileprivate func expectStored(
        _ inFirst: [String], _ inSecond: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try stored(first) == inFirst, sourceLocation: sourceLocation)
        #expect(try stored(second) == inSecond, sourceLocation: sourceLocation)
    }
}

/// A store can't commit after another one has: what the other took is saved, and only the rest is saved again.
@Suite("Saves that some stores took")
struct IncompleteSaveTests {
    private let stores: TwoStores

    init() throws { stores = try TwoStores(reservesKeys: true) }

    /// A team with a player in each store, saved.
    private func saved(_ context: NSManagedObjectContext) throws -> (first: NSManagedObject, second: NSManagedObject) {
        let teams = (team("Heat", stores.first, context), team("Bulls", stores.second, context))
        try context.save()
        return teams
    }

    private func team(
        _ name: String, _ store: NSPersistentStore, _ context: NSManagedObjectContext
    ) -> NSManagedObject {
        let team = context.insert("Team", ["name": name])
        let player = context.insert("Player", ["name": name + " 1", "team": team])
        for object in [team, player] { context.assign(object, to: store) }
        return team
    }

    private func player(of team: NSManagedObject) throws -> NSManagedObject {
        try #require((team.value(forKey: "players") as? Set<NSManagedObject>)?.first)
    }

    @Test("134040 names the stores that did and did not take their part, and the objects that are unsaved")
    func error() throws {
        try stores.work { context throws in
            let (heat, bulls) = try saved(context)
            heat.setValue("Nets", forKey: "name")
            bulls.setValue("Jazz", forKey: "name")
            let error = try stores.saveIncompletely(context)
            #expect(error.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [stores.first])
            #expect(error.userInfo["NSPersistentStoresSaved"] as? [NSPersistentStore] == [stores.second])
            #expect(error.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [heat])
            #expect(error.userInfo[NSUnderlyingErrorKey] is NSError)
            #expect(
                error.localizedDescription
                    == "Only a part could be saved: “Second.sqlite” has its changes, and those of “First.sqlite” are unsaved still."
            )
        }
    }

    @Test("updates of the store that took its part are saved; saving again is no conflict with them")
    func updates() throws {
        try stores.work { context throws in
            let (heat, bulls) = try saved(context)
            heat.setValue("Nets", forKey: "name")
            bulls.setValue("Jazz", forKey: "name")
            try stores.saveIncompletely(context)
            #expect(!bulls.hasChanges && bulls.committedValues(forKeys: ["name"])["name"] as? String == "Jazz")
            #expect(heat.isUpdated && heat.changedValues().keys.sorted() == ["name"])
            #expect(context.updatedObjects == [heat] && context.hasChanges)
            try stores.expectStored(["Heat 1@Heat"], ["Bulls 1@Jazz"])
            try context.save()
            #expect(!context.hasChanges)
            #expect(try stores.stored(stores.first) == ["Heat 1@Nets"])
            bulls.setValue("Suns", forKey: "name")
            try context.save()
            #expect(try stores.stored(stores.second) == ["Bulls 1@Suns"])
        }
    }

    @Test("new objects of the store that took its part have their permanent IDs, and are not inserted again")
    func inserts() throws {
        try stores.work { context throws in
            let heat = team("Heat", stores.first, context)
            let bulls = team("Bulls", stores.second, context)
            let (heatPlayer, bullsPlayer) = (try player(of: heat), try player(of: bulls))
            let temporary = heat.objectID
            try stores.saveIncompletely(context)
            for object in [bulls, bullsPlayer] {
                #expect(!object.hasChanges && !object.objectID.isTemporaryID)
                #expect(object.objectID.persistentStore === stores.second)
                #expect(try context.existingObject(with: object.objectID) === object)
            }
            #expect(context.insertedObjects == [heat, heatPlayer])
            #expect(heat.objectID == temporary && context.registeredObject(for: temporary) === heat)
            #expect(heatPlayer.object("team") === heat && heat.names("players") == ["Heat 1"])
            try context.save()
            #expect(!heat.objectID.isTemporaryID && heat.objectID.persistentStore === stores.first)
            try stores.expectStored(["Heat 1@Heat"], ["Bulls 1@Bulls"])
        }
    }

    @Test("what the store that took its part deleted is gone; the other's is still to be deleted")
    func deletes() throws {
        try stores.work { context throws in
            let (heat, bulls) = try saved(context)
            let id = bulls.objectID
            context.delete(heat)
            context.delete(bulls)
            try stores.saveIncompletely(context)
            #expect(bulls.managedObjectContext == nil && !bulls.isDeleted)
            #expect(
                thrown { _ = try context.existingObject(with: id) }?.code == NSManagedObjectReferentialIntegrityError)
            #expect(heat.isDeleted && context.deletedObjects.contains(heat) && context.deletedObjects.count == 2)
            try stores.expectStored(["Heat 1@Heat"], [])
            try context.save()
            #expect(heat.managedObjectContext == nil && !context.hasChanges)
            #expect(try stores.stored(stores.first) == [])
        }
    }

    @Test("a rollback gives up what is unsaved, and nothing of what was saved")
    func rollback() throws {
        try stores.work { context throws in
            let (heat, bulls) = try saved(context)
            heat.setValue("Nets", forKey: "name")
            bulls.setValue("Jazz", forKey: "name")
            let (suns, kings) = (team("Suns", stores.first, context), team("Kings", stores.second, context))
            try stores.saveIncompletely(context)
            context.rollback()
            #expect(!context.hasChanges && suns.managedObjectContext == nil)
            #expect(
                heat.string("name") == "Heat" && bulls.string("name") == "Jazz" && kings.names("players") == ["Kings 1"]
            )
            bulls.setValue("Magic", forKey: "name")
            try context.save()
            try stores.expectStored(["Heat 1@Heat"], ["Bulls 1@Magic", "Kings 1@Kings"])
        }
    }

    @Test("an object that was not saved can go to the other store")
    func otherStore() throws {
        try stores.work { context throws in
            let heat = team("Heat", stores.first, context)
            _ = team("Bulls", stores.second, context)
            try stores.saveIncompletely(context)
            for object in [heat, try player(of: heat)] { context.assign(object, to: stores.second) }
            try stores.whileFirstIsHeld { try context.save() }
            #expect(try stores.stored(stores.second) == ["Bulls 1@Bulls", "Heat 1@Heat"])
        }
    }

    @Test("undo takes back what was saved and what was not; both can be saved, and redone")
    func undo() throws {
        try stores.work { context throws in
            let manager = UndoManager()
            manager.groupsByEvent = false
            context.undoManager = manager
            var teams: [NSManagedObject] = []
            try manager.group {
                let saved = try saved(context)
                teams = [saved.first, saved.second]
            }
            manager.group {
                for team in teams { team.setValue("New " + (team.string("name") ?? ""), forKey: "name") }
                _ = (self.team("Suns", stores.first, context), self.team("Kings", stores.second, context))
            }
            try stores.saveIncompletely(context)
            manager.undo()
            #expect(teams.map { $0.string("name") } == ["Heat", "Bulls"])
            #expect(context.insertedObjects.isEmpty && context.deletedObjects.count == 2)
            #expect(!teams[0].hasPersistentChangedValues && teams[1].hasPersistentChangedValues)
            try context.save()
            try stores.expectStored(["Heat 1@Heat"], ["Bulls 1@Bulls"])
            manager.redo()
            try stores.saveIncompletely(context)
            try context.save()
            try stores.expectStored(["Heat 1@New Heat", "Suns 1@Suns"], ["Bulls 1@New Bulls", "Kings 1@Kings"])
        }
    }

    @Test("did-save tells of what was saved, each time; other contexts merge just that")
    func notifications() throws {
        let other = stores.context()
        other.automaticallyMergesChangesFromParent = true
        try stores.work { context throws in
            let (heat, bulls) = try saved(context)
            let seen = try other.performAndWait { try other.existingObject(with: bulls.objectID) }
            other.performAndWait { #expect(seen.string("name") == "Bulls") }
            heat.setValue("Nets", forKey: "name")
            bulls.setValue("Jazz", forKey: "name")
            let suns = team("Suns", stores.first, context)
            let log = Collector(.NSManagedObjectContextDidSave, of: context)
            let ids = Collector(.NSManagedObjectContextDidSaveObjectIDs, of: context)
            try stores.saveIncompletely(context)
            #expect(log.objects(NSUpdatedObjectsKey) == [bulls] && log.objects(NSInsertedObjectsKey).isEmpty)
            #expect(ids.ids(NSUpdatedObjectIDsKey) == [bulls.objectID])
            other.performAndWait {
                #expect(seen.string("name") == "Jazz")
                #expect(other.object(with: heat.objectID).string("name") == "Heat")
            }
            try context.save()
            #expect(log.payloads.count == 2 && ids.payloads.count == 2)
            #expect(log.payloads[1][NSUpdatedObjectsKey] as? Set<NSManagedObject> == [heat])
            #expect(log.payloads[1][NSInsertedObjectsKey] as? Set<NSManagedObject> == [suns, try player(of: suns)])
            other.performAndWait { #expect(other.object(with: heat.objectID).string("name") == "Nets") }
        }
    }

    @Test("children follow the new IDs of the store that took its part, and the others' when these are saved")
    func children() throws {
        let root = stores.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = root
        let teams = try child.performAndWait {
            let teams = [team("Heat", stores.first, child), team("Bulls", stores.second, child)]
            try child.save()
            return teams
        }
        try root.performAndWait { _ = try stores.saveIncompletely(root) }
        try child.performAndWait {
            #expect(teams.map(\.objectID.isTemporaryID) == [true, false])
            #expect(try player(of: teams[0]).objectID.isTemporaryID)
            teams[0].setValue("Nets", forKey: "name")
            teams[1].setValue("Jazz", forKey: "name")
            try child.save()
        }
        try root.performAndWait { try root.save() }
        child.performAndWait { #expect(teams.map(\.objectID.isTemporaryID) == [false, false]) }
        try stores.expectStored(["Heat 1@Nets"], ["Bulls 1@Jazz"])
    }

    @Test("a store that has no keys to give keeps all objects as they were, those of other stores too")
    func keys() throws {
        let stores = try TwoStores()
        try stores.work { context throws in
            let bulls = team("Bulls", stores.second, context)
            let heat = team("Heat", stores.first, context)
            let all = [bulls, heat, try player(of: bulls), try player(of: heat)]
            func expectUnsaved() {
                #expect(context.insertedObjects == Set(all) && all.allSatisfy(\.objectID.isTemporaryID))
                #expect(all[2].object("team") === bulls && all[3].object("team") === heat)
            }
            try stores.whileFirstIsHeld {
                #expect(thrown { try context.save() } != nil)
                expectUnsaved()
                #expect(thrown { try context.obtainPermanentIDs(for: all) } != nil)
                expectUnsaved()
            }
            try context.save()
            try stores.expectStored(["Heat 1@Heat"], ["Bulls 1@Bulls"])
        }
    }

    @Test("a row that a save relies on is looked at again where its store did not take the save")
    func reliance() throws {
        try stores.work { context throws in
            let (heat, bulls) = try saved(context)
            let player = try player(of: heat)
            context.detectConflicts(for: heat)
            player.setValue("Wade", forKey: "name")
            bulls.setValue("Jazz", forKey: "name")
            try stores.saveIncompletely(context)
            try stores.work { other throws in
                other.object(with: heat.objectID).setValue("Nets", forKey: "name")
                try other.save()
            }
            #expect(thrown { try context.save() }?.code == NSManagedObjectMergeError)
        }
    }

    @Test(
        "whatever is changed and however often a store fails: what is saved in the end is what the context has",
        arguments: UInt64(1)...12)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try stores.work { context throws in
            for round in 1...25 {
                for _ in 0..<Int.random(in: 1...6, using: &random) { try change(context, &random) }
                if Bool.random(using: &random) {
                    _ = try stores.whileFirstIsHeld { thrown { try context.save() } }
                } else {
                    try context.save()
                }
                guard round.isMultiple(of: 5) else { continue }
                try context.save()
                for store in [stores.first, stores.second] {
                    #expect(try stores.stored(store) == shown(store, context), "seed \(seed), round \(round)")
                }
            }
        }
    }

    private func change(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        let store = Bool.random(using: &random) ? stores.first : stores.second
        // Unsaved objects are in no store: each name says where it belongs.
        let mark = store === stores.first ? " in first" : " in second"
        func all(_ entity: String) throws -> [NSManagedObject] {
            try context.all(entity, sortedBy: "name").filter { $0.string("name")?.hasSuffix(mark) ?? false }
        }
        let (teams, players) = (try all("Team"), try all("Player"))
        let name = "\(Int.random(in: 100_000...999_999, using: &random))" + mark
        switch Int.random(in: 0...5, using: &random) {
        case 0: context.assign(context.insert("Team", ["name": name]), to: store)
        case 1, 2:
            let player = context.insert("Player", ["name": name])
            context.assign(player, to: store)
            player.setValue(teams.randomElement(using: &random), forKey: "team")
        case 3: players.randomElement(using: &random)?.setValue(name, forKey: "name")
        case 4: players.randomElement(using: &random)?.setValue(teams.randomElement(using: &random), forKey: "team")
        default: (teams + players).randomElement(using: &random).map(context.delete)
        }
    }

    /// What a context that has saved everything has of a store, as ``TwoStores/stored(_:)``.
    private func shown(_ store: NSPersistentStore, _ context: NSManagedObjectContext) throws -> [String] {
        let players = try context.all("Player").filter { $0.objectID.persistentStore === store }.map { player in
            (player.string("name") ?? "") + (player.object("team")?.string("name").map { "@" + $0 } ?? "")
        }
        let teams = try context.all("Team").filter {
            $0.objectID.persistentStore === store && $0.names("players").isEmpty
        }
        return (players + teams.compactMap { $0.string("name") }).sorted()
    }
}
