import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// Random models, random objects, random edits: a migration in the file, one by a manager with the inferred mapping,
/// and an export of all objects with an import give stores that say the same.
@Suite struct MigrationWaysTests {
    /// `RandomMigrationTests` has the pairs that rows may stand against, too.
    @Test(arguments: SeededGenerator.seeds(50, full: 20_000))
    func allWaysLeadToTheSameStore(seed: UInt64) throws {
        let pair = RandomPair(seed: seed)
        guard let mapping = try? InferredMapping.unconditional(from: pair.source, to: pair.destination) else { return }
        let (store, before) = try pair.filledStore()
        let stores = [
            store, try migratedObjectByObject(store, pair, mapping),
            try MigratedStore(pair.destination, in: MigratedStore.memory) { context in
                try pair.new.insert(StoreDump(before, from: pair.old, to: pair.new), into: context)
            },
        ]
        let ways = ["in the file", "object by object", "by export and import"]
        let colors = try stores.map { store in
            try store.use(pair.destination) { GraphColors(try StoreDump($0, pair.new), pair.new, former: pair.old) }
        }
        let schema = try PlainSchema(pair.destination)
        for (way, store) in ways.indices.map({ ($0, stores[$0]) }) {
            #expect(colors[way] == colors[0], "seed \(seed): \(ways[way]), not \(ways[0])")
            #expect(try PlainSchema(store.url).differences(from: schema).isEmpty, "seed \(seed): \(ways[way])")
        }
    }

    private func migratedObjectByObject(
        _ store: MigratedStore, _ pair: RandomPair, _ mapping: InferredMapping
    ) throws -> MigratedStore {
        let made = try MigratedStore(nil, in: MigratedStore.memory)
        let manager = NSMigrationManager(sourceModel: pair.source, destinationModel: pair.destination)
        manager.usesStoreSpecificMigrationManager = false
        try manager.migrateStore(
            from: store.url, type: .sqlite, mapping: NSMappingModel(mapping), to: made.url, type: .sqlite)
        return made
    }

    /// Enough pairs have a mapping for the test to mean something.
    @Test func mostPairsCanBeInferred() {
        let inferred = (1...UInt64(100)).filter { seed in
            let pair = RandomPair(seed: seed)
            return InferredMapping(from: pair.source, to: pair.destination).obstacles.isEmpty
        }
        #expect(inferred.count > 40, "\(inferred.count) of 100")
    }
}

/// What a dump says without the keys of its objects: how many objects there are of each kind, where kinds differ by
/// values, by those of related objects, and so on.
struct GraphColors: Equatable {
    private let counts: [Int: Int]

    /// - Parameter former: The model that the objects come from. What was not ordered there has no order to keep.
    init(_ dump: StoreDump, _ sketch: ModelSketch, former: ModelSketch) {
        var colors = dump.objects.mapValues { object in
            Self.hash { hasher in
                hasher.combine(object.entity)
                for (id, value) in object.values.sorted(by: { $0.key < $1.key }) {
                    hasher.combine(id)
                    hasher.combine(value)
                }
            }
        }
        for _ in 0..<4 {
            colors = dump.objects.reduce(into: [:]) { next, entry in
                next[entry.key] = Self.hash { hasher in
                    hasher.combine(colors[entry.key])
                    for (id, members) in entry.value.members.sorted(by: { $0.key < $1.key }) {
                        hasher.combine(id)
                        let found = members.compactMap { colors[$0] }
                        let isOrdered = [sketch, former].allSatisfy { $0.relationship(id)?.isOrdered ?? false }
                        hasher.combine(isOrdered ? found : found.sorted())
                    }
                }
            }
        }
        counts = colors.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private static func hash(_ body: (inout Hasher) -> Void) -> Int {
        var hasher = Hasher()
        body(&hasher)
        return hasher.finalize()
    }
}

extension ModelSketch {
    /// Makes objects that have what a dump says.
    func insert(_ dump: StoreDump, into context: NSManagedObjectContext) throws {
        let made = dump.objects.mapValues { object in
            let new = NSEntityDescription.insertNewObject(forEntityName: self[object.entity].name, into: context)
            for attribute in attributes(object.entity) {
                new.setValue(object.values[attribute.id], forKey: attribute.name)
            }
            return new
        }
        for (key, object) in dump.objects {
            for relationship in relationships(object.entity) {
                let members = (object.members[relationship.id] ?? []).compactMap { made[$0] }
                let value: Any? =
                    relationship.isOrdered
                    ? NSOrderedSet(array: members) : relationship.isToMany ? NSSet(array: members) : members.first
                made[key]?.setValue(value, forKey: relationship.name)
            }
        }
        try context.save()
    }
}
