import FoundationGaps

extension NSPersistentHistoryChangeRequest: ExecutableRequest {
    package func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        context.checkQueue()
        let execution = try HistoryExecution(self, in: context)
        let result = NSPersistentHistoryResult()
        result.resultType = resultType
        result.result = isPurge ? try execution.purge() : try execution.fetch()
        return result
    }
}

/// A history request on its way from a context to the stores.
private struct HistoryExecution {
    private let request: NSPersistentHistoryChangeRequest
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let stores: [any HistoryStore]

    /// - Throws: 134091 where no store has history.
    init(_ request: NSPersistentHistoryChangeRequest, in context: NSManagedObjectContext) throws {
        (self.request, self.context) = (request, context)
        coordinator = context.requiredCoordinator
        stores = coordinator.historyStores(among: request.affectedStores)
        guard stores.isEmpty else { return }
        throw NSError.cocoa(
            NSPersistentStoreUnsupportedRequestTypeError, "No store has persistent history.",
            reason: "Add an SQLite store with the option NSPersistentHistoryTrackingKey.",
            userInfo: [NSAffectedStoresErrorKey: request.affectedStores ?? coordinator.persistentStores])
    }

    // MARK: Purging

    /// - Throws: 134070 for a result type that a purge does not have; nothing is purged then.
    func purge() throws -> Any {
        guard request.resultType == .statusOnly || request.resultType == .count else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError, "A purge of persistent history has no such result.",
                reason: "Its result type can be statusOnly or count. Nothing was purged.")
        }
        var count = 0
        for store in stores {
            guard let limit = limit(in: store) else { continue }
            count += try coordinator.deleteHistory(before: limit, of: store)
        }
        return request.resultType == .count ? count : true
    }

    private func limit(in store: any HistoryStore) -> HistoryLimit? {
        switch request.place {
        case .date(let date): .time(date.timeIntervalSinceReferenceDate)
        case .token(let token): token?.numbers[store.token.identifier].map { .number($0) }
        }
    }

    // MARK: Fetching

    func fetch() throws -> Any {
        let fetch = try request.fetchRequest.map { try HistoryFetch($0) }
        let records = try stores.flatMap { try read($0, for: fetch) }
        guard let fetch else { return answer(records) }
        if !fetch.findsChanges { return answer(try fetch.transactions(among: records)) }
        let changes = try fetch.changes(among: records)
        if request.resultType == .changesOnly { return changes }
        if request.resultType == .count { return changes.count }
        return answer(grouped(changes))
    }

    private func read(_ store: any HistoryStore, for fetch: HistoryFetch?) throws -> [HistoryRecord] {
        let wantsChanges = request.resultType.wantsChanges || fetch?.readsChanges ?? false
        let found = try coordinator.transactions(range(in: store), of: store, withChanges: wantsChanges)
        return found.map { transaction in
            let changes = transaction.changes.compactMap { change in
                context.objectID(for: change.object).map { HistoryRecord.Change(stored: change, objectID: $0) }
            }
            return HistoryRecord(
                storeID: store.token.identifier, transaction: transaction, changes: wantsChanges ? changes : nil)
        }
    }

    private func range(in store: any HistoryStore) -> HistoryRange {
        switch request.place {
        case .date(let date): .afterTime(date.timeIntervalSinceReferenceDate)
        case .token(let token): token?.numbers[store.token.identifier].map { .afterNumber($0) } ?? .all
        }
    }

    /// The transactions of some changes, with no other changes, in the order of the first change of each.
    private func grouped(_ changes: [NSPersistentHistoryChange]) -> [HistoryRecord] {
        var order: [ObjectIdentifier] = []
        var groups: [ObjectIdentifier: (record: HistoryRecord, changes: [HistoryRecord.Change])] = [:]
        for change in changes {
            let id = ObjectIdentifier(change.record)
            if groups[id] == nil { order.append(id) }
            groups[id, default: (change.record, [])].changes.append(change.recorded)
        }
        return order.compactMap { groups[$0].map { $0.record.with($0.changes) } }
    }

    private func answer(_ records: [HistoryRecord]) -> Any {
        switch request.resultType {
        case .statusOnly: return true
        case .count: return records.count
        case .objectIDs:
            var known: Set<NSManagedObjectID> = []
            return records.flatMap { $0.changes ?? [] }.map(\.objectID).filter { known.insert($0).inserted }
        case .changesOnly: return records.flatMap { NSPersistentHistoryTransaction($0).changes ?? [] }
        case .transactionsOnly: return records.map { NSPersistentHistoryTransaction($0.withoutChanges) }
        case .transactionsAndChanges: return records.map { NSPersistentHistoryTransaction($0) }
        }
    }
}

extension NSPersistentHistoryResultType {
    fileprivate var wantsChanges: Bool {
        switch self {
        case .objectIDs, .changesOnly, .transactionsAndChanges: true
        case .statusOnly, .count, .transactionsOnly: false
        }
    }
}
