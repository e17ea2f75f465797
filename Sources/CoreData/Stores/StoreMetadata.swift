/// What the framework writes into the metadata of stores of all kinds.
package enum StoreMetadata {
    /// What a store needs to be opened again, and what the framework writes about itself.
    private static let ownKeys = [
        NSStoreTypeKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
        NSPersistentStoreModelVersionChecksumKey, "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest",
        "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion", "_NSAutoVacuumLevel",
    ]

    /// The metadata that an app sets, with those of the framework's own that it leaves out.
    package static func completed(_ metadata: [String: Any], from old: [String: Any]) -> [String: Any] {
        var all = metadata
        for key in ownKeys where all[key] == nil { all[key] = old[key] }
        return all
    }
}
