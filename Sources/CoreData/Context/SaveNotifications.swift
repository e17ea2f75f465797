import FoundationGaps

/// Objects by what was done to them, as notifications carry them.
struct ObjectChanges {
    var inserted: Set<NSManagedObject> = []
    var updated: Set<NSManagedObject> = []
    var deleted: Set<NSManagedObject> = []

    /// Makes room for so many objects of the kind of one of them.
    mutating func reserve(_ count: Int, like object: NSManagedObject) {
        if object.isNew {
            inserted.reserveCapacity(count)
        } else if object.isModified {
            updated.reserveCapacity(count)
        } else {
            deleted.reserveCapacity(count)
        }
    }

    /// The sets that are not empty, by their keys.
    var userInfo: [AnyHashable: Any] {
        let combination = (inserted.isEmpty ? 0 : 1) + (updated.isEmpty ? 0 : 2) + (deleted.isEmpty ? 0 : 4)
        return Self.keys[combination].mapValues { kind in
            switch kind {
            case .inserted: inserted
            case .updated: updated
            case .deleted: deleted
            }
        }
    }

    private enum Kind: Int {
        case inserted, updated, deleted
    }

    /// The keys of each combination of sets, made once: to hash them again would take longer than a small save has for
    /// all it tells.
    // Not known to be safe to share, for an `AnyHashable` may hold anything: these hold strings, and nothing changes
    // them.
    private nonisolated(unsafe) static let keys: [[AnyHashable: Kind]] = (0..<8).map { combination in
        let all: [(AnyHashable, Kind)] = [
            (NSInsertedObjectsKey, .inserted), (NSUpdatedObjectsKey, .updated), (NSDeletedObjectsKey, .deleted),
        ]
        return Dictionary(uniqueKeysWithValues: all.filter { combination & (1 << $1.rawValue) != 0 })
    }
}

/// What a change notification told, for the save that follows to take over.
struct AnnouncedChanges {
    let changes: ObjectChanges
    let userInfo: [AnyHashable: Any]
    /// Whether the sets are what the context would save of these objects.
    private let areSaved: Bool

    init() { self.init(ObjectChanges(), areSaved: false) }

    init(_ changes: ObjectChanges, areSaved: Bool) {
        self.changes = changes
        self.areSaved = areSaved
        userInfo = changes.userInfo
    }

    /// Whether a save of so many objects is of just these: one that is not inserted, updated or deleted any longer has
    /// had a notification since, so where the numbers are right, these are the very objects.
    fileprivate func isSave(inserted: Int, updated: Int, deleted: Int) -> Bool {
        areSaved && changes.inserted.count == inserted && changes.updated.count == updated
            && changes.deleted.count == deleted
    }
}

/// What a save did, put together before the objects forget it, posted after.
struct SavePayload {
    private let changes: ObjectChanges
    private let userInfo: [AnyHashable: Any]
    private let deletedIDs: Set<NSManagedObjectID>

    init(_ plan: SavePlan, announced: AnnouncedChanges) {
        var (inserted, updated, deleted) = (plan.insertedCount, plan.updatedCount, 0)
        plan.forEachOther { object in
            if object.isModified { updated += 1 }
            if object.isGoing { deleted += 1 }
        }
        if announced.isSave(inserted: inserted, updated: updated, deleted: deleted) {
            self.init(announced.changes, announced.userInfo)
        } else {
            let objects = plan.parts.flatMap { $0.inserted + $0.updated } + plan.others
            self.init(objects.map { $0.takeUnretainedValue() })
        }
    }

    /// What is saved of some objects.
    init(_ objects: [NSManagedObject]) {
        var changes = ObjectChanges()
        for object in objects {
            if object.isNew { changes.inserted.insert(object) }
            if object.isModified { changes.updated.insert(object) }
            if object.isGoing { changes.deleted.insert(object) }
        }
        self.init(changes, changes.userInfo)
    }

    private init(_ changes: ObjectChanges, _ userInfo: [AnyHashable: Any]) {
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
