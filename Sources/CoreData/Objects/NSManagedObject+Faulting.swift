import FoundationGaps

extension NSManagedObject {
    /// Loads the row if that has not happened yet.
    @inline(__always)
    func fireIfNeeded() {
        if state.intersection([.realized, .guarded]) != .realized { prepareForUse() }
    }

    /// Loads the row if that has not happened yet and the value of a slot is not at hand without it.
    @inline(__always)
    func fireIfNeeded(_ index: Int) {
        if state.intersection([.realized, .guarded]) != .realized { prepareForUse(index) }
    }

    @inline(never)
    private func prepareForUse(_ index: Int) {
        // A page may bring parts of rows.
        if row == nil, !state.contains(.realized) {
            contextReference?._withUnsafeGuaranteedRef { $0.bringPage(of: self) }
        }
        if !state.contains(.partial) || !hasPart(index) { return prepareForUse() }
        if state.contains(.guarded) { contextReference?._withUnsafeGuaranteedRef { $0.checkQueue() } }
    }

    @inline(never)
    private func prepareForUse() {
        if state.contains(.guarded) { contextReference?._withUnsafeGuaranteedRef { $0.checkQueue() } }
        if !state.contains(.realized) { fire() }
    }

    /// See ``hasFault(forRelationshipNamed:)``.
    func isUnloaded(forRelationshipNamed key: String) -> Bool {
        let slot = declaredSlot(key)
        guard slot.kind.isToMany else {
            guard case .reference(let destination)? = isUnfired ? nil : current(slot) else { return isUnfired }
            return contextStorage?.registeredObject(for: destination)?.isUnfired ?? true
        }
        if state.contains(.inserted) { return false }
        return !(record?.cache(slot.index, as: ToManyState.self)?.isLoaded ?? false)
    }

