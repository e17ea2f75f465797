import CoreData
import Testing

@Suite("Fetches with a batch size")
struct BatchSizeTests {
    @Test("the first element that is touched brings the rows of its page, and of no other")
    func pages() throws {
        for size in [1, 3, 4, 10, 50] {
            let stack = try PlayersByAge.stack(10)
            try stack.reopened { context throws in
                let players = try context.fetch(PlayersByAge.request(size))
                #expect(players.count == 10 && players.allSatisfy(\.isFault))
                #expect(players[5].string("name") == "old")
                try PlayersByAge.rename(stack)
                for (place, player) in players.enumerated() {
                    let isLoaded = place / size == 5 / size
                    #expect(player.string("name") == (isLoaded ? "old" : "new"), "\(place) of pages of \(size)")
                    #expect(player.value(forKey: "age") as? Int == place)
                }
            }
        }
    }

    @Test("a page has the rows that the store has, whatever the row cache remembers")
    func freshRows() throws {
        let stack = try PlayersByAge.stack(6)
        try stack.reopened { context throws in
            let before = try context.all("Player")
            #expect(before.allSatisfy { $0.string("name") == "old" })
            try PlayersByAge.rename(stack, "age > 2")
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            try other.performAndWait {
                let names = try other.fetch(PlayersByAge.request(2)).map { $0.string("name") }
                #expect(names == ["old", "old", "old", "new", "new", "new"])
            }
        }
    }

    @Test("unsaved changes take part, and are kept")
    func pendingChanges() throws {
        let stack = try PlayersByAge.stack(9)
        try stack.reopened { context throws in
            let first = try context.fetch(PlayersByAge.request(4))
            context.delete(first[3])
            first[8].setValue(-1, forKey: "age")
            let added = context.insert("Player", ["name": "added", "age": 4])
            let players = try context.fetch(PlayersByAge.request(4))
            let ages = players.compactMap { $0.value(forKey: "age") as? Int }
            #expect(ages == [-1, 0, 1, 2, 4, 4, 5, 6, 7])
            #expect(players[0] === first[8] && players.contains(added))
            try context.save()
            #expect(players.count { $0.string("name") == "old" } == 8 && added.string("name") == "added")
        }
    }

    @Test("a long walk holds the rows of some pages; what the app holds or changed stays as it is")
    func walking() throws {
        let stack = try PlayersByAge.stack(5000)
        try stack.reopened { context throws in
            let players = try context.fetch(PlayersByAge.request(100))
            let held = players[0]
            #expect(held.string("name") == "old")
            players[1].setValue("changed", forKey: "name")
            var most = 0
            for (place, player) in players.enumerated() {
                #expect(player.value(forKey: "age") as? Int == place)
                if place % 500 == 0 { most = max(most, players.count { !$0.isFault }) }
            }
            #expect(most > 100 && most <= 1200, "\(most) rows at a time")
            #expect(!held.isFault && players[1].hasChanges && players[1].string("name") == "changed")
            try PlayersByAge.rename(stack, "age == 0 OR age == 10")
            #expect(held.string("name") == "old", "held beside the result")
            #expect(players[10].string("name") == "new", "let go, and loaded again")
        }
    }

    @Test("relationships are prefetched page by page; one that does not exist is told at once")
    func prefetching() throws {
        let stack = try PlayersByAge.stack(6)
        try stack.reopened { context throws in
            let request = PlayersByAge.request(2)
            request.relationshipKeyPathsForPrefetching = ["team"]
            let players = try context.fetch(request)
            #expect(players.map(\.isFault) == [false, false, true, true, true, true])
            #expect(players[0].object("team")?.string("name") == "Heat")
            #expect(players[4].string("name") == "old")
            #expect(players.map(\.isFault) == [false, false, true, true, false, false])
            request.relationshipKeyPathsForPrefetching = ["shoes"]
            #expect(thrown { _ = try context.fetch(request) }?.localizedDescription.contains("shoes") == true)
        }
    }

    @Test("a child prefetches pages with objects that its parent has changed")
    func prefetchingInChildren() throws {
        let stack = try PlayersByAge.stack(6)
        try stack.reopened { context throws in
            let players = try context.fetch(PlayersByAge.request(0))
            for player in players[0...3] { player.setValue("changed", forKey: "name") }
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                let request = PlayersByAge.request(2)
                request.relationshipKeyPathsForPrefetching = ["team"]
                let found = try child.fetch(request)
                #expect(found.map { $0.string("name") } == ["changed", "changed", "changed", "changed", "old", "old"])
                #expect(found.allSatisfy { $0.object("team")?.string("name") == "Heat" })
            }
        }
    }

    @Test("objects that are to be refreshed are, and a reset context starts anew")
    func refreshing() throws {
        let stack = try PlayersByAge.stack(4)
        try stack.reopened { context throws in
            let players = try context.fetch(PlayersByAge.request(2))
            #expect(players[0].string("name") == "old")
            try PlayersByAge.rename(stack)
            let refreshing = PlayersByAge.request(2)
            refreshing.shouldRefreshRefetchedObjects = true
            #expect(try context.fetch(refreshing).allSatisfy { $0.string("name") == "new" })
            context.reset()
            #expect(
                try context.fetch(PlayersByAge.request(3)).map { $0.string("name") } == ["new", "new", "new", "new"])
        }
    }
}
