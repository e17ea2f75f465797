import Foundation
import RandomSeeds
import SQLSamples
import Testing

@testable import CoreData

/// Random predicates over random graphs find the same objects in SQL, in memory, and in a context with unsaved changes;
/// in the same order, where one is asked for.
///
/// `COREDATA_TEST_SEED=…` repeats a run, and `./test --full` looks at 100,000 predicates.
@Suite("Fetches agree")
struct FetchPropertyTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = SeededGenerator.seed
    private static let predicates = environment["COREDATA_FULL_TESTS"] == "1" ? 100_000 : 2000
    private static let predicatesPerGraph = 100

    @Test("a random fetch finds the same in SQL, in memory and among unsaved changes, but for what is unknown in SQL")
    func agreement() throws {
        var random = SQLRandom(seed: Self.seed)
        for graph in 0..<Self.predicates / Self.predicatesPerGraph {
            let stack = try Stack(SQLTestModel.model)
            try RandomFetches(stack, &random).check(
                Self.predicatesPerGraph, "graph \(graph), COREDATA_TEST_SEED=\(Self.seed)")
        }
    }
}

/// One store, one context that has nothing to save, and one with unsaved changes.
private final class RandomFetches {
    private let clean: NSManagedObjectContext
    private let dirty: NSManagedObjectContext
    private let child: NSManagedObjectContext
    private var writer: SQLPredicateWriter
    /// All objects of a context by entity, held.
    private var stored: [String: [NSManagedObject]] = [:]
    private var present: [String: [NSManagedObject]] = [:]
    private var changed: Set<NSManagedObjectID> = []

    private static let entities = ["Team", "Player", "Person", "Coach"]

    init(_ stack: Stack, _ random: inout SQLRandom) throws {
        var graph = RandomGraph(random: random)
        try stack.work { context in
            graph.fill(context)
            try context.save()
        }
        (clean, dirty) = (stack.context(), stack.context())
        child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = dirty
        writer = SQLPredicateWriter(random: graph.random)
        stored = try clean.performAndWait { try Self.objects(clean) }
        present = try dirty.performAndWait {
            let all = try Self.objects(dirty)
            var graph = RandomGraph(random: writer.random)
            graph.change(all, in: dirty)
            writer.random = graph.random
            dirty.processPendingChanges()
            changed = Set((dirty.insertedObjects.union(dirty.updatedObjects)).map(\.objectID))
            // Whatever is deleted is no result any longer, and whatever was inserted is one.
            return all.mapValues { $0.filter { !$0.isDeleted } }.merging(
                Dictionary(grouping: dirty.insertedObjects) { $0.entity.name ?? "" }
            ) { $0 + $1 }
        }
        random = writer.random
    }

    private static func objects(_ context: NSManagedObjectContext) throws -> [String: [NSManagedObject]] {
        try Dictionary(
            uniqueKeysWithValues: ["Team", "Player", "Coach"].map { ($0, try context.all($0)) })
    }

    private func all(_ objects: [String: [NSManagedObject]], of entity: String) -> [NSManagedObject] {
        entity == "Person" ? (objects["Player"] ?? []) + (objects["Coach"] ?? []) : objects[entity] ?? []
    }

    func check(_ count: Int, _ label: String) throws {
        for _ in 0..<count {
            let entity = writer.random.one(Self.entities)
            let format = writer.predicate(entity, depth: 3)
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = try NSPredicate.parse(format)
            request.sortDescriptors = descriptors(entity)
            let what = Comment(rawValue: "\(entity): \(format), \(label)")
            let known = try clean.performAndWait { () throws in try checkStored(request, what) }
            try dirty.performAndWait { () throws in try checkPending(request, known, what) }
        }
    }

    /// - Returns: What SQL finds.
    private func checkStored(_ request: NSFetchRequest<NSManagedObject>, _ what: Comment) throws -> Set<
        NSManagedObjectID
    > {
        let predicate = try #require(request.predicate)
        let all = all(stored, of: request.entityName ?? "")
        let wanted = try all.filter { try SQLTruth.of(predicate, $0) == true }
        let found = try clean.fetch(request)
        #expect(Set(found) == Set(wanted) && found.count == wanted.count, what)
        #expect(found.isInOrder(request.sortDescriptors ?? []), what)
        #expect(try clean.count(for: request) == wanted.count, what)
        checkWindow(request, found, clean, what)
        return Set(wanted.map(\.objectID))
    }

