import FoundationGaps

/// What a save did, put together before the objects forget it, posted after.
struct SavePayload {
    private let inserted: Set<NSManagedObject>
    private let updated: Set<NSManagedObject>
    private let deleted: Set<NSManagedObject>
    private let deletedIDs: Set<NSManagedObjectID>

    init(_ objects: [NSManagedObject]) {
        inserted = Set(objects.lazy.filter(\.isInserted))
        updated = Set(objects.lazy.filter(\.isUpdated))
        deleted = Set(objects.lazy.filter(\.isDeleted))
        // Once deleted, an object has no context that could make its ID.
        deletedIDs = Set(deleted.map(\.objectID))
    }

    /// Posts `NSManagedObjectContextDidSave`, then the variant with IDs.
    func post(from context: NSManagedObjectContext) {
        var objects: [AnyHashable: Any] = [:]
        var ids: [AnyHashable: Any] = [:]
        func add(
            _ key: String, _ idKey: String, _ members: Set<NSManagedObject>,
            _ memberIDs: @autoclosure () -> Set<NSManagedObjectID>
        ) {
            guard !members.isEmpty else { return }
            objects[key] = members
            ids[idKey] = memberIDs()
        }
        add(NSInsertedObjectsKey, NSInsertedObjectIDsKey, inserted, Set(inserted.map(\.objectID)))
        add(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, updated, Set(updated.map(\.objectID)))
        add(NSDeletedObjectsKey, NSDeletedObjectIDsKey, deleted, deletedIDs)
        let center = NotificationCenter.default
        center.post(name: .NSManagedObjectContextDidSave, object: context, userInfo: objects)
        center.post(name: .NSManagedObjectContextDidSaveObjectIDs, object: context, userInfo: ids)
    }
}
