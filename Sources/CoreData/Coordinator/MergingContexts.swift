import FoundationGaps
import Synchronization

/// The contexts of a coordinator that want to know what others save.
final class MergingContexts: Sendable {
    /// Unchecked: an address to load a context from, under the lock.
    private struct Member: @unchecked Sendable {
        weak var context: NSManagedObjectContext?
    }

    private let contexts = Mutex<[Member]>([])

    func set(_ context: NSManagedObjectContext, isMember: Bool) {
        contexts.withLock { members in
            members.removeAll { $0.context == nil || $0.context === context }
            if isMember { members.append(Member(context: context)) }
        }
    }

    var all: [NSManagedObjectContext] { contexts.withLock { $0.compactMap(\.context) } }

    func members(except context: NSManagedObjectContext) -> [NSManagedObjectContext] {
        contexts.withLock { $0.compactMap { $0.context === context ? nil : $0.context } }
    }
}
