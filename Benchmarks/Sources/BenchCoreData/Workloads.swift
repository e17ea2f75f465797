import CBench
import CoreData

/// The workloads, each as an app would write it.
final class Workloads {
    /// The store that is read.
    let base: String
    /// A store that may be written.
    let work: String
    /// Loaded when it is first needed: opening has another.
    private(set) lazy var model = NSPersistentContainer(name: "Bench").managedObjectModel

    init(base: String, work: String) {
        self.base = base
        self.work = work
    }

    func run(_ workload: String) throws -> Measurement? {
        switch workload {
        case "insert": try insert()
        case "insert-small-saves": try insertSmallSaves()
        case "insert-small-saves-history", "insert-small-saves-same-history":
            try insertSmallSaves(options: Self.tracking)
        case "update": try update()
        case "delete": try delete()
        case "batch-insert-dictionaries": try batchInsertDictionaries()
        case "batch-insert-handler": try batchInsertByHandler()
        case "batch-insert-objects": try batchInsertObjects()
        case "batch-update": try batchUpdate()
        case "batch-delete": try batchDelete()
        case "search": try search()
        case "search-scan": try searchByScan()
        case "fetch-all": try fetch { $0.sum }
        case "fetch-all-one-attribute": try fetch { Int64($0.age) }
        case "fetch-predicate-sorted": try fetchSorted()
        case "fetch-by-id": try fetchByID()
        case "fetch-by-id-warm": try fetchByIDWarm()
        case "refresh": try refresh()
        case "to-many-traverse": try traverse(pragmas: Self.pragmasOfC)
        case "to-many-traverse-own-cache": try traverse()
        case "to-many-prefetch": try traverse(prefetching: true)
        case "to-many-traverse-array": try traverseArrays(pragmas: Self.pragmasOfC)
        case "members-read-set": try readMembers { $0.members?.count ?? 0 }
        case "members-read-ordered": try readMembers { $0.line?.count ?? 0 }
        case "members-read-swift-set": try readMembers { $0.memberSet.count }
        case "members-read-array": try readMembers { $0.lineArray.count }
        case "members-change-at-index": try changeMembersAtIndex()
        case "members-change-at-index-foundation": try changeFoundationAtIndex()
        case "members-change-set": try changeMembers { $0.members?.count ?? 0 }
        case "members-change-swift-set": try changeMembers { $0.memberSet.count }
        case "aggregate": try aggregate()
        case "page": try page()
        case "page-lazy": try pageLazily()
        case "walk": try walk()
        case "walk-lazy": try walkLazily()
        case "results-change": try resultsChange(ObjectTeller())
        case "results-change-snapshot": try resultsChange(SnapshotTeller())
        case "open": try open()
        case "migrate-custom": try migrateByMapping()
        case _ where ModelChange(rawValue: workload) != nil: try ModelChange(rawValue: workload).map(migrate)
        case "read-scalar": try read { Int($0.age) }
        case "read-string-9": try read { $0.lastName?.utf8.count ?? 0 }
        case "read-string-40": try read { $0.email?.utf8.count ?? 0 }
        default: nil
        }
    }

    /// Makes the store that the reading workloads read.
    func prepare() throws {
        bench_remove_db(base)
        try withContext(base) { context in
            let teams = Team.make(context)
            try context.save()
            for index in 1...Int(bench_player_count()) { Player.insert(PlayerData(index), teams, context) }
            try context.save()
        }
    }

    /// Runs `body` on a new context over a store.
    ///
    /// - Parameters:
    ///   - pragmas: SQLite's settings, where they are not to be those that the store chooses.
    ///   - options: Other options of the store.
    func withContext(
        _ path: String, pragmas: [String: String] = [:], options: [AnyHashable: Any] = [:],
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
            options: options.merging([NSSQLitePragmasOption: pragmas]) { $1 })
        try withContext(of: coordinator, body)
        try coordinator.remove(store)
    }

    func withContext(
        of coordinator: NSPersistentStoreCoordinator, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
    }

    /// SQLite's own defaults, which the C program has.
    private static let pragmasOfC = ["cache_size": "-2000", "mmap_size": "0"]
}
