import Dispatch
import FoundationGaps

/// What other coordinators and other processes write to a coordinator's stores.
extension NSPersistentStoreCoordinator {
    /// Has a store tell of commits to its file, if its options ask for that.
    ///
    /// - Throws: What opening another connection to the store throws.
    func watch(_ store: NSPersistentStore) throws {
        guard (store.options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? NSNumber)?.boolValue == true,
            let store = store as? any WatchedStore
        else { return }
        let merge = RemoteMerge(after: try (store as? any HistoryStore)?.lastTransaction() ?? 0)
        // An observer may do what waits for the store's look-out: it gets a thread of its own.
        let delivery = DispatchQueue(label: "NSPersistentStoreRemoteChange delivery")
        try store.watchChanges { [weak self, weak store] last in
            guard let self, let store else { return }
            delivery.async {
                guard self.persistentStores.contains(store) else { return }
                merge.run(store, of: self)
                self.postChange(of: store, last)
            }
        }
    }

    private func postChange(of store: NSPersistentStore, _ lastTransaction: Int64?) {
        let identifier = store.token.identifier
        var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: identifier]
        userInfo[NSPersistentStoreURLKey] = store.url
        userInfo[NSPersistentHistoryTokenKey] = lastTransaction.map { NSPersistentHistoryToken([identifier: $0]) }
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: self, userInfo: userInfo)
    }
}

/// Takes over what others have written, as the store's history tells. One queue runs it.
private final class RemoteMerge: @unchecked Sendable {
    // Unchecked: the number is used on the queue of deliveries alone.

    /// The number of the last transaction that was dealt with.
    private var number: Int64
    /// With more changed rows than that, all rows of the store are forgotten.
    private static let mostRows = 10_000

    init(after number: Int64) { self.number = number }

    func run(_ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator) {
        guard let store = store as? any HistoryStore, store.tracksHistory else { return }
        do {
            let found = try coordinator.transactions(.afterNumber(number), of: store, withChanges: true)
            let own = store.takeOwnTransactions(upTo: found.last?.number ?? number)
            number = found.last?.number ?? number
            merge(found.filter { !own.contains($0.number) }.flatMap(\.changes), coordinator)
        } catch {
            // What happened can't be told: everything is read anew.
            number = (try? store.lastTransaction()) ?? number
            coordinator.forgetRows(of: store)
            for context in coordinator.mergingContexts.all { context.perform { context.refreshAllObjects() } }
        }
    }

    private func merge(_ changes: [StoreTransactionChange], _ coordinator: NSPersistentStoreCoordinator) {
        if changes.isEmpty { return }
        coordinator.forgetRows(of: changes.map(\.object), unlessMoreThan: Self.mostRows)
        for context in coordinator.mergingContexts.all { context.perform { context.takeOver(changes) } }
    }
}
