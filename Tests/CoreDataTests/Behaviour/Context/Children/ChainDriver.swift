import CoreData
import Testing

/// Edits, saves, rolls back and lets go in a chain of contexts, each the child of the one before, with an oracle for
/// each.
///
/// A context is edited while those below it have nothing unsaved: what becomes of edits of the same objects on two
/// levels is tested by hand.
struct ChainDriver {
    private var graph: GraphDriver
    private var contexts: [NSManagedObjectContext]
    private var oracles: [GraphOracle]
    private var saved: GraphOracle
    private var log: [String] = []

    init(seed: UInt64) throws {
        graph = try GraphDriver(seed: seed)
        contexts = [graph.context]
        for _ in 0..<Int.random(in: 1...3, using: &graph.random) {
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = contexts.last
            contexts.append(child)
        }
        oracles = contexts.map { [oracle = graph.oracle] _ in oracle }
        saved = graph.oracle
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            try step()
            try checkAll()
        }
        for level in contexts.indices.reversed() { try save(level) }
        try checkAll()
        try graph.stack.reopened { [self] in
            try graph.compare(try objects(of: $0), with: oracles[0], "in a reopened store")
        }
    }

    private mutating func step() throws {
        let level = contexts.indices.randomElement(using: &graph.random)!
        switch Int.random(in: 0..<100, using: &graph.random) {
        case 0..<50: try edit(level)
        case 50..<80: try save(level)
        case 80..<87: rollBack(level)
        case 87..<93: try obtainIDs(level)
        default: try forget(level)
        }
    }

    private mutating func edit(_ level: Int) throws {
        guard contexts[(level + 1)...].allSatisfy({ !$0.hasChanges }) else { return }
        log.append("edit \(level)")
        let context = contexts[level]
        try context.performAndWait {
            graph.context = context
            graph.oracle = oracles[level]
            graph.objects = try objects(of: context)
            for _ in 0..<Int.random(in: 1...6, using: &graph.random) { graph.edit() }
            context.processPendingChanges()
            graph.objects = [:]
        }
        for deeper in level..<contexts.count { oracles[deeper] = graph.oracle }
        for deeper in contexts[(level + 1)...] { deeper.performAndWait { deeper.refreshAllObjects() } }
    }

    private mutating func save(_ level: Int) throws {
        log.append("save \(level)")
        let context = contexts[level]
        try context.performAndWait { try context.save() }
        try #require(!context.hasChanges)
        if level > 0 { oracles[level - 1] = oracles[level] } else { saved = oracles[0] }
    }

    private mutating func rollBack(_ level: Int) {
        guard contexts[(level + 1)...].allSatisfy({ !$0.hasChanges }) else { return }
        log.append("roll back \(level)")
        contexts[level].performAndWait { contexts[level].rollback() }
        let before = level > 0 ? oracles[level - 1] : saved
        for deeper in level..<contexts.count { oracles[deeper] = before }
        for deeper in contexts[(level + 1)...] { deeper.performAndWait { deeper.reset() } }
    }

    private mutating func obtainIDs(_ level: Int) throws {
        log.append("obtain IDs \(level)")
        let context = contexts[level]
        try context.performAndWait {
            try context.obtainPermanentIDs(for: Array(context.insertedObjects))
            try #require(context.insertedObjects.allSatisfy { !$0.objectID.isTemporaryID })
        }
    }

    private mutating func forget(_ level: Int) throws {
        guard !contexts[level].hasChanges else { return }
        log.append("reset \(level)")
        contexts[level].performAndWait { contexts[level].reset() }
    }

    // MARK: Comparing

    private func objects(of context: NSManagedObjectContext) throws -> [Int: NSManagedObject] {
        var found: [Int: NSManagedObject] = [:]
        for entity in graph.model.entities where entity.parent == nil {
            for object in try context.all(entity.name) {
                found[try #require(object.value(forKey: "oracleID") as? Int)] = object
            }
        }
        return found
    }

    private func checkAll() throws {
        for (level, context) in contexts.enumerated() {
            let place = "on level \(level) of \(contexts.count) after \(log.suffix(8).joined(separator: ", "))"
            try context.performAndWait {
                let found = try objects(of: context)
                try graph.compare(found, with: oracles[level], place)
                try check(context, found, oracles[level], place)
            }
        }
    }

    /// Counts, identifiers and single objects agree with what a fetch gives.
    private func check(
        _ context: NSManagedObjectContext, _ found: [Int: NSManagedObject], _ oracle: GraphOracle, _ place: String
    ) throws {
        for entity in graph.model.entities where entity.parent == nil {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            let mine = oracle.nodes.filter { graph.model.isKind($0.value.entity, of: entity.name) }
            try #require(try context.count(for: request) == mine.count, "other count of \(entity.name) \(place)")
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: entity.name)
            ids.resultType = .managedObjectIDResultType
            let expected = Set(mine.keys.map { found[$0]!.objectID })
            try #require(Set(try context.fetch(ids)) == expected, "other IDs of \(entity.name) \(place)")
            request.predicate = NSPredicate(format: "oracleID > 3")
            request.sortDescriptors = [NSSortDescriptor(key: "oracleID", ascending: false)]
            request.fetchLimit = 3
            let last = try context.fetch(request).map { $0.value(forKey: "oracleID") as? Int }
            try #require(last == Array(mine.keys.filter { $0 > 3 }.sorted(by: >).prefix(3)), "other order \(place)")
        }
        for (id, object) in found {
            try #require(context.object(with: object.objectID) === object, "\(id) is two objects \(place)")
            try #require(try context.existingObject(with: object.objectID) === object, "\(id) is two \(place)")
        }
    }
}
