import CoreData
import Foundation
import Testing

/// `stalenessInterval`: how old a cached row may be to fill a fault. Another coordinator writes the store behind our
/// back.
@Suite("Staleness")
struct StalenessTests {
    private let stack: Stack

    init() throws {
        stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            _ = context.insert("Player", ["name": "Ada"])
            try context.save()
        }
    }

    private func renameElsewhere(_ name: String) throws {
        try stack.reopened { context in
            try context.all("Player")[0].setValue(name, forKey: "name")
            try context.save()
        }
    }

    @Test("a context takes rows of any age unless it is told otherwise")
    func unlimited() throws {
        try stack.work { context throws in
            #expect(context.stalenessInterval < 0)
            let player = try context.all("Player")[0]
            #expect(player.string("name") == "Ada")
            try renameElsewhere("Grace")
            context.refreshAllObjects()
            #expect(player.string("name") == "Ada")
        }
    }

    @Test("with an interval of 0 a fault never takes a cached row, not even the one it was fetched with")
    func none() throws {
        try stack.work { context throws in
            context.stalenessInterval = 0
            let player = try context.all("Player")[0]
            #expect(player.isFault)
            try renameElsewhere("Grace")
            #expect(player.string("name") == "Grace")
            try renameElsewhere("Barbara")
            #expect(player.string("name") == "Grace", "what is no fault keeps its values")
            context.refreshAllObjects()
            #expect(player.string("name") == "Barbara")
        }
    }

    @Test("a row younger than the interval is taken from the cache, an older one from the store")
    func between() throws {
        try stack.work { context throws in
            let player = try context.all("Player")[0]
            #expect(player.string("name") == "Ada")
            try renameElsewhere("Grace")
            context.stalenessInterval = 3600
            context.refreshAllObjects()
            #expect(player.string("name") == "Ada")
            context.stalenessInterval = 0.05
            Thread.sleep(forTimeInterval: 0.2)
            context.refreshAllObjects()
            #expect(player.string("name") == "Grace")
        }
    }

    @Test("every reading of a row makes it young again, whichever context of the coordinator reads")
    func reading() throws {
        try stack.work { context throws in
            let player = try context.all("Player")[0]
            Thread.sleep(forTimeInterval: 3.1)
            let other = stack.context()
            try other.performAndWait { _ = try other.all("Player") }
            try renameElsewhere("Grace")
            context.stalenessInterval = 3
            #expect(player.string("name") == "Ada")
        }
    }

    @Test("existingObject(with:) minds the interval, too")
    func existing() throws {
        try stack.work { context throws in
            let id = try context.all("Player")[0].objectID
            try renameElsewhere("Grace")
            context.stalenessInterval = 0
            #expect(try context.existingObject(with: id).string("name") == "Grace")
        }
    }

    @Test("a child's faults are what the parent has; the parent minds its own interval")
    func children() throws {
        try stack.work { parent throws in
            let id = try parent.all("Player")[0].objectID
            try renameElsewhere("Grace")
            parent.stalenessInterval = 0
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            child.performAndWait { #expect(child.object(with: id).string("name") == "Grace") }
        }
    }
}
