import FoundationGaps
import Synchronization

/// A store that is told which of its objects are in use.
protocol ObservingStore: ObjectStore {
    func didRegister(_ ids: [NSManagedObjectID])
    func didUnregister(_ ids: [NSManagedObjectID])
}

/// Objects that went away and of which their stores do not know yet.
enum UnregisteredObjects {
    private static let waiting = Mutex<[NSManagedObjectID]>([])

    static func add(_ id: NSManagedObjectID) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(id)
            return waiting.count == 1
        }
        if isFirst { DispatchQueue.global(qos: .utility).async { tell() } }
    }

    private static func tell() {
        let ids = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for (_, ids) in Dictionary(grouping: ids, by: { $0.token.map { ObjectIdentifier($0) } }) {
            (ids.first?.persistentStore as? any ObservingStore)?.didUnregister(ids)
        }
    }
}
