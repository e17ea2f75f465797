import CoreData
import StoreBrowsing

/// What is new in a store's history since it was last asked for.
struct HistoryWatch {
    private let store: LiveStore
    private let filter: HistoryFilter
    private let predicate: NSPredicate?
    private var token: NSPersistentHistoryToken?
    /// The transactions before the first call that are to be shown.
    private var waiting: [NSPersistentHistoryTransaction] = []
    /// The objects that the predicate was true for when the history was last asked for.
    private var matching: Set<NSManagedObjectID> = []

    /// - Parameters:
    ///   - filter: Which changes are shown. With a predicate it has an entity.
    ///   - place: What came after it is shown, too; nil: only what comes from now on.
    init(_ store: LiveStore, _ filter: HistoryFilter, _ predicate: NSPredicate?, since place: HistoryPlace?) throws {
        (self.store, self.filter, self.predicate) = (store, filter, predicate)
        token = store.coordinator.currentPersistentHistoryToken(fromStores: nil)
        if let predicate { matching = try Self.objects(predicate, filter, store) }
        if let place {
            waiting = try store.perform { try $0.history(since: place) }
            if let last = waiting.last { token = last.token }
        }
    }

    /// The transactions that came since the last call.
    mutating func next() throws -> [HistoryFilter.Shown] {
        let new = try store.perform { try $0.history(after: token) }
        if let last = new.last { token = last.token }
        let shown = (waiting + new).compactMap(filter.shown)
        waiting = []
        guard let predicate else { return shown }
        return try matching(shown, predicate)
    }

    private mutating func matching(
        _ shown: [HistoryFilter.Shown], _ predicate: NSPredicate
    ) throws -> [HistoryFilter.Shown] {
        let changed = Set(shown.flatMap { $0.changes.map(\.changedObjectID) })
        if changed.isEmpty { return [] }
        let isAmong = NSPredicate(format: "SELF IN %@", Array(changed))
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [isAmong, predicate])
        let now = try Self.objects(both, filter, store)
        let relevant = now.union(matching.intersection(changed))
        matching = matching.subtracting(changed).union(now)
        return shown.compactMap { transaction, changes in
            let changes = changes.filter { relevant.contains($0.changedObjectID) }
            return changes.isEmpty ? nil : (transaction, changes)
        }
    }

    private static func objects(
        _ predicate: NSPredicate, _ filter: HistoryFilter, _ store: LiveStore
    ) throws -> Set<NSManagedObjectID> {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: filter.entity?.name ?? "")
        (request.predicate, request.resultType) = (predicate, .managedObjectIDResultType)
        return try store.perform { Set(try $0.fetch(request)) }
    }
}
