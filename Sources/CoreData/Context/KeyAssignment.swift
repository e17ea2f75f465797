import FoundationGaps

/// The permanent references of objects that had none.
///
/// Objects that were inserted one after the other have neighbouring keys before and after: they are kept as runs.
final class KeyAssignment: @unchecked Sendable {
    // Unchecked: nothing is added once it is sorted, and no other thread has it before.

    private struct Run {
        /// The first temporary key; they are counted down.
        let old: Int64
        /// The first permanent reference; keys are counted up.
        let new: ObjectReference
        var count: Int64

        func contains(_ key: Int64) -> Bool { key <= old && old - key < count }

        func reference(_ key: Int64) -> ObjectReference {
            ObjectReference(key: new.key + (old - key), entity: new.entity, store: new.store)
        }
    }

    // Extended for each new object of a save; no check of exclusive access while the program runs.
    @exclusivity(unchecked) private var runs: [Run] = []
    /// Back from permanent references, where a save failed.
    private var temporary: [ObjectReference: ObjectReference]?

    var isEmpty: Bool { runs.isEmpty && temporary == nil }

    /// Notes what an object's temporary key becomes.
    func add(_ old: Int64, _ new: ObjectReference) {
        if let last = runs.last, old == last.old - last.count, new == last.reference(old) {
            runs[runs.count - 1].count += 1
        } else {
            runs.append(Run(old: old, new: new, count: 1))
        }
    }

    /// To be called when all is noted.
    func sort() {
        if runs.count > 1 { runs.sort { $0.old > $1.old } }
    }

    /// What stands for a reference now; nil: itself.
    @inline(__always)
    func replacement(of reference: ObjectReference) -> ObjectReference? {
        if let temporary { return temporary[reference] }
        return reference.isTemporary ? permanent(reference.key) : nil
    }

    private func permanent(_ key: Int64) -> ObjectReference? {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].contains(key) { return runs[middle].reference(key) }
            if runs[middle].old > key { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The references in those stores that are wanted.
    func filtered(_ isWanted: (_ store: Int32) -> Bool) -> KeyAssignment {
        let part = KeyAssignment()
        part.runs = runs.filter { isWanted($0.new.store) }
        return part
    }

    /// The way back.
    var inverted: KeyAssignment {
        var back: [ObjectReference: ObjectReference] = [:]
        for run in runs {
            for key in (run.old - run.count + 1)...run.old {
                let new = run.reference(key)
                back[new] = ObjectReference(key: key, entity: new.entity, store: ObjectReference.unassignedStore)
            }
        }
        let inverse = KeyAssignment()
        inverse.temporary = back
        return inverse
    }
}

/// Unsaved objects, which their context keeps alive, by where they will be saved.
struct UnsavedGroups {
    private let coordinator: NSPersistentStoreCoordinator
    private(set) var all: [Members] = []
    /// Where the objects of an entity are, but for those that were assigned to another store. Among ``all``, which
    /// keeps it.
    private var lastEntity: (number: Int32, members: Unmanaged<Members>)?

    /// The objects of one group.
    final class Members {
        let group: KeyGroup
        @exclusivity(unchecked) fileprivate(set) var objects: [Unmanaged<NSManagedObject>] = []

        fileprivate init(_ group: KeyGroup) { self.group = group }
    }

    init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

    /// - Throws: `NSPersistentStoreOperationError` for an object that no store takes.
    mutating func add(_ object: NSManagedObject) throws {
        let number = object.table.pointee.number
        if let assigned = object.recordReference?._withUnsafeGuaranteedRef({ $0.assignedStore }) {
            try coordinator.requireAttached(assigned, for: object)
            return members(of: KeyGroup(store: assigned.number, root: object.table.pointee.rootNumber))
                .objects.append(.passUnretained(object))
        }
        if let lastEntity, lastEntity.number == number {
            return lastEntity.members._withUnsafeGuaranteedRef { $0.objects.append(.passUnretained(object)) }
        }
        let store = try coordinator.store(for: object).token.number
        let members = members(of: KeyGroup(store: store, root: object.table.pointee.rootNumber))
        members.objects.append(.passUnretained(object))
        lastEntity = (number, .passUnretained(members))
    }

    private mutating func members(of group: KeyGroup) -> Members {
        if let known = all.first(where: { $0.group == group }) { return known }
        let members = Members(group)
        all.append(members)
        return members
    }
}
