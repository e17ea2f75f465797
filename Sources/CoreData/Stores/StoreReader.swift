import FoundationGaps

/// What can be read of a store, or of one state of it.
package protocol StoreReader {
    /// Runs a fetch.
    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult

    /// The dictionaries of several stores, in a way of this store's kind; nil where there is none, or not for all of
    /// the others.
    ///
    /// - Parameter readers: All stores, this one among them.
    func mergedDictionaries(
        _ fetch: StoreFetch, of readers: [any StoreReader], _ layouts: ModelLayout,
        objectIDAt: @escaping (String) -> NSManagedObjectID?
    ) throws -> [NSDictionary]?

    /// Turns the raw bytes of an attribute with external storage into its data, reading a file where they name one.
    func externalData(_ raw: Data) throws -> Data?

    /// The row with this key in one entity tree, retained once for the caller; nil if there is none.
    func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>?

    /// The rows with these keys, all different, in one entity tree, in any order; keys without a row are left out.
    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot]

    /// Parts of the rows with these keys, in any order; keys without a row are left out.
    func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot]

    /// The rows of one entity tree with the least keys behind one, in the order of their keys.
    ///
    /// - Parameter most: How many rows at most. Only where there are no more, the result is empty.
    func rows(rootedAt root: EntityLayout, after key: Int64, most: Int) throws -> [RowSnapshot]

    /// The members of a to-many relationship, in their order where it is ordered, else by key.
    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference]

    /// The members of a to-many relationship of many objects, each source's in their order.
    ///
    /// - Parameters:
    ///   - sources: The keys of objects of one entity tree.
    ///   - layout: The entity that declares the relationship.
    ///   - slot: The relationship.
    func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers
}

extension StoreReader {
    package func mergedDictionaries(
        _ fetch: StoreFetch, of readers: [any StoreReader], _ layouts: ModelLayout,
        objectIDAt: @escaping (String) -> NSManagedObjectID?
    ) throws -> [NSDictionary]? { nil }

    /// For stores that have all their keys in memory.
    package func rows(rootedAt root: EntityLayout, after key: Int64, most: Int) throws -> [RowSnapshot] {
        guard case .references(let all) = try fetch(StoreFetch(entity: root, output: .references)) else { return [] }
        let keys = all.map(\.key).filter { $0 > key }.sorted().prefix(most)
        return try rows(rootedAt: root, keys: Array(keys)).sorted { $0.key < $1.key }
    }
}
