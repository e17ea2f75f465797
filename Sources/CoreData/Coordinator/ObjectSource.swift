import FoundationGaps

/// Rows that a fetch found, by the store that has them.
typealias StoredRows = [(NSPersistentStore, RowBatch)]

/// Where a context has its objects from: the coordinator, or the context that it is a child of.
protocol ObjectSource {
    /// The row of an object, at most as old as said; nil if it is gone.
    func row(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot?
    /// The row with a reference's key, of whichever entity of the tree.
    func anyRow(for reference: ObjectReference, _ age: RowAge) throws -> RowSnapshot?
    /// The row of an object as it is now.
    func freshRow(for reference: ObjectReference) throws -> RowSnapshot?
    /// The rows of objects of one store and entity tree that can be had in one go.
    func rows(for references: [ObjectReference], _ age: RowAge) throws -> [RowSnapshot]
    /// The rows of objects of one store and entity tree as they are now.
    func freshRows(for references: [ObjectReference]) throws -> [RowSnapshot]
    /// Parts of the rows of objects of one store and entity tree as they are now, or whole ones.
    func parts(_ part: RowPart, of references: [ObjectReference]) throws -> [RowSnapshot]
    /// Has a row be looked up anew when it is next asked for.
    func forgetRow(of reference: ObjectReference)
    func members(of reference: ObjectReference, _ slot: PropertySlot) throws -> [ObjectReference]
    /// The members of a to-many relationship of objects of one store and entity tree, which `layout` declares; nil
    /// where they are to be asked for one by one.
    func members(ofAll references: [ObjectReference], _ slot: PropertySlot, in layout: EntityLayout) throws
        -> StoreMembers?
    /// The rows that a request finds; nil where there are only references to be had.
    func storedRows(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> StoredRows?
    func references(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [ObjectReference]
    /// How many objects a request finds, whatever its limit and offset.
    func count(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> Int
    /// What the stores have.
    func dictionaries(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> [NSDictionary]
    /// The data of an attribute with external storage, of which a row of a store has these bytes; nil where they are
    /// gone.
    func externalData(_ raw: Data, store number: Int32) throws -> Data?
}

extension ObjectSource {
    func parts(_ part: RowPart, of references: [ObjectReference]) throws -> [RowSnapshot] {
        try freshRows(for: references)
    }
}

extension NSPersistentStoreCoordinator: ObjectSource {
    func storedRows(_ fetch: StoreFetch, in stores: [NSPersistentStore]) throws -> StoredRows? {
        try rows(fetch, in: stores)
    }
}
