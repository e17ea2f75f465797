import FoundationGaps

/// What a parent knows of an object that no row holds: the object that a transformable's value is.
struct ServedExtra {
    let index: Int
    let value: Slot
}

/// What a context tells its children, on its own queue: its objects as they are now, saved or not; of objects that it
/// has not changed the very rows that its own source has.
extension NSManagedObjectContext {
    /// - Returns: Nil for an object that is gone, or deleted here.
    func rowToServe(_ reference: ObjectReference) throws -> RowSnapshot? {
        let reference = current(reference)
        if let object = registeredObject(for: reference) {
            if object.state.contains(.deleted) { return nil }
            if object.isServedByItself { return object.rowToServe() }
            if !agesRows, let row = object.snapshot { return row }
        }
        if reference.isTemporary, parentContext == nil { return nil }
        return try source.anyRow(for: reference, oldestRow)
    }

    /// The rows that can be had in one go; the others are to be asked for one by one.
    ///
    /// - Parameter fresh: Whether rows that this context has no object for are read again.
    func rowsToServe(_ references: [ObjectReference], fresh: Bool = false) throws -> [RowSnapshot] {
        var (found, missing, known) = ([RowSnapshot](), [ObjectReference](), [ObjectReference]())
        for reference in references {
            let reference = current(reference)
            guard let object = registeredObject(for: reference) else {
                if !reference.isTemporary { missing.append(reference) }
                continue
            }
            if object.isServedByItself || object.state.contains(.deleted) { continue }
            guard !agesRows, let row = object.snapshot else {
                missing.append(reference)
                continue
            }
            found.append(row)
            known.append(reference)
        }
        // What this context knows stays as it is here; others are to see the rows as they are now.
        if fresh, !known.isEmpty { _ = try source.freshRows(for: known) }
        if missing.isEmpty { return found }
        return try found + (fresh ? source.freshRows(for: missing) : source.rows(for: missing, oldestRow))
    }

    func rowsToServe(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> StoredRows? {
        let own = ContextFetch(serving: fetch, in: stores, by: self)
        guard !fetch.canMeetExtras, own.pending == nil else { return nil }
        guard let rows = try own.storedRows() else { return nil }
        for (store, batch) in rows {
            batch.replace { row in
                let known = uniquing.object(store: store.token.number, root: row.layout.rootNumber, key: row.key)
                return known?.snapshot.flatMap { $0 === row ? nil : $0 }
            }
        }
        return rows
    }

    func membersToServe(_ reference: ObjectReference, _ slot: PropertySlot) throws -> [ObjectReference] {
        // What is in memory only begins anew in each context.
        if slot.isTransient { return [] }
        let reference = current(reference)
        if let object = registeredObject(for: reference) {
            // To a child it is gone, and so are its members.
            if object.state.contains(.deleted) { return [] }
            let isKnown = object.record?.cache(slot.index, as: ToManyState.self).map { $0.isLoaded || $0.isChanged }
            if isKnown ?? false || object.state.contains(.inserted) { return object.members(slot) }
        }
        if reference.isTemporary, parentContext == nil { return [] }
        return try source.members(of: reference, slot)
    }

    func canServe(_ reference: ObjectReference) -> Bool {
        let reference = current(reference)
        if registeredObject(for: reference) != nil || !reference.isTemporary { return true }
        return parentContext.map { ParentSource(parent: $0, child: self).knows(reference) } ?? false
    }

    func extrasToServe(_ reference: ObjectReference) -> [ServedExtra] {
        let reference = current(reference)
        guard let object = registeredObject(for: reference), object.isServedByItself else {
            return parentContext.map { ParentSource(parent: $0, child: self).extras(of: reference) } ?? []
        }
        return object.extrasToServe
    }

    /// Takes over what the parent knows of an object beyond its row.
    func takeExtras(of object: NSManagedObject) {
        guard let parentContext, object.table.pointee.requirements.contains(.conversion) else { return }
        for extra in ParentSource(parent: parentContext, child: self).extras(of: object.reference) {
            let record = object.mutableRecord
            if case .object(let box) = extra.value, record.isUnset(extra.index) {
                record.setCache(extra.index, box)
            }
        }
    }
}

extension StoreFetch {
    /// Whether a context may know more of what is found than its rows say.
    fileprivate var canMeetExtras: Bool {
        let entities = includesSubentities ? entity.selfAndDescendants : [entity]
        return entities.contains { $0.table.pointee.requirements.contains(.conversion) }
    }
}

extension NSManagedObject {
    /// Whether children have to be told of the object itself, not only of its row.
    fileprivate var isServedByItself: Bool {
        isChanged || record != nil && table.pointee.requirements.contains(.conversion) && state.contains(.realized)
    }

    /// The object as it is now, as a row.
    ///
    /// - Returns: Nil if the object turns out to be gone.
    fileprivate func rowToServe() -> RowSnapshot? {
        fireIfNeeded()
        if state.contains(.deleted) { return nil }
        let values = layout.slots.filter(\.isStoredInRow).map { ServedValue($0, of: self) }
        let byteCount = values.reduce(0) { $0 + $1.byteCount }
        return .make(layout: layout, key: key, version: snapshot?.version ?? 0, byteCount: byteCount) { writer in
            for value in values { value.write(to: &writer) }
        }
    }

    fileprivate var extrasToServe: [ServedExtra] {
        guard let record else { return [] }
        return layout.slots.compactMap { slot in
            let value = record[slot.index]
            guard slot.kind == .transformable, !slot.isTransient else { return nil }
            if case .object = value { return ServedExtra(index: slot.index, value: value) }
            guard value.isUnset, let box = record.cache(slot.index, as: ValueBox.self) else { return nil }
            return ServedExtra(index: slot.index, value: .object(box))
        }
    }
}

/// One property of an object on its way into a row.
private struct ServedValue {
    private let cell: Int
    private let value: Slot
    /// What stands behind the cells: the bytes of text, data and so on.
    private let bytes: Data?

    init(_ slot: PropertySlot, of object: NSManagedObject) {
        cell = slot.cell
        value = object.current(slot)
        bytes = Self.bytes(value, slot)
    }

    var byteCount: Int { bytes?.count ?? 0 }

    func write(to writer: inout RowWriter) {
        if let bytes { return bytes.withUnsafeBytes { writer.set(cell, bytes: $0) } }
        switch value {
        case .int(let value): writer.set(cell, int: value)
        case .double(let value): writer.set(cell, double: value)
        case .reference(let value): writer.set(cell, value)
        default: break
        }
    }

    private static func bytes(_ value: Slot, _ slot: PropertySlot) -> Data? {
        switch value {
        case .string(let text): Data(text.utf8)
        // As a store has it that keeps everything in its rows.
        case .data(let data): slot.isExternal ? Data([1]) + data : data
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { Data($0) }
        case .object(let box as ValueBox): data(of: box.value, slot)
        case .object(let object): Data(StoredText.of(object, slot.kind).utf8)
        case .unset, .null, .int, .double, .reference: nil
        }
    }

    /// Children get the very object beside. What no transformer takes, which only a save minds, has no bytes here.
    private static func data(of value: Any, _ slot: PropertySlot) -> Data? {
        if let id = value as? NSManagedObjectID, slot.kind == .objectID {
            return Data(id.uriRepresentation().absoluteString.utf8)
        }
        return try? slot.data(from: value)
    }
}
