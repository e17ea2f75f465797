import CoreData
import Testing

@Suite("Saving")
struct SavingTests {
    @Test("two contexts that change the same row: the second save fails with 133020 and keeps its changes")
    func optimisticLocking() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.work { context throws in
            let player = context.insert("Player", ["name": "Wade"])
            try context.save()
            return player.objectID
        }
        let slow = stack.context()
        let object = slow.performAndWait { slow.object(with: id) }
        slow.performAndWait { object.setValue("slow", forKey: "name") }
        try stack.work { context throws in
            context.object(with: id).setValue("quick", forKey: "name")
            try context.save()
        }
        try slow.performAndWait {
            let error = try #require(thrown { try slow.save() })
            #expect(error.code == NSManagedObjectMergeError)
            let conflict = try #require((error.userInfo["conflictList"] as? [NSMergeConflict])?.first)
            #expect(conflict.sourceObject === object)
            #expect(conflict.persistedSnapshot?["name"] as? String == "quick")
            #expect(conflict.cachedSnapshot?["name"] as? String == "Wade")
            #expect(object.string("name") == "slow" && slow.hasChanges)
            slow.refresh(object, mergeChanges: true)
            #expect(object.string("name") == "slow")
            try slow.save()
        }
        try stack.reopened { context throws in #expect(try context.all("Player").first?.string("name") == "slow") }
    }

    @Test("a uniqueness constraint fails the save with 133021")
    func constraints() throws {
        let team = entity("Team", [attribute("name", .stringAttributeType)])
        team.uniquenessConstraints = [["name"]]
        let stack = try Stack(model(team))
        try stack.work { context throws in
            _ = context.insert("Team", ["name": "Heat"])
            try context.save()
            let second = context.insert("Team", ["name": "Heat"])
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSManagedObjectConstraintMergeError)
            #expect(second.isInserted)
            second.setValue("Bulls", forKey: "name")
            try context.save()
        }
    }

    @Test("notifications come in order, with the objects under their keys")
    func notifications() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let log = NotificationLog(context)
            let team = context.insert("Team", ["name": "Heat"])
            try context.save()
            #expect(log.names == ["changed inserted", "willSave", "didSave inserted", "didSaveIDs inserted_objectIDs"])
            #expect(log.ids == [team.objectID])
            log.clear()
            team.setValue("Miami", forKey: "name")
            context.processPendingChanges()
            context.delete(team)
            try context.save()
            #expect(
                log.names == [
                    "changed updated", "changed deleted", "willSave", "didSave deleted", "didSaveIDs deleted_objectIDs",
                ])
        }
    }

    @Test("a save without changes does nothing and posts nothing")
    func emptySave() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let log = NotificationLog(context)
            try context.save()
            #expect(log.names.isEmpty)
        }
    }

    @Test("permanent IDs can be had before the save")
    func permanentIDs() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let player = context.insert("Player", ["name": "Wade", "team": team])
            try context.obtainPermanentIDs(for: [team])
            let id = team.objectID
            #expect(!id.isTemporaryID && team.isInserted)
            #expect(player.object("team") === team)
            try context.save()
            #expect(team.objectID == id)
            #expect(team.names("players") == ["Wade"])
        }
    }

    @Test("an object that was inserted and deleted again leaves no trace")
    func insertAndDelete() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            context.delete(team)
            context.processPendingChanges()
            #expect(!context.hasChanges && team.managedObjectContext == nil)
            try context.save()
            #expect(try context.all("Team").isEmpty)
        }
    }
}

/// What a context posts, as short words.
private final class NotificationLog: @unchecked Sendable {
    // Unchecked: posted and read on one queue.
    private(set) var names: [String] = []
    private(set) var ids: Set<NSManagedObjectID> = []
    private var observers: [any NSObjectProtocol] = []

    init(_ context: NSManagedObjectContext) {
        let words: [(Notification.Name, String)] = [
            (.NSManagedObjectContextObjectsDidChange, "changed"), (.NSManagedObjectContextWillSave, "willSave"),
            (.NSManagedObjectContextDidSave, "didSave"), (.NSManagedObjectContextDidSaveObjectIDs, "didSaveIDs"),
        ]
        for (name, word) in words {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
                    [unowned self] notification in
                    let keys = (notification.userInfo ?? [:]).keys.compactMap { $0 as? String }.sorted()
                    names.append(([word] + keys).joined(separator: " "))
                    ids.formUnion(notification.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> ?? [])
                })
        }
    }

    deinit { observers.forEach { NotificationCenter.default.removeObserver($0) } }

    func clear() { names = [] }
}
