import CoreData
import Foundation

/// What the writer that gets killed writes: in round n one save inserts the round's items and deletes those of round n
/// − 3.
///
/// So a store that is whole has of each round all items or none.
enum Rounds {
    static let itemsPerRound = 40
    /// Large enough to be kept in a file.
    static let photoSize = 150_000

    static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Item"
        entity.properties = [
            attribute("round", .integer64AttributeType), attribute("number", .integer64AttributeType),
            attribute("photo", .binaryDataAttributeType),
        ]
        entity.uniquenessConstraints = [["round", "number"]]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.allowsExternalBinaryDataStorage = type == .binaryDataAttributeType
        return attribute
    }

    static func context(_ store: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    static func photo(_ round: Int64) -> Data { Data(repeating: UInt8(truncatingIfNeeded: round), count: photoSize) }

    /// Writes rounds until the process is ended.
    static func write(_ store: URL) throws -> Never {
        let context = try context(store)
        while true {
            try context.performAndWait {
                let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
                let rounds = items.map { $0.value(forKey: "round") as? Int64 ?? 0 }
                let round = (rounds.max() ?? 0) + 1
                for (item, old) in zip(items, rounds) where old <= round - 3 { context.delete(item) }
                for number in 0..<itemsPerRound {
                    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                    item.setValue(round, forKey: "round")
                    item.setValue(Int64(number), forKey: "number")
                    if number % 8 == 0 { item.setValue(photo(round), forKey: "photo") }
                }
                try context.save()
            }
        }
    }

    /// What is wrong with a store after its writer was killed; empty for a whole one.
    static func faults(_ store: URL) throws -> [String] {
        let context = try context(store)
        return try context.performAndWait {
            var counts: [Int64: Int] = [:]
            var faults: [String] = []
            for item in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) {
                let round = item.value(forKey: "round") as? Int64 ?? 0
                counts[round, default: 0] += 1
                guard let number = item.value(forKey: "number") as? Int64, number % 8 == 0 else { continue }
                if item.value(forKey: "photo") as? Data != photo(round) { faults.append("a photo of round \(round)") }
            }
            faults += counts.filter { $0.value != itemsPerRound }.map { "\($0.value) items of round \($0.key)" }
            return faults
        }
    }
}
