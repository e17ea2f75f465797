import CoreData
import Foundation

/// A copy of a store beside it, with its external data.
enum StoreBackup {
    /// - Returns: The copy: `League-backup.sqlite`, or `League-backup-2.sqlite` where that is there.
    /// - Throws: ``CommandFailure``.
    static func make(of store: URL, _ type: NSPersistentStore.StoreType) throws -> URL {
        let copy = freeURL(beside: store)
        do {
            try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
                at: copy, withPersistentStoreFrom: store, type: type)
        } catch {
            throw CommandFailure(
                .other,
                "The store can't be copied to \(copy.path), and was not migrated. \(whole: CommandFailure(error).message)"
            )
        }
        return copy
    }

    private static func freeURL(beside store: URL) -> URL {
        let (name, ending) = (store.deletingPathExtension().lastPathComponent, store.pathExtension)
        let candidates = (1...).lazy.map { number in
            let file = name + "-backup" + (number == 1 ? "" : "-\(number)") + (ending.isEmpty ? "" : ".\(ending)")
            return store.deletingLastPathComponent().appendingPathComponent(file)
        }
        // The sequence has no end, so there is a first one.
        return candidates.first { !FileManager.default.fileExists(atPath: $0.path) } ?? store
    }
}
