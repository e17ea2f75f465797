/// A store that learns of all commits to its file.
package protocol WatchedStore: ObjectStore {
    /// Calls `told` after each commit, by this process and by others, until the store is closed. Several commits in a
    /// short time may be one call.
    ///
    /// - Parameter told: Gets the number of the last transaction in the store's history; nil without history. It is
    ///   called on another thread, and must not wait for the store.
    /// - Throws: What opening the store once more throws.
    func watchChanges(_ told: @escaping @Sendable (_ lastTransaction: Int64?) -> Void) throws
}
