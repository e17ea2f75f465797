import CoreData
import Foundation
import Testing

@Suite("Life cycle and notifications")
struct LifeCycleAndNotificationTests {
    // MARK: Transient attributes

    @Test("transient attributes start from their default after a refresh, a fetch and a save, and stay valid")
    func transientDefaults() throws {
        let stack = try Stack(Room.model())
        try stack.work { context throws in
            let room = context.insert("Room", ["name": "a"])
            room.setValue("loud", forKey: "noise")
            room.setValue(7, forKey: "guests")
            try context.save()
            #expect(room.string("noise") == "loud", "a save keeps what is in memory")
            context.refresh(room, mergeChanges: false)
            #expect(room.string("noise") == "quiet" && room.value(forKey: "guests") as? Int == 2)
            #expect(room.primitiveValue(forKey: "noise") as? String == "quiet" && !room.hasChanges)
            room.setValue("b", forKey: "name")
            try context.save()
            room.setValue(nil, forKey: "guests")
            #expect(room.value(forKey: "guests") == nil, "nil that was set is nil")
        }
        try stack.reopened { context throws in
            let room = try #require(try context.all("Room").first)
            #expect(room.string("noise") == "quiet" && room.value(forKey: "guests") as? Int == 2)
            room.setValue("c", forKey: "name")
            try context.save()
        }
    }

    @Test("undo gives a transient attribute its default, and nil, back")
    func undoOfTransients() throws {
        try Stack(Room.model()).work { context throws in
            let room = context.insert("Room", ["name": "a"])
            try context.save()
            context.refresh(room, mergeChanges: false)
            let undo = UndoManager()
            undo.groupsByEvent = false
            context.undoManager = undo
            undo.group { room.setValue("loud", forKey: "noise") }
            undo.group { room.setValue(nil, forKey: "guests") }
            undo.group { room.setValue(5, forKey: "guests") }
            undo.undo()
            #expect(room.value(forKey: "guests") == nil)
            undo.undo()
            #expect(room.value(forKey: "guests") as? Int == 2)
            undo.undo()
            #expect(room.string("noise") == "quiet")
        }
    }