    /// What SQL knows of unchanged objects holds for these, what memory knows of the others.
    private func checkPending(
        _ request: NSFetchRequest<NSManagedObject>, _ known: Set<NSManagedObjectID>, _ what: Comment
    ) throws {
        let predicate = try #require(request.predicate)
        let wanted = try all(present, of: request.entityName ?? "").filter { object in
            changed.contains(object.objectID)
                ? try predicate.evaluateOrThrow(with: object) : known.contains(object.objectID)
        }
        let found = try dirty.fetch(request)
        #expect(Set(found) == Set(wanted) && found.count == wanted.count, "pending changes: \(what)")
        #expect(found.isInOrder(request.sortDescriptors ?? []), "pending changes: \(what)")
        #expect(try dirty.count(for: request) == wanted.count, "pending changes: \(what)")
        checkWindow(request, found, dirty, what)
        guard writer.random.chance(0.1) else { return }
        let ids = found.map(\.objectID)
        let lazy = try dirty.results(of: request).map(\.objectID)
        checkOrder(lazy, ids, request, "lazily: \(what)")
        let ofChild = try child.performAndWait { try child.fetch(request).map(\.objectID) }
        checkOrder(ofChild, ids, request, "in a child: \(what)")
    }

    /// The same objects, in the same order as far as there is one: those that nothing tells apart may come in any.
    private func checkOrder(
        _ ids: [NSManagedObjectID], _ wanted: [NSManagedObjectID], _ request: NSFetchRequest<NSManagedObject>,
        _ what: Comment
    ) {
        #expect(Set(ids) == Set(wanted) && ids.count == wanted.count, what)
        let descriptors = request.sortDescriptors ?? []
        #expect(
            zip(ids, wanted).allSatisfy { dirty.object(with: $0).ties(dirty.object(with: $1), descriptors) }, what)
    }

    /// A part of the results is that part of all of them, if there is an order; else as many.
    private func checkWindow(
        _ request: NSFetchRequest<NSManagedObject>, _ found: [NSManagedObject], _ context: NSManagedObjectContext,
        _ what: Comment
    ) {
        guard writer.random.chance(0.3) else { return }
        let part = request.copied()
        part.fetchLimit = Int.random(in: 1...8, using: &writer.random)
        part.fetchOffset = Int.random(in: 0...6, using: &writer.random)
        let wanted = found.dropFirst(part.fetchOffset).prefix(part.fetchLimit)
        let objects = (try? context.fetch(part)) ?? []
        #expect(objects.count == wanted.count, "a part: \(what)")
        #expect(zip(objects, wanted).allSatisfy { $0.ties($1, request.sortDescriptors ?? []) }, "a part: \(what)")
        #expect((try? context.count(for: part)) == wanted.count, "a part: \(what)")
    }

    private func descriptors(_ entity: String) -> [NSSortDescriptor] {
        let keys =
            [
                "Team": ["name", "rank", "city"], "Player": ["name", "age", "salary", "price", "born"],
            ][entity] ?? ["name", "age", "born", "active"]
        return (0..<Int.random(in: 0...2, using: &writer.random)).map { _ in
            let key = writer.random.one(keys)
            let ascending = writer.random.chance(0.5)
            guard key == "name", writer.random.chance(0.5) else {
                return NSSortDescriptor(key: key, ascending: ascending)
            }
            let selectors: [Selector] = [
                .caseInsensitiveCompare, .localizedCompare, .localizedCaseInsensitiveCompare, .localizedStandardCompare,
            ]
            return NSSortDescriptor(key: key, ascending: ascending, selector: writer.random.one(selectors))
        }
    }
}

extension [NSManagedObject] {
    fileprivate func isInOrder(_ descriptors: [NSSortDescriptor]) -> Bool {
        zip(self, dropFirst()).allSatisfy { descriptors.order($0, $1) != .orderedDescending }
    }
}

extension NSManagedObject {
    /// Whether nothing tells two objects apart by their place.
    fileprivate func ties(_ other: NSManagedObject, _ descriptors: [NSSortDescriptor]) -> Bool {
        descriptors.isEmpty || descriptors.order(self, other) == .orderedSame
    }
}

extension NSFetchRequest where ResultType == NSManagedObject {
    fileprivate func copied() -> NSFetchRequest<NSManagedObject> { NSFetchRequest<NSManagedObject>(copying: self) }
}
