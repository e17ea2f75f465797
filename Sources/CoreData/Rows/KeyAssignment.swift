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

    // Extended for each new object of a save. Exclusive access is not checked at run time: extending a run, and
    // appending one, run no other code.
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
