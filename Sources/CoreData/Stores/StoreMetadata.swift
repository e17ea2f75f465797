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

/// The metadata of an open store, and whether the app has set some that no save has written yet.
package struct EditedMetadata {
    package private(set) var values: [String: Any]
    /// How often the app has set the metadata.
    package private(set) var edits = 0
    private var savedEdits = 0

    package init(_ values: [String: Any]) { self.values = values }

    package var isUnsaved: Bool { edits != savedEdits }

    /// Takes what an app sets; what the framework writes about itself stays.
    package mutating func set(_ metadata: [String: Any]) {
        values = StoreMetadata.completed(metadata, from: values)
        edits += 1
    }

    /// Notes up to which edit the metadata are written: what the app has set meanwhile is the next save's.
    package mutating func noteSaved(_ edits: Int) { savedEdits = edits }
}
