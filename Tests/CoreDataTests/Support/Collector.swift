import CoreData
import Foundation

/// Collects a notification's payloads while it is alive.
final class Collector: @unchecked Sendable {
    // Unchecked: posted and read on one queue at a time; the tests see to that.

    private(set) var payloads: [[AnyHashable: Any]] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, of context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] note in
            self?.payloads.append(note.userInfo ?? [:])
        }
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }

    /// All objects that came under a key.
    func objects(_ key: String) -> Set<NSManagedObject> {
        payloads.reduce(into: []) { $0.formUnion($1[key] as? Set<NSManagedObject> ?? []) }
    }

    /// All IDs that came under a key.
    func ids(_ key: String) -> Set<NSManagedObjectID> {
        payloads.reduce(into: []) { $0.formUnion($1[key] as? Set<NSManagedObjectID> ?? []) }
    }
}
