import CoreData
import Foundation
import Testing

/// What becomes of relationships where the changes of several contexts meet: both sides agree, and no object points to
/// nothing.
@Suite("Relationships in conflict")
struct SettlingTests {
    private let stack: Stack
    private let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(LeagueModel.make())
        context = stack.context()
    }

    /// Saved objects of the context, by their names.
    private func save(teams: [String], players: [String]) throws -> [String: NSManagedObject] {
        try context.work { context throws in
            var made: [String: NSManagedObject] = [:]
            for name in teams { made[name] = context.insert("Team", ["name": name]) }
            for name in players { made[name] = context.insert("Player", ["name": name]) }
            try context.save()
            return made
        }
    }

    /// Saved objects of the context, by their names, and among them Wade, the captain of the Heat.
    private func saveCaptain(
        teams: [String], players: [String]
    ) throws -> (all: [String: NSManagedObject], heat: NSManagedObject, wade: NSManagedObject) {
        let all = try save(teams: ["Heat"] + teams, players: ["Wade"] + players)
        let (heat, wade) = (try #require(all["Heat"]), try #require(all["Wade"]))
        try context.work { context throws in
            wade.setValue(heat, forKey: "captainOf")
            try context.save()
        }
        return (all, heat, wade)
    }

    /// Another context changes the store.
    private func elsewhere(_ change: ([String: NSManagedObject], NSManagedObjectContext) throws -> Void) throws {
        try stack.reopened { other throws in
            try change(try named(other), other)
            try other.save()
        }
    }

    private func named(_ context: NSManagedObjectContext) throws -> [String: NSManagedObject] {
        let all = try context.all("Team") + context.all("Player")
        return Dictionary(uniqueKeysWithValues: all.map { ($0.string("name") ?? "", $0) })
    }

    private func check(_ body: ([String: NSManagedObject]) throws -> Void) throws {
        try stack.reopened { other throws in try body(named(other)) }
    }

    @Test(
        "rolled back, an object goes back to what the store has, not to what the context had seen, and changes no other object"
    )
    func rolledBack() throws {
        let objects = try save(teams: ["Heat", "Suns", "Bulls"], players: ["Wade"])
        try context.work { context throws in
            objects["Wade"]?.setValue(objects["Heat"], forKey: "team")
            try context.save()
            objects["Heat"]?.setValue("Mine", forKey: "name")
            objects["Wade"]?.setValue(objects["Bulls"], forKey: "team")
        }
        try elsewhere { objects, other throws in
            objects["Wade"]?.setValue(objects["Suns"], forKey: "team")
            other.processPendingChanges()
            other.delete(try #require(objects["Heat"]))
        }
        try context.work { context throws in
            context.mergePolicy = NSMergePolicy.rollback
            try context.save()
            #expect(objects["Wade"]?.object("team") === objects["Suns"])
        }
        try check { #expect($0["Wade"]?.object("team")?.string("name") == "Suns" && $0["Heat"] == nil) }
    }

    @Test("a member that is gone is none, whichever policy settles the conflict")
    func linkToNothing() throws {
        for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .rollback] {
            let objects = try save(teams: ["Heat"], players: ["Wade"])
            try context.work { context throws in
                objects["Heat"]?.mutableSetValue(forKey: "fans").add(try #require(objects["Wade"]))
            }
            try elsewhere { objects, other throws in other.delete(try #require(objects["Wade"])) }
            try context.work { context throws in
                context.mergePolicy = policy
                try context.save()
                #expect(objects["Heat"]?.names("fans") == [])
            }
            try check { #expect(($0["Heat"]?.value(forKey: "fans") as? NSSet)?.count == 0) }
            try context.work { context throws in
                try context.all("Team").forEach(context.delete)
                try context.save()
            }
        }
    }

    @Test("an object that gets a partner by overwriting takes it from the partner's present one")
    func overwrittenPair() throws {
        let objects = try save(teams: ["Heat"], players: ["Wade", "Shaq"])
        try context.work { context throws in
            objects["Heat"]?.setValue(objects["Wade"], forKey: "captain")
            try context.save()
        }
        try elsewhere { objects, _ in objects["Heat"]?.setValue(objects["Shaq"], forKey: "captain") }
        try context.work { context throws in
            objects["Wade"]?.setValue(30, forKey: "age")
            context.mergePolicy = NSMergePolicy.overwrite
            try context.save()
            #expect(objects["Heat"]?.object("captain") === objects["Wade"])
        }
        try check {
            #expect($0["Heat"]?.object("captain") === $0["Wade"] && $0["Wade"]?.object("captainOf") === $0["Heat"])
            #expect($0["Shaq"]?.object("captainOf") == nil)
        }
    }

    @Test("a partner that has another one by an older row than the object's lets go of it, conflict or not")
    func olderPartner() throws {
        let objects = try save(teams: ["Heat"], players: ["Wade", "Shaq"])
        try stack.work { other throws in
            other.refreshAllObjects()
            let mine = try Dictionary(
                uniqueKeysWithValues: other.all("Player").map { ($0.string("name") ?? "", $0) })
            try context.work { context throws in
                objects["Wade"]?.setValue(objects["Heat"], forKey: "captainOf")
                try context.save()
            }
            #expect(mine["Wade"]?.object("captainOf") == nil)
            let team = other.object(with: try #require(objects["Heat"]).objectID)
            mine["Shaq"]?.setValue(team, forKey: "captainOf")
            try other.save()
        }
        try check {
            #expect($0["Heat"]?.object("captain") === $0["Shaq"])
            #expect($0["Wade"]?.object("captainOf") == nil)
        }
    }

    @Test("an object gets a partner whole, and loses the one before, though the partner's former one has a newer row")
    func pairMetByANewerRow() throws {
        let (objects, heat, wade) = try saveCaptain(teams: ["Suns"], players: ["Shaq"])
        let (suns, shaq) = (try #require(objects["Suns"]), try #require(objects["Shaq"]))
        try elsewhere { objects, _ in objects["Shaq"]?.setValue(objects["Heat"], forKey: "captainOf") }
        try context.work { context throws in
            context.refresh(heat, mergeChanges: false)
            heat.setValue("Miami", forKey: "name")
            shaq.setValue("Shaquille", forKey: "name")
            #expect(heat.object("captain") === shaq)
            wade.setValue(suns, forKey: "captainOf")
            heat.setValue(wade, forKey: "captain")
            #expect(heat.object("captain") === wade && wade.object("captainOf") === heat)
            #expect(suns.object("captain") == nil && shaq.object("captainOf") == nil)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        try check { objects throws in
            #expect(objects["Miami"]?.object("captain") == objects["Wade"])
            #expect(objects["Suns"]?.object("captain") == nil && objects["Shaquille"]?.object("captainOf") == nil)
        }
    }

    @Test("an object that let go of a partner which left by a newer row stays without it", arguments: [true, false])
    func pairLeftByANewerRow(isRefreshed: Bool) throws {
        let (objects, heat, wade) = try saveCaptain(teams: ["Suns", "Bulls"], players: [])
        let (suns, bulls) = (try #require(objects["Suns"]), try #require(objects["Bulls"]))
        try elsewhere { objects, _ in objects["Wade"]?.setValue(objects["Suns"], forKey: "captainOf") }
        try context.work { context throws in
            context.refresh(wade, mergeChanges: false)
            #expect(wade.object("captainOf") === suns)
            heat.setValue(nil, forKey: "captain")
            suns.setValue("Phoenix", forKey: "name")
            // The row of the Suns is older than that of their captain.
            wade.setValue(bulls, forKey: "captainOf")
            if isRefreshed {
                try elsewhere { objects, _ in objects["Suns"]?.setValue("Sunny", forKey: "name") }
                context.refresh(suns, mergeChanges: true)
            }
            #expect(heat.object("captain") == nil && suns.object("captain") == nil)
            #expect(bulls.object("captain") === wade && wade.object("captainOf") === bulls)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        try check { objects throws in
            #expect(objects["Heat"]?.object("captain") == nil && objects["Phoenix"]?.object("captain") == nil)
            #expect(objects["Bulls"]?.object("captain") == objects["Wade"])
        }
    }

    @Test("a changed to-many relationship has the members that others gave it, once these are merged")
    func mergedMembers() throws {
        let objects = try save(teams: ["Heat"], players: ["Wade", "Kobe"])
        try context.work { context throws in
            objects["Wade"]?.setValue(objects["Heat"], forKey: "team")
            try context.save()
            #expect(objects["Heat"]?.names("players") == ["Wade"])
            _ = context.insert("Player", ["name": "Shaq", "team": objects["Heat"] as Any])
        }
        let other = stack.context()
        let saves = Collector(.NSManagedObjectContextDidSave, of: other)
        try other.work { other throws in
            let objects = try named(other)
            objects["Kobe"]?.setValue(objects["Heat"], forKey: "team")
            try other.save()
        }
        context.work { context in
            for payload in saves.payloads {
                context.mergeChanges(
                    fromContextDidSave: Notification(
                        name: .NSManagedObjectContextDidSave, object: other, userInfo: payload))
            }
            #expect(objects["Heat"]?.names("players") == ["Kobe", "Shaq", "Wade"])
        }
    }

    @Test("an object that is relied on and gone is a conflict, also if it is a fault that was not looked at again")
    func reliedAndGone() throws {
        let objects = try save(teams: ["Heat"], players: ["Wade"])
        let team = try #require(objects["Heat"])
        context.work { context in
            context.detectConflicts(for: team)
            context.refresh(team, mergeChanges: false)
            objects["Wade"]?.setValue(30, forKey: "age")
        }
        try elsewhere { objects, other throws in other.delete(try #require(objects["Heat"])) }
        let error = context.performAndWait { thrown { try context.save() } }
        #expect(error?.code == NSManagedObjectMergeError)
    }

    @Test("an object is one object after its deletion was undone and others had brought it back")
    func broughtBackTwice() throws {
        let objects = try save(teams: [], players: ["Wade"])
        let player = try #require(objects["Wade"])
        let other = stack.context()
        let theirs = other.work { other in
            let theirs = other.object(with: player.objectID)
            theirs.setValue(40, forKey: "age")
            return theirs
        }
        try context.work { context throws in
            context.undoManager = UndoManager()
            context.delete(player)
            try context.save()
            context.undo()
            player.setValue("Shaq", forKey: "name")
        }
        try other.work { other throws in
            other.mergePolicy = NSMergePolicy.overwrite
            try other.save()
            #expect(theirs.isDeleted == false)
        }
        let error = context.performAndWait { thrown { try context.save() } }
        #expect(error?.code == NSManagedObjectMergeError)
        try context.work { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        try check { #expect($0.keys.sorted() == ["Shaq"] && $0["Shaq"]?.value(forKey: "age") as? Int == 40) }
    }

    @Test("a save that failed with conflicts is settled by refreshing, or by another policy, and done again")
    func savedAgain() throws {
        let objects = try save(teams: ["Heat"], players: ["Wade"])
        let player = try #require(objects["Wade"])
        for isRefreshed in [true, false] {
            try context.work { context throws in
                context.mergePolicy = NSMergePolicy.error
                player.setValue(player.object("team") == nil ? objects["Heat"] : nil, forKey: "team")
            }
            try elsewhere { objects, _ in
                let player = objects["Wade"]
                player?.setValue((player?.value(forKey: "age") as? Int ?? 0) + 1, forKey: "age")
            }
            try context.work { context throws in
                let error = try #require(thrown { try context.save() })
                let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict]
                #expect(error.code == NSManagedObjectMergeError && conflicts?.map(\.sourceObject) == [player])
                #expect(context.hasChanges && player.isUpdated)
                if isRefreshed {
                    context.refresh(player, mergeChanges: true)
                } else {
                    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                }
                try context.save()
                #expect(!context.hasChanges)
            }
            try check {
                #expect($0["Wade"]?.value(forKey: "age") as? Int == (isRefreshed ? 1 : 2))
                #expect(($0["Wade"]?.object("team") != nil) == isRefreshed)
                #expect($0["Heat"]?.names("players") == (isRefreshed ? ["Wade"] : []))
            }
        }
    }

    /// Another context deletes an object.
    ///
    /// - Returns: What its save told, to be merged late.
    private func deletion(of object: NSManagedObject, in stack: Stack) throws -> Notification {
        let other = stack.context()
        let saves = Collector(.NSManagedObjectContextDidSaveObjectIDs, of: other)
        try other.work { other throws in
            other.delete(other.object(with: object.objectID))
            try other.save()
        }
        return Notification(
            name: .NSManagedObjectContextDidSaveObjectIDs, object: other, userInfo: saves.payloads.first)
    }

    /// Another context deletes an object, and one that had changed it before brings it back.
    ///
    /// - Returns: What the deletion told.
    private func staleDeletion(
        of object: NSManagedObject, setting value: Any, forKey key: String, in stack: Stack
    ) throws -> Notification {
        let keeper = stack.context()
        keeper.work { $0.object(with: object.objectID).setValue(value, forKey: key) }
        let told = try deletion(of: object, in: stack)
        try keeper.work { keeper throws in
            keeper.mergePolicy = NSMergePolicy.overwrite
            try keeper.save()
        }
        return told
    }

    @Test("an old save that tells of a deletion does not take what is changed in an object that is there again")
    func staleDeletion() throws {
        let objects = try save(teams: ["Heat"], players: ["Wade"])
        let player = try #require(objects["Wade"])
        let told = try staleDeletion(of: player, setting: 40, forKey: "age", in: stack)
        try context.work { context throws in
            player.setValue("Shaq", forKey: "name")
            let merged = Collector(.NSManagedObjectContextDidMergeChangesObjectIDs, of: context)
            context.mergeChanges(fromContextDidSave: told)
            #expect(merged.ids(NSUpdatedObjectIDsKey) == [player.objectID])
            #expect(merged.ids(NSRefreshedObjectIDsKey) == [player.objectID])
            #expect(merged.ids(NSDeletedObjectIDsKey).isEmpty)
            try context.save()
        }
        try check { #expect($0["Shaq"]?.value(forKey: "age") as? Int == 40) }
    }

    @Test(
        "an old save that tells of a deletion takes no object from changed ones if it is there again",
        arguments: [false, true])
    func staleDeletionOfDestination(isFault: Bool) throws {
        let objects = try save(teams: ["Heat"], players: ["Wade"])
        let (heat, wade) = (try #require(objects["Heat"]), try #require(objects["Wade"]))
        let told = try deletion(of: heat, in: stack)
        try context.work { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            wade.setValue(heat, forKey: "captainOf")
            try context.save()
            if isFault { context.refresh(heat, mergeChanges: false) }
            // As it is already: the team is not changed by it.
            wade.setValue(heat, forKey: "captainOf")
            #expect(context.updatedObjects == [wade])
            context.mergeChanges(fromContextDidSave: told)
            #expect(heat.managedObjectContext === context && heat.isFault == isFault)
            #expect(wade.object("captainOf") === heat && heat.object("captain") === wade)
            try context.save()
        }
        try check {
            #expect($0["Wade"]?.object("captainOf") == $0["Heat"] && $0["Heat"]?.object("captain") == $0["Wade"])
        }
    }

    @Test(
        "an old save that tells of a deletion leaves a new relationship without inverse to what is there again, with the values of now",
        arguments: [false, true])
    func staleDeletionWithoutInverse(isFault: Bool) throws {
        let (club, clubs) = (toOne("club"), entity("Club", [attribute("name", .stringAttributeType)]))
        club.destinationEntity = clubs
        let stack = try Stack(model(clubs, entity("Person", [attribute("name", .stringAttributeType), club])))
        let context = stack.context()
        let (chess, ann) = try context.work { context throws in
            let objects = (context.insert("Club", ["name": "Chess"]), context.insert("Person", ["name": "Ann"]))
            try context.save()
            if isFault {
                // With the row of now at hand.
                context.refresh(objects.0, mergeChanges: false)
                #expect(try context.all("Club") == [objects.0] && objects.0.isFault)
            }
            return objects
        }
        let told = try staleDeletion(of: chess, setting: "Bridge", forKey: "name", in: stack)
        try context.work { context throws in
            ann.setValue(chess, forKey: "club")
            let changes = Collector(.NSManagedObjectContextObjectsDidChange, of: context)
            context.mergeChanges(fromContextDidSave: told)
            #expect(chess.isFault == isFault && ann.object("club") === chess && chess.string("name") == "Bridge")
            #expect(changes.objects(NSRefreshedObjectsKey) == [chess] && changes.objects(NSDeletedObjectsKey) == [])
            try context.save()
        }
        try stack.reopened { other throws in
            #expect(try other.all("Person").first?.object("club")?.string("name") == "Bridge")
        }
    }

    @Test(
        "an object that turns out to be gone, by the save or before it, does not delete members that were given to it here",
        arguments: [false, true])
    func givenToWhatIsGone(isFoundBefore: Bool) throws {
        let objects = try save(teams: ["Heat"], players: [])
        let heat = try #require(objects["Heat"])
        try context.work { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            context.refresh(heat, mergeChanges: false)
            _ = context.insert("Player", ["name": "Wade", "team": heat])
        }
        try elsewhere { objects, other throws in other.delete(try #require(objects["Heat"])) }
        try context.work { context throws in
            if isFoundBefore {
                #expect(heat.string("name") == nil && heat.isDeleted)
                context.processPendingChanges()
                #expect(context.deletedObjects == [heat])
            }
            try context.save()
        }
        try check { #expect($0.keys.sorted() == ["Wade"] && $0["Wade"]?.object("team") == nil) }
    }

    @Test(
        "a member that was taken out of an owner here and given to it by others does not point to it once it is deleted"
    )
    func takenOutAndDeleted() throws {
        let stack = try Stack(LeagueModel.make(teamRule: .nullifyDeleteRule))
        let context = stack.context()
        let (heat, wade) = try context.work { context throws in
            let objects = (context.insert("Team", ["name": "Heat"]), context.insert("Player", ["name": "Wade"]))
            try context.save()
            context.refresh(objects.0, mergeChanges: false)
            return objects
        }
        context.work { context in
            heat.mutableSetValue(forKey: "players").remove(wade)
            context.delete(heat)
            context.processPendingChanges()
        }
        try stack.work { other throws in
            other.object(with: wade.objectID).setValue(other.object(with: heat.objectID), forKey: "team")
            try other.save()
        }
        try context.work { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        try stack.reopened { other throws in
            #expect(try other.all("Team").isEmpty)
            #expect(try other.all("Player", "team == nil").count == 1)
        }
    }

    @Test("what another process wrote is read anew by contexts that had no object of it, once they were told")
    func toldOfRowsWithoutObjects() throws {
        let objects = try save(teams: ["Heat"], players: [])
        let id = try #require(objects["Heat"]).objectID
        try elsewhere { objects, _ in objects["Heat"]?.setValue("Miami", forKey: "name") }
        stack.work { other in
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectsKey: [id.uriRepresentation()]], into: [other])
            #expect(other.object(with: id).string("name") == "Miami")
        }
    }

    @Test(
        "an object that was found gone, and is back when a merge tells of the deletion, is a new object that can be changed"
    )
    func broughtBack() throws {
        let (_, heat, wade) = try saveCaptain(teams: [], players: [])
        let second = stack.context()
        second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let (his, player) = try second.work { second throws in
            let objects = (second.object(with: heat.objectID), second.object(with: wade.objectID))
            #expect(objects.0.string("name") == "Heat")
            return objects
        }
        try stack.reopened { other throws in
            let found = try #require(try other.all("Player").first { $0.string("name") == "Wade" })
            try context.work { context throws in
                context.delete(heat)
                try context.save()
            }
            found.setValue(nil, forKey: "captainOf")
            let team = other.object(with: heat.objectID)
            #expect(team.isDeleted)
            try second.work { second throws in
                player.mutableSetValue(forKey: "favourites").add(his)
                try second.save()
            }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [
                    NSUpdatedObjectsKey: [wade, heat].map { $0.objectID.uriRepresentation() },
                    NSDeletedObjectsKey: [heat.objectID.uriRepresentation()],
                ], into: [other])
            #expect(team.managedObjectContext == nil)
            other.object(with: heat.objectID).setValue("Miami", forKey: "name")
            try other.save()
        }
        try check { all in #expect(all["Miami"]?.names("fans") == ["Wade"]) }
    }

    @Test(
        "an object that was found gone is back where another turns out to have it as partner, and is let go of like any other",
        arguments: [true, false])
    func foundGonePartner(isRefreshed: Bool) throws {
        let (objects, heat, wade) = try saveCaptain(teams: ["Suns"], players: [])
        let suns = try #require(objects["Suns"])
        let second = stack.context()
        second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let (his, player) = try second.work { second throws in
            let objects = (second.object(with: suns.objectID), second.object(with: wade.objectID))
            #expect(objects.0.string("name") == "Suns" && objects.1.object("captainOf") != nil)
            return objects
        }
        try stack.reopened { other throws in
            let (team, found) = (other.object(with: suns.objectID), other.object(with: wade.objectID))
            #expect(found.object("captainOf") == other.object(with: heat.objectID))
            try context.work { context throws in
                context.delete(suns)
                try context.save()
            }
            #expect(team.string("name") == nil && team.isDeleted)
            try second.work { second throws in
                his.setValue(player, forKey: "captain")
                try second.save()
            }
            if isRefreshed {
                other.refresh(found, mergeChanges: false)
                #expect(found.object("captainOf") == team)
            }
            found.setValue(nil, forKey: "captainOf")
            other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try other.save()
            #expect(!team.isDeleted && team.string("name") == "Suns" && team.object("captain") == nil)
        }
        try check { all in
            #expect(all["Suns"] != nil && all["Suns"]?.object("captain") == nil)
            #expect(all["Heat"]?.object("captain") == nil && all["Wade"]?.object("captainOf") == nil)
        }
    }

    @Test(
        "an object that was found gone and is back, before or after it becomes a partner, is one from both ends",
        arguments: [true, false])
    func foundGoneAndChosen(isBackBefore: Bool) throws {
        let objects = try save(teams: ["Heat"], players: ["Wade"])
        let (heat, wade) = (try #require(objects["Heat"]), try #require(objects["Wade"]))
        let second = stack.context()
        second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        second.work { $0.object(with: heat.objectID).setValue("Miami", forKey: "name") }
        try stack.reopened { other throws in
            let (team, player) = (other.object(with: heat.objectID), other.object(with: wade.objectID))
            try context.work { context throws in
                context.delete(heat)
                try context.save()
            }
            #expect(team.string("name") == nil && team.isDeleted)
            other.processPendingChanges()
            if !isBackBefore { player.setValue(team, forKey: "captainOf") }
            try second.work { try $0.save() }
            if isBackBefore {
                player.setValue(team, forKey: "captainOf")
                #expect(!team.isDeleted && team.object("captain") == player)
            } else {
                #expect(thrown { try other.save() }?.code == NSManagedObjectMergeError)
                other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            }
            try other.save()
        }
        try check { #expect($0["Miami"]?.object("captain") == $0["Wade"] && $0["Wade"]?.object("captainOf") != nil) }
    }

    @Test("an object that was found gone and is back can be refreshed, changed and saved", arguments: [true, false])
    func foundGoneAndRefreshed(mergeChanges: Bool) throws {
        let wade = try #require(try save(teams: [], players: ["Wade"])["Wade"])
        let second = stack.context()
        second.work { $0.object(with: wade.objectID).setValue(40, forKey: "age") }
        try stack.reopened { other throws in
            let found = other.object(with: wade.objectID)
            try context.work { context throws in
                context.delete(wade)
                try context.save()
            }
            #expect(found.string("name") == nil && found.isDeleted)
            try second.work { second throws in
                second.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                try second.save()
            }
            other.refresh(found, mergeChanges: mergeChanges)
            #expect(!found.isDeleted && found.string("name") == "Wade")
            found.setValue("Flash", forKey: "name")
            // It is no object any longer that is known to be gone.
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [wade.objectID.uriRepresentation()]], into: [other])
            #expect(found.string("name") == "Flash")
            try other.save()
        }
        try check { #expect($0["Flash"]?.value(forKey: "age") as? Int == 40) }
    }

    @Test("a row that a policy brings back is not the one that others have seen, however often the policy was asked")
    func broughtBackByAPolicy() throws {
        let objects = try save(teams: ["Heat"], players: ["Wade"])
        let (heat, wade) = (try #require(objects["Heat"]), try #require(objects["Wade"]))
        try stack.reopened { third throws in
            let theirs = third.object(with: wade.objectID)
            theirs.setValue(40, forKey: "age")
            try stack.reopened { other throws in
                other.mergePolicy = NSMergePolicy.overwrite
                let team = try #require(try other.all("Team").first)
                #expect(team.object("captain") == nil)
                try context.work { context throws in
                    heat.setValue(wade, forKey: "captain")
                    try context.save()
                }
                // The player's row is the newer one, and says so already.
                team.setValue(try other.all("Player").first, forKey: "captain")
                try context.work { context throws in
                    context.delete(wade)
                    try context.save()
                }
                try other.save()
            }
            #expect(thrown { try third.save() }?.code == NSManagedObjectMergeError)
        }
        try check { #expect($0["Wade"] != nil && $0["Heat"]?.object("captain") == $0["Wade"]) }
    }

    @Test("a row that is deleted and brought back twice is another one each time")
    func broughtBackByTwo() throws {
        let wade = try #require(try save(teams: [], players: ["Wade"])["Wade"])
        let third = stack.context()
        let others = [stack.context(), stack.context()]
        for other in others {
            other.work { other in
                other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
                other.object(with: wade.objectID).setValue(40, forKey: "age")
            }
        }
        for other in others {
            try context.work { context throws in
                context.delete(context.object(with: wade.objectID))
                try context.save()
            }
            try other.work { try $0.save() }
            // The third one knows what the first one brought back.
            third.work { $0.object(with: wade.objectID).setValue("Flash", forKey: "name") }
        }
        #expect(third.performAndWait { thrown { try third.save() } }?.code == NSManagedObjectMergeError)
    }

    @Test(
        "what is deleted here with its owner is no member of the owner that it has elsewhere", arguments: [true, false])
    func deletedWithItsFormerOwner(isOrdered: Bool) throws {
        let all = try save(teams: ["Heat", "Bulls"], players: ["Wade"])
        let (heat, bulls, wade) = (try #require(all["Heat"]), try #require(all["Bulls"]), try #require(all["Wade"]))
        let (owner, members) = isOrdered ? ("benchOf", "bench") : ("team", "players")
        try context.work { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            wade.setValue(heat, forKey: owner)
            try context.save()
            #expect(bulls.names(members).isEmpty)
            // The save compares the row of the Bulls, too.
            bulls.setValue(nil, forKey: "captain")
            context.delete(heat)
            if isOrdered { context.delete(wade) }
            context.processPendingChanges()
            try elsewhere { all, _ in all["Wade"]?.setValue(all["Bulls"], forKey: owner) }
            try context.save()
            #expect(wade.managedObjectContext == nil)
            #expect(bulls.names(members).isEmpty)
        }
        try check { #expect($0["Wade"] == nil && $0["Bulls"]?.names(members) == []) }
    }
}
