import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// Random models, random objects, random edits: a migration in the file, one by a manager with the inferred mapping,
/// and an export of all objects with an import give stores that say the same.
@Suite struct MigrationWaysTests {
    /// Three stores a seed: the full run takes a quarter of an hour. `RandomMigrationTests` has more of one.
    @Test(arguments: SeededGenerator.seeds(100, full: 6000))
    func allWaysLeadToTheSameStore(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let old = ModelSketch(using: &random)
        var new = old
        for _ in 0..<Int.random(in: 1...5, using: &random) { new.edit(using: &random) }
        let mapping = InferredMapping(from: old.model(), to: new.model(after: old))
        guard mapping.obstacles.isEmpty else { return }
        let store = try MigratedStore(old.model()) { try old.fill($0, using: &random) }
        let before = try store.use(old.model(), [:]) { try StoreDump($0, old) }
        let managed = try migratedByManager(store, old, new)
        let imported = try MigratedStore(new.model(after: old)) { context in
            try new.insert(StoreDump(before, from: old, to: new), into: context)
        }
        let stores = [store, managed, imported]
        let dumps = try stores.map { store in
            try store.use(new.model(after: old)) { GraphColors(try StoreDump($0, new), new, former: old) }
        }
        #expect(dumps[1] == dumps[0], "seed \(seed): by a manager, not in the file")
        #expect(dumps[2] == dumps[0], "seed \(seed): imported, not migrated in the file")
        let schemas = try stores.map { try PlainSchema($0.url) }
        for schema in schemas.dropFirst() {
            #expect(schema.differences(from: schemas[0]).isEmpty, "seed \(seed)")
        }
    }

    private func migratedByManager(
        _ store: MigratedStore, _ old: ModelSketch, _ new: ModelSketch
    ) throws -> MigratedStore {
        let (source, destination) = (old.model(), new.model(after: old))
        // The folder, without a store in it.
        let made = try MigratedStore(destination)
        try NSPersistentStoreCoordinator(managedObjectModel: destination).destroyPersistentStore(
            at: made.url, ofType: NSSQLiteStoreType)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: source, destinationModel: destination)
        try NSMigrationManager(sourceModel: source, destinationModel: destination).migrateStore(
            from: store.url, type: .sqlite, mapping: mapping, to: made.url, type: .sqlite)
        return made
    }

    /// Enough pairs have a mapping for the test to mean something.
    @Test func mostPairsCanBeInferred() {
        let inferred = SeededGenerator.seeds(100, full: 100).filter { seed in
            var random = SeededGenerator(seed: seed)
            let old = ModelSketch(using: &random)
            var new = old
            for _ in 0..<Int.random(in: 1...5, using: &random) { new.edit(using: &random) }
            return InferredMapping(from: old.model(), to: new.model(after: old)).obstacles.isEmpty
        }
        #expect(inferred.count > 40 || SeededGenerator.seeds(2, full: 2).count == 1, "\(inferred.count) of 100")
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
