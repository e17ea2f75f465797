import FoundationGaps

extension NSManagedObjectContext {
    /// See ``parent``.
    var ownParent: NSManagedObjectContext? {
        get { parentContext }
        set {
            guard newValue !== parentContext else { return }
            require(
                uniquing.objects.isEmpty && !hasUnsavedChanges,
                "A context that has objects can't get another parent; reset() it first, or make another context.")
            if let newValue { checkParent(newValue) }
            family.leave(ObjectIdentifier(self))
            if mergesAutomatically { coordinator?.mergingContexts.set(self, isMember: false) }
            parentContext = newValue
            family = newValue?.family ?? ContextFamily()
            coordinator = newValue?.coordinator
            if let newValue { followedPromotions = family.join(self, parent: newValue) }
        }
    }

    private func checkParent(_ parent: NSManagedObjectContext) {
        require(
            queueType.rawValue != 0 && parent.queueType.rawValue != 0,
            "A context without a queue can't be a parent or a child; make it with privateQueueConcurrencyType or mainQueueConcurrencyType."
        )
        require(
            !sequence(first: parent, next: \.parentContext).contains { $0 === self },
            "A context can't be its own parent's parent; choose another parent.")
        require(
            family.children(of: self).isEmpty,
            "A context that has children can't become a child; set the parents from the top down.")
    }

    /// The parent, or its parent, has another coordinator now.
    func adoptCoordinator(_ new: NSPersistentStoreCoordinator?) {
        coordinator = new
        for child in family.children(of: self) { child.adoptCoordinator(new) }
    }

    /// Has children that merge by themselves take over what was saved, each on its own queue.
    func tellChildren(of changes: SavedChanges, except origin: NSManagedObjectContext? = nil) {
        guard !changes.isEmpty else { return }
        for child in family.children(of: self) where child !== origin && child.mergesAutomatically {
            child.perform { child.merge(changes, rowsAreCached: true) }
        }
    }

    /// Follows the promotions of unsaved objects since the last time.
    func followPromotions() {
        guard parentContext != nil, family.count != followedPromotions else { return }
        for promotion in family.follow(self, followed: &followedPromotions) { follow(promotion) }
    }

    private func follow(_ promotion: KeyAssignment) {
        let objects = uniquing.objects
        uniquing.rekey(objects) { promotion.replacement(of: $0) }
        for object in objects { object.follow(promotion) }
        undoing.recorder?.replaceReferences(promotion)
    }

    /// The reference that an object has now.
    func current(_ reference: ObjectReference) -> ObjectReference { promotion(of: reference) ?? reference }

    /// What an unsaved object's reference has become; nil for a reference that still holds here: the object that is
    /// registered under it follows with all others, by ``followPromotions()``.
    func promotion(of reference: ObjectReference) -> ObjectReference? {
        guard reference.isTemporary, registeredObject(for: reference) == nil else { return nil }
        return family.promotion(of: reference)
    }

    /// A row that the parent has just served, in terms of the references that objects have now.
    ///
    /// - Parameter store: The store of the row's object.
    func current(_ row: RowSnapshot, store: Int32) -> RowSnapshot {
        row.following(store: store, promotion(of:)) ?? row
    }

    // MARK: Permanent IDs

    /// Has the root of the family give unsaved objects their permanent references.
    func promote(_ objects: [NSManagedObject], from parent: NSManagedObjectContext) throws {
        let coordinator = requiredCoordinator
        let unsaved = try objects.map { object in
            let store = try coordinator.store(
                for: object.layout, assignedTo: object.record?.assignedStore, unsaved: object)
            let key = try store.token.references.map { _ in try coordinator.key(of: object, in: store, for: self) }
            return UnsavedObject(reference: object.reference, store: store.token.number, key: key)
        }
        try ParentSource(parent: parent, child: self).ask { try $0.promote(unsaved) }
    }

    private func promote(_ unsaved: [UnsavedObject]) throws {
        if let parentContext {
            return try ParentSource(parent: parentContext, child: self).ask { try $0.promote(unsaved) }
        }
        let coordinator = requiredCoordinator
        let assignment = KeyAssignment()
        let groups = Dictionary(grouping: unsaved.filter { family.promotion(of: $0.reference) == nil }) {
            KeyGroup(store: $0.store, root: coordinator.layouts[$0.reference.entity].rootNumber)
        }
        for (group, members) in groups {
            let unnamed = members.count { $0.key == nil }
            var keys = unnamed == 0 ? [] : try coordinator.keys(group, count: unnamed)[...]
            for member in members {
                guard let key = member.key ?? keys.popFirst() else { continue }
                let new = ObjectReference(key: key, entity: member.reference.entity, store: group.store)
                assignment.add(member.reference.key, new)
            }
        }
        assignment.sort()
        uniquing.rekey(unsaved.compactMap { registeredObject(for: $0.reference) }) { assignment.replacement(of: $0) }
        replaceReferences(assignment)
        undoing.recorder?.replaceReferences(assignment)
        family.promote(assignment)
    }
}

/// An unsaved object of a child, and where it will be saved.
private struct UnsavedObject {
    let reference: ObjectReference
    let store: Int32
    /// The key that a store of an app's class has chosen for it.
    let key: Int64?
}

extension NSManagedObject {
    /// Follows promoted references in all that the object says of others, what it has from its parent's included.
    func follow(_ promotion: KeyAssignment) {
        replaceReferences(promotion)
        for slot in layout.toManySlots { record?.cache(slot.index, as: ToManyState.self)?.replaceStored(promotion) }
        if let old = snapshot, let new = old.following(promotion, store: store) { snapshot = new }
    }
}

extension ToManyState {
    /// Follows promoted references among the members that the parent has.
    fileprivate func replaceStored(_ promotion: KeyAssignment) {
        guard let stored, stored.contains(where: \.isTemporary) else { return }
        load(stored.map { promotion.replacement(of: $0) ?? $0 })
    }
}
