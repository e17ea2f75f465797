import FoundationGaps

/// Reads one state of a store that is in memory as a whole.
package struct AtomicReader: StoreReader {
    let content: AtomicContent
    let layouts: ModelLayout
    let token: StoreToken
    /// The ID of the object that a URI means.
    let objectIDAt: (String) -> NSManagedObjectID?

    /// The rows as objects that predicates and expressions are evaluated over.
    var graph: RowGraph { RowGraph(self, layouts, token: token, objectIDAt: objectIDAt) }

    package func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult {
        let rows = content.rows(of: fetch.entity, includingSubentities: fetch.includesSubentities)
        return try RowFetch(fetch: fetch, graph: graph).result(of: rows)
    }

    package func externalData(_ raw: Data) throws -> Data? { InlineData.data(raw) }

    // The row is retained once for the caller.
    package func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>? {
        content[root: root.number, key: key].map { .passRetained($0) }
    }

    package func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        keys.compactMap { content[root: root.number, key: $0] }
    }

    package func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot] {
        try rows(rootedAt: layouts[part.entity.rootNumber], keys: keys)
    }

    package func rows(rootedAt root: EntityLayout, after key: Int64, most: Int) throws -> [RowSnapshot] {
        content.rows(rootedAt: root.number, after: key, most: most)
    }

    package func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        content.members(of: source.key, ToManyKey(slot, in: layouts[source.entity])).map { $0.inStore(token.number) }
    }

    package func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers {
        let members = StoreMembers()
        let relationship = ToManyKey(slot, in: layout)
        for source in sources {
            for member in content.members(of: source, relationship) {
                members.append(member.inStore(token.number), of: source)
            }
        }
        return members
    }
}

/// A store that has all its rows in memory.
package protocol AtomicObjectStore: SteadyStore {
    /// A reader of what the store has now.
    ///
    /// - Throws: ``StoreIsClosed``; what reading a changed file throws.
    func reader() throws -> AtomicReader
}

extension AtomicObjectStore {
    package func steadily<R>(_ body: (any StoreReader) throws -> R) throws -> R { try body(reader()) }

    package func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult { try reader().fetch(fetch) }

    package func externalData(_ raw: Data) throws -> Data? { InlineData.data(raw) }

    // The row is retained once for the caller.
    package func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>? {
        try reader().row(rootedAt: root, key: key)
    }

    package func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        try reader().rows(rootedAt: root, keys: keys)
    }

    package func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot] {
        try reader().rows(part, keys: keys)
    }

    package func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        try reader().members(of: source, slot: slot)
    }

    package func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers {
        try reader().members(ofAll: sources, in: layout, slot: slot)
    }
}
