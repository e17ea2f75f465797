#if Metrics
    import CoreData
    import CoreDataMetrics
    import Foundation
    import Metrics
    import MetricsTestKit
    import Testing

    /// What is counted. Each test has a process of its own, for the meter counts what everybody in a process does.
    @Suite("Metrics")
    struct CoreDataMeterTests {
        /// Runs a block with a store of three players, and says by how much each counter rose.
        private static func counts(
            _ prepare: (NSManagedObjectContext) throws -> Void = { _ in },
            of body: (NSManagedObjectContext) throws -> Void
        ) throws -> (TestMetrics, [String: Int64]) {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
            let metrics = TestMetrics()
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                for number in 0..<3 {
                    let player = NSEntityDescription.insertNewObject(forEntityName: "Player", into: context)
                    player.setValue("Player \(number)", forKey: "name")
                }
                try context.save()
                try prepare(context)
                CoreDataMeter.start(dimensions: [("app", "tests")], factory: metrics)
                defer { CoreDataMeter.stop() }
                try body(context)
            }
            let counters = metrics.counters.map { ($0.label, $0.totalValue) }
            return (metrics, Dictionary(uniqueKeysWithValues: counters))
        }

        private static func model() -> NSManagedObjectModel {
            let name = NSAttributeDescription()
            (name.name, name.attributeType) = ("name", .stringAttributeType)
            let player = NSEntityDescription()
            (player.name, player.properties) = ("Player", [name])
            let model = NSManagedObjectModel()
            model.entities = [player]
            return model
        }

        private static var request: NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Player") }

        @Test("fetches, the rows that they bring, and the faults that fire are counted and timed")
        func reading() async {
            await #expect(processExitsWith: .success) { try CoreDataMeterTests.reading() }
        }

        private static func reading() throws {
            let (metrics, counts) = try counts {
                $0.reset()
            } of: { context throws in
                let players = try context.fetch(request)
                #expect(players.allSatisfy { $0.value(forKey: "name") != nil })
                #expect(try context.count(for: request) == 3)
            }
            #expect(counts["coredata_fetches"] == 2 && counts["coredata_rows_read"] == 3)
            #expect(counts["coredata_faults"] == 3 && counts["coredata_saves"] == 0)
            #expect(try metrics.expectTimer("coredata_fetch_duration", [("app", "tests")]).values.count == 2)
            #expect(try metrics.expectTimer("coredata_fault_duration", [("app", "tests")]).values.count == 3)
        }

        @Test("what the row cache has is a hit, and reads no row")
        func cache() async {
            await #expect(processExitsWith: .success) { try CoreDataMeterTests.cache() }
        }

        private static func cache() throws {
            var ids: [NSManagedObjectID] = []
            let (_, counts) = try counts { context throws in
                ids = try context.fetch(request).map(\.objectID)
                context.reset()
            } of: { context throws in
                for id in ids { _ = try context.existingObject(with: id) }
            }
            #expect(counts["coredata_cache_hits"] == 3 && counts["coredata_rows_read"] == 0)
        }

        @Test("saves, and the rows that they write")
        func saving() async {
            await #expect(processExitsWith: .success) { try CoreDataMeterTests.saving() }
        }

        private static func saving() throws {
            let (metrics, counts) = try counts { context throws in
                let players = try context.fetch(request)
                context.delete(players[0])
                players[1].setValue("New", forKey: "name")
                _ = NSEntityDescription.insertNewObject(forEntityName: "Player", into: context)
                try context.save()
                try context.save()
            }
            #expect(counts["coredata_saves"] == 1 && counts["coredata_rows_written"] == 3)
            #expect(try metrics.expectTimer("coredata_save_duration", [("app", "tests")]).values.count == 1)
        }

        @Test("after stop() nothing is counted")
        func stopping() async {
            await #expect(processExitsWith: .success) { try CoreDataMeterTests.stopping() }
        }

        private static func stopping() throws {
            let (_, counts) = try counts { context throws in
                CoreDataMeter.stop()
                #expect(try context.fetch(request).count == 3)
            }
            #expect(counts.values.allSatisfy { $0 == 0 } && counts.count == 6)
        }
    }
#endif
