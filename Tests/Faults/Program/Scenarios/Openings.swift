import CoreData
import Foundation

extension Scenario {
    /// Opening, making and closing stores.
    static let openings = [
        Scenario("make a store") { stage in { _ = try stage.coordinator() } }.with {
            $0.prepare = { _ in }
            $0.mayFailLate = true
        },
        Scenario("make a store with a rollback journal") { stage in
            { _ = try stage.coordinator(options: pragmas(["journal_mode": "DELETE"])) }
        }.with {
            $0.prepare = { _ in }
            // A power loss may bring back the journal, which was removed.
            $0.isDurableWhenClosed = false
            $0.mayFailLate = true
        },
        Scenario("make a store and save") { stage in
            stage.steps([{ _ = try stage.coordinator() }, { try Library.fill(stage) }])
        }.with {
            $0.prepare = { _ in }
            $0.mayFailLate = true
        },
        Scenario("open a store") { stage in { _ = try stage.coordinator() } },
        Scenario("open a store with a log") { stage in { _ = try stage.coordinator() } }
            .with { $0.prepare = { try leaveLog($0) } },
        Scenario("vacuum and analyze a store") { stage in
            { _ = try stage.coordinator(options: [NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true]) }
        },
        Scenario("make an index for full-text search") { stage in { _ = try stage.searchedCoordinator() } }
            .with { $0.mayFailLate = true },
        Scenario("save to a store with an index for full-text search") { stage in
            let context = try stage.context(stage.searchedCoordinator())
            try context.performAndWait {
                try Library.find("Shelf", "shelf 1", in: context).setValue("renamed", forKey: "name")
                Library.add("Tag", "new", to: context)
            }
            return { try context.performAndWait { try context.save() } }
        },
        Scenario("read a store and close it") { stage in
            {
                let context = try Stage.context(on: stage.coordinator())
                try context.performAndWait {
                    _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
                }
                try stage.close()
            }
        }.with { $0.prepare = { try leaveLog($0) } },
    ]

    /// Makes a store as a process leaves it that is killed: its last saves are in a log beside it.
    private static func leaveLog(_ stage: Stage) throws {
        try Library.fill(stage)
        try stage.close()
        let context = try Stage.context(on: stage.coordinator())
        try context.performAndWait {
            Library.add("Tag", "in the log", to: context)
            try context.save()
        }
        let kept = try ["", "-wal"].map {
            (stage.url(Library.storeName + $0), try Data(contentsOf: stage.url(Library.storeName + $0)))
        }
        try stage.close()
        for (url, data) in kept { try data.write(to: url) }
    }
}

extension Stage {
    /// A coordinator with a store that has an index of its names.
    fileprivate func searchedCoordinator() throws -> NSPersistentStoreCoordinator {
        try coordinator(Library.searchedModel, options: [NSPersistentStoreFullTextSearchOptionKey: true])
    }
}
