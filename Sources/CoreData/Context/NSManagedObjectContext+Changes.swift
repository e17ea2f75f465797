import FoundationGaps
import Synchronization

extension NSManagedObjectContext {
    // MARK: Inserting

    /// Takes a new object in: it gets a temporary reference and will be inserted at the next save.
    func insertNew(_ object: NSManagedObject) {
        check(object.layout)
        object.enter(self)
        object.key = TemporaryKeys.next()
        object.store = ObjectReference.unassignedStore
        object.state.formUnion([.inserted, .realized])
        object.record = object.record ?? ChangeRecord(slotCount: object.layout.slots.count)
        object.setDefaults()
        uniquing.enter(object)
        changeCount += 1
        track(object)
        object.awakeFromInsert()
    }

    /// Takes an object in that was made without a context.
    ///
    /// An object that is registered here already stays as it is; one that was deleted comes back.
    public func insert(_ object: NSManagedObject) {
        if object.contextStorage === self {
            if object.state.contains(.deleted) { undelete(object) }
            return
        }
        precondition(
            object.contextStorage == nil,
            "Illegal attempt to insert an object of \(object.layout.name) that belongs to another context; use object(with:) with its objectID."
        )
        precondition(
            !object.layout.isAbstract,
            "Can't insert an object of the abstract entity \(object.layout.name); insert one of its subentities.")
        insertNew(object)
    }

    /// Chooses the store that an inserted object will be saved to, where several hold its entity.
    public func assign(_ object: Any, to store: NSPersistentStore) {
        guard let object = object as? NSManagedObject, object.contextStorage === self, object.state.contains(.inserted)
        else {
            preconditionFailure(
                "Only an object that is inserted into this context and not yet saved can be assigned to a store.")
        }
        object.mutableRecord.assignedStore = store
    }

    private func undelete(_ object: NSManagedObject) {
        object.state.remove([.deleted, .propagated])
        undeleted.removeAll { $0 === object }
        if object.state.isDisjoint(with: .changed) { changeCount -= 1 }
        track(object)
    }

    // MARK: Changing

    /// Counts an object among the changed ones.
    func noteChange(of object: NSManagedObject) {
        if object.state.isDisjoint(with: .changed) {
            object.state.insert(.updated)
            changeCount += 1
        }
        track(object)
    }

    /// Keeps a changed object alive and mentions it in the next notification.
    func track(_ object: NSManagedObject) {
        if !object.state.contains(.tracked) {
            object.state.insert(.tracked)
            changed.append(object)
        }
        if !object.state.contains(.inEvent) {
            object.state.insert(.inEvent)
            if event.isEmpty { scheduleEndOfTurn() }
            event.append(object)
        }
    }

    // MARK: Processing

    /// Runs the delete rules of what was deleted, and posts what changed since the last time
    /// (`NSManagedObjectContextObjectsDidChange`).
    ///
    /// The context does this itself before a fetch and a save, and at the end of each ``perform(_:)``.
    public func processPendingChanges() {
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        guard !event.isEmpty else { return }
        let objects = event
        event = []
        for object in objects { object.state.remove(.inEvent) }
        forgetUnchanged()
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: changePayload(objects))
        for object in objects { object.record?.changedInEvent.removeAll() }
    }

    /// Lets go of objects that were inserted and deleted again.
    func forgetUnchanged() {
        guard changed.count > changeCount else { return }
        for object in changed where object.state.isDisjoint(with: .changed) { object.state.remove(.tracked) }
        changed.removeAll { $0.state.isDisjoint(with: .changed) }
    }

    private func changePayload(_ objects: ContiguousArray<NSManagedObject>) -> [AnyHashable: Any] {
        var payload: [AnyHashable: Any] = [:]
        func add(_ key: String, _ members: Set<NSManagedObject>) { if !members.isEmpty { payload[key] = members } }
        announced = Set(objects.filter(\.isInserted))
        add(NSInsertedObjectsKey, announced)
        add(NSUpdatedObjectsKey, Set(objects.filter(\.isUpdated)))
        add(NSDeletedObjectsKey, Set(objects.filter { $0.isDeleted || $0.contextStorage == nil }))
        return payload
    }

    // MARK: Checking

    /// Traps where an entity is not of this context's model.
    func check(_ layout: EntityLayout) {
        guard let model = coordinator?.layouts else { return }
        precondition(
            layout.model === model,
            "The entity \(layout.name) belongs to another model than this context's; take it from the context's coordinator, with NSEntityDescription.entity(forEntityName:in:)."
        )
    }
}

/// Hands out the keys of unsaved objects, unique in the process.
enum TemporaryKeys {
    private static let last = Atomic<Int64>(0)
    static func next() -> Int64 { -last.add(1, ordering: .relaxed).newValue }
}

extension NSManagedObject {
    /// Gives a new object the model's defaults.
    func setDefaults() {
        for (index, value) in layout.defaults { mutableRecord[index] = value }
    }
}
