/// Versions of a model, each of which Core Data can infer a migration to from the one before.
///
/// ```swift
/// let lightweight = NSLightweightMigrationStage([v1.versionChecksum, v2.versionChecksum, v3.versionChecksum])
/// ```
///
/// Versions that are among the program's models are migrated to one by one. Others are passed over.
open class NSLightweightMigrationStage: NSMigrationStage {
    /// The checksums of the versions, from old to new.
    ///
    /// Each is an ``NSManagedObjectModel/versionChecksum``.
    open var versionChecksums: [String] { checksums }
    private let checksums: [String]

    /// Makes a stage.
    ///
    /// - Parameter checksums: The checksums of the versions, from old to new. `coredata model checksum` prints them.
    public init(_ checksums: [String]) {
        self.checksums = checksums
        super.init()
    }
}
