import FoundationGaps

/// Where a context has its objects from that is pinned to a query generation.
///
/// A generation that ended before its time is none any longer: what is asked then is answered from the stores as they
/// are, and the context moves on.
struct GenerationSource: ObjectSource {
    let generation: QueryGeneration
    private var coordinator: NSPersistentStoreCoordinator { generation.coordinator }

    // MARK: Rows

    func row(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot? {
        let row = try anyRow(for: reference, age)
        return row?.layout.number == reference.entity ? row : nil
    }

    func anyRow(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot? {
        try rows(for: [reference], age).first
    }

    // A generation's rows do not age.
    func freshRow(for reference: ObjectReference) throws -> RowSnapshot? { try row(for: reference, .any) }

    func freshRows(for references: [ObjectReference]) throws -> [RowSnapshot] { try rows(for: references, .any) }

    func forgetRow(of reference: ObjectReference) {}

    func rows(for references: [ObjectReference], _ age: RowAge) throws -> [RowSnapshot] {
        guard let first = references.first else { return [] }
        let root = coordinator.layouts[first.entity].rootNumber
        let group = KeyGroup(store: first.store, root: root)
        let found = try reading(first.store) { reader, cache in
            var found: [RowSnapshot] = []
            var missing: [Int64] = []
            for reference in references {
                if let row = cache.row(group, reference.key) {
                    found.append(row)
                } else {
                    missing.append(reference.key)
                }
            }
            guard !missing.isEmpty else { return found }
            let loaded = try reader.rows(rootedAt: coordinator.layouts[root], keys: missing)
            return found + cache.reading { cache.insert(loaded, group, $0) }
        } otherwise: {
            try coordinator.rows(for: references, age)
        }
        return found ?? []
    }

    // MARK: Members

    func members(of reference: ObjectReference, _ slot: PropertySlot) throws -> [ObjectReference] {
        let found = try reading(reference.store) { reader, _ in
            try reader.members(of: reference, slot: slot)
        } otherwise: {
            try coordinator.members(of: reference, slot)
        }
        return found ?? []
    }

    func members(ofAll references: [ObjectReference], _ slot: PropertySlot, in layout: EntityLayout) throws
        -> StoreMembers?
    {
        guard let store = references.first?.store else { return nil }
        let group = KeyGroup(store: store, root: coordinator.layouts[slot.destination].rootNumber)
        let found = try reading(store) { reader, cache -> StoreMembers? in
            let found = try reader.members(ofAll: references.map(\.key), in: layout, slot: slot)
            cache.reading { cache.insert(found.rows, group, $0) }
            return found
        } otherwise: {
            try coordinator.members(ofAll: references, slot, in: layout)
        }
        return found ?? StoreMembers()
    }

    // MARK: Fetching

    func storedRows(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> StoredRows? {
        try stores.compactMap { store in
            let group = KeyGroup(store: store.token.number, root: fetch.entity.rootNumber)
            let found = try reading(store.token.number) { reader, cache -> RowBatch? in
                guard case .rows(let found) = try reader.fetch(fetch) else { return nil }
                cache.reading { cache.insert(found, of: fetch, group, $0) }
                return found
            } otherwise: {
                try coordinator.rows(fetch, in: [store]).first?.1
            }
            return found.flatMap { $0 }.map { (store, $0) }
        }
    }

    func references(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [ObjectReference] {
        try stores.flatMap { store -> [ObjectReference] in
            let found = try reading(store.token.number) { reader, _ -> [ObjectReference] in
                guard case .references(let found) = try reader.fetch(fetch) else { return [] }
                return found
            } otherwise: {
                try coordinator.references(fetch, in: [store])
            }
            return found ?? []
        }
    }

    func count(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> Int {
        return try stores.reduce(0) { sum, store in
            let found = try reading(store.token.number) { reader, _ in
                guard case .count(let count) = try reader.fetch(fetch.unwindowed) else { return 0 }
                return count
            } otherwise: {
                try coordinator.count(fetch, in: [store])
            }
            return sum + (found ?? 0)
        }
    }

    func dictionaries(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [NSDictionary] {
        guard let only = stores.first, stores.count == 1 else { return try mergedDictionaries(fetch, in: stores) }
        let found = try reading(only.token.number) { reader, _ -> [NSDictionary] in
            guard case .dictionaries(let found) = try reader.fetch(fetch) else { return [] }
            return found
        } otherwise: {
            try coordinator.dictionaries(fetch, in: stores)
        }
        return found ?? []
    }

    /// Data that the generation has not are of a row that was read before, or after.
    func externalData(_ raw: Data, store number: Int32) throws -> Data? {
        let found = try reading(number) { reader, _ in
            try reader.externalData(raw)
        } otherwise: {
            nil
        }
        return try found.flatMap { $0 } ?? coordinator.externalData(raw, store: number)
    }

    private func mergedDictionaries(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [NSDictionary] {
        do {
            return try withSources(stores[...], []) { [coordinator] sources in
                try fetch.mergedDictionaries(
                    of: sources, coordinator.layouts, objectIDAt: { coordinator.managedObjectID(for: $0) })
            }
        } catch is HoldHasEnded {
            return try coordinator.dictionaries(fetch, in: stores)
        }
    }

    /// Runs `body` with readers of all stores at once; those that were added since have none.
    private func withSources<R>(
        _ rest: ArraySlice<NSPersistentStore>, _ sources: [StoreSource], _ body: ([StoreSource]) throws -> R
    ) throws -> R {
        guard let store = rest.first else { return try body(sources) }
        let result = try generation.reading(store.token.number) { reader, _ in
            try withSources(rest.dropFirst(), sources + [StoreSource(reader: reader, token: store.token)], body)
        }
        return try result ?? withSources(rest.dropFirst(), sources, body)
    }

    /// Asks the generation; nil for a store that was added since. `otherwise` is asked where the generation has ended.
    private func reading<R>(
        _ store: Int32, _ body: (any StoreReader, RowCache) throws -> R, otherwise: () throws -> R
    ) throws -> R? {
        do { return try generation.reading(store, body) } catch is HoldHasEnded { return try otherwise() }
    }
}

extension RowCache {
    /// Inserts rows that no writer can overtake.
    fileprivate func reading<R>(_ body: (ReadTicket) -> R) -> R {
        let ticket = beginRead()
        defer {
            _ = endRead(ticket)
            if wantsSweep, beginSweep() { while sweepStep() {} }
        }
        return body(ticket)
    }
}
