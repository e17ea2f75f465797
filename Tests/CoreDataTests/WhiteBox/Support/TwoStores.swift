import Foundation
import Testing

@testable import CoreData

/// A coordinator over two stores, of which the first can be kept from committing what it has written. It commits after
/// the second.
///
/// Not by the public API alone: nothing in it keeps a store from committing what it could write.
final class TwoStores {
    let coordinator: NSPersistentStoreCoordinator
    let first: NSPersistentStore
    let second: NSPersistentStore
    private let folder: StoreFolder
    private let options: [AnyHashable: Any]
    private let reader: SQLiteConnection

    /// - Parameter reservesKeys: Whether the stores have keys for some new objects at hand, so that only saving them
    ///   needs a commit.
    init(reservesKeys: Bool = false) throws {
        folder = try StoreFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        // Without a log, a reader keeps writers from committing, and not from writing.
        options = [
            NSSQLitePragmasOption: ["journal_mode": "DELETE"], NSPersistentStoreTimeoutOption: NSNumber(value: 0.05),
        ]
        first = try Self.add("First", to: coordinator, folder, options)
        second = try Self.add("Second", to: coordinator, folder, options)
        reader = try SQLiteConnection(path: folder.file("First.sqlite").path, access: .readWrite)
        if reservesKeys { try reserveKeys() }
    }

    /// A store does so when it was asked for keys more than once.
    private func reserveKeys() throws {
        try work { context throws in
            for store in [first, second, first, second] {
                let objects = ["Team", "Player"].map { context.insert($0, ["name": "nobody"]) }
                for object in objects { context.assign(object, to: store) }
                try context.save()
                for object in objects { context.delete(object) }
            }
            try context.save()
        }
    }

    deinit {
        reader.close()
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }

    private static func add(
        _ name: String, to coordinator: NSPersistentStoreCoordinator, _ folder: StoreFolder,
        _ options: [AnyHashable: Any]
    ) throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file(name + ".sqlite"), options: options)
    }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func work(_ block: (NSManagedObjectContext) throws -> Void) throws {
        let context = context()
        try context.performAndWait { try block(context) }
    }

    /// Runs a block while the first store can't commit.
    func whileFirstIsHeld<R>(_ block: () throws -> R) throws -> R {
        try reader.execute("BEGIN")
        _ = try reader.integer("SELECT COUNT(*) FROM ZTEAM")
        let result = Result { try block() }
        try reader.execute("COMMIT")
        return try result.get()
    }

    /// Runs a block while the first store can be neither read nor written.
    func whileFirstIsLocked<R>(_ block: () throws -> R) throws -> R {
        try reader.execute("BEGIN EXCLUSIVE")
        let result = Result { try block() }
        try reader.execute("COMMIT")
        return try result.get()
    }

    /// Saves while the first store can't commit, after the second one has.
    ///
    /// - Returns: The error.
    @discardableResult
    func saveIncompletely(_ context: NSManagedObjectContext) throws -> NSError {
        let error = try #require(try whileFirstIsHeld { thrown { try context.save() } })
        #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreIncompleteSaveError, "\(error)")
        return error
    }

    /// What a store has for a context that has read nothing yet: each player as `NAME@TEAM` or `NAME`, each team
    /// without players.
    func stored(_ store: NSPersistentStore) throws -> [String] {
        let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        let name = try #require(store.url?.deletingPathExtension().lastPathComponent)
        let own = try Self.add(name, to: other, folder, options)
        defer { #expect(throws: Never.self) { try other.remove(own) } }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        return try context.performAndWait {
            let players = try context.all("Player").map { player in
                (player.string("name") ?? "") + (player.object("team")?.string("name").map { "@" + $0 } ?? "")
            }
            let teams = try context.all("Team").filter { $0.names("players").isEmpty }.compactMap { $0.string("name") }
            return (players + teams).sorted()
        }
    }
}
