import FoundationGaps

/// Migrates a store version by version when it is opened, with code of the app's between the versions.
///
/// ```swift
/// let manager = NSStagedMigrationManager([
///     NSLightweightMigrationStage([v1.versionChecksum, v2.versionChecksum]),
///     NSCustomMigrationStage(migratingFrom: v2, to: v3),
/// ])
/// description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// The stages list the versions from old to new. A store begins at its own version, wherever that is in the list. Each
/// step is complete before the next one begins: a program that ends in between goes on from there the next time.
///
/// Opening the store throws, under the code `NSMigrationError` (134110) or as it is,
///
/// - `NSManagedObjectModelReferenceNotFoundError` (134504) if the store's version is in no stage, or a model is
///   missing;
/// - `NSStagedMigrationBackwardMigrationError` (134506) if the wanted version comes before the store's;
/// - what a handler throws, under `NSUnderlyingErrorKey`.
open class NSStagedMigrationManager: NSObject, @unchecked Sendable {
    // Unchecked: the container is set on the thread that opens the store, and is for handlers.

    /// The stages, from old to new.
    open var stages: [NSMigrationStage] { stageList }
    private let stageList: [NSMigrationStage]

    /// The container that has the store open while a handler runs; nil outside handlers.
    ///
    /// Its model is that of the step, and its objects are of the classes that the model names.
    open var container: NSPersistentContainer? { openContainer }
    var openContainer: NSPersistentContainer?

    /// Makes a manager.
    ///
    /// - Parameter stages: The stages, from old to new.
    public init(_ stages: [NSMigrationStage]) {
        stageList = stages
        super.init()
    }
}
