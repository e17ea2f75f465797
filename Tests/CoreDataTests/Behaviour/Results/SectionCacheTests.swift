import CoreData
import Testing

@Suite("Section caches")
struct SectionCacheTests {
    @Test("a cache spares the reading of section names, and is made anew when it does not fit")
    func use() throws {
        let (stack, cache) = (try Stack(ResultsModel.make()), "sections/of players \(UUID())")
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: cache) }
        let list = PlayerList(sort: ["name", "number"], sections: "initial")
        try stack.work { context throws in
            for number in 0..<40 {
                _ = context.insert("Player", ["name": number < 20 ? "anna" : "bert", "number": number])
            }
            try context.save()
            #expect(try reads { try list.controller(in: context, cacheName: cache).performFetch() } == 40)
            // Both ends of two sections are looked at.
            let second = list.controller(in: context, cacheName: cache)
            #expect(try reads { try second.performFetch() } == 4)
            #expect(second.sections?.map(\.numberOfObjects) == [20, 20])

            // As many objects, other sections.
            try context.all("Player", "number == 3").forEach { $0.setValue("bess", forKey: "name") }
            #expect(try reads { try list.controller(in: context, cacheName: cache).performFetch() } > 40)
            #expect(try reads { try list.controller(in: context, cacheName: cache).performFetch() } == 4)
            // Another request under the same name.
            var other = list
            other.descending = true
            let backwards = other.controller(in: context, cacheName: cache)
            #expect(try reads { try backwards.performFetch() } == 40)
            #expect(backwards.sections?.map(\.name) == ["b", "a"])
        }
    }

    @Test("what changes while a delegate listens is in the cache after the save")
    func followed() throws {
        let (stack, cache) = (try Stack(ResultsModel.make()), "followed \(UUID())")
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: cache) }
        try stack.work { context throws in
            fill(context)
            try context.save()
            let list = PlayerList(sort: ["name", "number"], sections: "initial")
            let (controller, replay) = try list.followed(in: context, cacheName: cache)
            _ = context.insert("Player", ["name": "zoe", "number": 9])
            try context.save()
            #expect(replay.calls == ["insert section z 4", "insert - 4.0"] && controller.cacheName == cache)
            let next = list.controller(in: context, cacheName: cache)
            #expect(try reads { try next.performFetch() } == 10)
            #expect(next.sections?.map(\.name) == ["a", "b", "c", "d", "z"])
        }
    }

    @Test("after deleteCache the sections are computed anew, by name or all at once")
    func deletion() throws {
        let (stack, cache) = (try Stack(ResultsModel.make()), "deleted \(UUID())")
        try stack.work { context throws in
            fill(context)
            let controller = PlayerList(sort: ["name", "number"], sections: "initial").controller(
                in: context, cacheName: cache)
            try controller.performFetch()
            #expect(try reads { try controller.performFetch() } == 8)
            NSFetchedResultsController<NSManagedObject>.deleteCache(withName: cache)
            // The request may change now.
            controller.fetchRequest.predicate = NSPredicate(format: "name < 'd'")
            #expect(try reads { try controller.performFetch() } == 4)
            #expect(controller.sections?.map(\.name) == ["a", "b", "c"])
            NSFetchedResultsController<NSManagedObject>.deleteCache(withName: cache)
        }
    }

    @Test("a request that is changed while its cache is there traps with a sentence")
    func changedRequest() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withPlayers { context throws in
                let cache = "changed \(UUID())"
                let controller = PlayerList(sort: ["group", "number"], sections: "group").controller(
                    in: context, cacheName: cache)
                try controller.performFetch()
                controller.fetchRequest.predicate = NSPredicate(format: "age > 1")
                try controller.performFetch()
            }
        }
        #expect(words(result).contains("call deleteCache(withName:"))
    }

    /// How often a section name was read.
    private func reads(_ body: () throws -> Void) rethrows -> Int {
        let before = ListedPlayer.initialsRead
        try body()
        return ListedPlayer.initialsRead - before
    }
}
