import CoreData
import RandomSeeds
import Testing

/// Edits players by all ways that there are, while controllers tell what becomes of a list; after each step every way
/// of telling has to have led to what a fetch finds.
final class ResultsDriver {
    private let stack: Stack
    private let list: PlayerList
    private let context: NSManagedObjectContext
    private let other: NSManagedObjectContext
    private var random: SeededGenerator
    private let undoManager = UndoManager()
    private var lastNumber: Int32 = 0
    private(set) var log: [String] = []

    private let objects = ObjectReplay()
    private let differences = DifferenceReplay()
    private let snapshots = SnapshotReplay()
    private let byObjects: NSFetchedResultsController<NSManagedObject>
    private let byDifferences: NSFetchedResultsController<NSManagedObject>
    private let bySnapshots: NSFetchedResultsController<NSManagedObject>
    private let byChanges: NSFetchedResultsController<NSManagedObject>
    private(set) var changes: FetchedResultsChanges?
    /// What the list was after each step.
    private(set) var states: [[FetchedResultsSection]] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        stack = try Stack(ResultsModel.make())
        list = PlayerList.all.randomElement(using: &random) ?? PlayerList.all[0]
        context = stack.context()
        other = stack.context()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        undoManager.groupsByEvent = false
        byObjects = list.controller(in: context)
        byDifferences = list.controller(in: context)
        bySnapshots = list.controller(in: context)
        byChanges = list.controller(in: context)
    }

    func run(steps: Int) throws {
        try context.performAndWait {
            for _ in 0..<Int.random(in: 0...12, using: &random) { insert(in: context) }
            if random.chance(70) { try context.save() }
            if random.chance(50) { context.undoManager = undoManager }
            try grouped { try start() }
            for _ in 0..<steps {
                try step()
                // What others deleted is noticed when it is read, which is a change.
                try grouped { try check() }
            }
            log.append("delete all")
            context.undoManager = nil
            for name in ["Player", "Team"] { try context.all(name).forEach(context.delete) }
            try context.save()
            try check()
        }
        withExtendedLifetime(byChanges) {}
    }

    private func start() throws {
        byObjects.delegate = objects
        byDifferences.delegate = differences
        bySnapshots.delegate = snapshots
        for controller in [byObjects, byDifferences, bySnapshots] { try controller.performFetch() }
        if random.chance(50) {
            changes = byChanges.changes()
            try byChanges.performFetch()
        } else {
            try byChanges.performFetch()
            changes = byChanges.changes()
        }
        objects.start(byObjects)
        differences.ids = byDifferences.fetchedObjects?.map(\.objectID) ?? []
        try check()
    }

    // MARK: Steps

    private func step() throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50: grouped { editGroup() }
        case 50..<62: try grouped { try save() }
        case 62..<78: try grouped { try editElsewhere() }
        case 78..<83: rollback()
        case 83..<89: grouped { refresh() }
        case 89..<95: undo()
        case 95..<97: try grouped { try obtainIDs() }
        case 97..<98: try grouped { try reset() }
        default: try grouped { try fetchAgain() }
        }
    }

    /// Takes a step that is undone as one.
    private func grouped(_ body: () throws -> Void) rethrows {
        if context.undoManager != nil { undoManager.beginUndoGrouping() }
        try body()
        context.processPendingChanges()
        if context.undoManager != nil { undoManager.endUndoGrouping() }
    }

    private func editGroup() {
        log.append("edit")
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            edit(in: context)
            if random.chance(25) { context.processPendingChanges() }
        }
    }

    private func edit(in context: NSManagedObjectContext) {
        let players = all("Player", in: context)
        let player = players.randomElement(using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: insert(in: context)
        case 25..<40: player?.setValue(Int16.random(in: 0...9, using: &random), forKey: "age")
        case 40..<52: player?.setValue(["a", "b", "c", "d"].randomElement(using: &random), forKey: "group")
        case 52..<62: player?.setValue(name(), forKey: "name")
        case 62..<74: player?.setValue(all("Team", in: context).randomElement(using: &random), forKey: "team")
        case 74..<80: all("Team", in: context).randomElement(using: &random)?.setValue(name(), forKey: "name")
        case 80..<84: all("Team", in: context).randomElement(using: &random).map(context.delete)
        default: player.map(context.delete)
        }
    }

    private func insert(in context: NSManagedObjectContext) {
        if random.chance(20) { _ = context.insert("Team", ["name": name()]) }
        lastNumber += 1
        let player = context.insert(
            random.chance(20) ? "Goalkeeper" : "Player",
            [
                "name": name(), "group": ["a", "b", "c", "d"].randomElement(using: &random) ?? "a",
                "age": Int16.random(in: 0...9, using: &random), "number": lastNumber,
            ])
        if random.chance(60) { player.setValue(all("Team", in: context).randomElement(using: &random), forKey: "team") }
    }

    /// Names of teams and players; those of a team are its own, for sections are made of them.
    private func name() -> String {
        ["anna", "bert", "ben", "carl", "cleo", "dora"][Int.random(in: 0..<6, using: &random)]
    }

    private func all(_ entity: String, in context: NSManagedObjectContext) -> [NSManagedObject] {
        (try? context.all(entity, sortedBy: entity == "Player" ? "number" : "name")) ?? []
    }

    private func save() throws {
        log.append("save")
        try context.save()
    }

    /// Another context edits, saves, and is merged.
    private func editElsewhere() throws {
        log.append("edit elsewhere")
        let note = Saved(other)
        try other.performAndWait {
            other.reset()
            for _ in 0..<Int.random(in: 1...5, using: &random) { edit(in: other) }
            try other.save()
        }
        for notification in note.notifications { context.mergeChanges(fromContextDidSave: notification) }
    }

    private func rollback() {
        log.append("rollback")
        context.rollback()
    }

    private func refresh() {
        log.append("refresh")
        if random.chance(30) { return context.refreshAllObjects() }
        let players = all("Player", in: context).filter { !$0.isInserted }
        players.randomElement(using: &random).map { context.refresh($0, mergeChanges: random.chance(50)) }
    }

    private func undo() {
        guard let manager = context.undoManager else { return }
        log.append("undo")
        if random.chance(65), manager.canUndo { context.undo() } else if manager.canRedo { context.redo() }
    }

    private func obtainIDs() throws {
        log.append("obtain IDs")
        try context.obtainPermanentIDs(for: Array(context.insertedObjects))
        // Told with the next change or save.
        try context.save()
    }

    /// Delegates hear nothing of it: the app shows the results anew.
    private func reset() throws {
        log.append("reset")
        context.reset()
        try fetchAgain()
    }

    private func fetchAgain() throws {
        log.append("fetch")
        for controller in [byObjects, byDifferences, bySnapshots, byChanges] { try controller.performFetch() }
        objects.start(byObjects)
        differences.ids = byDifferences.fetchedObjects?.map(\.objectID) ?? []
    }

    // MARK: Checking

    private func check() throws {
        let place = Comment(rawValue: "\(list), after \(log.suffix(8).joined(separator: ", "))")
        var fresh = try context.fetch(list.request)
        // Other objects' unsaved values, which the controller orders by, the store does not know.
        if list.sort[0] == "team.name", let sorted = NSArray(array: fresh).sorted(by: list.request) { fresh = sorted }
        let expected = sections(of: fresh)
        let ids = expected.flatMap(\.objectIDs)
        try #require(byObjects.fetchedObjects == fresh, place)
        try #require(objects.content.flatMap(\.objects) == fresh, place)
        try #require(objects.content.map(\.name) == expected.map(\.name), place)
        try #require(objects.content.map(\.objects.count) == expected.map(\.objectIDs.count), place)
        if list.sections == nil { try #require(differences.ids == ids, place) }
        try #require(snapshots.snapshot.sectionIdentifiers == expected.map(\.name), place)
        try #require(snapshots.snapshot.itemIdentifiers == ids, place)
        try #require(byChanges.fetchedObjects == fresh, place)
        for (index, object) in fresh.enumerated() where index % 3 == 0 {
            let path = try #require(byObjects.indexPath(forObject: object), place)
            try #require(byObjects.object(at: path) === object, place)
        }
        states.append(expected)
    }

    private func sections(of players: [NSManagedObject]) -> [FetchedResultsSection] {
        guard let key = list.sections else {
            return [FetchedResultsSection(name: "", objectIDs: players.map(\.objectID))]
        }
        var sections: [FetchedResultsSection] = []
        for player in players {
            let name = player.value(forKeyPath: key).map { "\($0)" } ?? ""
            if sections.last?.name != name { sections.append(FetchedResultsSection(name: name)) }
            sections[sections.count - 1].objectIDs.append(player.objectID)
        }
        return sections
    }
}

extension NSArray {
    fileprivate func sorted(by request: NSFetchRequest<NSManagedObject>) -> [NSManagedObject]? {
        sortedArray(using: request.sortDescriptors ?? []) as? [NSManagedObject]
    }
}

/// A context's saves, while it is alive.
private final class Saved: @unchecked Sendable {
    // Unchecked: posted and read on queues that wait for each other.
    private(set) var notifications: [Notification] = []
    private var token: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { [weak self] in self?.notifications.append($0) }
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }
}
