import FoundationGaps

extension NSPersistentStoreCoordinator {
    /// Carries a batch out in one store. Contexts see what it changed when they next ask for a row.
    ///
    /// - Parameter origin: What persistent history says of it.
    /// - Throws: 134091 for a store that has no batches; what the store throws, nothing changed.
    func run(_ batch: StoreBatch, in store: NSPersistentStore, from origin: ChangeOrigin) throws -> StoreBatchResult {
        let number = store.token.number
        return try writing {
            guard let store = try self.store(numbered: number) as? any BatchStore else {
                throw NSError.cocoa(
                    NSPersistentStoreUnsupportedRequestTypeError,
                    "The store “\(store.url?.lastPathComponent ?? store.type)” is of the type \(store.type), which has no batch requests; change its objects in a context, or use an SQLite store."
                )
            }
            // Whatever was read before may be out of date.
            defer { locked { rows.forgetAll(store: number) } }
            return try store.run(batch, from: origin)
        }
    }
}
