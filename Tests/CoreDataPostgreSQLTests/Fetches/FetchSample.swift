import CoreData
import SQLSamples

/// A model, and the random objects of it that both sides have.
struct FetchSample {
    let model: NSManagedObjectModel
    /// How many objects each store has.
    let counts: KeyValuePairs<String, Int>
    /// How many more are there without being saved.
    let insertions: KeyValuePairs<String, Int>
    let storeCount: Int
    /// For the values in the stores.
    let random: SQLRandom
    /// For what is changed and not saved.
    let changes: SQLRandom

    /// Items and tags, with attributes of all types.
    static func items(_ seed: UInt64, stores: Int) -> FetchSample {
        FetchSample(
            model: numbered(ValueModel.make(), ["Item", "Tag"]), counts: ["Item": 60 / stores, "Tag": 12 / stores],
            insertions: ["Item": 4, "Tag": 2], seed: seed, stores: stores)
    }

    /// People and teams, with subentities.
    static func people(_ seed: UInt64, stores: Int) -> FetchSample {
        FetchSample(
            model: numbered(SQLTestModel.model.copy() as? NSManagedObjectModel, ["Person", "Team"]),
            counts: ["Team": 12 / stores, "Coach": 12 / stores, "Player": 40 / stores],
            insertions: ["Team": 2, "Player": 4], seed: seed, stores: stores)
    }

    private init(
        model: NSManagedObjectModel, counts: KeyValuePairs<String, Int>, insertions: KeyValuePairs<String, Int>,
        seed: UInt64, stores: Int
    ) {
        (self.model, self.counts, self.insertions, storeCount) = (model, counts, insertions, stores)
        (random, changes) = (SQLRandom(seed: seed), SQLRandom(seed: seed &+ 1_000_003))
    }

    /// The model with the attribute `serial` in the root entities.
    private static func numbered(_ model: NSManagedObjectModel?, _ roots: [String]) -> NSManagedObjectModel {
        guard let model else { fatalError("The model can't be copied.") }
        for root in roots {
            let serial = NSAttributeDescription()
            (serial.name, serial.attributeType, serial.isOptional) = ("serial", .integer64AttributeType, true)
            model.entitiesByName[root]?.properties.append(serial)
        }
        return model
    }
}
