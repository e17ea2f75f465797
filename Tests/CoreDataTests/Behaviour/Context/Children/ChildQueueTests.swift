import CoreData
import Testing

@Suite("Queues of child contexts")
struct ChildQueueTests {
    @Test("a main-queue child of a private-queue parent") @MainActor
    func mainChild() async throws {
        let stack = try Stack(LeagueModel.make())
        let root = stack.context()
        let child = root.makeChild(.mainQueueConcurrencyType)
        let team = child.insert("Team", ["name": "Heat"])
        try child.save()
        let names = try await root.perform { () throws in
            let names = try root.all("Team").map { $0.string("name") }
            try root.save()
            return names
        }
        #expect(names == ["Heat"])
        #expect(!team.objectID.isTemporaryID)
    }

    @Test("a private-queue child faults in its main-queue parent while the main queue waits for the child") @MainActor
    func mainParent() throws {
        let stack = try Stack(LeagueModel.make())
        let root = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        root.persistentStoreCoordinator = stack.coordinator
        _ = root.insert("Team", ["name": "Heat"])
        let child = root.makeChild()
        let names = try child.performAndWait {
            let teams = try child.all("Team")
            teams[0].setValue("Bulls", forKey: "name")
            try child.save()
            return try root.all("Team").map { $0.string("name") }
        }
        #expect(names == ["Bulls"])
        #expect(root.insertedObjects.count == 1)
    }

    @Test("a chain of four queues, each waiting for the next and coming back to the first")
    func thereAndBack() throws {
        let chain = try Chain(depth: 3)
        let count = try chain.root.performAndWait {
            try chain.contexts[1].performAndWait {
                try chain.contexts[2].performAndWait {
                    try chain.last.performAndWait {
                        _ = chain.last.insert("Team", ["name": "Heat"])
                        try chain.last.save()
                        return try chain.contexts[2].all("Team").count
                    }
                }
            }
        }
        #expect(count == 1)
    }

    @Test("children on many queues work on one parent at once")
    func manyChildren() async throws {
        let stack = try Stack(LeagueModel.make())
        let root = stack.context()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let child = root.makeChild()
                    for round in 0..<10 {
                        try await child.perform { () throws in
                            let team = child.insert("Team", ["name": "\(number)-\(round)"])
                            _ = child.insert("Player", ["name": "p", "team": team])
                            try child.save()
                            _ = try child.all("Team").map { $0.names("players") }
                        }
                        if round % 3 == 0 { try await root.perform { () throws in try root.save() } }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await root.perform { () throws in try root.save() }
        try stack.reopened { context throws in
            #expect(try context.all("Team").count == 80)
            #expect(try context.all("Player", "team == nil").isEmpty)
        }
    }

    @Test("a context goes with its last reference, and its parent with it")
    func life() throws {
        let stack = try Stack(LeagueModel.make())
        weak var parent: NSManagedObjectContext?
        weak var child: NSManagedObjectContext?
        try {
            let root = stack.context()
            let below = root.makeChild()
            (parent, child) = (root, below)
            try below.work { context throws in
                _ = context.insert("Team", ["name": "Heat"])
                try context.save()
            }
        }()
        #expect(parent == nil && child == nil)
    }
}