    /// See ``objectIDs(forRelationshipNamed:)``.
    func relatedIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        let slot = declaredSlot(key)
        fireIfNeeded()
        if isTornDown(slot) { return [] }
        let references: [ObjectReference]
        if slot.kind.isToMany {
            references = members(slot)
        } else if case .reference(let destination) = current(slot) {
            references = [destination]
        } else {
            references = []
        }
        return references.compactMap { contextStorage?.objectID(for: $0) }
    }

    /// Makes the object forget its values; they are loaded again when one is read.
    ///
    /// - Parameter keepsRow: Whether the row that it has stays at hand.
    func turnIntoFault() {
        guard state.contains(.realized) else {
            // A fetch brought its row along, which may be an old one by now.
            dropRowOfFault()
            return
        }
        if isObserved { tellingObserversOfAll { forgetValues() } } else { forgetValues() }
    }

    /// Makes an inserted object a fault that has its defaults when it fires. Others forget it.
    func startAnew() {
        guard state.contains(.realized) else { return }
        for slot in layout.slots where slot.kind.isRelationship {
            if slot.kind.isToMany { setMembers([], slot) } else { setDestination(nil, slot) }
        }
        if isObserved { tellingObserversOfAll { takeDefaults() } } else { takeDefaults() }
    }

    private func takeDefaults() {
        willTurnIntoFault()
        contextStorage?.noteChange(of: self)
        forgetAll()
        // What a save writes stands in the record at any time.
        setDefaults()
        state.remove(.realized)
        didTurnIntoFault()
    }

    private func forgetValues() {
        willTurnIntoFault()
        if let held = heldDestinations.takeAll() { releaseDeep(held) }
        snapshot = nil
        forgetAll()
        if record?.isEmpty ?? false { record = nil }
        // Whether its row is there is asked anew, too.
        state.remove([.realized, .inaccessible])
        didTurnIntoFault()
    }

    /// Takes a row: its values show when the fault fires, or at once where it already has.
    func updateRow(_ row: RowSnapshot) {
        if isObserved { tellingObserversOfAll { updateUnobservedRow(row) } } else { updateUnobservedRow(row) }
    }

    /// The row is gone, if there was one: it is to be inserted again, under a version that no context has seen.
    func loseRow() {
        guard let row = snapshot else { return }
        // One that a parent made of its changes has no version, and may have been saved since.
        mutableRecord.header.lostVersion = Int32(clamping: max(row.version, reference.isTemporary ? 0 : 1))
        snapshot = nil
    }

    /// Forgets values that were set and are those of the row: against another row they would pass for changes.
    func forgetEqualValues() {
        guard isChanged, !state.contains(.inserted), let record else { return }
        for slot in layout.slots where slot.isStoredInRow && !record.isUnset(slot.index) {
            if isUnchanged(slot, record[slot.index]) { record[slot.index] = .unset }
        }
    }

    private func updateUnobservedRow(_ row: RowSnapshot) {
        snapshot = row
        record?.dropRowCaches(in: layout)
    }

    /// Asks for the row where it is not at hand; a fault stays one.
    func loadRow() {
        if snapshot == nil { snapshot = contextStorage?.row(of: self).map { completed($0) } }
    }

    /// As ``loadRow()``, for a save, which throws what can't be read.
    func readRow() throws {
        if snapshot == nil { snapshot = try contextStorage?.readRow(of: self).map { completed($0) } }
    }

    private func fire() {
        // Most faults: a closure would retain the object.
        if !Activity.isMetered { return takeValues() }
        Activity.faults.measured { takeValues() }
    }

    private func takeValues() {
        // No row holds what was never saved.
        if state.contains(.inserted) {
            state.insert(.realized)
            return
        }
        // Only the coordinator knows how old the row at hand is: its cache has the row.
        if contextReference?._withUnsafeGuaranteedRef({ $0.agesRows }) ?? false { snapshot = nil }
        if row == nil || state.contains(.partial) {
            guard let context = contextStorage else {
                // Deleted, or without its context: what there is of it can still be read. A new one has the model's
                // defaults.
                if isUntouched { setDefaults() }
                state.remove(.partial)
                state.insert(.realized)
                return
            }
            guard let row = context.row(of: self) else {
                snapshot = nil
                return context.handleInaccessible(self)
            }
            // Its page came with what is prefetched for it, which fired it.
            if state.contains(.realized) { return }
            snapshot = completed(row)
            context.takeExtras(of: self)
        }
        state.insert(.realized)
        guard table.pointee.overrides.contains(.awakeFromFetch) else { return }
        state.insert(.awaking)
        awakeFromFetch()
        state.remove(.awaking)
    }

    // MARK: Partial faults

    /// Whether the object is a partial fault that has the value of a slot, not too old for its context.
    func hasPart(_ index: Int) -> Bool {
        guard state.contains(.partial), let part = rowAtHand else { return false }
        if let context = contextStorage, !context.oldestRow.allows(part) { return false }
        let slot = layout.slots[index]
        if slot.kind == .composite { return slot.elements.allSatisfy { part.hasRead(layout.slots[$0].cell) } }
        return slot.isStoredInRow && part.hasRead(slot.cell)
    }

    /// Takes what a fetch brought: a row, or a part of one where there is nothing better yet.
    func takeFetched(_ row: RowSnapshot) {
        guard row.isPartial else { return updateRow(row) }
        guard isUnfired, snapshot.map({ $0.version < row.version }) ?? true else { return }
        snapshot = row
        state.insert(.partial)
    }

    /// The row for a fault that may have had a part of it, perhaps of another version.
    func completed(_ row: RowSnapshot) -> RowSnapshot {
        guard state.contains(.partial), let part = rowAtHand, part.version != row.version else { return row }
        return row.under(part)
    }
}

extension ChangeRecord {
    /// Forgets what was derived from an older row. Changed members stay changed; the other members are asked for anew.
    func dropRowCaches(in layout: EntityLayout) {
        for slot in layout.slots {
            if slot.kind.isToMany {
                guard let state = cache(slot.index, as: ToManyState.self) else { continue }
                // A set that other code holds stays the relationship's, and so do members that are kept alive.
                if !state.isChanged, slot.isTransient || state.view == nil && !state.isHolding {
                    setCache(slot.index, nil)
                } else if !slot.isTransient {
                    state.outdate()
                }
            } else {
                setCache(slot.index, nil)
            }
        }
    }
}
