import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Remote changes")
struct RemoteChangeTests {
    private let stack: HistoryStack
    private let notes: RemoteNotes
    private static var options: [AnyHashable: Any] {
        [
            NSPersistentHistoryTrackingKey: true as NSNumber,
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber,
        ]
    }

    init() throws {
        stack = try HistoryStack(stores: [])
        try stack.coordinator.addPersistentStore(
            ofType: testedStoreType, configurationName: nil, at: stack.url(), options: Self.options)
        notes = RemoteNotes(of: stack.coordinator)
    }

    @Test("a coordinator posts what another coordinator saves, with the store and its newest token")
    func others() async throws {
        try stack.reopened { context throws in
            _ = context.insert("Player", ["name": "Wade"])
            try context.save()
        }
        let store = try #require(stack.coordinator.persistentStores.first)
        let note = try #require(await notes.first { $0.token != nil })
        #expect(note.store == store.identifier && note.url == store.url)
        #expect(note.token == (try stack.transactions().last?.token))
    }

    @Test("a coordinator posts its own saves, too")
    func own() async throws {
        try stack.work { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        let token = stack.token()
        #expect(await notes.first { $0.token == token } != nil)
    }

    @Test("a store without history posts, without a token")
    func withoutHistory() async throws {
        let plain = try HistoryStack(stores: [])
        let options: [AnyHashable: Any] = [
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber
        ]
        try plain.coordinator.addPersistentStore(
            ofType: testedStoreType, configurationName: nil, at: plain.url(), options: options)
        let notes = RemoteNotes(of: plain.coordinator)
        try plain.reopened(nil) { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        let note = try #require(await notes.first { _ in true })
        #expect(note.token == nil && note.url == plain.url())
    }

    @Test("a coordinator without the option posts nothing")
    func off() async throws {
        let plain = try HistoryStack()
        let notes = RemoteNotes(of: plain.coordinator)
        try plain.reopened { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        // This store's coordinator hears of a later change: the other one would have heard of its own by then.
        try stack.reopened { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        #expect(await self.notes.first { _ in true } != nil)
        #expect(notes.all.isEmpty)
    }

    @Test("many commits are told, the last one's token for certain")
    func many() async throws {
        for number in 1...50 {
            try stack.reopened { context throws in
                _ = context.insert("Player", ["age": number])
                try context.save()
            }
        }
        let token = stack.token()
        #expect(await notes.first { $0.token == token } != nil)
    }

    @Test("an observer may remove the store, and nothing is posted afterwards")
    func removal() async throws {
        let coordinator = stack.coordinator
        let removed = Mutex(false)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { _ in
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
            removed.withLock { $0 = true }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try stack.reopened { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        try await eventually { removed.withLock(\.self) }
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("a store that was moved goes on to post")
    func moved() async throws {
        let store = try #require(stack.coordinator.persistentStores.first)
        let moved = stack.url(of: "Moved")
        try stack.coordinator.migratePersistentStore(store, to: moved, options: Self.options, type: .sqlite)
        try stack.work { context throws in
            _ = context.insert("Player")
            try context.save()
        }
        #expect(await notes.first { $0.url == moved } != nil)
    }

    // MARK: Taking over

    @Test("a context that merges automatically, and a results controller, show what others save")
    func liveResults() async throws {
        try stack.work { context throws in
            for name in ["A", "B", "C"] { _ = context.insert("Player", ["name": name]) }
            try context.save()
        }
        let context = stack.context()
        context.automaticallyMergesChangesFromParent = true
        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        // The context's queue alone uses it.
        nonisolated(unsafe) let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let listener = Listener()
        try await context.perform {
            controller.delegate = listener
            try controller.performFetch()
        }
        func names() async -> [String] {
            await context.perform { (controller.fetchedObjects ?? []).compactMap { $0.string("name") } }
        }
        #expect(await names() == ["A", "B", "C"])
        try stack.reopened { other throws in
            let players = try other.all("Player", sortedBy: "name")
            players[0].setValue("Z", forKey: "name")
            other.delete(players[1])
            _ = other.insert("Player", ["name": "D"])
            try other.save()
        }
        try await eventually { await names() == ["C", "D", "Z"] }
        // A batch of another coordinator, which no context hears of otherwise.
        try stack.reopened { other throws in
            _ = try other.execute(NSManagedObjectContext.update("Player", ["name": "Q"], "name == 'D'"))
        }
        try await eventually { await names() == ["C", "Q", "Z"] }
        withExtendedLifetime(listener) {}
    }

    @Test("rows that the coordinator keeps are read anew after others have changed them")
    func freshRows() async throws {
        let id = try stack.work { context throws in
            let player = context.insert("Player", ["name": "A"])
            try context.save()
            return player.objectID
        }
        let keeper = stack.context()
        let before = try await keeper.perform { try keeper.existingObject(with: id).string("name") }
        #expect(before == "A")
        try stack.reopened { other throws in
            try other.all("Player")[0].setValue("B", forKey: "name")
            try other.save()
        }
        let token = stack.token()
        #expect(await notes.first { $0.token == token } != nil)
        let after = try stack.work { try $0.existingObject(with: id).string("name") }
        #expect(after == "B")
    }

    @Test("unsaved changes of a context stay when others change the same object")
    func unsavedChanges() async throws {
        let context = stack.context()
        context.automaticallyMergesChangesFromParent = true
        let player = try await context.perform {
            let player = context.insert("Player", ["name": "A", "age": 1])
            try context.save()
            player.setValue(2, forKey: "age")
            return player.objectID
        }
        try stack.reopened { other throws in
            let player = try other.all("Player")[0]
            player.setValue("B", forKey: "name")
            player.setValue(3, forKey: "age")
            try other.save()
        }
        func values() async -> [String] {
            await context.perform {
                let player = context.object(with: player)
                return [player.string("name") ?? "", "\(player.value(forKey: "age") ?? "")"]
            }
        }
        try await eventually { await values() == ["B", "2"] }
    }
}

/// A controller follows changes for a delegate alone.
private final class Listener: NSFetchedResultsControllerDelegate, Sendable {
    func controllerDidChangeContent(_ controller: AnyFetchedResultsController) {}
}

/// Waits for something, a minute at most.
private func eventually(_ holds: () async -> Bool) async throws {
    for _ in 0..<6_000 {
        if await holds() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("It did not come within a minute.")
}

/// The notifications of remote changes that a coordinator posts.
final class RemoteNotes: @unchecked Sendable {
    // Unchecked: the observer is set before another thread has the object.

    struct Note: Sendable {
        let store: String?
        let url: URL?
        let token: NSPersistentHistoryToken?
    }

    private let notes = Mutex<[Note]>([])
    private var observer: (any NSObjectProtocol)?

    init(of coordinator: NSPersistentStoreCoordinator) {
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { [weak self] note in
            let info = note.userInfo
            let found = Note(
                store: info?[NSStoreUUIDKey] as? String, url: info?[NSPersistentStoreURLKey] as? URL,
                token: info?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
            self?.notes.withLock { $0.append(found) }
        }
    }

    deinit { observer.map { NotificationCenter.default.removeObserver($0) } }

    var all: [Note] { notes.withLock(\.self) }

    /// The first notification that is wanted, once it is there; nil after a minute.
    func first(_ isWanted: (Note) -> Bool) async -> Note? {
        for _ in 0..<6_000 {
            if let note = all.first(where: isWanted) { return note }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return nil
    }
}
