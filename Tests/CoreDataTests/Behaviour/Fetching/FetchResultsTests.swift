import CoreData
import Foundation
import Testing

@Suite("Lazy results")
struct FetchResultsTests {
    private func age(_ object: NSManagedObject?) -> Int? { object?.value(forKey: "age") as? Int }

    @Test("the results are those of a fetch, in its order, from either end and by slices")
    func agreement() throws {
        for size in [0, 1, 7, 50] {
            try PlayersByAge.stack(40).reopened { context throws in
                let request = PlayersByAge.request(size)
                request.predicate = NSPredicate(format: "age >= 3")
                let results = try context.results(of: request)
                #expect(results.count == 37 && !results.isEmpty)
                #expect(age(results.last) == 39 && age(results.first) == 3)
                #expect(results.map { age($0) } == Array(3..<40))
                #expect(results.reversed().map { age($0) } == Array((3..<40).reversed()))
                #expect(results[10..<12].map { age($0) } == [13, 14])
                #expect(Array(results) == (try context.fetch(request)))
                request.fetchOffset = 5
                request.fetchLimit = 3
                #expect(try context.results(of: request).map { age($0) } == [8, 9, 10])
                request.predicate = NSPredicate(format: "age < 0")
                #expect(try context.results(of: request).isEmpty)
            }
        }
    }

    @Test("a page is read when one of its elements is first asked for, and no other with it")
    func pages() throws {
        let stack = try PlayersByAge.stack(10)
        try stack.reopened { context throws in
            let results = try context.results(of: PlayersByAge.request(3))
            #expect(context.registeredObjects.isEmpty)
            let held = results[4]
            try PlayersByAge.rename(stack)
            #expect(held.string("name") == "old")
            #expect(results.map { $0.string("name") } == (0..<10).map { 3..<6 ~= $0 ? "old" : "new" })
        }
    }

    @Test("cold pages are let go, with what the app neither holds nor changed; looked at again they are read anew")
    func coldPages() throws {
        let stack = try PlayersByAge.stack(5000)
        try stack.reopened { context throws in
            let results = try context.results(of: PlayersByAge.request(100))
            let held = results[0]
            results[1].setValue("changed", forKey: "name")
            var most = 0
            for (place, player) in results.enumerated() {
                #expect(age(player) == place)
                if place % 500 == 0 { most = max(most, context.registeredObjects.count) }
            }
            #expect(most > 100 && most <= 1200, "\(most) objects at a time")
            try PlayersByAge.rename(stack, "age == 0 OR age == 10")
            #expect(results[0] === held && held.string("name") != "new", "held by the app")
            #expect(results[1].string("name") == "changed")
            #expect(results[10].string("name") == "new", "let go, and read again")
        }
    }

    @Test("unsaved changes take part, and their objects stay the same when they are saved")
    func pendingChanges() throws {
        let stack = try PlayersByAge.stack(9)
        try stack.reopened { context throws in
            let all = try context.fetch(PlayersByAge.request(0))
            context.delete(all[3])
            all[8].setValue(-1, forKey: "age")
            let added = context.insert("Player", ["name": "added", "age": 4])
            let results = try context.results(of: PlayersByAge.request(2))
            #expect(results.map { age($0) } == [-1, 0, 1, 2, 4, 4, 5, 6, 7])
            #expect(results[0] === all[8] && results.contains(added))
            try context.save()
            #expect(results.contains(added) && results.map { age($0) }.count == 9)
            #expect(results.objectIDs.allSatisfy { !$0.isTemporaryID })
            context.delete(all[0])
            try context.save()
            #expect(results.count == 9, "what is found is settled")
        }
    }

    @Test("a child context walks what its parent has not saved")
    func children() throws {
        try PlayersByAge.stack(5).work { parent throws in
            let added = parent.insert("Player", ["name": "added", "age": 2])
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            try child.performAndWait { () throws in
                let results = try child.results(of: PlayersByAge.request(2))
                #expect(results.map { age($0) } == [0, 1, 2, 2, 3, 4])
                #expect(results.map(\.objectID).contains(added.objectID))
                #expect(results.allSatisfy { $0.managedObjectContext === child })
            }
        }
    }

    @Test("IDs are there without objects, and in the same order")
    func identifiers() throws {
        try PlayersByAge.stack(6).reopened { context throws in
            let results = try context.results(of: PlayersByAge.request(2))
            let ids = Array(results.objectIDs)
            #expect(context.registeredObjects.isEmpty)
            #expect(ids == results.map(\.objectID))
        }
    }

    @Test("relationships are prefetched page by page, and values are loaded where faults are not wanted")
    func prefetching() throws {
        let stack = try PlayersByAge.stack(6)
        try stack.reopened { context throws in
            let request = PlayersByAge.request(2)
            request.relationshipKeyPathsForPrefetching = ["team"]
            request.returnsObjectsAsFaults = false
            let results = try context.results(of: request)
            let first = results[0]
            #expect(!first.isFault)
            try PlayersByAge.rename(stack)
            #expect(results[1].string("name") == "old" && results[2].string("name") == "new")
            #expect(first.object("team")?.string("name") == "Heat")
        }
    }

    @Test("what can't be walked is an error that says so")
    func misuse() throws {
        try PlayersByAge.stack(1).work { context throws in
            let ids = PlayersByAge.request(0)
            ids.resultType = .managedObjectIDResultType
            #expect(thrown { _ = try context.results(of: ids) }?.localizedDescription.contains("walks objects") == true)
            let shoes = PlayersByAge.request(0)
            shoes.relationshipKeyPathsForPrefetching = ["team.shoes"]
            #expect(thrown { _ = try context.results(of: shoes) }?.localizedDescription.contains("shoes") == true)
            let other = NSFetchRequest<Special>(entityName: "Player")
            #expect(thrown { _ = try context.results(of: other) }?.localizedDescription.contains("Special") == true)
            let block = PlayersByAge.request(0)
            block.predicate = NSPredicate { _, _ in true }
            #expect(thrown { _ = try context.results(of: block) }?.code == NSPersistentStoreUnsupportedRequestTypeError)
        }
    }

    private final class Special: NSManagedObject {}
}
