/// A store that gives each new object a key by looking at it.
protocol IdentifyingStore: ObjectStore {
    /// The keys of new objects, in their order.
    func keys(of objects: [NSManagedObject]) throws -> [Int64]
}

extension NSPersistentStoreCoordinator {
    /// The keys that a store gives to new objects of one entity tree.
    func keys(
        of objects: [NSManagedObject], in group: KeyGroup, for context: NSManagedObjectContext
    ) throws -> [Int64] {
        guard let store = token(group.store)?.store as? any IdentifyingStore else {
            return try keys(group, count: objects.count)
        }
        return try CallingContext.with(context) { try writing { try store.keys(of: objects) } }
    }

    /// The key that a store gives to a new object.
    func key(
        of object: NSManagedObject, in store: NSPersistentStore, for context: NSManagedObjectContext
    ) throws -> Int64 {
        let group = KeyGroup(store: store.token.number, root: object.layout.rootNumber)
        return try keys(of: [object], in: group, for: context)[0]
    }
}
