import FoundationGaps

/// Objects by what was done to them, as notifications carry them.
struct ObjectChanges<Object: AnyObject & Hashable> {
    var inserted: Set<Object> = []
    var updated: Set<Object> = []
    var deleted: Set<Object> = []

    /// The sets that are not empty, by their keys.
    var userInfo: [AnyHashable: Any] {
        let combination = (inserted.isEmpty ? 0 : 1) + (updated.isEmpty ? 0 : 2) + (deleted.isEmpty ? 0 : 4)
        return ChangeKeys.all[combination].mapValues { kind in
            switch kind {
            case .inserted: inserted
            case .updated: updated
            case .deleted: deleted
            }
        }
    }
}

/// What a change notification told, for the save that follows to take over.
struct NotifiedChanges<Object: AnyObject & Hashable> {
    let changes: ObjectChanges<Object>
    let userInfo: [AnyHashable: Any]
    /// Whether the sets are what the context would save of these objects.
    private let areSaved: Bool

    init() { self.init(ObjectChanges(), areSaved: false) }

    init(_ changes: ObjectChanges<Object>, areSaved: Bool) {
        self.changes = changes
        self.areSaved = areSaved
        userInfo = changes.userInfo
    }

    /// Whether a save of so many objects is of just these: one that is not inserted, updated or deleted any longer has
    /// had a notification since, so where the numbers are right, these are the very objects.
    func isSave(inserted: Int, updated: Int, deleted: Int) -> Bool {
        areSaved && changes.inserted.count == inserted && changes.updated.count == updated
            && changes.deleted.count == deleted
    }
}

/// The keys under which notifications carry the sets of ``ObjectChanges``.
private enum ChangeKeys {
    enum Kind: Int {
        case inserted, updated, deleted
    }

    /// The keys of each combination of sets, made once: to hash them again would take longer than a small save has for
    /// all it tells.
    // Unchecked: an `AnyHashable` may hold anything. These hold strings, and nothing changes them.
    nonisolated(unsafe) static let all: [[AnyHashable: Kind]] = (0..<8).map { combination in
        let kinds: [(AnyHashable, Kind)] = [
            (NSInsertedObjectsKey, .inserted), (NSUpdatedObjectsKey, .updated), (NSDeletedObjectsKey, .deleted),
        ]
        return Dictionary(uniqueKeysWithValues: kinds.filter { combination & (1 << $1.rawValue) != 0 })
    }
}
