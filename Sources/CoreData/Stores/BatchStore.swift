/// A store that changes many rows by itself.
package protocol BatchStore: ObjectStore {
    /// Carries a batch out in one transaction, or changes nothing.
    ///
    /// - Parameter origin: What persistent history says of the transaction.
    /// - Throws: `NSFileWriteNoPermissionError` (513) for a read-only store; `NSManagedObjectConstraintMergeError`
    ///   (133021) where a constraint is violated; `NSValidationRelationshipDeniedDeleteError` (1600) and
    ///   `NSValidationMissingMandatoryPropertyError` (1570) where delete rules forbid a deletion; 134091 where the
    ///   store can't express the request.
    func run(_ batch: StoreBatch, from origin: ChangeOrigin) throws -> StoreBatchResult
}
