import FoundationGaps

/// A store that is to become one of another version of its model before it is opened.
struct OutdatedStore {
    let kind: any FileStoreKind
    let type: String
    let url: URL
    let configuration: String?
    let options: [AnyHashable: Any]?
    /// The model that made the store.
    let source: NSManagedObjectModel
    /// The model that it is to have.
    let model: NSManagedObjectModel

    /// Migrates the store by what the program says: by the stages in the options, or by a mapping model of its bundles.
    ///
    /// - Returns: False if the program says nothing. The store is as it was then.
    /// - Throws: What the migration throws. The store has a version on the way, or its own.
    func migrateAsToldByProgram() throws -> Bool {
        if let stages = options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? any StagedMigrating {
            try stages.migrate(self)
            return true
        }
        let manager = NSPersistentStore.migrationManager as? any MappedMigrating.Type
        return try manager?.migrate(self) ?? false
    }
}

/// What migrates a store stage by stage: `NSStagedMigrationManager`, which lies above coordinators.
protocol StagedMigrating: AnyObject {
    func migrate(_ store: OutdatedStore) throws
}

/// What migrates a store object by object: `NSMigrationManager`, which lies above coordinators.
protocol MappedMigrating: AnyObject {
    /// - Returns: False if there is no mapping model.
    static func migrate(_ store: OutdatedStore) throws -> Bool
}

extension NSPersistentStore {
    /// `NSMigrationManager`. It uses contexts, and so lies above stores: it is found by its name.
    static let migrationManager: AnyClass? = Foundation.NSClassFromString("CoreData.NSMigrationManager")
}
