import FoundationGaps

/// What a save did, put together before the objects forget it, posted after.
struct SavePayload {
    private let inserted: Set<NSManagedObject>
    private let updated: Set<NSManagedObject>
    private let deleted: Set<NSManagedObject>
    private let deletedIDs: Set<NSManagedObjectID>

    init(_ objects: [NSManagedObject]) {
        inserted = Set(objects.filter(\.isInserted))
        updated = Set(objects.filter(\.isUpdated))
        deleted = Set(objects.filter(\.isDeleted))
        // Once deleted, an object has no context that could make its ID.
        deletedIDs = SavePayload.ids(of: deleted)
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
        add(NSInsertedObjectsKey, NSInsertedObjectIDsKey, inserted, SavePayload.ids(of: inserted))
        add(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, updated, SavePayload.ids(of: updated))
        add(NSDeletedObjectsKey, NSDeletedObjectIDsKey, deleted, deletedIDs)
        let center = NotificationCenter.default
        center.post(name: .NSManagedObjectContextDidSave, object: context, userInfo: objects)
        center.post(name: .NSManagedObjectContextDidSaveObjectIDs, object: context, userInfo: ids)
    }

    /// The objects' IDs; each store is looked up once.
    private static func ids(of objects: Set<NSManagedObject>) -> Set<NSManagedObjectID> {
        var last: (store: Int32, token: StoreToken?)?
        var ids: Set<NSManagedObjectID> = []
        ids.reserveCapacity(objects.count)
        for object in objects {
            if last?.store != object.store {
                last = (object.store, object.contextStorage?.coordinator?.token(object.store))
            }
            ids.insert(NSManagedObjectID(object.reference, entity: object.layout.entity, token: last?.token))
        }
        return ids
    }
}
