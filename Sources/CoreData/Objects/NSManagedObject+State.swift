import FoundationGaps

extension NSManagedObject {
    /// See ``objectID``.
    var ownID: NSManagedObjectID {
        if key < 0 { contextStorage?.followPromotions() }
        if let known = record?.objectID { return known }
        // Deleted objects mostly make their IDs here, when they are asked for them: once they are gone from the
        // context, their stores' numbers say which stores these were.
        let token = contextStorage?.coordinator?.token(store) ?? StoreToken.numbered(store)
        let id = NSManagedObjectID(reference, entity: layout.entity, token: token)
        record?.objectID = id
        if isProbe { ProbeTrace.current?.record(self, "objectID", .value(id)) }
        return id
    }

    /// Makes the object's ID while its context can still say which store the object is in.
    func keepObjectID() { mutableRecord.objectID = ownID }

    /// See ``isInserted``.
    var isNew: Bool { state.contains(.inserted) && !state.contains(.deleted) }

    /// See ``isUpdated``.
    var isModified: Bool { state.contains(.updated) && state.isDisjoint(with: [.inserted, .deleted]) }

    /// See ``isDeleted``.
    var isGoing: Bool { state.contains(.deleted) }

    /// See ``hasChanges``.
    var isChanged: Bool { !state.isDisjoint(with: .changed) }

    /// See ``isFault``.
    var isUnfired: Bool { !state.contains(.realized) && !isUntouched }

    /// See ``hasPersistentChangedValues``.
    var hasValuesToStore: Bool {
        // Every save asks this of each changed object: what is unset is passed over without a look at its slot.
        recordReference?._withUnsafeGuaranteedRef { record in
            record.withValues { values in
                values.indices.contains { !values[$0].isUnset && isPersistent($0) && !isUnchanged($0, values[$0]) }
            } || !record.hasNoCaches && record.changesMembers(in: layout)
        } ?? false
    }

    private func isPersistent(_ index: Int) -> Bool {
        table.pointee.entries[index].slot._withUnsafeGuaranteedRef { !$0.isTransient && !$0.kind.isToMany }
    }

    /// The object's own reference; its key is negative before the first save.
    package var reference: ObjectReference { ObjectReference(key: key, entity: table.pointee.number, store: store) }

    /// See ``changedValues()``.
    func valuesChanged() -> [String: Any] {
        guard let record else { return [:] }
        var values: [String: Any] = [:]
        for slot in layout.slots where isListed(slot) && record.wasSet(slot.index) {
            let isChanged =
                slot.kind.isToMany
                ? record.cache(slot.index, as: ToManyState.self)?.isChanged ?? false
                : !record.isUnset(slot.index) && !record[slot.index].isEqual(to: valueBeforeChanges(slot))
            if isChanged { values[slot.name] = boxedValue(slot) ?? NSNull() }
        }
        return values
    }

    /// See ``changedValuesForCurrentEvent()``.
    func valuesChangedInEvent() -> [String: Any] {
        guard let record, record.header.event == contextStorage?.events.visible else { return [:] }
        var values: [String: Any] = [:]
        for slot in layout.slots where isListed(slot) && record.header.changedInEvent.contains(slot.index) {
            if slot.kind.isToMany {
                let now = members(slot)
                let before = record.membersBefore(slot.index, now: now) ?? loadedToMany(slot).stored ?? []
                if slot.kind == .toMany ? Set(before) != Set(now) : before != now {
                    values[slot.name] = boxedMembers(before, slot)
                }
            } else {
                let before = record.valueBefore(slot.index) ?? valueBeforeChanges(slot)
                if !before.isEqual(to: current(slot)) { values[slot.name] = boxedValue(before, slot) ?? NSNull() }
            }
        }
        return values
    }

    /// Whether a property can be among the changed values: composite attributes are listed by their elements.
    private func isListed(_ slot: PropertySlot) -> Bool {
        !slot.isTransient && slot.kind != .fetched && slot.kind != .composite
    }

    /// What a property was before this context changed it: the row's value, or a new object's default.
    private func valueBeforeChanges(_ slot: PropertySlot) -> Slot {
        guard state.contains(.inserted) else { return snapshotValue(slot) }
        return table.pointee.defaults.first { $0.index == slot.index }?.value ?? .null
    }

    private func boxedMembers(_ references: [ObjectReference], _ slot: PropertySlot) -> Any {
        let objects = references.compactMap { contextStorage?.destination(for: $0) }
        return slot.kind == .toMany ? NSSet(array: objects) : NSOrderedSet(array: objects)
    }

    /// A value that the property had, boxed as key-value coding boxes it.
    private func boxedValue(_ value: Slot, _ slot: PropertySlot) -> Any? {
        switch value {
        case .reference(let reference): contextStorage?.destination(for: reference)
        case .data(let data) where slot.kind == .transformable: transformed(data, slot)
        default: NSManagedObject.box(value, slot.kind)
        }
    }

    /// The version of the row that the object has, or that a fault has at hand, by which a save sees whether others
    /// were faster; nil: it has none. For tools that look at contexts from outside: asking fires no fault.
    package var rowVersion: Int? { snapshot.map { Int($0.version) } }

    /// See ``committedValues(forKeys:)``.
    func valuesCommitted(forKeys keys: [String]?) -> [String: Any] {
        if state.contains(.inserted) { return [:] }
        fireIfNeeded()
        let slots = keys.map { $0.map(declaredSlot) } ?? layout.slots.filter { !$0.isTransient && $0.kind != .fetched }
        var values: [String: Any] = [:]
        for slot in slots { values[slot.name] = committedValue(slot) ?? NSNull() }
        return values
    }
}

extension NSManagedObject {
    /// Tells the object's store that a context has the object.
    func tellStoreOfUse() {
        guard let store = StoreToken.numbered(self.store)?.store as? any ObservingStore else { return }
        state.insert(.registeredWithStore)
        store.didRegister([ownID])
    }

    /// Tells the object's store, in a moment and on another thread, that the object goes away.
    func tellStoreOfEnd() {
        guard let token = StoreToken.numbered(self.store), token.store is any ObservingStore else { return }
        UnregisteredObjects.add(NSManagedObjectID(reference, entity: layout.entity, token: token))
    }
}

extension ChangeRecord {
    /// Whether members have changed of a relationship that stores keep.
    ///
    /// - Parameter isWanted: Of which of these relationships.
    func changesMembers(in layout: EntityLayout, where isWanted: (PropertySlot) -> Bool = { _ in true }) -> Bool {
        layout.toManySlots.contains { slot in
            !slot.isTransient && cache(slot.index, as: ToManyState.self)?.isChanged ?? false && isWanted(slot)
        }
    }
}
