import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// Random models, random objects, random edits: what comes out is what an independent computation says.
@Suite struct RandomMigrationTests {
    @Test(arguments: SeededGenerator.seeds(250, full: 20_000))
    func objectsComeThroughAnyEditsAsTheyShould(seed: UInt64) throws {
        let pair = RandomPair(seed: seed)
        let (old, new, former, model) = (pair.old, pair.new, pair.source, pair.destination)
        let (store, before) = try pair.filledStore()
        let mapping = InferredMapping(from: former, to: model)
        let error = thrown { try compare(store, before, old, new, model, seed) }
        if let error {
            #expect(!mapping.obstacles.isEmpty, "seed \(seed): \(error)")
            #expect(
                error.code == NSMigrationMissingMappingModelError || error.code == NSMigrationError,
                "seed \(seed): \(error)")
            let after = try store.use(former, [:]) { try StoreDump($0, old) }
            #expect(after.differences(from: before) { _ in true }.isEmpty, "seed \(seed)")
        } else {
            #expect(!mapping.obstacles.contains { $0.rows == nil }, "seed \(seed)")
        }
    }

    private func compare(
        _ store: MigratedStore, _ before: StoreDump, _ old: ModelSketch, _ new: ModelSketch,
        _ model: NSManagedObjectModel, _ seed: UInt64
    ) throws {
        let expected = StoreDump(before, from: old, to: new)
        let after = try store.use(model) { try StoreDump($0, new) }
        let differences = after.differences(from: expected) { id in
            (new.relationship(id)?.isOrdered ?? false) && (old.relationship(id)?.isOrdered ?? false)
        }
        #expect(differences.isEmpty, "seed \(seed): \(differences.prefix(5).joined(separator: "\n"))")
        let schema = try PlainSchema(store.url).differences(from: PlainSchema(model))
        #expect(schema.isEmpty, "seed \(seed): \(schema.joined(separator: "\n"))")
        let problems = try SQLiteConnection.problems(in: store.url, model)
        #expect(problems.isEmpty, "seed \(seed): \(problems.joined(separator: "\n"))")
    }

    /// The edits are such as a migration can be inferred for, mostly.
    @Test func mostRandomEditsCanBeInferred() {
        let inferred = (1...UInt64(100)).filter { seed in
            var random = SeededGenerator(seed: seed)
            let old = ModelSketch(using: &random)
            var new = old
            for _ in 0..<3 { new.edit(using: &random) }
            return InferredMapping(from: old.model(), to: new.model(after: old)).obstacles.isEmpty
        }
        #expect(inferred.count > 60, "\(inferred.count) of 100")
    }
}

/// Two versions of a random model.
struct RandomPair {
    let old: ModelSketch
    let new: ModelSketch
    /// The models. They are made once: their hashes take longer than all else.
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    private let random: SeededGenerator

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        old = ModelSketch(using: &random)
        var new = old
        for _ in 0..<Int.random(in: 1...5, using: &random) { new.edit(using: &random) }
        (self.new, source, destination, self.random) = (new, old.model(), new.model(after: old), random)
    }

    /// A store of the old version with random objects, and what is in it.
    ///
    /// - Parameter kind: What makes the store; nil: it is an SQLite file.
    func filledStore(_ kind: (any TestedStore.Type)? = nil) throws -> (MigratedStore, StoreDump) {
        var random = random
        let store = try MigratedStore(source, in: MigratedStore.memory, kind: kind) { context in
            try old.fill(context, using: &random)
        }
        return (store, try store.use(source, [:]) { try StoreDump($0, old) })
    }
}
