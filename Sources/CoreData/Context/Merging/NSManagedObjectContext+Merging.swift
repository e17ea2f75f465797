import FoundationGaps

extension NSManagedObjectContext {
    // MARK: By hand

    /// See ``mergeChanges(fromContextDidSave:)``.
    func takeOver(fromContextDidSave notification: Notification) {
        guard let userInfo = notification.userInfo, let coordinator else { return }
        let source = notification.object as? NSManagedObjectContext
        let isFamily = parentContext != nil && source?.family === family
        merge(
            SavedChanges(userInfo, of: source, for: coordinator, isFamily: isFamily),
            rowsAreCached: source?.coordinator === coordinator)
    }

    /// See ``mergeChanges(fromRemoteContextSave:into:)``.
    class func takeOver(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts {
            context.performAndWait {
                guard let coordinator = context.coordinator else { return }
                context.merge(SavedChanges(changeNotificationData, of: nil, for: coordinator), rowsAreCached: false)
            }
        }
    }

    /// Takes over what others have written, as a store's history tells.
    func takeOver(_ changes: [StoreTransactionChange]) { merge(SavedChanges(changes), rowsAreCached: false) }

    // MARK: Relying on what others may change

    /// See ``detectConflicts(for:)``.
    func relyOn(for object: NSManagedObject) {
        require(
            object.contextStorage === self,
            "detectConflicts(for:) takes an object of this context; get one with object(with:).")
        guard !object.state.contains(.inserted) else { return }
        object.fireIfNeeded()
        unsaved.conflictChecks.insert(object)
    }

    // MARK: Automatically

    /// See ``automaticallyMergesChangesFromParent``.
    var mergesFromParent: Bool {
        get { mergesAutomatically }
        set {
            require(
                queueType.rawValue != 0,
                "A context without a queue can't merge by itself; make it with privateQueueConcurrencyType or mainQueueConcurrencyType."
            )
            mergesAutomatically = newValue
            // A child hears of changes from its parent, once that has them.
            if parentContext == nil { coordinator?.mergingContexts.set(self, isMember: newValue) }
        }
    }

    /// What other contexts want to know of a save; nil: none does.
    ///
    /// To be asked while the objects know what was done to them.
    func automaticMerge(of plan: SavePlan) -> AutomaticMerge? {
        guard let others = coordinator?.mergingContexts.members(except: self), !others.isEmpty else { return nil }
        let changes = SavedChanges(plan)
        return changes.isEmpty ? nil : AutomaticMerge(changes: changes, contexts: others)
    }

    // MARK: Merging

    /// Takes over what was saved.
    ///
    /// - Parameter rowsAreCached: Whether the coordinator has the rows as they were saved.
    func merge(_ changes: SavedChanges, rowsAreCached: Bool) {
        checkQueue()
        pinned.advance()
        followPromotions()
        defer { showStaleSets() }
        let watchers = merging.watch.watchers
        if !watchers.isEmpty { show(changes, to: watchers) }
        var merge = SaveMerge(changes, into: self)
        let ids = merge.run(rowsAreCached: rowsAreCached)
        processPendingChanges()
        watchers.forEach { $0.mergeDidEnd() }
        ids.post(from: self)
        tellChildren(of: changes)
    }

    /// Tells of what others changed in objects that are not here; a watcher that needs such an object has it made.
    private func show(_ changes: SavedChanges, to watchers: [any MergeWatcher]) {
        guard let layouts = coordinator?.layouts else { return }
        func isWanted(_ reference: ObjectReference) -> Bool {
            guard registeredObject(for: reference) == nil else { return false }
            // Each is to be told.
            return watchers.reduce(false) { $1.wantsMerged(layouts[reference.entity]) || $0 }
        }
        for reference in changes.updated where isWanted(reference) {
            merging.objects.refreshed.insert(object(for: reference))
        }
        for reference in changes.deleted { _ = isWanted(reference) }
        if changes.isEverything { watchers.forEach { $0.wantsMergeOfEverything() } }
    }

