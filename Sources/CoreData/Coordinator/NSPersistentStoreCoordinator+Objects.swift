import FoundationGaps

/// What contexts ask of the stores. Reads go on side by side; a writer has the coordinator's lock.
extension NSPersistentStoreCoordinator {
    // MARK: Rows

    /// The row of an object, from the cache or its store; nil if it is gone.
    ///
    /// A row of another entity of the tree under the same key is none of the object's.
    func row(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot? {
        let row = try anyRow(for: reference, age)
        return row?.layout.number == reference.entity ? row : nil
    }

    /// The row with a reference's key, of whichever entity of the tree.
    func anyRow(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot? {
        let group = group(of: reference)
        let (known, read) = locked {
            let row = rows.row(group, reference.key, age)
            return (row, row == nil ? beginRead(of: group.store) : nil)
        }
        guard let read else {
            Activity.cacheHits.note()
            return known
        }
        return try load(reference.key, group, read)
    }

    /// The row of an object as its store has it now.
    func freshRow(for reference: ObjectReference) throws -> RowSnapshot? {
        let group = group(of: reference)
        let read = locked {
            rows.remove(reference.key, group)
            return beginRead(of: group.store)
        }
        let row = try load(reference.key, group, read)
        return row?.layout.number == reference.entity ? row : nil
    }

    /// The rows of objects of one store and entity tree, those at hand from the cache, the rest in one go.
    func rows(for references: [ObjectReference], _ age: RowAge) throws -> [RowSnapshot] {
        guard let first = references.first else { return [] }
        let group = group(of: first)
        var found: [RowSnapshot] = []
        var missing: [Int64] = []
        let read = locked {
            for reference in references {
                if let row = rows.row(group, reference.key, age) {
                    found.append(row)
                } else {
                    missing.append(reference.key)
                }
            }
            return missing.isEmpty ? nil : beginRead(of: group.store)
        }
        Activity.cacheHits.note(found.count)
        guard let read else { return found }
        return try found + load(missing, group, read)
    }

    /// The rows of objects of one store and entity tree as their store has them now.
    func freshRows(for references: [ObjectReference]) throws -> [RowSnapshot] {
        guard let first = references.first else { return [] }
        let group = group(of: first)
        return try load(references.map(\.key), group, locked { beginRead(of: group.store) })
    }

    /// Parts of the rows of objects of one store, as the store has them now; whole rows where newer ones are at hand.
    func parts(_ part: RowPart, of references: [ObjectReference]) throws -> [RowSnapshot] {
        guard let first = references.first else { return [] }
        let group = group(of: first)
        let read = locked { beginRead(of: group.store) }
        let found = try whileReading(read.ticket) {
            guard let attached = read.attached else { throw Self.detached }
            return try asking(attached.store) { RowBatch(try $0.rows(part, keys: references.map(\.key))) }
        }
        Activity.rowsRead.note(found.count)
        endRead(read.ticket) { rows.complete(found, group, read.ticket) }
        return found.drained()
    }

    /// The row of an object as contexts share it; the store is not asked.
    func cachedRow(for reference: ObjectReference) -> RowSnapshot? {
        locked { rows.row(group(of: reference), reference.key) }
    }

    func forgetRow(of reference: ObjectReference) {
        locked { rows.remove(reference.key, group(of: reference)) }
    }

    func members(of reference: ObjectReference, _ slot: PropertySlot) throws -> [ObjectReference] {
        try asking(store(numbered: reference.store)) { try $0.members(of: reference, slot: slot) }
    }

    func members(
        ofAll references: [ObjectReference], _ slot: PropertySlot, in layout: EntityLayout
    ) throws -> StoreMembers? {
        guard let number = references.first?.store else { return nil }
        let ticket = locked { rows.beginRead() }
        let found = try whileReading(ticket) {
            try asking(store(numbered: number)) {
                try $0.members(ofAll: references.map(\.key), in: layout, slot: slot)
            }
        }
        let group = KeyGroup(store: number, root: layouts[slot.destination].rootNumber)
        Activity.rowsRead.note(found.rows.count)
        endRead(ticket) { rows.insert(found.rows, group, ticket) }
        return found
    }

    func externalData(_ raw: Data, store number: Int32) throws -> Data? {
        let store = try store(numbered: number)
        guard let predecessor = store.predecessor as? any ObjectStore else {
            return try asking(store) { try $0.externalData(raw) }
        }
        let answer = Result { try asking(store) { try $0.externalData(raw) } }
        if case .success(let data?) = answer { return data }
        // A database is closed; files can be read still.
        do { if let data = try predecessor.externalData(raw) { return data } } catch is StoreIsClosed {}
        return try answer.get()
    }

    /// Whether a store took the place of one of another kind.
    func hasPredecessor(_ number: Int32) -> Bool { (try? store(numbered: number))?.predecessor != nil }

    // MARK: Fetching

    /// The layout of a request's entity, resolved in this coordinator's model.
    ///
    /// A request without an entity, or with one that the model lacks, is a programmer's error and traps.
    func layout(of request: AnyFetchRequest) throws -> EntityLayout {
        guard let name = request.entityName else {
            programmerError(
                "A fetch request must have an entity; make it with NSFetchRequest(entityName:) or set its entity.")
        }
        guard let layout = layouts.layout(named: name) else {
            programmerError(
                "The model has no entity \"\(name)\"; it has \(layouts.layouts.map(\.name).joined(separator: ", ")). Correct the name."
            )
        }
        if request.entity == nil, !request.isFrozen { request.entity = layout.entity }
        return layout
    }

    /// The stores that hold an entity, of those wanted.
    func stores(for layout: EntityLayout, among wanted: [NSPersistentStore]?) throws -> [NSPersistentStore] {
        let all = persistentStores
        guard !all.isEmpty else {
            throw NSError.cocoa(
                NSCoreDataError,
                "The coordinator has no stores; add one, or load the container's, before you fetch \(layout.name).")
        }
        return all.filter { store in wanted?.contains(store) ?? true && holds(store, layout) }
    }

    func rows(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [(NSPersistentStore, RowBatch)] {
        try stores.compactMap { store in
            let group = KeyGroup(store: store.token.number, root: fetch.entity.rootNumber)
            let ticket = locked { rows.beginRead() }
            guard case .rows(let found) = try whileReading(ticket, { try run(fetch, store) }) else {
                _ = locked { rows.endRead(ticket) }
                return nil
            }
            Activity.rowsRead.note(found.count)
            endRead(ticket) { rows.insert(found, of: fetch, group, ticket) }
            return (store, found)
        }
    }

    /// Reads rows that ``finishRead(_:)`` is to be told of, later and on another thread.
    func readAhead(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> RowsAhead {
        let ticket = locked { rows.beginRead() }
        let found: StoredRows = try whileReading(ticket) {
            try stores.compactMap { store in
                guard case .rows(let found) = try run(fetch, store) else { return nil }
                Activity.rowsRead.note(found.count)
                return (store, found)
            }
        }
        return RowsAhead(ticket: ticket, rows: found, fetch: fetch)
    }

    /// Inserts rows that were read some time ago.
    ///
    /// - Returns: The rows, newer ones in the place of those that changed since; nil if some have gone.
    func finishRead(_ ahead: RowsAhead) -> StoredRows? {
        endRead(ahead.ticket) {
            for (store, found) in ahead.rows {
                let group = KeyGroup(store: store.token.number, root: ahead.fetch.entity.rootNumber)
                if rows.isOvertaken(found, group, ahead.ticket) { return nil }
                rows.insert(found, of: ahead.fetch, group, ahead.ticket)
            }
            return ahead.rows
        }
    }

    func references(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [ObjectReference] {
        try stores.flatMap { store -> [ObjectReference] in
            guard case .references(let found) = try run(fetch, store) else { return [] }
            return found
        }
    }

    func count(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> Int {
        return try stores.reduce(0) { sum, store in
            guard case .count(let count) = try run(fetch.unwindowed, store) else { return sum }
            return sum + count
        }
    }

    func dictionaries(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [NSDictionary] {
        guard let only = stores.first, stores.count == 1 else { return try mergedDictionaries(fetch, in: stores) }
        guard case .dictionaries(let found) = try run(fetch, only) else { return [] }
        return found
    }

    private func mergedDictionaries(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [NSDictionary] {
        guard let first = stores.first else { return [] }
        return try asking(objectStore(first)) { _ in
            let sources = try stores.map {
                StoreSource(reader: try store(numbered: $0.token.number), token: $0.token)
            }
            return try fetch.mergedDictionaries(of: sources, layouts, objectIDAt: { self.managedObjectID(for: $0) })
        }
    }

    private func run(_ fetch: StoreFetch, _ store: NSPersistentStore) throws -> StoreFetchResult {
        try asking(objectStore(store)) { try $0.fetch(fetch) }
    }

    // MARK: Reads on their way

    /// A read that is about to ask a store.
    private struct Read {
        let ticket: ReadTicket
        /// Nil: it is not attached any longer.
        let attached: AttachedStore?
    }

    /// Notes that a store is about to be read. Under the lock.
    private func beginRead(of store: Int32) -> Read {
        Read(ticket: rows.beginRead(), attached: attachedStoreWithoutLock(store))
    }

    /// Reads a row and inserts it into the cache.
    ///
    /// - Returns: What the cache has then.
    private func load(_ key: Int64, _ group: KeyGroup, _ read: Read) throws -> RowSnapshot? {
        let loaded = try whileReading(read.ticket) {
            guard let attached = read.attached else { throw Self.detached }
            return try asking(attached.store) { try $0.row(rootedAt: layouts[group.root], key: key) }
        }
        Activity.rowsRead.note(loaded == nil ? 0 : 1)
        return endRead(read.ticket) { loaded.map { rows.insert($0.takeRetainedValue(), group, read.ticket) } }
    }

    /// Reads rows and inserts them into the cache.
    ///
    /// - Returns: What the cache has then.
    private func load(_ keys: [Int64], _ group: KeyGroup, _ read: Read) throws -> [RowSnapshot] {
        let loaded = try whileReading(read.ticket) {
            guard let attached = read.attached else { throw Self.detached }
            return try asking(attached.store) { try $0.rows(rootedAt: layouts[group.root], keys: keys) }
        }
        Activity.rowsRead.note(loaded.count)
        return endRead(read.ticket) { rows.insert(loaded, group, read.ticket) }
    }

    /// Runs `body`. If it fails, the read ends.
    private func whileReading<R>(_ ticket: ReadTicket, _ body: () throws -> R) throws -> R {
        do { return try body() } catch {
            _ = locked { rows.endRead(ticket) }
            throw error
        }
    }

    /// Inserts what was read into the row cache, and ends the read.
    private func endRead<R>(_ ticket: ReadTicket, _ body: () -> R) -> R {
        let (result, isFull, outdated) = locked {
            let result = body()
            return (result, rows.wantsSweep, rows.endRead(ticket))
        }
        _ = consume outdated
        if isFull { sweep() }
        return result
    }

    /// Asks a store, and the one in its place where it was just moved.
    private func asking<R>(_ store: any ObjectStore, _ question: (any ObjectStore) throws -> R) throws -> R {
        do { return try question(store) } catch is StoreIsClosed {
            // A thread that moves it holds the lock.
            return try writing {
                do { return try question(self.store(numbered: store.token.number)) } catch is StoreIsClosed {
                    throw Self.detached
                }
            }
        }
    }

    private static var detached: NSError {
        .cocoa(
            NSPersistentStoreOperationError, "The object's store is not attached to this coordinator any longer.")
    }

    // MARK: Saving

    func allocateKeys(_ group: KeyGroup, count: Int) throws -> Int64 {
        try writing { try store(numbered: group.store).allocateKeys(for: layouts[group.root], count: count) }
    }

    /// Hands out keys of a store in one entity tree, in their order.
    func keys(_ group: KeyGroup, count: Int) throws -> [Int64] {
        try writing {
            let (store, entity) = (try store(numbered: group.store), layouts[group.root])
            if let store = store as? any GappedKeyStore, store.hasGapsInKeys {
                return try store.keys(for: entity, count: count)
            }
            let first = try store.allocateKeys(for: entity, count: count)
            return (0..<count).map { first + Int64($0) }
        }
    }

    /// Writes each store's changes in one transaction of its own: when all are written, they are committed in turn.
    ///
    /// - Throws: What a store throws, nothing written.
    func save(_ parts: [StorePart]) throws -> SaveOutcome {
        let outcome = try Activity.saves.measured { try written(parts) }
        if outcome.error == nil { try saveChangedMetadata() }
        return outcome
    }

    private func written(_ parts: [StorePart]) throws -> SaveOutcome {
        try writing {
            var written: [[RowSnapshot]] = []
            do {
                try save(parts[...], &written)
                return SaveOutcome(rows: written.reversed(), error: nil)
            } catch  where !written.isEmpty {
                // The last ones were committed first.
                return SaveOutcome(
                    rows: written.reversed(), error: incomplete(parts.suffix(written.count), of: parts, error))
            }
        }
    }

    /// Writes to the first of some stores, then, before that is committed, to the others: the last one commits first.
    ///
    /// - Parameter written: The rows of the stores that are committed, the last one's first.
    private func save(_ parts: ArraySlice<StorePart>, _ written: inout [[RowSnapshot]]) throws {
        guard let part = parts.first else { return }
        let changes = part.changes
        let deleted = try changes.deletedRows
        let store = try store(numbered: part.store)
        let others = parts.dropFirst()
        let saved =
            others.isEmpty ? try store.save(changes) : try store.save(changes) { try save(others, &written) }
        written.append(saved)
        Activity.rowsWritten.note(changes.inserts.count + changes.updates.count + changes.deletes.count)
        share(saved, deleted, part.store)
    }

    /// Writes the metadata that were set and not saved yet, of all stores.
    ///
    /// - Throws: What a store throws.
    func saveChangedMetadata() throws {
        let attached = locked { servedStores }
        guard attached.contains(where: \.wantsMetadataSaved) else { return }
        try writing {
            for attached in attached where attached.wantsMetadataSaved { _ = try attached.store.save(StoreChanges()) }
        }
    }

    /// Puts what a store wrote into the row cache, in portions between which readers get the lock.
    private func share(_ saved: [RowSnapshot], _ deleted: [DeletedRow], _ number: Int32) {
        var isFull = holding {
            rows.noteCommit(saved)
            return rows.wantsSweep
        }
        saved.forEachPortion(by: \.rootNumber) { root, portion in
            isFull = holding {
                rows.replace(portion, KeyGroup(store: number, root: root))
                return rows.wantsSweep
            }
        }
        deleted.forEachPortion(by: \.root) { root, portion in
            holding { rows.remove(portion.lazy.map(\.key), KeyGroup(store: number, root: root)) }
        }
        if isFull { sweep() }
    }

    /// Runs a part of a save's work under the lock; a thread that waits for the lock gets it before the next part.
    private func holding<R>(_ body: () -> R) -> R {
        defer { LockContention.letOthersIn() }
        return locked { LockContention.holding(body) }
    }

    private func incomplete(_ written: ArraySlice<StorePart>, of parts: [StorePart], _ error: any Error) -> NSError {
        let took = written.compactMap { token($0.store)?.store }
        let failed = parts[..<written.startIndex].compactMap { token($0.store)?.store }
        func names(_ stores: [NSPersistentStore]) -> String {
            stores.map { "“\($0.url?.lastPathComponent ?? "")”" }.joined(separator: ", ")
        }
        return .cocoa(
            NSPersistentStoreIncompleteSaveError,
            "Only a part could be saved: \(names(took)) has its changes, and those of \(names(failed)) are unsaved still.",
            reason: error.localizedDescription,
            userInfo: [NSAffectedStoresErrorKey: failed, "NSPersistentStoresSaved": took, NSUnderlyingErrorKey: error])
    }

    // MARK: Finding stores

    /// The reference of an ID; one of another coordinator is looked up by its URI, and traps if its store is not here.
    func reference(of id: NSManagedObjectID) -> ObjectReference {
        if id.isTemporaryID { return id.reference }
        if let token = id.token, token.isOf(self) { return id.reference }
        guard let own = managedObjectID(forURIRepresentation: id.uriRepresentation()) else {
            programmerError(
                "The object ID \(id.uriRepresentation()) is of a store that is not attached to this context's coordinator; add the store first."
            )
        }
        return own.reference
    }

    func holds(_ store: NSPersistentStore, _ layout: EntityLayout) -> Bool {
        if store.configurationName == NSPersistentStore.defaultConfigurationName { return true }
        return managedObjectModel.entities(forConfigurationName: store.configurationName)?.contains {
            $0.name == layout.name
        } ?? false
    }

    func store(numbered number: Int32) throws -> any ObjectStore {
        guard let store = locked({ attachedStoreWithoutLock(number)?.store }) else { throw Self.detached }
        return store
    }

    private func objectStore(_ store: NSPersistentStore) -> any ObjectStore {
        guard let store = store as? any ObjectStore else {
            defect("\(type(of: store)) can't be asked for objects.")
        }
        return store
    }

    private func group(of reference: ObjectReference) -> KeyGroup {
        KeyGroup(store: reference.store, root: layouts.rootNumber(of: reference.entity))
    }
}

extension Array {
    /// Calls `body` with pieces of some hundred elements at most, and with the key that all elements of a piece have.
    @inline(__always)
    fileprivate func forEachPortion<Key: Equatable>(
        by key: (Element) -> Key, _ body: (Key, ArraySlice<Element>) -> Void
    ) {
        var start = 0
        while start < count {
            let common = key(self[start])
            let limit = Swift.min(start + 512, count)
            let end = self[start..<limit].firstIndex { key($0) != common } ?? limit
            body(common, self[start..<end])
            start = end
        }
    }
}

extension RowSnapshot {
    fileprivate var rootNumber: Int32 { table.pointee.rootNumber }
}

/// What became of a save that at least one store took its part of.
struct SaveOutcome {
    /// The rows that each store wrote, its inserts first; the stores in the order of their parts. Where there is an
    /// error, of the last parts only, which are those that were committed.
    let rows: [[RowSnapshot]]
    /// `NSPersistentStoreIncompleteSaveError` (134040) where a store could not commit after another one had, with the
    /// stores that took their part and those that did not. Nil: everything is written.
    let error: NSError?
}

/// Rows that were read and not yet inserted into the cache.
struct RowsAhead {
    fileprivate let ticket: ReadTicket
    fileprivate let rows: StoredRows
    fileprivate let fetch: StoreFetch
}
