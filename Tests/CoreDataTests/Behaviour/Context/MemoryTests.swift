import CoreData
import Foundation
import Testing

#if canImport(Glibc)
    import CMalloc

    /// What contexts hold on to. Each runs in a process of its own: nothing else allocates there.
    @Suite("Memory")
    struct MemoryTests {
        @Test("a context that walked 200,000 objects and let them go holds under 10 MB more than before")
        func walking() async {
            await #expect(processExitsWith: .success) {
                let stack = try Stack(LeagueModel.make())
                try stack.work { context throws in
                    for _ in 0..<20 {
                        for _ in 0..<10_000 { _ = context.insert("Player", ["name": "A player with a long name"]) }
                        try context.save()
                        context.reset()
                    }
                }
                let context = stack.context()
                try context.performAndWait {
                    // What is made once: statements, the accessors' caches.
                    try walk(context, limit: 1000)
                    let before = allocatedBytes()
                    for _ in 0..<2 {
                        try walk(context, limit: 0)
                        // Unused rows go in a moment.
                        waitUntil { allocatedBytes() - before < 10_000_000 }
                    }
                }
            }
        }

        @Test("after reset() nothing of 10,000 changed objects is left, and the context goes with its last reference")
        func resetting() async {
            await #expect(processExitsWith: .success) {
                let stack = try Stack(LeagueModel.make())
                weak var gone: NSManagedObjectContext?
                weak var member: NSManagedObject?
                var before = 0
                do {
                    let context = stack.context()
                    gone = context
                    for round in 0..<3 {
                        try context.performAndWait {
                            let team = context.insert("Team", ["name": "Heat"])
                            let players = (0..<10_000).map {
                                context.insert("Player", ["name": "Player \($0)", "team": team, "age": 7])
                            }
                            players.prefix(100).forEach {
                                $0.setValue(NSSet(array: players.suffix(3)), forKey: "cousins")
                            }
                            try context.save()
                            for player in players { player.setValue("Changed", forKey: "name") }
                            context.delete(players[0])
                            context.processPendingChanges()
                            member = players[5]
                            context.reset()
                        }
                        if round == 0 { before = allocatedBytes() }
                    }
                    precondition(member == nil, "an object is still there")
                }
                precondition(gone == nil, "the context is still there")
                let growth = allocatedBytes() - before
                precondition(growth < 10_000_000, "\(growth) bytes more")
            }
        }
    }

    /// Waits for what has to become true; it has a minute.
    private func waitUntil(_ isReached: () -> Bool) {
        let end = Date(timeIntervalSinceNow: 60)
        while !isReached() {
            precondition(
                Date() < end, "it did not come to that within a minute; \(allocatedBytes()) bytes are allocated")
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    private func walk(_ context: NSManagedObjectContext, limit: Int) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
        request.fetchLimit = limit
        var length = 0
        for player in try context.fetch(request) { length += player.string("name")?.count ?? 0 }
        precondition(length > 0)
    }

    /// What `malloc` has given out and not got back, large blocks included.
    func allocatedBytes() -> Int {
        let info = mallinfo2()
        return Int(info.uordblks) + Int(info.hblkhd)
    }
#endif