    /// Those of the objects that changes of others lead to.
    fileprivate func relatedByChanges(_ objects: [NSManagedObject]) -> Set<ObjectReference> {
        let references = Set(objects.lazy.filter { !$0.isChanged }.map(\.reference))
        if references.isEmpty { return [] }
        return unsaved.objects.reduce(into: []) { $1.noteRelated(among: references, in: &$0) }
    }

    /// Whether an object is in its store although a save tells of its deletion: another save may have inserted it again
    /// since. The object then takes the row, or asks for it when its fault fires.
    fileprivate func isThere(_ object: NSManagedObject, _ rows: inout RowRefresh) -> Bool {
        do {
            guard let row = try source.freshRow(for: object.reference) else { return false }
            if object.isChanged { rows.refresh(object, to: row) } else { rows.refresh(object) }
            merging.objects.refreshed.insert(object)
        } catch {
            // What was changed here is not to be lost because the store can't be read just now; the save finds out what
            // is there.
        }
        return true
    }

    /// Reads what others wrote into the row cache; rows of objects that are not here are forgotten.
    ///
    /// - Returns: The objects that have rows which can't be read.
    fileprivate func readFreshRows(
        of objects: [NSManagedObject], forgettingThoseOf changes: SavedChanges
    ) -> Set<ObjectIdentifier> {
        guard let coordinator else { return [] }
        var unread: Set<ObjectIdentifier> = []
        for reference in changes.inserted + changes.updated + changes.deleted { coordinator.forgetRow(of: reference) }
        let groups = Dictionary(grouping: objects.filter { !$0.reference.isTemporary }) {
            KeyGroup(store: $0.store, root: $0.layout.rootNumber)
        }
        for group in groups.values {
            let references = group.map(\.reference)
            references.forEach { coordinator.forgetRow(of: $0) }
            do {
                _ = try coordinator.freshRows(for: references)
            } catch {
                unread.formUnion(group.map { ObjectIdentifier($0) })
            }
        }
        return unread
    }

    /// Lets go of objects that are in no store any longer; what was changed here forgets them.
    func dismiss(_ objects: [NSManagedObject]) {
        guard !objects.isEmpty else { return }
        let references = Set(objects.map(\.reference))
        for object in objects {
            coordinator?.forgetRow(of: object.reference)
            letGo(of: object)
            merging.objects.deleted.insert(object)
        }
        forgetUnchanged()
        for object in unsaved.objects where object.forget(references) { merging.objects.refreshed.insert(object) }
    }

    /// Has an object leave, and all that was changed in it; ``forgetUnchanged()`` is to follow.
    func letGo(of object: NSManagedObject) {
        if object.isChanged {
            unsaved.count -= 1
            unsaved.deletionsToPropagate.removeAll { $0 === object }
        }
        object.keepObjectID()
        uniquing.remove(object)
        held.registered.remove(object)
        object.leaveContext()
    }
}

/// The merge of one save into a context, in stages.
private struct SaveMerge {
    private let context: NSManagedObjectContext
    private let changes: SavedChanges
    private var rows: RowRefresh
    private var ids = MergedIDs()
    /// Objects that are in no store any longer.
    private var gone: [NSManagedObject] = []

    init(_ changes: SavedChanges, into context: NSManagedObjectContext) {
        (self.changes, self.context) = (changes, context)
        rows = RowRefresh(context)
    }

    /// - Returns: The IDs for the notification of the merge.
    mutating func run(rowsAreCached: Bool) -> MergedIDs {
        let updated =
            changes.isEverything ? context.uniquing.objects : changes.updated.compactMap(context.registeredObject)
        let unread = rowsAreCached ? [] : context.readFreshRows(of: updated, forgettingThoseOf: changes)
        registerInserted()
        refresh(updated, unread: unread)
        removeDeleted()
        if !rowsAreCached, !gone.isEmpty { refreshNeighbours() }
        context.dismiss(gone)
        rows.reapplyChanges()
        if MergeNotificationNames.isWanted { ids.refreshed = context.merging.objects.refreshed.map(\.reference) }
        return ids
    }

