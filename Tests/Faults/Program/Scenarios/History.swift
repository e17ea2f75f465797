import CoreData
import Foundation

extension Scenario {
    /// Batch requests, and saves, batches and purges of a store that records its history.
    static let history =
        batches(options: [:]) + batches(options: tracking) + [
            Scenario("save with history") { stage in
                let context = try stage.context(stage.coordinator(options: tracking))
                try context.performAndWait {
                    context.delete(try Library.find("Shelf", "shelf 2", in: context))
                    try Library.find("Book", "book 1.2", in: context).setValue(300, forKey: "pages")
                    Library.add("Tag", "new", to: context)
                    context.processPendingChanges()
                }
                return { try context.performAndWait { try context.save() } }
            }.with { $0.allowsBystander = true },
            Scenario("purge history") { stage in
                let context = Stage.context(on: try stage.coordinator(options: tracking))
                let token = try context.performAndWait { try transactions(of: context)[1].token }
                return {
                    _ = try context.performAndWait {
                        try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
                    }
                }
            }.with { scenario in
                scenario.prepare = { stage in
                    try Library.fill(stage, Library.storeName, options: tracking)
                    for number in 1...2 {
                        let context = Stage.context(on: try stage.coordinator(options: tracking))
                        try context.performAndWait {
                            Library.add("Tag", "tag \(number)", to: context)
                            try context.save()
                        }
                    }
                }
            },
            Scenario("begin history") { stage in
                let coordinator = try stage.coordinator(stores: [])
                return {
                    let store = try coordinator.addPersistentStore(
                        type: .sqlite, at: stage.url(Library.storeName),
                        options: Stage.impatient.merging(tracking) { $1 })
                    try coordinator.remove(store)
                }
            },
        ]

    private static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true as NSNumber] }

    private static func batches(options: [AnyHashable: Any]) -> [Scenario] {
        let suffix = options.isEmpty ? "" : ", with history"
        let isRecorded = !options.isEmpty
        func scenario(
            _ name: String, _ request: @escaping @Sendable () -> NSPersistentStoreRequest
        ) -> Scenario {
            Scenario(name + suffix) { stage in
                let context = Stage.context(on: try stage.coordinator(options: isRecorded ? tracking : nil))
                return { _ = try context.performAndWait { try context.execute(request()) } }
            }.with { $0.allowsBystander = true }
        }
        return [
            scenario("batch insertion") {
                let rows = (1...20).map { ["name": "batch \($0)", "cover": Library.cover(UInt8($0))] as [String: Any] }
                return NSBatchInsertRequest(entityName: "Book", objects: rows)
            },
            scenario("batch update") {
                let request = NSBatchUpdateRequest(entityName: "Book")
                request.propertiesToUpdate = ["pages": 7, "cover": Library.cover(9)]
                return request
            },
            scenario("batch deletion") {
                NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Shelf"))
            },
        ]
    }

    private static func transactions(of context: NSManagedObjectContext) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
}
