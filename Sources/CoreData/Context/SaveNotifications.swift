import FoundationGaps

/// What a save did, put together before the objects forget it, posted after.
struct SavePayload {
    private let changes: ObjectChanges<NSManagedObject>
    private let userInfo: [AnyHashable: Any]
    private let deletedIDs: Set<NSManagedObjectID>

    init(_ plan: SavePlan, notified: NotifiedChanges<NSManagedObject>) {
        var (inserted, updated, deleted) = (plan.insertedCount, plan.updatedCount, 0)
        plan.forEachOther { object in
            if object.isModified { updated += 1 }
            if object.isGoing { deleted += 1 }
        }
        if notified.isSave(inserted: inserted, updated: updated, deleted: deleted) {
            self.init(notified.changes, notified.userInfo)
        } else {
            let objects = plan.parts.flatMap { $0.inserted + $0.updated } + plan.others
            self.init(objects.map { $0.takeUnretainedValue() })
        }
    }

    /// What is saved of some objects.
    init(_ objects: [NSManagedObject]) {
        var changes = ObjectChanges<NSManagedObject>()
        for object in objects {
            if object.isNew { changes.inserted.insert(object) }
            if object.isModified { changes.updated.insert(object) }
            if object.isGoing { changes.deleted.insert(object) }
        }
        self.init(changes, changes.userInfo)
    }

    private init(_ changes: ObjectChanges<NSManagedObject>, _ userInfo: [AnyHashable: Any]) {
        self.changes = changes
        self.userInfo = userInfo
        // Once deleted, an object has no context that could make its ID.
        deletedIDs = Self.idsAreWanted ? Self.ids(of: changes.deleted) : []
    }

    /// Posts `NSManagedObjectContextDidSave`, then the variant with IDs.
    func post(from context: NSManagedObjectContext) {
        let center = NotificationCenter.default
        center.post(
            name: .NSManagedObjectContextDidSave, object: context, userInfo: context.addingGeneration(to: userInfo))
        guard Self.idsAreWanted else { return }
        let ids = [
            NSInsertedObjectIDsKey: Self.ids(of: changes.inserted),
            NSUpdatedObjectIDsKey: Self.ids(of: changes.updated),
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