    private mutating func registerInserted() {
        for reference in changes.inserted {
            let object = context.object(for: reference)
            if object.state.contains(.realized) { rows.refresh(object) }
            context.merging.objects.inserted.insert(object)
            ids.inserted.append(reference)
        }
    }

    /// - Parameter unread: The objects that have rows which can't be read.
    private mutating func refresh(_ updated: [NSManagedObject], unread: Set<ObjectIdentifier>) {
        for object in updated where !object.state.contains(.inserted) {
            if unread.contains(ObjectIdentifier(object)) {
                // It says so when it needs its row; what was changed here stays over the row that is known.
                if !object.isChanged { object.turnIntoFault() }
                continue
            }
            guard rows.refresh(object) else {
                gone.append(object)
                continue
            }
            context.merging.objects.refreshed.insert(object)
            ids.updated.append(object.reference)
        }
    }

    private mutating func removeDeleted() {
        let deleted = changes.deleted.compactMap(context.registeredObject)
        let related = context.relatedByChanges(deleted)
        var back: Set<ObjectReference> = []
        for object in deleted {
            let isOfUse = object.isChanged || related.contains(object.reference)
            if isOfUse, !object.state.contains(.inaccessible), context.isThere(object, &rows) {
                back.insert(object.reference)
            } else {
                gone.append(object)
                context.merging.deletions.add(object)
            }
        }
        ids.updated += back
        ids.deleted = changes.deleted.filter { !back.contains($0) }
    }
}

extension SaveMerge {
    /// Refreshes the objects that lead to objects that are gone. A batch deletion has changed their rows, but its IDs
    /// do not name them.
    ///
    /// Members of a changed object are not read again: what is gone is taken out of them, and links to it may still be
    /// in the store.
    private mutating func refreshNeighbours() {
        let references = Set(gone.map(\.reference))
        for object in context.uniquing.objects
        where !references.contains(object.reference) && object.rowLeads(to: references, byMembers: !object.isChanged) {
            context.coordinator?.forgetRow(of: object.reference)
            guard rows.refresh(object) else { continue }
            context.merging.objects.refreshed.insert(object)
            ids.updated.append(object.reference)
        }
    }
}

extension NSManagedObject {
    /// Whether the object's row names one of some objects.
    ///
    /// - Parameter byMembers: Whether members that were read count, too.
    fileprivate func rowLeads(to references: Set<ObjectReference>, byMembers: Bool) -> Bool {
        guard state.contains(.realized), snapshot != nil else { return false }
        let layout = layout
        if layout.toOneSlots.contains(where: { snapshotValue($0).destination.map(references.contains) ?? false }) {
            return true
        }
        return byMembers
            && layout.toManySlots.contains { slot in
                record?.cache(slot.index, as: ToManyState.self)?.stored?.contains(where: references.contains) ?? false
            }
    }
}

/// Objects that take the rows that their context's source has, under what was changed in them.
struct RowRefresh {
    private let context: NSManagedObjectContext
    private var merge: RowMerge
    private var objects: [NSManagedObject] = []

    init(_ context: NSManagedObjectContext) {
        self.context = context
        merge = RowMerge(context)
    }

    /// Has an object take its row: at once where nothing was changed in it, else with ``reapplyChanges()``.
    ///
    /// - Returns: False if the row is gone.
    @discardableResult
    mutating func refresh(_ object: NSManagedObject) -> Bool {
        guard object.state.contains(.realized) else {
            // A fault asks for its row when it fires.
            object.dropRowOfFault()
            return true
        }
        // One that was found gone is so still, or others have brought it back.
        guard let row = context.row(of: object) else { return object.state.contains(.inaccessible) }
        refresh(object, to: row)
        return true
    }

    /// Has an object take a row.
    mutating func refresh(_ object: NSManagedObject, to row: RowSnapshot) {
        object.forgetEqualValues()
        merge.add(object, row, .mergeByPropertyObjectTrumpMergePolicyType)
        objects.append(object)
    }

