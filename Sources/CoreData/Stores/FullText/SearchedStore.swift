/// A store that may have indexes for full-text search.
package protocol SearchedStore: NSPersistentStore {
    /// Whether the store has the index of an entity's tree, as the model asks for it.
    ///
    /// - Throws: 134020 for a mark that can't be kept.
    func hasSearchIndex(of layout: EntityLayout) throws -> Bool
}
