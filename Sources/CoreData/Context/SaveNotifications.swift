import FoundationGaps

/// The objects that a change notification told, where they are those that a save would tell.
struct AnnouncedObjects {
    var inserted: Set<NSManagedObject> = []
    var updated: Set<NSManagedObject> = []
    var deleted: Set<NSManagedObject> = []
}

/// What a save did, put together before the objects forget it, posted after.
struct SavePayload {
    private let inserted: Set<NSManagedObject>
    private let updated: Set<NSManagedObject>
    private let deleted: Set<NSManagedObject>
    private let deletedIDs: Set<NSManagedObjectID>

    /// - Parameter announced: What the last change notification told. An object that is not inserted, updated or deleted any
    ///   longer has had a notification since; so where a number is right, these are the very objects.
    init(_ plan: SavePlan, announced: AnnouncedObjects) {
        var (updatedOthers, deletedOthers) = (0, 0)
        plan.others.forEachUnretained { object in
            if object.isUpdated { updatedOthers += 1 }
            if object.isDeleted { deletedOthers += 1 }
        }
        let updatedCount = plan.parts.reduce(updatedOthers) { $0 + $1.updated.count }
        inserted =
            announced.inserted.count == plan.insertedCount
            ? announced.inserted : Set(plan.parts.flatMap(\.inserted).map { $0.takeUnretainedValue() })
        updated =
            announced.updated.count == updatedCount
            ? announced.updated
            : Set(plan.parts.flatMap(\.updated).map { $0.takeUnretainedValue() })
                .union(plan.others.filter(\.isUpdated))
        deleted =
            announced.deleted.count == deletedOthers
            ? announced.deleted : Set(plan.others.filter(\.isDeleted))
        // Once deleted, an object has no context that could make its ID.
        deletedIDs = SavePayload.idsAreWanted ? SavePayload.ids(of: deleted) : []
    }

    /// What a child handed to its parent.
    init(_ objects: [NSManagedObject]) {
        inserted = Set(objects.lazy.filter(\.isInserted))
        updated = Set(objects.lazy.filter(\.isUpdated))
        deleted = Set(objects.lazy.filter(\.isDeleted))
        deletedIDs = SavePayload.idsAreWanted ? SavePayload.ids(of: deleted) : []
    }

    /// Posts `NSManagedObjectContextDidSave`, then the variant with IDs.
    func post(from context: NSManagedObjectContext) {
        let center = NotificationCenter.default
        let objects = [NSInsertedObjectsKey: inserted, NSUpdatedObjectsKey: updated, NSDeletedObjectsKey: deleted]
        center.post(
            name: .NSManagedObjectContextDidSave, object: context,
            userInfo: context.addingGeneration(to: objects.filter { !$0.value.isEmpty }))
        guard SavePayload.idsAreWanted else { return }
        let ids = [
            NSInsertedObjectIDsKey: SavePayload.ids(of: inserted), NSUpdatedObjectIDsKey: SavePayload.ids(of: updated),
            NSDeletedObjectIDsKey: deletedIDs,
        ]
        center.post(
            name: SaveNotificationNames.ids, object: context,
            userInfo: context.addingGeneration(to: ids.filter { !$0.value.isEmpty }))
    }

    private static var idsAreWanted: Bool { SaveNotificationNames.idsAreWanted.load(ordering: .relaxed) }

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

extension NSManagedObjectContext {
    /// What a notification carries, with the query generation of a pinned context.
    func addingGeneration(to userInfo: [AnyHashable: Any]) -> [AnyHashable: Any] {
        guard let token = queryGenerationToken else { return userInfo }
        return userInfo.merging([NSManagedObjectContextQueryGenerationKey: token]) { $1 }
    }
}
