import CoreData
import Foundation

extension SampleStore {
    /// What the readings have.
    static let scores: [Float?] = [0.69628906, 0.1, 1e-7, 16_777_216, -2.2, nil]

    /// A store that ``recordReadings(in:at:)`` fills.
    static func readings() throws -> SampleStore {
        let store = try SampleStore("Readings.sqlite")
        try recordReadings(in: .sqlite, at: store.url)
        return store
    }

    /// Makes a store with three owners and a reading for each of the ``scores``. The readings 1 and 2 have two owners
    /// that are both called Theodora Stone. The third has one with a long name. The others have no owner.
    static func recordReadings(in type: NSPersistentStore.StoreType, at url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: readingsModel())
        let made = try coordinator.addPersistentStore(type: type, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let names = ["Stone", "Stone", String(repeating: "Stone-", count: 20)]
            let owners = names.map { name in
                let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
                owner.setValue("Theodora", forKey: "firstName")
                owner.setValue(name, forKey: "lastName")
                return owner
            }
            // Their keys follow their order.
            try context.obtainPermanentIDs(for: owners)
            let readings = scores.enumerated().map { index, score in
                let reading = NSEntityDescription.insertNewObject(forEntityName: "Reading", into: context)
                reading.setValue(score.map { NSNumber(value: $0) }, forKey: "score")
                if index < owners.count { reading.setValue(owners[index], forKey: "owner") }
                return reading
            }
            try context.obtainPermanentIDs(for: readings)
            try context.save()
        }
        try coordinator.remove(made)
    }

    private static func readingsModel() -> NSManagedObjectModel {
        let (reading, owner) = (NSEntityDescription(), NSEntityDescription())
        (reading.name, owner.name) = ("Reading", "Owner")
        let (ownerOfReading, readings) = (NSRelationshipDescription(), NSRelationshipDescription())
        (ownerOfReading.name, ownerOfReading.destinationEntity) = ("owner", owner)
        (ownerOfReading.inverseRelationship, ownerOfReading.maxCount) = (readings, 1)
        (readings.name, readings.destinationEntity) = ("readings", reading)
        readings.inverseRelationship = ownerOfReading
        reading.properties = [attribute("score", .floatAttributeType), ownerOfReading]
        owner.properties = [
            attribute("firstName", .stringAttributeType), attribute("lastName", .stringAttributeType), readings,
        ]
        let model = NSManagedObjectModel()
        model.entities = [reading, owner]
        return model
    }
}
