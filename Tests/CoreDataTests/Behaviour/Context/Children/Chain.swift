import CoreData

/// A context on a store, and children below it; each has a private queue.
struct Chain {
    let stack: Stack
    let contexts: [NSManagedObjectContext]

    var root: NSManagedObjectContext { contexts[0] }
    var child: NSManagedObjectContext { contexts[1] }
    var last: NSManagedObjectContext { contexts[contexts.count - 1] }

    init(_ model: NSManagedObjectModel = LeagueModel.make(), depth: Int = 1) throws {
        stack = try Stack(model)
        var contexts = [stack.context()]
        for _ in 0..<depth { contexts.append(contexts[contexts.count - 1].makeChild()) }
        self.contexts = contexts
    }

    /// Saves all levels, the lowest first.
    func saveAll() throws {
        for context in contexts.reversed() { try context.performAndWait { try context.save() } }
    }
}

extension NSManagedObjectContext {
    func makeChild(_ type: NSManagedObjectContextConcurrencyType = .privateQueueConcurrencyType)
        -> NSManagedObjectContext
    {
        let child = NSManagedObjectContext(concurrencyType: type)
        child.parent = self
        return child
    }

    /// Runs a block with the context on its queue.
    func work<T>(_ block: (NSManagedObjectContext) throws -> T) rethrows -> T { try performAndWait { try block(self) } }
}