    /// Has what was changed be changed against the rows that were taken.
    func reapplyChanges() {
        merge.run()
        for object in objects where object.contextStorage === context {
            context.applyDeleteRulesAgain(to: object)
            context.takeExtras(of: object)
            object.awake(fromSnapshotEvents: .refresh)
        }
    }
}

/// A save, and the contexts that take it over by themselves.
struct AutomaticMerge {
    fileprivate let changes: SavedChanges
    fileprivate let contexts: [NSManagedObjectContext]

    func perform() {
        for context in contexts { context.perform { [changes] in context.merge(changes, rowsAreCached: true) } }
    }
}

/// What `NSManagedObjectContextDidMergeChangesObjectIDs` carries.
private struct MergedIDs {
    var inserted: [ObjectReference] = []
    var updated: [ObjectReference] = []
    var deleted: [ObjectReference] = []
    /// What the change notification of the merge has under `NSRefreshedObjectsKey`.
    var refreshed: [ObjectReference] = []

    func post(from context: NSManagedObjectContext) {
        guard MergeNotificationNames.isWanted else { return }
        func ids(_ references: [ObjectReference]) -> Set<NSManagedObjectID> {
            Set(references.compactMap { context.objectID(for: $0) })
        }
        let all = [
            NSInsertedObjectIDsKey: ids(inserted), NSUpdatedObjectIDsKey: ids(updated),
            NSDeletedObjectIDsKey: ids(deleted), NSRefreshedObjectIDsKey: ids(refreshed),
        ]
        NotificationCenter.default.post(
            name: MergeNotificationNames.ids, object: context,
            userInfo: context.addingGeneration(to: all.filter { !$0.value.isEmpty }))
    }
}

extension NSManagedObject {
    /// Notes those of the objects that this one was related to, or that became its members, or ceased to be.
    fileprivate func noteRelated(among references: Set<ObjectReference>, in related: inout Set<ObjectReference>) {
        guard let record else { return }
        for slot in layout.toOneSlots {
            guard case .reference(let destination) = record[slot.index] else { continue }
            if references.contains(destination) { related.insert(destination) }
        }
        for slot in layout.toManySlots {
            guard let state = record.cache(slot.index, as: ToManyState.self), state.isChanged else { continue }
            related.formUnion(state.added.lazy.filter(references.contains))
            related.formUnion(state.removed.members.lazy.filter(references.contains))
        }
    }

    /// Forgets objects that are gone wherever this context's changes point to them.
    ///
    /// - Returns: Whether they pointed to any.
    fileprivate func forget(_ gone: Set<ObjectReference>) -> Bool {
        guard let record else { return false }
        var didPoint = false
        for slot in layout.slots where slot.kind.isRelationship {
            if slot.kind.isToMany {
                guard let state = record.cache(slot.index, as: ToManyState.self) else { continue }
                if state.isChanged, state.members.contains(where: gone.contains) { didPoint = true }
                state.drop(gone)
            } else if case .reference(let destination) = record[slot.index], gone.contains(destination) {
                record[slot.index] = .null
                didPoint = true
            }
        }
        return didPoint
    }
}

extension SavedChanges {
    /// What a notification, or a dictionary made like one, says.
    ///
    /// - Parameters:
    ///   - userInfo: Objects, their IDs or the URIs of these, in any collection, under the keys of save and change
    ///     notifications. Those of stores that the coordinator does not have are passed over.
    ///   - source: The context that the objects are of.
    ///   - isFamily: Whether unsaved objects count, which the same parents have.
    fileprivate init(
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

    /// What others have done to objects of a store, as its history tells.
    fileprivate init(_ changes: [StoreTransactionChange]) {
        let groups = Dictionary(grouping: changes, by: \.kind).mapValues { Set($0.map(\.object)) }
        let gone = groups[.deletion] ?? []
        inserted = Array((groups[.insertion] ?? []).subtracting(gone))
        updated = Array((groups[.update] ?? []).subtracting(gone))
        deleted = Array(gone)
        isEverything = false
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
