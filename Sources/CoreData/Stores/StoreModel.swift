import Foundation

/// What a store must know of the model that it is opened with, beside its layouts.
package struct StoreModel {
    package let layouts: ModelLayout
    /// What keeps the descriptions alive that the layouts point to.
    package let owner: AnyObject?
    /// The coordinator that opens the store, which a store of an app's class is told; nil where there is none.
    let coordinator: AnyObject?
    /// The names of the entities in the store's configuration; nil: all.
    package let entities: Set<String>?
    /// The version hashes of these entities, by name.
    package let hashes: [String: Data]
    package let versionIdentifiers: [String]
    /// Base64 of the SHA-512 over all names and hashes.
    package let digest: String
    /// Base64 of the SHA-256 over all hashes.
    package let checksum: String
    /// Whether its reader left out parts that it did not understand; some hashes are wrong then.
    package let isIncomplete: Bool
    /// The model as a keyed archive, kept in each new store so that it opens without its app.
    package var archive: () throws -> Data

    package init(
        layouts: ModelLayout, owner: AnyObject? = nil, coordinator: AnyObject? = nil, entities: Set<String>?,
        hashes: [String: Data],
        versionIdentifiers: [String], digest: String, checksum: String, isIncomplete: Bool = false,
        archive: @escaping () throws -> Data
    ) {
        self.layouts = layouts
        self.owner = owner
        self.coordinator = coordinator
        self.entities = entities
        self.hashes = hashes
        self.versionIdentifiers = versionIdentifiers
        self.digest = digest
        self.checksum = checksum
        self.isIncomplete = isIncomplete
        self.archive = archive
    }

    /// What the metadata of a new store of a type say.
    package func metadata(type: String) -> [String: Any] {
        var metadata: [String: Any] = [
            NSStoreTypeKey: type,
            "NSPersistenceFrameworkVersion": NSNumber(value: StoreModel.frameworkVersion),
            NSStoreModelVersionHashesKey: hashes,
            "NSStoreModelVersionHashesVersion": NSNumber(value: 3),
            "NSStoreModelVersionHashesDigest": digest,
            NSPersistentStoreModelVersionChecksumKey: checksum,
            NSStoreModelVersionIdentifiersKey: versionIdentifiers,
        ]
        if type == NSSQLiteStoreType { metadata["_NSAutoVacuumLevel"] = "2" }
        return metadata
    }

    /// The release of Apple's framework that new stores have the format of, that of the sample stores with checksums.
    private static let frameworkVersion = 1344

    /// Refuses a store that another version of the model made.
    ///
    /// A model that was not understood as a whole may have the store's entities with other hashes: it can read the
    /// store.
    ///
    /// - Throws: 134100 with the store's metadata under "metadata" and the model's hashes under
    ///   `NSStoreModelVersionHashesKey`.
    package func check(_ metadata: [String: Any], path: String, isReadOnly: Bool) throws {
        let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        guard stored != hashes else { return }
        if isReadOnly, isIncomplete, stored.keys == hashes.keys { return }
        let names = Set(stored.keys).union(hashes.keys).filter { stored[$0] != hashes[$0] }.sorted()
        throw NSError.cocoa(
            NSPersistentStoreIncompatibleVersionHashError,
            "The model used to open the store is incompatible with the one used to create the store.",
            reason: "These entities differ: \(names.joined(separator: ", "))."
                + (isIncomplete ? " Parts of the model were not understood; the store can be opened read-only." : ""),
            userInfo: [
                NSFilePathErrorKey: path, "metadata": metadata, NSStoreModelVersionHashesKey: hashes,
                "reason": "The model used to open the store is incompatible with the one used to create the store",
            ])
    }
}
