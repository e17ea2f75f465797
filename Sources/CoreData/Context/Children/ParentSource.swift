import FoundationGaps

extension NSManagedObjectContext {
    /// Where the context's objects come from.
    var source: any ObjectSource {
        if let parentContext { return ParentSource(parent: parentContext, child: self) }
        if pinned.generation != nil, let generation = pinned.generationInForce() {
            return GenerationSource(generation: generation)
        }
        let coordinator = requiredCoordinator
        guard coordinator.servesAppStores.load(ordering: .relaxed) else { return coordinator }
        attendsStores = true
        return AttendedSource(coordinator: coordinator, context: self)
    }

    /// See ``setQueryGenerationFrom(_:)``.
    func pin(_ token: NSQueryGenerationToken?) throws {
        checkQueue()
        require(
            parentContext == nil, "A child context sees what its parent sees; set the query generation of its parent.")
        guard let token else { return pinned.unpin() }
        try pinned.pin(to: token, of: token.generation == nil ? requiredCoordinator : coordinator)
    }
}

/// A parent, asked by its child: on the parent's queue, while the child waits.
struct ParentSource: ObjectSource {
    let parent: NSManagedObjectContext
    let child: NSManagedObjectContext

    /// Has the parent answer. The child knows all references that are good now then; the parent's answer may name some
    /// as they were before, if the root saved meanwhile. See `NSManagedObjectContext.current(_:store:)`.
    func ask<Answer>(_ question: (NSManagedObjectContext) throws -> Answer) rethrows -> Answer {
        child.beginQuestion()
        defer {
            child.endQuestion()
            child.followPromotions()
        }
        return try parent.queue.sync(for: parent, isQuestion: true) {
            parent.followPromotions()
            return try question(parent)
        }
    }

    // What the parent says is always as it is now.

    func row(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot? {
        let row = try anyRow(for: reference, age)
        return row?.layout.number == reference.entity ? row : nil
    }

    func anyRow(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot? {
        try ask { try $0.rowToServe(reference) }.map { child.current($0, store: reference.store) }
    }

    func freshRow(for reference: ObjectReference) throws -> RowSnapshot? { try row(for: reference, .any) }

    func rows(for references: [ObjectReference], _ age: RowAge) throws -> [RowSnapshot] {
        current(try ask { try $0.rowsToServe(references) }, references)
    }

    func freshRows(for references: [ObjectReference]) throws -> [RowSnapshot] {
        current(try ask { try $0.rowsToServe(references, fresh: true) }, references)
    }

    /// - Parameter references: Those of the rows' objects, which are of one store.
    private func current(_ rows: [RowSnapshot], _ references: [ObjectReference]) -> [RowSnapshot] {
        guard let store = references.first?.store else { return rows }
        return rows.map { child.current($0, store: store) }
    }

    func forgetRow(of reference: ObjectReference) {}

    func members(of reference: ObjectReference, _ slot: PropertySlot) throws -> [ObjectReference] {
        try ask { try $0.membersToServe(reference, slot) }.map(child.current)
    }

    // What the parent has changed decides for each object.
    func members(
        ofAll references: [ObjectReference], _ slot: PropertySlot, in layout: EntityLayout
    ) throws -> StoreMembers? { nil }

    func storedRows(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> StoredRows? {
        let found = try ask { try $0.rowsToServe(fetch, in: stores) }
        for (store, rows) in found ?? [] {
            rows.replace { row in row.following(store: store.token.number, child.promotion(of:)) }
        }
        return found
    }

    func references(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [ObjectReference] {
        try ask { try ContextFetch(serving: fetch, in: stores, by: $0).references() }.map(child.current)
    }

    func count(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> Int {
        return try ask { try ContextFetch(serving: fetch.unwindowed, in: stores, by: $0).count() }
    }

    func dictionaries(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [NSDictionary] {
        try ask { try $0.source.dictionaries(fetch, in: stores) }
    }

    func externalData(_ raw: Data, store number: Int32) throws -> Data? {
        try ask { try $0.source.externalData(raw, store: number) }
    }

    /// Whether the parent has an object, or could make a fault of it.
    func knows(_ reference: ObjectReference) -> Bool { ask { $0.canServe(reference) } }

    /// What the parent knows of an object beyond its row.
    func extras(of reference: ObjectReference) -> [ServedExtra] {
        ask { $0.extrasToServe(reference) }.map { extra in
            guard case .reference(let destination) = extra.value else { return extra }
            return ServedExtra(index: extra.index, value: .reference(child.current(destination)))
        }
    }
}