    @Test("a child's new fault starts from the transient default, not from its parent's value")
    func transientDefaultsInChildren() throws {
        let stack = try Stack(Room.model())
        let parent = stack.context()
        let room = try parent.performAndWait {
            let room = parent.insert("Room", ["name": "a", "noise": "loud"])
            try parent.save()
            return room
        }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        try child.performAndWait {
            let mine = try #require(try child.all("Room").first)
            #expect(mine.string("noise") == "quiet" && mine.value(forKey: "guests") as? Int == 2)
            mine.setValue("deafening", forKey: "noise")
            try child.save()
        }
        parent.performAndWait { #expect(room.string("noise") == "deafening") }
    }

    // MARK: Changed values

    @Test("no transient property is among the changed values, before a save and after it")
    func noTransientChanges() throws {
        try Stack(Room.model()).work { context throws in
            let room = context.insert("Room", ["name": "a", "noise": "loud"])
            #expect(room.changedValues().keys.sorted() == ["name"])
            #expect(room.changedValuesForCurrentEvent().keys.sorted() == ["name"])
            try context.save()
            #expect(room.changedValues().isEmpty)
            room.setValue("calm", forKey: "noise")
            #expect(room.hasChanges && room.changedValues().isEmpty && room.changedValuesForCurrentEvent().isEmpty)
        }
    }

    @Test("the changed values of an event are those from before it: saved ones, unsaved ones and members")
    func valuesBeforeTheEvent() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let (heat, bulls) = (context.insert("Team", ["name": "Heat"]), context.insert("Team", ["name": "Bulls"]))
            let player = context.insert("Player", ["name": "Wade", "age": 30, "team": heat])
            try context.save()
            player.setValue(31, forKey: "age")
            player.setValue(32, forKey: "age")
            player.setValue(bulls, forKey: "team")
            player.setValue("glad", forKey: "mood")
            func before(_ object: NSManagedObject) -> [String: Any] { object.changedValuesForCurrentEvent() }
            #expect(before(player)["age"] as? Int == 30 && before(player)["team"] as? NSManagedObject === heat)
            #expect(before(player).count == 2)
            #expect(before(heat)["players"] as? Set<NSManagedObject> == [player])
            #expect((before(bulls)["players"] as? NSSet)?.count == 0)
            context.processPendingChanges()
            player.setValue(nil, forKey: "age")
            player.setValue(nil, forKey: "team")
            #expect(before(player)["age"] as? Int == 32 && before(player)["team"] as? NSManagedObject === bulls)
            #expect(before(bulls)["players"] as? Set<NSManagedObject> == [player])
            #expect(before(heat).isEmpty)
            let log = NotificationLog(context) { ["\(before(player)["age"] as? Int ?? 0)"] }
            context.processPendingChanges()
            #expect(log.seen == [["32"]])
            #expect(before(player).isEmpty)
        }
    }

    @Test("an inserted object's changed values of the event are the defaults that they were")
    func valuesBeforeTheInsertion() throws {
        try Stack(Room.model()).work { context throws in
            let room = context.insert("Room", ["name": "a", "size": 9])
            #expect(room.changedValuesForCurrentEvent()["size"] as? Int == 1)
            #expect(room.changedValuesForCurrentEvent()["name"] is NSNull)
            context.processPendingChanges()
            room.setValue(10, forKey: "size")
            #expect(room.changedValuesForCurrentEvent()["size"] as? Int == 9)
        }
    }

    @Test("a value that is back where it was is no change, in the event and since the save")
    func backAgain() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade", "age": 30, "team": heat])
            try context.save()
            player.setValue(31, forKey: "age")
            player.setValue(nil, forKey: "team")
            #expect(player.changedValues().keys.sorted() == ["age", "team"])
            player.setValue(30, forKey: "age")
            player.setValue(heat, forKey: "team")
            #expect(player.changedValues().isEmpty && player.changedValuesForCurrentEvent().isEmpty)
            #expect(heat.changedValues().isEmpty && heat.changedValuesForCurrentEvent().isEmpty)
            player.setValue(33, forKey: "age")
            context.processPendingChanges()
            player.setValue(34, forKey: "age")
            player.setValue(33, forKey: "age")
            #expect(player.changedValuesForCurrentEvent().isEmpty && player.changedValues().keys.sorted() == ["age"])
        }
    }

    @Test("a primitive value that nothing announces is no change; an announced one is")
    func primitiveValues() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let player = context.insert("Player", ["name": "Wade", "age": 30])
            try context.save()
            player.setPrimitiveValue(31, forKey: "age")
            #expect(player.changedValues().isEmpty && player.changedValuesForCurrentEvent().isEmpty)
            player.willChangeValue(forKey: "name")
            player.setPrimitiveValue("Dwyane", forKey: "name")
            player.didChangeValue(forKey: "name")
            #expect(player.changedValues().keys.sorted() == ["name"])
            #expect(player.changedValuesForCurrentEvent()["name"] as? String == "Wade")
        }
    }

    @Test("an inserted object has no committed values")
    func committedValuesOfInserted() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let player = context.insert("Player", ["name": "Wade"])
            #expect(player.committedValues(forKeys: nil).isEmpty && player.committedValues(forKeys: ["name"]).isEmpty)
            try context.save()
            #expect(player.committedValues(forKeys: ["name"])["name"] as? String == "Wade")
        }
    }

    // MARK: Change notifications

    @Test("an object is under inserted in one change notification, under updated in those before the save")
    func insertedOnce() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let changes = Collector(.NSManagedObjectContextObjectsDidChange, of: context)
            let saves = Collector(.NSManagedObjectContextDidSave, of: context)
            let player = context.insert("Player", ["name": "Wade"])
            context.processPendingChanges()
            player.setValue(30, forKey: "age")
            context.processPendingChanges()
            #expect(player.isInserted && !player.isUpdated && context.insertedObjects == [player])
            try context.save()
            func sets(_ key: String) -> [Set<NSManagedObject>?] {
                changes.payloads.map { $0[key] as? Set<NSManagedObject> }
            }
            #expect(sets(NSInsertedObjectsKey) == [[player], nil] && sets(NSUpdatedObjectsKey) == [nil, [player]])
            #expect(saves.objects(NSInsertedObjectsKey) == [player] && saves.objects(NSUpdatedObjectsKey).isEmpty)
            player.setValue(31, forKey: "age")
            context.processPendingChanges()
            #expect(changes.payloads.last?[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [player])
        }
    }

    @Test("an observer that stamps what is inserted, or what is updated, lets save() end", arguments: [false, true])
    func stampingObserver(stampsUpdated: Bool) throws {
        let stack = try Stack(Room.model())
        try stack.work { context throws in
            nonisolated(unsafe) var stamp = 0
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { note in
                for key in stampsUpdated ? [NSInsertedObjectsKey, NSUpdatedObjectsKey] : [NSInsertedObjectsKey] {
                    for object in note.userInfo?[key] as? Set<NSManagedObject> ?? [] {
                        stamp += 1
                        object.setValue(stamp, forKey: "size")
                    }
                }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            let room = context.insert("Room", ["name": "a"])
            try context.save()
            #expect(!context.hasChanges && room.value(forKey: "size") as? Int == stamp && stamp > 0)
            let kept = stamp
            try stack.reopened { context throws in
                #expect(try context.all("Room").first?.value(forKey: "size") as? Int == kept)
            }
        }
    }

    // MARK: Deleting

    @Test("a deleted object's own relationships are torn down when its deletion is processed")
    func tornDown() throws {
        let stack = try Stack(LeagueModel.make(teamRule: .nullifyDeleteRule))
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade", "team": team])
            player.relate("favourites", to: team)
            team.setValue(player, forKey: "captain")
            try context.save()
            context.delete(team)
            #expect(team.names("players") == ["Wade"] && team.object("captain") === player)
            context.processPendingChanges()
            #expect(team.names("players").isEmpty && team.names("fans").isEmpty && team.object("captain") == nil)
            #expect(team.objectIDs(forRelationshipNamed: "players").isEmpty)
            #expect(team.committedValues(forKeys: ["players"])["players"] as? Set<NSManagedObject> == [player])
            #expect(team.string("name") == "Heat" && player.object("team") == nil)
            context.rollback()
            #expect(team.names("players") == ["Wade"] && team.object("captain") === player)
            #expect(player.object("team") === team)
            let undo = UndoManager()
            undo.groupsByEvent = false
            context.undoManager = undo
            undo.group { context.delete(team) }
            #expect(team.names("players").isEmpty)
            undo.undo()
            #expect(team.names("players") == ["Wade"] && team.names("fans") == ["Wade"])
            undo.redo()
            #expect(team.names("players").isEmpty)
            try context.save()
        }
        try stack.reopened { context throws in
            #expect(try context.all("Team").isEmpty)
            #expect(try context.all("Player").map { $0.object("team") } == [nil])
        }
    }

    @Test("what was handed out of a deleted object's to-many relationships is empty until the object is back")
    func tornDownSets() throws {
        let stack = try Stack(LeagueModel.make(teamRule: .nullifyDeleteRule))
        try stack.work { context throws in
            let (team, player) = try Self.teamOfOne(context)
            let sets = HandedOut(team, player)
            func expect(_ count: Int, _ what: String) { #expect(sets.counts() == sets.all(count), "\(what)") }
            expect(1, "saved")
            context.delete(team)
            expect(1, "deleted, not yet processed")
            context.processPendingChanges()
            expect(0, "deleted")
            context.rollback()
            expect(1, "rolled back")
            let undo = UndoManager()
            undo.groupsByEvent = false
            context.undoManager = undo
            undo.group { context.delete(team) }
            expect(0, "deleted again")
            undo.undo()
            expect(1, "undone")
            undo.redo()
            expect(0, "redone")
            try context.save()
            #expect(sets.players.count == 0 && sets.bench.count == 0)
        }
    }

    @Test("what was handed out of a relationship that denies the deletion, or does nothing, keeps its members")
    func deniedSets() throws {
        for rule in [NSDeleteRule.denyDeleteRule, .noActionDeleteRule] {
            let stack = try Stack(LeagueModel.make(teamRule: rule))
            try stack.work { context throws in
                let (team, player) = try Self.teamOfOne(context)
                let sets = HandedOut(team, player)
                #expect(sets.counts() == sets.all(1))
                context.delete(team)
                context.processPendingChanges()
                var expected = sets.all(1)
                expected["bench"] = 0
                expected["primitive bench"] = 0
                #expect(sets.counts() == expected)
                context.rollback()
                #expect(sets.counts() == sets.all(1))
            }
        }
    }

    /// A saved team with one player, on its bench too.
    private static func teamOfOne(_ context: NSManagedObjectContext) throws -> (NSManagedObject, NSManagedObject) {
        let team = context.insert("Team", ["name": "Heat"])
        let player = context.insert("Player", ["name": "Wade", "team": team, "benchOf": team])
        try context.save()
        return (team, player)
    }

    /// What a team's relationships gave, and give.
    private struct HandedOut {
        let team: NSManagedObject
        let player: NSManagedObject
        let players: NSSet
        let bench: NSOrderedSet
        let proxy: NSMutableSet

        init(_ team: NSManagedObject, _ player: NSManagedObject) {
            (self.team, self.player) = (team, player)
            players = team.value(forKey: "players") as? NSSet ?? []
            bench = team.value(forKey: "bench") as? NSOrderedSet ?? []
            proxy = team.mutableSetValue(forKey: "players")
        }

        /// How many members each shows.
        func counts() -> [String: Int] {
            [
                "players": players.count, "bench": bench.count, "proxy": proxy.count,
                "enumerated": proxy.allObjects.count, "contained": proxy.contains(player) ? 1 : 0,
                "copied": (proxy.copy() as? NSSet)?.count ?? -1,
                "primitive players": (team.primitiveValue(forKey: "players") as? NSSet)?.count ?? -1,
                "primitive bench": (team.primitiveValue(forKey: "bench") as? NSOrderedSet)?.count ?? -1,
            ]
        }

        func all(_ count: Int) -> [String: Int] { counts().mapValues { _ in count } }
    }

    @Test("prepareForDeletion() runs once for a fault that turns out to be gone in it")
    func preparedOnce() throws {
        let room = Room.model()
        let stack = try Stack(room)
        let id = try stack.saved("Room", ["name": "a"])
        try stack.work { context throws in
            let gone = try #require(context.object(with: id) as? Room)
            try stack.work { other throws in
                other.delete(other.object(with: id))
                try other.save()
            }
            context.delete(gone)
            #expect(gone.preparations == 1 && gone.isDeleted)
        }
    }

    // MARK: Saving

    @Test("a save of an unchanged context, and of a child, posts will-save and an empty did-save")
    func unchangedSave() throws {
        let stack = try Stack(LeagueModel.make())
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        for context in [parent, child] {
            try context.performAndWait {
                let will = Collector(.NSManagedObjectContextWillSave, of: context)
                let did = Collector(.NSManagedObjectContextDidSave, of: context)
                let changes = Collector(.NSManagedObjectContextObjectsDidChange, of: context)
                try context.save()
                #expect(will.payloads.count == 1 && did.payloads.count == 1 && changes.payloads.isEmpty)
                #expect(did.payloads.first?.isEmpty ?? false)
            }
        }
    }

    @Test("what an observer of will-save changes in an unchanged context is saved")
    func changeInWillSave() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextWillSave, object: context, queue: nil
            ) { note in _ = (note.object as? NSManagedObjectContext)?.insert("Team", ["name": "Heat"]) }
            defer { NotificationCenter.default.removeObserver(token) }
            try context.save()
            #expect(!context.hasChanges)
        }
        try stack.reopened { context throws in #expect(try context.all("Team").count == 1) }
    }

    @Test("a Swift error of an overridden validation comes out of save() as itself", arguments: Room.Refusal.allCases)
    func swiftErrors(refusal: Room.Refusal) throws {
        try Stack(Room.model()).work { context throws in
            let room = try #require(context.insert("Room", ["name": "a"]) as? Room)
            if refusal != .insert && refusal != .value { try context.save() }
            room.refusal = refusal
            if refusal == .update { room.setValue("b", forKey: "name") }
            if refusal == .delete { context.delete(room) }
            #expect(throws: refusal) { try context.save() }
            #expect(context.hasChanges)
        }
    }

    @Test("several failures are one error 1560, Swift errors among them")
    func severalErrors() throws {
        try Stack(Room.model()).work { context throws in
            for name in ["a", "b"] {
                (context.insert("Room", ["name": name]) as? Room)?.refusal = .insert
            }
            let error = try #require(thrown { try context.save() })
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSValidationMultipleErrorsError)
            #expect((error.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
        }
    }

    // MARK: Refreshing

    @Test("refreshing an inserted object without merging makes it a fault, which has its defaults again")
    func refreshOfInserted() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade", "age": 30, "team": team])
            let id = player.objectID
            context.refresh(player, mergeChanges: true)
            #expect(player.string("name") == "Wade" && !player.isFault)
            context.refresh(player, mergeChanges: false)
            #expect(player.isFault && player.isInserted && player.objectID == id)
            #expect(team.names("players").isEmpty)
            #expect(player.string("name") == nil && player.object("team") == nil && !player.isFault)
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            player.setValue("Dwyane", forKey: "name")
            context.refresh(team, mergeChanges: false)
            team.setValue("Bulls", forKey: "name")
            try context.save()
            #expect(!player.objectID.isTemporaryID)
        }
        try stack.reopened { context throws in
            #expect(try context.all("Player").map { $0.string("name") } == ["Dwyane"])
            #expect(try context.all("Team").map { $0.string("name") } == ["Bulls"])
        }
    }
}

/// An object with transient values that have defaults, and rules of its own.
final class Room: NSManagedObject {
    enum Refusal: Error, CaseIterable {
        case insert, update, delete, value
    }

    var refusal: Refusal?
    private(set) var preparations = 0

    static func model() -> NSManagedObjectModel {
        CoreDataTests.model(
            CoreDataTests.entity(
                "Room", className: "CoreDataTests.Room",
                [
                    attribute("name", .stringAttributeType),
                    attribute("size", .integer64AttributeType, default: 1),
                    attribute("noise", .stringAttributeType, optional: false, default: "quiet", transient: true),
                    attribute("guests", .integer16AttributeType, default: 2, transient: true),
                ]))
    }

    override func prepareForDeletion() {
        preparations += 1
        _ = value(forKey: "name")
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        if refusal == .insert { throw Refusal.insert }
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        if refusal == .update { throw Refusal.update }
    }

    override func validateForDelete() throws {
        try super.validateForDelete()
        if refusal == .delete { throw Refusal.delete }
    }

    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try super.validateValue(value, forKey: key)
        if refusal == .value, key == "name" { throw Refusal.value }
    }
}
