import Foundation

/// A folder beside a store, in which a migration makes the store that takes its place.
///
/// The folder is locked while this object lives. A process that is killed leaves its folder without the lock. The next
/// migration of the store removes it, or the next opening that would migrate the store.
package final class MigrationFolder {
    /// Where the new store is made. It has the name of the store whose place it takes.
    package let store: URL
    private let url: URL
    private let lock: OpenFile

    /// Makes a folder beside a store, and removes those that no process uses any longer.
    ///
    /// - Throws: 513 without permission, 4 without the folder above, 640 on a full disk, 512 for other failures.
    package init(beside store: URL) throws {
        Self.removeAbandoned(beside: store)
        url = Self.prefix(store, UUID().uuidString)
        self.store = url.appendingPathComponent(store.lastPathComponent)
        lock = try Self.make(url)
    }

    deinit { remove() }

    /// Removes the folder with all that is in it. What comes to the store's place has been moved before.
    package func remove() { try? FileManager.default.removeItem(at: url) }

    private static func prefix(_ store: URL, _ ending: String) -> URL {
        store.deletingLastPathComponent().appendingPathComponent(".\(store.lastPathComponent)-\(ending)")
    }

    private static func make(_ url: URL) throws -> OpenFile {
        while true {
            guard mkdir(url.path, 0o700) == 0 else { throw NSError.file(errno, at: url) }
            do {
                let folder = try OpenFile(url, O_RDONLY | O_DIRECTORY)
                try folder.lock()
                // Another migration may have taken the new folder for an abandoned one.
                if try folder.hasItsName() { return folder }
            } catch {
                rmdir(url.path)
                throw error
            }
        }
    }

    // MARK: Abandoned folders

    /// Removes what killed processes have left, if a store was opened with options that migrate it.
    static func removeAbandoned(beside store: URL, options: [AnyHashable: Any]?) {
        func isSet(_ option: String) -> Bool {
            (options?[option] as? NSNumber)?.boolValue ?? options?[option] as? Bool ?? false
        }
        let migrates = isSet(NSMigratePersistentStoresAutomaticallyOption) && !isSet(NSReadOnlyPersistentStoreOption)
        if migrates, store.isFileURL { removeAbandoned(beside: store) }
    }

    private static func removeAbandoned(beside store: URL) {
        let name = prefix(store, "").lastPathComponent
        let folder = store.deletingLastPathComponent()
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where entry.hasPrefix(name) && UUID(uuidString: String(entry.dropFirst(name.count))) != nil {
            removeIfAbandoned(folder.appendingPathComponent(entry))
        }
    }

    /// The folder does no harm: that it can't be removed is no failure of a migration.
    private static func removeIfAbandoned(_ url: URL) {
        guard let folder = try? OpenFile(url, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), (try? folder.lockIfFree()) ?? false
        else { return }
        try? FileManager.default.removeItem(at: url)
    }
}
