/// A store whose keys for new objects may have gaps between them, as those of a sequence that other programs use, too.
package protocol GappedKeyStore: ObjectStore {
    /// Whether it gives such keys. Else keys are successive: ``ObjectStore/allocateKeys(for:count:)``.
    var hasGapsInKeys: Bool { get }

    /// Hands out keys in the entity's tree, in their order.
    func keys(for entity: EntityLayout, count: Int) throws -> [Int64]
}
