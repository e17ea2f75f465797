import CoreData
import Foundation
import Testing

/// A coordinator of two stores answers a fetch as if it had one.
@Suite("Fetching from several stores")
struct SeveralStoresTests {
    /// Players of the ages 0 to 9, those of even ages in the first store.
    private func work(_ body: (NSManagedObjectContext, [NSPersistentStore]) throws -> Void) throws {
        let stack = try Stack(LeagueModel.make())
        let second = try stack.coordinator.addPersistentStore(
            ofType: testedStoreType, configurationName: nil, at: stack.place("Second.sqlite"))
        let first = try #require(stack.coordinator.persistentStores.first)
        try stack.work { context throws in
            for age in 0..<10 {
                let player = context.insert("Player", ["name": "P\(age % 3)", "age": age])
                context.assign(player, to: age.isMultiple(of: 2) ? first : second)
            }
            try context.save()
        }
        try stack.work { try body($0, [first, second]) }
    }

    private func request(ascending: Bool = true) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: ascending)]
        return request
    }

    private func ages(_ objects: some Sequence<NSManagedObject>) -> [Int] {
        objects.compactMap { $0.value(forKey: "age") as? Int }
    }

    @Test("results are in order over all stores, and limit and offset count them all")
    func order() throws {
        try work { context, _ throws in
            #expect(try ages(context.fetch(request())) == Array(0..<10))
            let part = request(ascending: false)
            part.fetchLimit = 3
            part.fetchOffset = 2
            #expect(try ages(context.fetch(part)) == [7, 6, 5])
            #expect(try ages(context.results(of: part)) == [7, 6, 5])
            #expect(try context.count(for: part) == 3)
            part.includesPropertyValues = false
            #expect(try ages(context.fetch(part)) == [7, 6, 5])
            part.fetchBatchSize = 2
            #expect(try ages(context.fetch(part)) == [7, 6, 5])
            part.sortDescriptors = nil
            #expect(try context.fetch(part).count == 3)
        }
    }

    @Test("equal objects follow the next descriptor; IDs come in the same order")
    func ties() throws {
        try work { context, _ throws in
            let request = request()
            request.sortDescriptors = [
                NSSortDescriptor(key: "name", ascending: false), NSSortDescriptor(key: "age", ascending: true),
            ]
            let objects = try context.fetch(request)
            #expect(ages(objects) == [2, 5, 8, 1, 4, 7, 0, 3, 6, 9])
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
            ids.resultType = .managedObjectIDResultType
            ids.sortDescriptors = request.sortDescriptors
            #expect(try context.fetch(ids) == objects.map(\.objectID))
        }
    }

    @Test("unsaved changes stand where they belong among the objects of all stores")
    func pendingChanges() throws {
        try work { context, _ throws in
            let all = try context.fetch(request())
            all[3].setValue(70, forKey: "age")
            context.delete(all[4])
            _ = context.insert("Player", ["name": "New", "age": 6])
            #expect(try ages(context.fetch(request())) == [0, 1, 2, 5, 6, 6, 7, 8, 9, 70])
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            let part = request(ascending: false)
            part.fetchLimit = 2
            #expect(try child.performAndWait { try ages(child.fetch(part)) } == [70, 9])
        }
    }

    @Test("affected stores alone are asked")
    func affectedStores() throws {
        try work { context, stores throws in
            for (index, store) in stores.enumerated() {
                let request = request()
                request.affectedStores = [store]
                #expect(try ages(context.fetch(request)) == stride(from: index, to: 10, by: 2).map { $0 })
                #expect(try context.count(for: request) == 5)
            }
            let none = request()
            none.affectedStores = []
            #expect(try context.fetch(none).isEmpty)
        }
    }
}
