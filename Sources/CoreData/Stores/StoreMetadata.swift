import Foundation
import PropertyLists

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

/// The metadata of an open store, and what the app has changed of them that no save has written yet.
///
/// Other processes write the store's metadata, too: an app with another version of the model migrates the store, and
/// sets keys of its own. A save writes what the app has changed, and leaves all else as the store has it.
package struct EditedMetadata {
    package private(set) var values: [String: Any]
    /// What the app's changes are told by: the metadata when the store was opened, or last saved.
    private var known: [String: Any]
    /// How often the app has set the metadata.
    private var edits = 0
    private var savedEdits = 0

    package init(_ values: [String: Any]) { (self.values, known) = (values, values) }

    package var isUnsaved: Bool { edits != savedEdits }

    /// Takes what an app sets; what the framework writes about itself stays.
    package mutating func set(_ metadata: [String: Any]) {
        values = StoreMetadata.completed(metadata, from: values)
        edits += 1
    }

    /// What one save writes.
    package struct Merged {
        /// The store's metadata with the app's changes, ``NSStoreUUIDKey`` among them.
        package let values: [String: Any]
        /// What the app has set up to then.
        fileprivate let set: [String: Any]
        fileprivate let edits: Int

        package var identifier: String { values[NSStoreUUIDKey] as? String ?? "" }
    }

    /// The app's changes in what the store has; nil where there are none.
    ///
    /// - Parameters:
    ///   - identifier: The UUID that the store object has.
    ///   - stored: What the store has now. No other process can change it before the save is committed.
    package func merged(identifier: String, into stored: () throws -> [String: Any]) rethrows -> Merged? {
        guard isUnsaved else { return nil }
        var set = values
        set[NSStoreUUIDKey] = identifier
        var all = try stored()
        for key in Set(set.keys).union(known.keys) where !Self.isSame(set[key], known[key]) { all[key] = set[key] }
        return Merged(values: all, set: set, edits: edits)
    }

    private static func isSame(_ one: Any?, _ other: Any?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        // A value that no property list can have is a change: the save refuses it.
        guard let value = try? PropertyListValue(foundation: one) else { return false }
        return (try? PropertyListValue(foundation: other)) == value
    }

    /// Notes what a save has written: what the app has set meanwhile is the next save's.
    package mutating func noteSaved(_ saved: Merged?) {
        guard let saved else { return }
        savedEdits = saved.edits
        known = isUnsaved ? saved.set : saved.values
        known[NSStoreUUIDKey] = saved.set[NSStoreUUIDKey]
        if !isUnsaved { values = saved.values }
    }
}
