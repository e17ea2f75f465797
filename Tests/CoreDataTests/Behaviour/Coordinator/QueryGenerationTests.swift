import CoreData
import Foundation
import Testing

@Suite("Query generations")
struct QueryGenerationTests {
    let stack: Stack
    let pinned: NSManagedObjectContext

    init() throws {
        stack = try Stack(LeagueModel.make())
        pinned = stack.context()
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Celtics"])
            for index in 0..<20 {
                _ = context.insert("Player", ["name": "Player \(index)", "age": index, "team": team])
            }
            try context.save()
        }
    }

    /// Changes all players, deletes one, adds one, in a context of its own.
    private func changeEverything(_ name: String = "Changed") throws {
        try stack.work { context throws in
            let players = try context.all("Player", sortedBy: "age")
            for player in players { player.setValue(name, forKey: "name") }
            context.delete(players[0])
            _ = context.insert("Player", ["name": name, "age": 100])
            try context.save()
        }
    }

    private func names(_ context: NSManagedObjectContext) throws -> Set<String> {
        Set(try context.all("Player").compactMap { $0.string("name") })
    }

    private let original = Set((0..<20).map { "Player \($0)" })

    @Test("fetches, counts, faults, to-manys and dictionaries see the pinned state; other contexts see the new one")
    func seesItsState() throws {
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            #expect(try pinned.count(for: request) == 20)
            try changeEverything()
            // Another context has the newer rows in the row cache of both.
            try stack.work { context throws in #expect(try names(context) == ["Changed"]) }
            #expect(try names(pinned) == original)
            #expect(try pinned.count(for: request) == 20)
            #expect(try pinned.all("Player", "name = 'Changed'").isEmpty)
            let team = try pinned.all("Team")[0]
            #expect(Set(team.names("players")) == original)
            let player = try #require(try pinned.all("Player", "age = 0").first)
            pinned.refresh(player, mergeChanges: false)
            #expect(player.string("name") == "Player 0", "deleted since, but not here")
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Player")
            dictionaries.resultType = .dictionaryResultType
            dictionaries.propertiesToFetch = ["name"]
            #expect(Set(try pinned.fetch(dictionaries).compactMap { $0["name"] as? String }) == original)
            request.fetchBatchSize = 5
            request.relationshipKeyPathsForPrefetching = ["team"]
            #expect(Set(try pinned.fetch(request).compactMap { $0.string("name") }) == original)
        }
    }

    @Test("a fault by its ID is read from the pinned state, though a newer row is in the row cache")
    func faults() throws {
        let id = try stack.work { try $0.all("Player", "age = 5")[0].objectID }
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            _ = try pinned.all("Team")
            try changeEverything()
            let current = stack.context()
            let held = current.performAndWait { current.object(with: id) }
            #expect(current.performAndWait { held.string("name") } == "Changed")
            #expect(pinned.object(with: id).string("name") == "Player 5")
            #expect(try pinned.existingObject(with: id).string("name") == "Player 5")
        }
    }

    @Test("the state is the one at the first load, not that when the token was set")
    func firstLoad() throws {
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            try changeEverything("Before")
            #expect(try names(pinned) == ["Before"])
            try changeEverything("After")
            #expect(try names(pinned) == ["Before"])
        }
    }

    @Test("setting the current generation again moves; nil unpins")
    func moving() throws {
        try pinned.performAndWait { () throws in
            #expect(pinned.queryGenerationToken == nil)
            try pinned.setQueryGenerationFrom(.current)
            #expect(try names(pinned) == original)
            try changeEverything()
            let old = try #require(pinned.queryGenerationToken)
            try pinned.setQueryGenerationFrom(.current)
            #expect(pinned.queryGenerationToken != old && pinned.queryGenerationToken != nil)
            #expect(try names(pinned) == ["Changed"])
            try pinned.setQueryGenerationFrom(nil)
            #expect(pinned.queryGenerationToken == nil)
            try changeEverything("Again")
            pinned.refreshAllObjects()
            #expect(try names(pinned) == ["Again"])
        }
    }

    @Test("a token pins another context to the same state, and keeps it when the first has moved on")
    func tokens() throws {
        let token = try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            _ = try names(pinned)
            return try #require(pinned.queryGenerationToken)
        }
        try changeEverything()
        try pinned.performAndWait { try pinned.setQueryGenerationFrom(nil) }
        try stack.work { context throws in
            try context.setQueryGenerationFrom(token)
            #expect(try names(context) == original)
            #expect(context.queryGenerationToken == token && token.copy() as? NSQueryGenerationToken == token)
        }
    }

    @Test("a save moves the context, and what it saved is seen", arguments: [false, true])
    func saving(isLate: Bool) throws {
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            let first = try pinned.all("Player", "age = 3")[0]
            let old = pinned.queryGenerationToken
            if isLate {
                try stack.work { context throws in
                    try context.all("Player", "age = 4")[0].setValue("Other", forKey: "name")
                    try context.save()
                }
            }
            first.setValue("Mine", forKey: "name")
            try pinned.save()
            #expect(pinned.queryGenerationToken != old && pinned.queryGenerationToken != nil)
            #expect(try names(pinned).contains("Mine"))
            #expect(try names(pinned).contains("Other") == isLate)
            try changeEverything()
            #expect(try pinned.all("Player", "name = 'Mine'").count == 1)
        }
    }

    @Test("a save over a row that changed since the generation is a conflict")
    func conflict() throws {
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            _ = try pinned.all("Team")
            try changeEverything()
            let player = try pinned.all("Player", "age = 3")[0]
            player.setValue("Mine", forKey: "name")
            #expect(thrown { try pinned.save() }?.code == NSManagedObjectMergeError)
            pinned.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try pinned.save()
            #expect(try pinned.all("Player", "name = 'Mine'").count == 1)
        }
    }

    @Test("merging moves the context, by hand and by itself; so does a reset")
    func merging() throws {
        nonisolated(unsafe) var saved: Notification?
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
        ) { [coordinator = stack.coordinator] note in
            if (note.object as? NSManagedObjectContext)?.persistentStoreCoordinator === coordinator { saved = note }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            let held = try pinned.all("Player")
            #expect(Set(held.compactMap { $0.string("name") }) == original)
            try changeEverything()
            pinned.mergeChanges(fromContextDidSave: try #require(saved))
            #expect(try names(pinned) == ["Changed"])
            try changeEverything("Reset")
            #expect(try names(pinned) == ["Changed"])
            pinned.reset()
            #expect(try names(pinned) == ["Reset"])
            pinned.automaticallyMergesChangesFromParent = true
            _ = held.count
        }
        try changeEverything("By itself")
        try pinned.performAndWait { () throws in #expect(try names(pinned) == ["By itself"]) }
    }

    @Test("children see what their pinned parent sees, and have no generation of their own")
    func children() throws {
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            _ = try names(pinned)
        }
        try changeEverything()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = pinned
        try child.performAndWait { () throws in
            #expect(child.queryGenerationToken == nil)
            #expect(try names(child) == original)
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Player")
            dictionaries.resultType = .dictionaryResultType
            dictionaries.propertiesToFetch = ["name"]
            #expect(Set(try child.fetch(dictionaries).compactMap { $0["name"] as? String }) == original)
        }
    }

    @Test("setting a child's generation is a programmer's error")
    func childrenTrap() async {
        await #expect(processExitsWith: .failure) {
            let parent = try Stack(LeagueModel.make()).context()
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            try child.performAndWait { try child.setQueryGenerationFrom(.current) }
        }
    }

    @Test("a save's notification carries the generation that a pinned context moved to")
    func notification() throws {
        nonisolated(unsafe) var token: Any?
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: pinned, queue: nil
        ) { token = $0.userInfo?[NSManagedObjectContext.NotificationKey.queryGeneration.rawValue] }
        defer { NotificationCenter.default.removeObserver(observer) }
        try pinned.performAndWait { () throws in
            _ = pinned.insert("Player", ["name": "New"])
            try pinned.save()
            #expect(token == nil)
            try pinned.setQueryGenerationFrom(.current)
            _ = pinned.insert("Player", ["name": "Newer"])
            try pinned.save()
            #expect(token as? NSQueryGenerationToken == pinned.queryGenerationToken)
        }
    }

    // MARK: Bounds

    @Test("the seventeenth generation is refused, with a sentence; letting go of one makes room")
    func bound() throws {
        var contexts = (0..<16).map { _ in stack.context() }
        for context in contexts {
            try context.performAndWait { () throws in
                try context.setQueryGenerationFrom(.current)
                _ = try context.all("Team")
            }
        }
        let error = pinned.performAndWait { thrown { try pinned.setQueryGenerationFrom(.current) } }
        #expect(error?.code == NSPersistentStoreOperationError)
        #expect(error?.localizedDescription.contains("16 query generations") ?? false)
        // Contexts that have one move on all the same.
        try contexts[0].performAndWait { () throws in
            _ = contexts[0].insert("Team", ["name": "Heat"])
            try contexts[0].save()
            #expect(try contexts[0].all("Team").count == 2)
        }
        contexts.removeLast()
        try pinned.performAndWait { try pinned.setQueryGenerationFrom(.current) }
    }

    @Test("stores that can't hold a state throw", arguments: ["/dev/null", "Delete.sqlite", "ReadOnly.sqlite"])
    func unable(name: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        var options: [String: Any] = [:]
        if name == "Delete.sqlite" { options[NSSQLitePragmasOption] = ["journal_mode": "DELETE"] as NSDictionary }
        var url = name == "/dev/null" ? URL(fileURLWithPath: name) : stack.folder.appendingPathComponent(name)
        if name == "ReadOnly.sqlite" {
            url = stack.storeURL
            options[NSReadOnlyPersistentStoreOption] = NSNumber(value: true)
        }
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            let error = thrown { try context.setQueryGenerationFrom(.current) }
            #expect(error?.code == NSPersistentStoreOperationError && context.queryGenerationToken == nil)
        }
    }

    @Test("another coordinator's token, and one of a store that is gone, are refused")
    func strangers() throws {
        let other = try Stack(LeagueModel.make())
        let token = try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            _ = try names(pinned)
            return try #require(pinned.queryGenerationToken)
        }
        other.work { context in
            #expect(thrown { try context.setQueryGenerationFrom(token) }?.code == NSPersistentStoreOperationError)
        }
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        pinned.performAndWait {
            #expect(thrown { _ = try pinned.all("Player") } != nil)
            #expect(thrown { try pinned.setQueryGenerationFrom(token) } != nil)
        }
        #expect(!FileManager.default.fileExists(atPath: stack.storeURL.path + "-wal"))
    }

    @Test("a log that grows too long ends generations: the log is put away, and contexts go on with the current one")
    func logLimit() throws {
        let url = stack.folder.appendingPathComponent("Log.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: ["journal_size_limit": "1000000"] as NSDictionary])
        func context() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let (pinned, writer) = (context(), context())
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            #expect(try pinned.all("Player").isEmpty)
        }
        let token = pinned.performAndWait { pinned.queryGenerationToken }
        var longest = 0
        for round in 0..<40 {
            try writer.performAndWait { () throws in
                let name = String(repeating: "long ", count: 10_000)
                _ = writer.insert("Player", ["name": name, "age": round])
                try writer.save()
            }
            let size = try FileManager.default.attributesOfItem(atPath: url.path + "-wal")[.size] as? Int ?? 0
            longest = max(longest, size)
            if round == 5 { try pinned.performAndWait { () throws in #expect(try pinned.all("Player").isEmpty) } }
        }
        #expect(longest < 1_200_000, "\(longest) bytes")
        try pinned.performAndWait { () throws in
            #expect(thrown { try pinned.setQueryGenerationFrom(token) }?.code == NSPersistentStoreOperationError)
            #expect(try pinned.all("Player").count == 40)
            #expect(pinned.queryGenerationToken != nil && pinned.queryGenerationToken != token)
        }
    }

    @Test("files of large values stay for generations that see them, and go with the last of these")
    func externalData() throws {
        let note = entity(
            "Note", [attribute("name", .stringAttributeType), attribute("body", .binaryDataAttributeType)])
        note.attributesByName["body"]?.allowsExternalBinaryDataStorage = true
        let stack = try Stack(model(note))
        func files() throws -> Int {
            let folder = stack.folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).count
        }
        let (old, new) = (Data(repeating: 1, count: 300_000), Data(repeating: 2, count: 300_000))
        let pinned = stack.context()
        try stack.work { context throws in
            _ = context.insert("Note", ["name": "a", "body": old])
            try context.save()
        }
        try pinned.performAndWait { () throws in
            try pinned.setQueryGenerationFrom(.current)
            let object = try pinned.all("Note")[0]
            try stack.work { context throws in
                try context.all("Note")[0].setValue(new, forKey: "body")
                try context.save()
            }
            #expect(object.value(forKey: "body") as? Data == old)
            #expect(try files() == 2)
            try pinned.setQueryGenerationFrom(nil)
            #expect(try files() == 1)
        }
        try stack.work { context throws in #expect(try context.all("Note")[0].value(forKey: "body") as? Data == new) }
    }
}
