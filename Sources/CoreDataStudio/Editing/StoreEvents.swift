import CoreData
import Foundation

/// What windows are told of a store without asking.
enum StoreEvent: Sendable {
    /// The changes that are not saved are others now. A save gives new objects other identifiers.
    case changes(JSON, client: String?, identifiers: [String: String]? = nil)
    /// The store has other objects than before.
    case store
    /// An import has read so many records.
    case progress(Int, client: String?)
    /// The store was migrated: it has another model.
    case replaced

    var name: String {
        switch self {
        case .changes: "changes"
        case .store: "store"
        case .progress: "progress"
        case .replaced: "replaced"
        }
    }

    var json: JSON {
        switch self {
        case .changes(let state, let client, let identifiers):
            [
                "state": state, "client": .optional(client),
                "identifiers": identifiers.map { .object($0.mapValues(JSON.text)) } ?? .null,
            ]
        case .store, .replaced: [:]
        case .progress(let count, let client): ["count": .integer(count), "client": .optional(client)]
        }
    }
}

/// The windows that listen.
struct StoreListeners {
    private var feeds: [UUID: AsyncStream<StoreEvent>.Continuation] = [:]

    /// - Parameter id: Names the listener; it is forgotten by ``remove(_:)``.
    mutating func add(_ id: UUID, _ feed: AsyncStream<StoreEvent>.Continuation) { feeds[id] = feed }

    mutating func remove(_ id: UUID) { feeds[id] = nil }

    func tell(_ event: StoreEvent) { for feed in feeds.values { feed.yield(event) } }

    /// Ends with the store.
    mutating func finish() {
        for feed in feeds.values { feed.finish() }
        feeds = [:]
    }
}

/// Listens to what other programs save, for as long as it is there.
final class StoreWatch: @unchecked Sendable {
    // Unchecked: the observer is set once, before the watch is shared.

    private var observer: (any NSObjectProtocol)?

    /// - Parameter body: Called for each message, on any thread.
    func start(_ coordinator: NSPersistentStoreCoordinator, _ body: @escaping @Sendable () -> Void) {
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { _ in body() }
    }

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }
}
