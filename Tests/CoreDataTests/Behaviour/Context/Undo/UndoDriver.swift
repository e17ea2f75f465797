import CoreData
import Testing

/// Edits, undoes, redoes and saves a real graph and the oracle's in step; the oracle undoes by keeping copies of
/// itself.
struct UndoDriver {
    private var graph: GraphDriver
    private let manager = UndoManager()
    private var done: [GraphOracle] = []
    private var undone: [GraphOracle] = []
    /// Every object that there ever was: one that comes back is the same.
    private var known: [Int: NSManagedObject] = [:]
    private(set) var log: [String] = []

    var context: NSManagedObjectContext { graph.context }

    init(seed: UInt64) throws {
        graph = try GraphDriver(seed: seed)
        manager.groupsByEvent = false
        // In a third of the runs the context is a child. Its parent saves now and then.
        if graph.random.chance(33) { graph.context = graph.context.makeChild() }
        if graph.random.chance(30) { manager.levelsOfUndo = Int.random(in: 1...4, using: &graph.random) }
        graph.context.undoManager = manager
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            try step()
            try check("after \(log.suffix(6).joined(separator: ", "))")
        }
        try save()
        try context.parent?.work { try $0.save() }
        try graph.stack.reopened { try graph.compare($0, "in a reopened store, after \(log.joined(separator: ", "))") }
    }

    private mutating func step() throws {
        switch Int.random(in: 0..<100, using: &graph.random) {
        case 0..<45: try editGroup()
        case 45..<70: try undo()
        case 70..<85: try redo()
        case 85..<95: try save()
        case 95..<98: try context.obtainPermanentIDs(for: Array(context.insertedObjects))
        default: try forget()
        }
    }

    private mutating func editGroup() throws {
        log.append("edit")
        keep(graph.oracle, &done)
        manager.beginUndoGrouping()
        for _ in 0..<Int.random(in: 1...6, using: &graph.random) {
            graph.edit()
            if graph.random.chance(40) { context.processPendingChanges() }
        }
        manager.endUndoGrouping()
        guard manager.canRedo else { return undone = [] }
        // Redoing stays possible where nothing came of the edits.
        try graph.compare(graph.objects, with: try #require(done.last), "after edits of which nothing came")
    }

    private func keep(_ state: GraphOracle, _ states: inout [GraphOracle]) {
        states.append(state)
        if manager.levelsOfUndo > 0 { states.removeFirst(max(0, states.count - manager.levelsOfUndo)) }
    }

    private mutating func undo() throws {
        guard let before = done.popLast() else { return try #require(!manager.canUndo) }
        log.append("undo")
        keep(graph.oracle, &undone)
        graph.oracle = before
        context.undo()
        try findObjects()
    }

    private mutating func redo() throws {
        guard let after = undone.popLast() else { return try #require(!manager.canRedo) }
        log.append("redo")
        keep(graph.oracle, &done)
        graph.oracle = after
        context.redo()
        try findObjects()
    }

    private mutating func save() throws {
        log.append("save")
        try context.save()
        try #require(!context.hasChanges)
        guard let parent = context.parent, graph.random.chance(60) else { return }
        log.append("save the parent")
        try parent.work { try $0.save() }
    }

    private mutating func forget() throws {
        try save()
        log.append("reset")
        graph.forgetObjects()
        (done, undone, known) = ([], [], [:])
    }

    private mutating func findObjects() throws {
        var found: [Int: NSManagedObject] = [:]
        for entity in graph.model.entities where entity.parent == nil {
            for object in try context.all(entity.name) {
                found[try #require(object.value(forKey: "oracleID") as? Int)] = object
            }
        }
        graph.objects = found
    }

    private mutating func check(_ place: String) throws {
        try graph.compare(graph.objects, place)
        let counts = [manager.undoCount, manager.redoCount]
        try #require(counts == [done.count, undone.count], "other counts \(place)")
        for (id, object) in graph.objects {
            if let known = known[id] { try #require(known === object, "\(id) is another object \(place)") }
            known[id] = object
        }
    }
}
