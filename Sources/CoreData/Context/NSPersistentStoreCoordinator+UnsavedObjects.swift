import FoundationGaps

extension NSPersistentStoreCoordinator {
    /// The store that an unsaved object goes to: the one it was assigned to, else the first with a configuration that
    /// holds its entity.
    func store(for object: NSManagedObject) throws -> NSPersistentStore {
        if let assigned = object.record?.assignedStore { return try requireAttached(assigned, for: object) }
        if let store = persistentStores.first(where: { !$0.isReadOnly && holds($0, object.layout) }) { return store }
        throw NSError.cocoa(
            NSPersistentStoreOperationError,
            persistentStores.isEmpty
                ? "The coordinator has no stores; add one before you save."
                : "No writable store holds the entity \(object.layout.name); check the stores' configurations.",
            userInfo: [NSAffectedObjectsErrorKey: [object]])
    }

    /// The store that an unsaved object was assigned to.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if it is not one of this coordinator's any longer.
    @discardableResult
    func requireAttached(_ assigned: StoreToken, for object: NSManagedObject) throws -> NSPersistentStore {
        if assigned.isOf(self), let store = assigned.store { return store }
        throw NSError.cocoa(
            NSPersistentStoreOperationError,
            "The store that an object of \(object.layout.name) was assigned to is not attached to this coordinator.",
            reason:
                "The store was removed, or is another coordinator's. Assign the object to a store that is attached.",
            userInfo: [NSAffectedObjectsErrorKey: [object]])
    }
}
