import Foundation
import Testing

@testable import CoreData

@Suite("Rows that are no longer used")
struct UnusedRowsTests {
    private static let count = 20_000
    /// What may stay warm, and what may have come since the last look at it.
    private static let most = 2 * RowCache.warm

    /// How many of the rows the row cache still has, once it has had time to let go of some.
    private func rowsLeft(_ ids: [NSManagedObjectID], in coordinator: NSPersistentStoreCoordinator) -> Int {
        var left = ids.count
        for _ in 0..<200 where left > Self.most {
            usleep(10_000)
            left = ids.count { coordinator.cachedRow(for: $0.reference) != nil }
        }
        return left
    }

    /// A team with many players, and their IDs.
    private func stack() throws -> (Stack, [NSManagedObjectID]) {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context in
            let team = context.insert("Team", ["name": "Celtics"])
            for index in 0..<Self.count {
                _ = context.insert("Player", ["name": "Player", "age": index % 100, "team": team])
            }
            try context.save()
        }
        let ids = try stack.work { context in
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
            request.resultType = .managedObjectIDResultType
            return try context.fetch(request)
        }
        return (stack, ids)
    }

    @Test("go soon: those of objects, and those that were prefetched", arguments: [false, true])
    func unused(prefetched: Bool) throws {
        let (stack, ids) = try stack()
        try stack.work { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: prefetched ? "Team" : "Player")
            if prefetched { request.relationshipKeyPathsForPrefetching = ["players"] }
            let found = try context.fetch(request)
            let all = ids.count { stack.coordinator.cachedRow(for: $0.reference) != nil }
            #expect(all == Self.count)
            withExtendedLifetime(found) {}
        }
        #expect(rowsLeft(ids, in: stack.coordinator) <= Self.most)
    }

    @Test("go soon: those of prefetched members that are to be asked for anew, under a change")
    func outdated() throws {
        let (stack, ids) = try stack()
        try stack.work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
            request.relationshipKeyPathsForPrefetching = ["players"]
            let team = try #require(try context.fetch(request).first)
            context.insert("Player", ["name": "New"]).setValue(team, forKey: "team")
            #expect(ids.allSatisfy { stack.coordinator.cachedRow(for: $0.reference) != nil })
            context.refresh(team, mergeChanges: true)
            #expect(rowsLeft(ids, in: stack.coordinator) <= Self.most)
            #expect((team.value(forKey: "players") as? NSSet)?.count == Self.count + 1)
        }
    }
}
