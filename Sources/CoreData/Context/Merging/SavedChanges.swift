import FoundationGaps

/// What a save did, as other contexts of the same coordinator, or of the same stores, need to know it.
struct SavedChanges: Sendable {
    private(set) var inserted: [ObjectReference] = []
    private(set) var updated: [ObjectReference] = []
    private(set) var deleted: [ObjectReference] = []
    /// Whether the context forgot everything, or everything may be stale.
    private(set) var isEverything = false

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && !isEverything }

    /// What a context wrote.
    init(_ plan: SavePlan) {
        for part in plan.parts {
            inserted.append(contentsOf: part.inserted.lazy.map { $0._withUnsafeGuaranteedRef(\.reference) })
            updated.append(contentsOf: part.updated.lazy.map { $0._withUnsafeGuaranteedRef(\.reference) })
        }
        plan.forEachOther { object in
            if object.isGoing { deleted.append(object.reference) }
            if object.isModified { updated.append(object.reference) }
        }
    }

    /// What a child handed to its parent.
    init(_ objects: [NSManagedObject]) {
        inserted = objects.filter(\.isNew).map(\.reference)
        updated = objects.filter(\.isModified).map(\.reference)
        deleted = objects.filter(\.isGoing).map(\.reference)
    }

    /// What a notification, or a dictionary made like one, says.
    ///
    /// - Parameters:
    ///   - userInfo: Objects, their IDs or the URIs of these, in any collection, under the keys of save and change
    ///     notifications. Those of stores that the coordinator does not have are passed over.
    ///   - source: The context that the objects are of.
    ///   - isFamily: Whether unsaved objects count, which the same parents have.
    init(
        _ userInfo: [AnyHashable: Any], of source: NSManagedObjectContext?,
        for coordinator: NSPersistentStoreCoordinator, isFamily: Bool = false
    ) {
        let isShared = source?.coordinator === coordinator
        func references(_ keys: String...) -> [ObjectReference] {
            keys.flatMap { key in Self.elements(of: userInfo[key]) }.compactMap { element in
                if isShared, let object = element as? NSManagedObject {
                    return isFamily ? object.reference : object.savedReference
                }
                return coordinator.reference(ofAny: element)
            }
        }
        inserted = references(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updated = references(
            NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
            NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey)
        deleted = references(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
        isEverything = userInfo[NSInvalidatedAllObjectsKey] != nil
    }

    private static func elements(of value: Any?) -> [Any] {
        switch value {
        case let objects as Set<NSManagedObject>: Array(objects)
        case let ids as Set<NSManagedObjectID>: Array(ids)
        case let urls as Set<URL>: Array(urls)
        case let array as [Any]: array
        case let set as NSSet: set.allObjects
        case let array as NSArray: Array(array)
        default: []
        }
    }
}

extension NSManagedObject {
    /// The reference that the object has in its store; nil while it has none.
    fileprivate var savedReference: ObjectReference? { key > 0 ? reference : nil }
}

extension NSPersistentStoreCoordinator {
    /// The reference of an object, an ID or a URI that is of one of these stores.
    fileprivate func reference(ofAny element: Any) -> ObjectReference? {
        switch element {
        case let object as NSManagedObject: reference(ofKnown: object.ownID)
        case let id as NSManagedObjectID: reference(ofKnown: id)
        case let url as URL: managedObjectID(forURIRepresentation: url)?.reference
        default: nil
        }
    }

    private func reference(ofKnown id: NSManagedObjectID) -> ObjectReference? {
        if id.isTemporaryID { return nil }
        if id.token === token(id.reference.store) { return id.reference }
        return managedObjectID(forURIRepresentation: id.uriRepresentation())?.reference
    }
}
