import FoundationGaps

extension NSPersistentStoreCoordinator {
    /// The stores with history, of those wanted.
    func historyStores(among wanted: [NSPersistentStore]?) -> [any HistoryStore] {
        persistentStores.compactMap { store in
            guard wanted?.contains(store) ?? true, let store = store as? any HistoryStore, store.hasHistory else {
                return nil
            }
            return store
        }
    }

    /// A token for the present end of the stores' histories; nil if none has history, or none can be read.
    func historyToken(of wanted: [NSPersistentStore]?) -> NSPersistentHistoryToken? {
        var numbers: [String: Int64] = [:]
        for store in historyStores(among: wanted) {
            if let number = try? asking(store, { try $0.lastTransaction() }) {
                numbers[store.token.identifier] = number
            }
        }
        return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
    }

    /// The transactions of a store.
    func transactions(
        _ range: HistoryRange, of store: any HistoryStore, withChanges: Bool
    ) throws -> [StoreTransaction] {
        try asking(store) { try $0.transactions(range, withChanges: withChanges) }
    }

    /// Forgets rows that others have changed.
    func forgetRows(of references: [ObjectReference], unlessMoreThan most: Int) {
        let stores = Set(references.map(\.store))
        locked {
            if references.count > most {
                for store in stores { rows.forgetAll(store: store) }
            } else {
                for reference in references {
                    let root = layouts.rootNumber(of: reference.entity)
                    rows.remove(reference.key, KeyGroup(store: reference.store, root: root))
                }
            }
        }
    }

    /// Forgets all rows of a store.
    func forgetRows(of store: NSPersistentStore) { locked { rows.forgetAll(store: store.token.number) } }

    /// Removes transactions of a store.
    ///
    /// - Returns: How many.
    func deleteHistory(before limit: HistoryLimit, of store: any HistoryStore) throws -> Int {
        let number = store.token.number
        return try writing {
            guard let store = try self.store(numbered: number) as? any HistoryStore else { return 0 }
            return try store.deleteHistory(before: limit)
        }
    }

    /// Asks a store, and the one in its place where it was just moved.
    private func asking<R>(_ store: any HistoryStore, _ question: (any HistoryStore) throws -> R) throws -> R {
        do { return try question(store) } catch is StoreIsClosed {
            return try writing {
                guard let moved = try self.store(numbered: store.token.number) as? any HistoryStore else {
                    throw NSError.cocoa(
                        NSPersistentStoreUnsupportedRequestTypeError,
                        "The store was moved to a place where it has no persistent history.")
                }
                return try question(moved)
            }
        }
    }
}

extension NSManagedObjectContext {
    /// What persistent history says of what the context writes.
    var changeOrigin: ChangeOrigin { ChangeOrigin(author: transactionAuthor, contextName: name) }
}
