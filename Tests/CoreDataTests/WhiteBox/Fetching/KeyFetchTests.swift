import Foundation
import Testing

@testable import CoreData

@Suite("Fetches of keys")
struct KeyFetchTests {
    @Test("what an index finds in order, among rows of one entity, is known without a look at the rows")
    func coveringIndex() throws {
        let stack = try Stack(LeagueModel.make())
        let store = stack.coordinator.persistentStores[0] as! SQLiteStore
        try stack.work { context in
            let teams = ["Celtics", "Heat"].map { context.insert("Team", ["name": $0]) }
            for index in 0..<20 {
                _ = context.insert("Player", ["name": "Player \(index)", "age": index, "team": teams[index % 2]])
            }
            try context.save()
            let layout = try #require(store.layouts.layout(named: "Player"))
            var fetch = StoreFetch(entity: layout, output: .references)
            fetch.predicate = NSPredicate(format: "team == %@", teams[1].objectID)
            fetch.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
            let plan = try store.explain(fetch).plan.joined(separator: "\n")
            #expect(plan.contains("COVERING INDEX ZPLAYER_ZTEAM_INDEX"), "\(plan)")
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
            request.resultType = .managedObjectIDResultType
            request.predicate = fetch.predicate
            request.sortDescriptors = fetch.sortDescriptors
            let ages = try context.fetch(request).map { context.object(with: $0).value(forKey: "age") as? Int }
            #expect(Set(ages) == Set((0..<20).filter { $0 % 2 == 1 }))
            // Without an order, keys come as rows do.
            request.predicate = nil
            request.sortDescriptors = nil
            #expect(try context.fetch(request) == context.all("Player").map(\.objectID))
        }
    }
}
