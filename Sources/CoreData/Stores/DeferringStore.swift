/// A store that can leave a part of its migration for later.
package protocol DeferringStore: ObjectStore {
    /// Does what the store's migration has left; nothing if it has left nothing.
    ///
    /// - Parameter isWhole: Whether all of it is done, or one task.
    func finishDeferredMigration(isWhole: Bool) throws
}
