import Foundation

/// Option: the store is made and filled in one go, and no store before it is finished (`NSNumber`).
///
/// What slows loading down, or stands in the way of it, waits for the methods of ``LoadingStore``.
package let StoreLoadingOption = "CoreDataStoreLoadingOption"

/// A store that can be filled before it has indexes, and before its uniqueness constraints hold.
package protocol LoadingStore: ObjectStore {
    /// Makes the indexes by which rows are looked up. To be called once, before objects are fetched or related: indexes
    /// of many rows take a fraction of the time that it takes to keep them row by row.
    func makeLookupIndexes() throws

    /// Makes what waited for the end of loading.
    ///
    /// - Throws: `NSMigrationConstraintViolationError` (134111) for rows that violate a uniqueness constraint.
    func finishLoading() throws
}

/// What is enough for stores of one file.
extension FileStoreKind {
    func isVacant(_ url: URL) throws -> Bool { try DurableFile.size(of: url.path) ?? 0 == 0 }

    func move(_ temporary: URL, to url: URL) throws {
        guard rename(temporary.path, url.path) == 0 else { throw NSError.file(errno, at: url) }
        try DurableFile.synchronizeFolder(of: url)
    }
}
