import FoundationGaps

/// Where a store is or will be, its type, and the options that it is opened with.
struct StoreAddress {
    var url: URL
    var type: String
    var options: [AnyHashable: Any]?
    /// The configuration of the model that the store is of; nil for all entities.
    var configuration: String?

    /// The options without those that would migrate the store when it is opened.
    var openingOptions: [AnyHashable: Any] {
        let migrating = [
            NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
            NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreDeferredLightweightMigrationOptionKey,
        ]
        return (options ?? [:]).filter { key, _ in !migrating.contains { key == AnyHashable($0) } }
    }
}
