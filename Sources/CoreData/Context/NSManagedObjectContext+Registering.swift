import FoundationGaps

extension NSManagedObjectContext {
    // MARK: By ID

    /// See ``object(with:)``.
    func objectOrFault(with objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue()
        return object(for: reference(of: objectID))
    }

    /// See ``registeredObject(for:)``.
    func knownObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        return registeredObject(for: reference(of: objectID))
    }

    /// See ``existingObject(with:)``.
    func loadedObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue()
        let reference = reference(of: objectID)
        let known = registeredObject(for: reference)
        if let known, !known.isUnfired {
            if known.state.contains(.deleted) { throw missing(objectID) }
            return known
        }
        guard !reference.isTemporary || parentContext != nil else {
            if let known { return known }
            throw missing(objectID)
        }
        guard let row = try source.anyRow(for: reference, oldestRow) else { throw missing(objectID) }
        let object = register(row, known: known, store: store(of: row, for: reference))
        object.fireIfNeeded()
        return object
    }

    /// The store of the object of a row: not that of the reference that the row was asked for by, if that was replaced
    /// meanwhile.
    private func store(of row: RowSnapshot, for reference: ObjectReference) -> Int32 {
        guard reference.isTemporary, row.key > 0 else { return reference.store }
        return family.promotion(of: reference)?.store ?? reference.store
    }

    /// See ``obtainPermanentIDs(for:)``.
    func assignPermanentIDs(for objects: [NSManagedObject]) throws {
        checkQueue()
        let temporary = objects.filter { $0.contextStorage === self && $0.reference.isTemporary }
        guard !temporary.isEmpty else { return }
        if let parentContext { return try promote(temporary, from: parentContext) }
        let assigned = try assignKeys(to: ContiguousArray(temporary))
        replaceReferences(assigned)
        undoing.recorder?.replaceReferences(assigned)
        family.promote(assigned)
    }

    // MARK: By reference

    /// The object for a reference: the registered one, or a fault.
    func object(for reference: ObjectReference) -> NSManagedObject {
        if let known = registeredObject(for: reference) { return known }
        if reference.isTemporary, let promoted = family.promotion(of: reference) { return self.object(for: promoted) }
        let object = makeObject(
            requiredCoordinator.layouts.table(of: reference.entity), key: reference.key, store: reference.store)
        uniquing.register(object)
        if retainsAll { held.registered.insert(object) }
        return object
    }

    /// The object at the other end of a relationship. An unsaved one that is gone leaves nothing that a fault could be
    /// made of.
    func destination(for reference: ObjectReference) -> NSManagedObject? {
        if !reference.isTemporary { return object(for: reference) }
        if let known = registeredObject(for: reference) { return known }
        guard let parentContext, ParentSource(parent: parentContext, child: self).knows(reference) else { return nil }
        return object(for: current(reference))
    }

    func registeredObject(for reference: ObjectReference) -> NSManagedObject? {
        guard let root = coordinator?.layouts.rootNumber(of: reference.entity) else { return nil }
        return uniquing.object(store: reference.store, root: root, key: reference.key)
    }

    /// The objects for many references, in their order; faults where they are not registered.
    func objects(for references: some Collection<ObjectReference>) -> [NSManagedObject] {
        guard let tree = commonTree(of: references) else { return references.map { object(for: $0) } }
        let layouts = requiredCoordinator.layouts
        let objects = uniquing.objects(for: references, store: tree.store, root: tree.root) {
            makeObject(layouts.table(of: $0.entity), key: $0.key, store: $0.store)
        }
        if retainsAll { held.registered.formUnion(objects) }
        return objects
    }

    /// The registered objects of many references, nil where there is none.
    func registeredObjects(for references: some Collection<ObjectReference>) -> [NSManagedObject?] {
        guard let tree = commonTree(of: references) else { return references.map { registeredObject(for: $0) } }
        return uniquing.registered(references, store: tree.store, root: tree.root)
    }

    /// The tree of all of some references; nil where they are of several, or some are unsaved ones, which may have
    /// others by now.
    private func commonTree(of references: some Collection<ObjectReference>) -> KeyGroup? {
        guard let first = references.first, let layouts = coordinator?.layouts else { return nil }
        let root = layouts.rootNumber(of: first.entity)
        let isCommon = references.allSatisfy { reference in
            !reference.isTemporary && reference.store == first.store
                && (reference.entity == first.entity || layouts.rootNumber(of: reference.entity) == root)
        }
        return isCommon ? KeyGroup(store: first.store, root: root) : nil
    }

    func objectID(for reference: ObjectReference) -> NSManagedObjectID? {
        guard let coordinator else { return nil }
        if reference.isTemporary, let known = registeredObject(for: reference) { return known.ownID }
        if reference.isTemporary, parentContext == nil { return nil }
        return NSManagedObjectID(
            reference, entity: coordinator.layouts[reference.entity].entity, token: coordinator.token(reference.store))
    }

    /// The reference that an ID has in this context's coordinator.
    func reference(of objectID: NSManagedObjectID) -> ObjectReference {
        followPromotions()
        return current(requiredCoordinator.reference(of: objectID))
    }

    // MARK: By row

    /// The objects of rows that were just read, in their order; the batch is empty then. New ones are faults with their
    /// row at hand; of those known, faults take the row.
    ///
    /// - Parameter refreshes: Whether loaded, unchanged objects take the row too.
    func register(_ rows: RowBatch, store: Int32, refreshes: Bool = false) -> [NSManagedObject] {
        guard let first = rows.first else { return [] }
        let root = first.layout.rootNumber
        let objects = uniquing.objects(
            for: rows, store: store, root: root,
            existing: { object, row in
                if object.isUnfired || refreshes && !object.isChanged { object.takeFetched(row) }
            },
            make: { makeObject(of: $0, store: store) })
        if retainsAll { held.registered.formUnion(objects) }
        return objects
    }

    /// The object of a row that was just read; a new one is a fault with its row at hand.
    ///
    /// - Parameter known: What was registered under the row's reference before it was read.
    private func register(_ row: RowSnapshot, known: NSManagedObject?, store: Int32) -> NSManagedObject {
        // A parent may have had its children follow other references meanwhile.
        if parentContext != nil { return register(RowBatch([row]), store: store)[0] }
        // An object of another entity gives way, as ``UniquingTable/objects(for:store:root:existing:make:)`` explains.
        if let known, known.table == row.table {
            if known.isUnfired { known.updateRow(row) }
            return known
        }
        let object = makeObject(of: .passRetained(row), store: store)
        uniquing.register(object, inPlaceOf: known)
        if retainsAll { held.registered.insert(object) }
        return object
    }

    /// A fault with a row. It keeps the row's reference; it is not in the uniquing table as yet.
    @inline(__always)
    private func makeObject(of row: Unmanaged<RowSnapshot>, store: Int32) -> NSManagedObject {
        let (table, key, isPartial) = row._withUnsafeGuaranteedRef { ($0.table, $0.key, $0.isPartial) }
        let object = makeObject(table, key: key, store: store)
        object.adopt(row)
        if isPartial { object.state.insert(.partial) }
        return object
    }

    @inline(__always)
    private func makeObject(_ table: UnsafePointer<LayoutTable>, key: Int64, store: Int32) -> NSManagedObject {
        let object = maker.make(table)
        object.contextStorage = self
        if tracksReads { object.adoptTracking(of: self) }
        object.key = key
        object.store = store
        if attendsStores { object.tellStoreOfUse() }
        return object
    }

    // MARK: Faults

    /// The row of a fault, from the row cache or the store; nil if it is gone.
    func row(of object: NSManagedObject) -> RowSnapshot? {
        do {
            return try readRow(of: object)
        } catch {
            if let unreadableFaultHandler {
                unreadableFaultHandler(error)
                return nil
            }
            unfulfillable(object, error)
        }
    }

    /// The row of a fault, for code that can tell what can't be read.
    ///
    /// - Throws: What the store throws.
    func readRow(of object: NSManagedObject) throws -> RowSnapshot? {
        guard !object.reference.isTemporary || parentContext != nil else { return nil }
        if !held.pagedFetches.isEmpty { try loadPage(of: object) }
        return try source.row(for: object.reference, oldestRow)
    }

    /// Has the page of a fault loaded, where the rows of its page come in parts.
    func bringPage(of object: NSManagedObject) {
        guard held.pagedFetches.contains(where: { $0.part != nil }) else { return }
        do {
            try loadPage(of: object)
        } catch {
            guard let unreadableFaultHandler else { unfulfillable(object, error) }
            unreadableFaultHandler(error)
        }
    }

    private func unfulfillable(_ object: NSManagedObject, _ error: any Error) -> Never {
        programmerError(
            "CoreData could not fulfill a fault for \(object.ownID.uriRepresentation()): \(error). Keep the store attached and readable as long as its objects are used."
        )
    }

    /// What becomes of a fault that lost its row.
    func handleInaccessible(_ fault: NSManagedObject) {
        let id = fault.ownID
        guard shouldHandleInaccessibleFault(fault, for: id, triggeredByProperty: nil) else {
            programmerError(
                "CoreData could not fulfill a fault for '\(id)': its row is gone from the store. Set shouldDeleteInaccessibleFaults to get a deleted object instead."
            )
        }
        fault.state.formUnion([.realized, .inaccessible])
        delete(fault)
    }

    /// Whether an object's row is known to be gone.
    func isMissing(_ object: NSManagedObject) -> Bool {
        object.fireIfNeeded()
        return object.state.contains(.inaccessible)
    }

    /// The members of a to-many relationship as the store has them.
    func storedMembers(of object: NSManagedObject, _ slot: PropertySlot) -> [ObjectReference] {
        do {
            return try source.members(of: object.reference, slot)
        } catch {
            if let unreadableFaultHandler {
                unreadableFaultHandler(error)
                return []
            }
            programmerError(
                "CoreData could not load \"\(slot.name)\" of \(object.ownID.uriRepresentation()): \(error). Keep the store attached and readable as long as its objects are used."
            )
        }
    }

    /// Loads the members of a to-many relationship, and their rows along with them: mostly each of them is looked at
    /// next.
    ///
    /// - Returns: Objects of the members that the store has, in order, with their rows at hand; none where the members
    ///   were known before, or have to be asked for one by one.
    func loadMembers(of object: NSManagedObject, _ slot: PropertySlot, _ state: ToManyState) -> [NSManagedObject] {
        do {
            return try readMembers(of: object, slot, state)
        } catch {
            if let unreadableFaultHandler {
                unreadableFaultHandler(error)
                state.load([])
                return []
            }
            programmerError(
                "CoreData could not load \"\(slot.name)\" of \(object.ownID.uriRepresentation()): \(error). Keep the store attached and readable as long as its objects are used."
            )
        }
    }

    /// As ``loadMembers(of:_:_:)``, for code that can tell what can't be read.
    ///
    /// - Throws: What the store throws.
    func readMembers(
        of object: NSManagedObject, _ slot: PropertySlot, _ state: ToManyState
    ) throws -> [NSManagedObject] {
        guard !state.isLoaded, parentContext == nil, !object.reference.isTemporary, !slot.isTransient else { return [] }
        guard let found = try source.members(ofAll: [object.reference], slot, in: object.layout) else { return [] }
        state.load(found.references)
        guard found.rows.count == found.references.count else { return try loadRows(of: found.references) }
        return register(found.rows, store: object.store)
    }

    /// The objects of members whose rows were prefetched: together, as one by one each would ask for its row.
    ///
    /// - Returns: All of them, in order, with their rows as they are known now; none where some have to be asked for
    ///   one by one. An object that can't be read is among them: its fault says what is wrong.
    func prefetchedMembers(_ state: ToManyState) -> [NSManagedObject] {
        guard let members = state.stored, let first = members.first, parentContext == nil,
            let rows = try? source.rows(for: members, oldestRow), rows.count == members.count,
            zip(rows, members).allSatisfy({ $0.key == $1.key && $0.table.pointee.number == $1.entity })
        else { return [] }
        return register(RowBatch(rows), store: first.store)
    }

    /// The data of an attribute with external storage; nil where they are missing or can't be read, which is said on
    /// standard error: reading a property can't throw.
    func externalData(_ raw: Data, of object: NSManagedObject, _ slot: PropertySlot) -> Data? {
        // A row that the parent made holds all that it has.
        if parentContext != nil, raw.first == 1 { return raw.dropFirst() }
        let problem: String
        do {
            if let data = try source.externalData(raw, store: object.store) { return data }
            if let data = try movedData(raw, of: object, slot) { return data }
            problem =
                DistantData.count(in: raw) != nil
                ? "its data is gone from the database" : "the file of its data is missing"
        } catch {
            if let unreadableFaultHandler {
                unreadableFaultHandler(error)
                return nil
            }
            problem = "\(error)"
        }
        FileHandle.standardError.write(
            Data("CoreData: error: \"\(slot.name)\" of \(object.ownID): \(problem)\n".utf8))
        return nil
    }

    /// The data of an object whose row was read from a store that was moved to another place since; nil for a store
    /// that was not.
    private func movedData(_ raw: Data, of object: NSManagedObject, _ slot: PropertySlot) throws -> Data? {
        guard requiredCoordinator.hasPredecessor(object.store), let row = try source.freshRow(for: object.reference),
            !row.isNull(slot.cell)
        else { return nil }
        let moved = row.data(slot.cell)
        return moved == raw ? nil : try source.externalData(moved, store: object.store)
    }

    private func missing(_ id: NSManagedObjectID) -> NSError {
        .cocoa(
            NSManagedObjectReferentialIntegrityError, "The object \(id.uriRepresentation()) is not in its store.",
            userInfo: [NSAffectedObjectsErrorKey: [id]])
    }
}

extension NSManagedObject: UniqueObject {
    func rename(_ key: Int64, _ store: Int32) {
        self.key = key
        self.store = store
        recordReference?._withUnsafeGuaranteedRef { if $0.hasObjectID { $0.objectID = nil } }
    }
}
