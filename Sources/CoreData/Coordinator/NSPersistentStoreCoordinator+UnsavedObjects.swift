import FoundationGaps

extension NSPersistentStoreCoordinator {
    /// The store that an unsaved object goes to: the one it was assigned to, else the first whose configuration holds
    /// its entity.
    ///
    /// - Parameters:
    ///   - layout: That of the object's entity.
    ///   - assigned: The store that the object was assigned to.
    ///   - object: The object, for the error.
    func store<Object: AnyObject>(
        for layout: EntityLayout, assignedTo assigned: StoreToken?, unsaved object: Object
    ) throws -> NSPersistentStore {
        if let assigned { return try requireAttached(assigned, for: layout, unsaved: object) }
        if let store = persistentStores.first(where: { !$0.isReadOnly && holds($0, layout) }) { return store }
        throw NSError.cocoa(
            NSPersistentStoreOperationError,
            persistentStores.isEmpty
                ? "The coordinator has no stores; add one before you save."
                : "No writable store holds the entity \(layout.name); check the stores' configurations.",
            userInfo: [NSAffectedObjectsErrorKey: [object]])
    }

    /// The store that an unsaved object was assigned to.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if it is not one of this coordinator's any longer.
    @discardableResult
    func requireAttached<Object: AnyObject>(
        _ assigned: StoreToken, for layout: EntityLayout, unsaved object: Object
    ) throws -> NSPersistentStore {
        if assigned.isOf(self), let store = assigned.store { return store }
        throw NSError.cocoa(
            NSPersistentStoreOperationError,
            "The store that an object of \(layout.name) was assigned to is not attached to this coordinator.",
            reason:
                "The store was removed, or is another coordinator's. Assign the object to a store that is attached.",
            userInfo: [NSAffectedObjectsErrorKey: [object]])
    }
}
