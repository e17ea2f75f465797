import Foundation
import Testing

@testable import CoreData

@Suite("Dictionaries of several stores without SQL")
struct MergedDictionaryTests {
    /// Two stores with a team of two players each.
    private func stack() throws -> (NSPersistentStoreCoordinator, [DictionaryStore]) {
        let type = DictionaryStoreRegistration.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        for number in 1...2 {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("Merged-\(UUID().uuidString)")
            let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
            try context.performAndWait { () throws in
                let team = context.insert("Team", ["name": "Team \(number)"])
                context.assign(team, to: store)
                for name in ["a", "b"] {
                    context.assign(context.insert("Player", ["name": name, "team": team]), to: store)
                }
                try context.save()
            }
        }
        return (coordinator, coordinator.persistentStores.compactMap { $0 as? DictionaryStore })
    }

    private func counts(_ coordinator: NSPersistentStoreCoordinator) throws -> [Int] {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(forKeyPath: "players.@count")
        count.expressionResultType = .integer32AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Team")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [count]
        return try context.performAndWait { try context.fetch(request).compactMap { $0["count"] as? Int } }
    }

    @Test("a key path with an operator reads the members of every store")
    func counted() throws {
        let (coordinator, stores) = try stack()
        #expect(stores.count == 2)
        #expect(try counts(coordinator) == [2, 2])
    }

    @Test("a read that fails behind a key path is thrown, from whichever store", arguments: [0, 1])
    func failing(store: Int) throws {
        let (coordinator, stores) = try stack()
        stores[store].failureOfMembers = CocoaError(.fileReadCorruptFile)
        #expect(thrown { _ = try counts(coordinator) }?.code == CocoaError.fileReadCorruptFile.rawValue)
        stores[store].failureOfMembers = nil
        #expect(try counts(coordinator) == [2, 2])
    }
}
