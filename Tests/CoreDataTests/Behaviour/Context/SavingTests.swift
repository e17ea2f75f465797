import CoreData
import Testing

@Suite("Saving")
struct SavingTests {
    @Test("two contexts that change the same row: the second save fails with 133020 and keeps its changes")
    func optimisticLocking() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.saved("Player", ["name": "Wade"])
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
            #expect(conflict.objectSnapshot?["name"] as? String == "slow")
            #expect(conflict.cachedSnapshot?["name"] as? String == "quick" && conflict.persistedSnapshot == nil)
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
            let conflict = try #require((error.userInfo["conflictList"] as? [NSConstraintConflict])?.first)
            #expect(conflict.constraintValues["name"] as? String == "Heat")
            #expect(conflict.databaseSnapshot?["name"] as? String == "Heat")
            #expect(conflict.conflictingSnapshots.map { $0["name"] as? String } == ["Heat"])
            #expect(second.isInserted)
            second.setValue("Bulls", forKey: "name")
            try context.save()
        }
    }

    @Test("a save that fails leaves new objects, and what they say of each other, as they were")
    func failedSave() throws {
        let (players, ofTeam) = (toMany("players"), toOne("team"))
        let team = entity("Team", [attribute("name", .stringAttributeType), players])
        team.uniquenessConstraints = [["name"]]
        let player = entity("Player", [attribute("name", .stringAttributeType), ofTeam])
        connect(team, players, player, ofTeam)
        let stack = try Stack(model(team, player))
        try stack.work { context throws in
            _ = context.insert("Team", ["name": "Heat"])
            try context.save()
            // Entities take turns, so that neighbours among the objects are none among the keys.
            let teams = (0..<3).map { index in
                let team = context.insert("Team", ["name": index == 2 ? "Heat" : "Team \(index)"])
                _ = context.insert("Player", ["name": "Player \(index)", "team": team])
                return team
            }
            let ids = teams.map(\.objectID)
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSManagedObjectConstraintMergeError)
            #expect(teams.map(\.objectID) == ids && teams.allSatisfy { $0.objectID.isTemporaryID && $0.isInserted })
            #expect(teams.map { $0.names("players") } == [["Player 0"], ["Player 1"], ["Player 2"]])
            teams[2].setValue("Bulls", forKey: "name")
            try context.save()
            #expect(teams.allSatisfy { !$0.objectID.isTemporaryID && !$0.hasChanges })
        }
        try stack.reopened { context throws in
            let teams = try context.all("Team").sorted { $0.string("name")! < $1.string("name")! }
            #expect(teams.map { $0.string("name") } == ["Bulls", "Heat", "Team 0", "Team 1"])
            #expect(teams.map { $0.names("players") } == [["Player 2"], [], ["Player 0"], ["Player 1"]])
        }
    }

    @Test("what changed in an event can be asked for until its notification is over")
    func changesOfAnEvent() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let other = context.insert("Team", ["name": "Bulls"])
            try context.save()
            other.setValue("Bears", forKey: "name")
            context.processPendingChanges()
            team.setValue("Miami", forKey: "name")
            #expect(team.changedValuesForCurrentEvent().keys.sorted() == ["name"])
            let log = NotificationLog(context) {
                [team, other].map { $0.changedValuesForCurrentEvent().keys.joined() }
            }
            context.processPendingChanges()
            #expect(log.seen == [["name", ""]])
            #expect(team.changedValuesForCurrentEvent().isEmpty && team.changedValues().keys.sorted() == ["name"])
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

    @Test("a save without changes posts its notifications, which tell of nothing")
    func emptySave() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let log = NotificationLog(context)
            try context.save()
            #expect(log.names == ["willSave", "didSave", "didSaveIDs"])
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
final class NotificationLog: @unchecked Sendable {
    // Unchecked: posted and read on one queue.
    private(set) var names: [String] = []
    private(set) var ids: Set<NSManagedObjectID> = []
    /// What `look` saw at each notification.
    private(set) var seen: [[String]] = []
    private let look: () -> [String]
    private var observers: [any NSObjectProtocol] = []

    init(_ context: NSManagedObjectContext, look: @escaping () -> [String] = { [] }) {
        self.look = look
        let words: [(Notification.Name, String)] = [
            (.NSManagedObjectContextObjectsDidChange, "changed"), (.NSManagedObjectContextWillSave, "willSave"),
            (.NSManagedObjectContextDidSave, "didSave"), (.NSManagedObjectContextDidSaveObjectIDs, "didSaveIDs"),
        ]
        for (name, word) in words {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
                    [unowned self] notification in
                    let keys = (notification.userInfo ?? [:]).keys.compactMap { $0 as? String }.sorted()
                    seen.append(self.look())
                    names.append(([word] + keys).joined(separator: " "))
                    ids.formUnion(notification.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID> ?? [])
                })
        }
    }

    deinit { observers.forEach { NotificationCenter.default.removeObserver($0) } }

    func clear() { names = [] }
}
