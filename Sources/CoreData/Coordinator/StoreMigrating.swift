import FoundationGaps

// What migrates stores by means of contexts lies above coordinators, which know it by these protocols.

/// What migrates a store stage by stage: `NSStagedMigrationManager`.
protocol StagedMigrating: AnyObject {
    /// - Parameter source: The model that made the store.
    func migrate(_ store: StoreMigration, from source: NSManagedObjectModel) throws
}

/// What migrates a store object by object: `NSMigrationManager`.
protocol MappedMigrating: AnyObject {
    /// Migrates a store by a mapping model of the program's bundles.
    ///
    /// - Returns: False if there is none. The store is as it was then.
    static func migrateByBundles(_ store: StoreMigration, from source: NSManagedObjectModel) throws -> Bool

    /// Migrates a store by the mapping that is inferred from the two models.
    static func migrateByInference(_ store: StoreMigration, from source: NSManagedObjectModel) throws
}

extension NSPersistentStore {
    /// The class that migrates stores by mapping models.
    static var mappedMigration: (any MappedMigrating.Type)? { migrationManagerClass() as? any MappedMigrating.Type }
}
