import Foundation
import Testing

@testable import CoreData

#if canImport(Glibc)
    /// Walks through many results hold little of them. Each runs in a process of its own: nothing else allocates there.
    @Suite("Large walks")
    struct LargeWalkTests {
        /// A million in `./test --full`.
        private static var count: Int {
            ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == "1" ? 1_000_000 : 50_000
        }

        /// Fills a store with players, past the framework: that is quick.
        private static func fill(_ stack: Stack) throws {
            try stack.work { context throws in
                _ = context.insert("Player", ["name": "first", "age": 0])
                try context.save()
            }
            let connection = try SQLiteConnection(path: stack.storeURL.path, access: .readWrite)
            defer { connection.close() }
            let number = try #require(
                try connection.integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Player'"))
            try connection.execute(
                """
                WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO ZPLAYER (Z_PK, Z_ENT, Z_OPT, ZNAME, ZAGE)
                SELECT i, \(number), 1, 'A player with a name ' || i, i % 30000 FROM n
                """)
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_NAME = 'Player'")
        }

        /// The most bytes that were in use at a time during a walk, beyond those before it.
        private static func walk(_ objects: () throws -> some Sequence<NSManagedObject>) rethrows -> Int {
            let before = allocatedBytes()
            var (most, seen) = (0, 0)
            for object in try objects() {
                precondition(object.string("name") != nil)
                seen += 1
                if seen.isMultiple(of: 5000) { most = max(most, allocatedBytes() - before) }
            }
            precondition(seen == count, "\(seen) of \(count)")
            return most
        }

        private static func request(batchSize: Int) -> NSFetchRequest<NSManagedObject> {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            request.fetchBatchSize = batchSize
            return request
        }

        @Test("lazy results take sixteen bytes each and the memory of some pages")
        func lazily() async {
            await #expect(processExitsWith: .success) {
                let stack = try Stack(LeagueModel.make())
                try LargeWalkTests.fill(stack)
                try stack.reopened { context throws in
                    let most = try LargeWalkTests.walk {
                        try context.results(of: LargeWalkTests.request(batchSize: 0))
                    }
                    // Twice, as they are gathered; the rest is pages, statements, and rows on their way out.
                    precondition(most < 32 * LargeWalkTests.count + 12_000_000, "\(most) bytes")
                }
            }
        }

        @Test("an array of a batched fetch takes less than 200 bytes a result, and not their rows")
        func array() async {
            await #expect(processExitsWith: .success) {
                let stack = try Stack(LeagueModel.make())
                try LargeWalkTests.fill(stack)
                try stack.reopened { context throws in
                    let most = try LargeWalkTests.walk { try context.fetch(LargeWalkTests.request(batchSize: 100)) }
                    precondition(most < 200 * max(LargeWalkTests.count, 100_000), "\(most) bytes")
                }
            }
        }
    }
#endif
