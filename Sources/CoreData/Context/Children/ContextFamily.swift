import FoundationGaps
import Synchronization

/// A context with its children and theirs, of which each has its own queue: which of them are there, and which
/// references their unsaved objects were given.
///
/// An unsaved object has the same temporary key in every context of the family. When the root gives it a permanent one
/// it says so here, and each context follows when it next has to do with its parent, or is asked for an object's ID.
final class ContextFamily<Context: AnyObject & Sendable>: Sendable {
    // Unchecked: an address to load a context from, under the lock.
    private struct Member: @unchecked Sendable {
        weak var context: Context?
        let id: ObjectIdentifier
        let parent: ObjectIdentifier
        /// How many promotions the member has followed.
        var followed: Int
    }

    private struct State {
        var members: [Member] = []
        /// The promotions that not all members have followed yet.
        var promotions: [KeyAssignment] = []
        /// How many have been forgotten since all had.
        var forgotten = 0
        /// How many promotions are kept at least.
        private static var kept: Int { 16 }

        /// Forgets the promotions that all members have followed, except the last ones: code may be about to ask for an
        /// object by the reference that it just had.
        mutating func forgetFollowed() {
            let all = forgotten + promotions.count
            let followed = min(members.map(\.followed).min() ?? all, all - Self.kept)
            guard !members.isEmpty else {
                promotions = []
                return forgotten = all
            }
            promotions.removeFirst(max(0, followed - forgotten))
            forgotten = max(forgotten, followed)
        }
    }

    private let promotionCount = Atomic<Int>(0)
    private let state = Mutex(State())

    // MARK: Members

    /// - Returns: How many promotions there have been: the child knows none of their objects.
    func join(_ child: Context, parent: Context) -> Int {
        state.withLock { state in
            let count = state.forgotten + state.promotions.count
            state.members.append(
                Member(
                    context: child, id: ObjectIdentifier(child), parent: ObjectIdentifier(parent), followed: count))
            return count
        }
    }

    func leave(_ child: ObjectIdentifier) {
        state.withLock { state in
            state.members.removeAll { $0.id == child }
            state.forgetFollowed()
        }
    }

    func children(of parent: Context) -> [Context] {
        let id = ObjectIdentifier(parent)
        return state.withLock { $0.members.compactMap { $0.parent == id ? $0.context : nil } }
    }

    // MARK: Promotions

    /// How many promotions there have been.
    var count: Int { promotionCount.load(ordering: .acquiring) }

    /// Tells the members which references unsaved objects have now.
    func promote(_ assignment: KeyAssignment) {
        guard !assignment.isEmpty else { return }
        state.withLock { state in
            if state.members.isEmpty { return }
            state.promotions.append(assignment)
            promotionCount.store(state.forgotten + state.promotions.count, ordering: .releasing)
        }
    }

    /// The promotions that a member has not followed, the first first; it follows them now.
    ///
    /// - Parameter followed: How many the member has followed; it is set to how many it has then.
    func follow(_ child: Context, followed: inout Int) -> [KeyAssignment] {
        let id = ObjectIdentifier(child)
        return state.withLock { state in
            guard let place = state.members.firstIndex(where: { $0.id == id }) else { return [] }
            let new = Array(state.promotions.dropFirst(state.members[place].followed - state.forgotten))
            state.members[place].followed = state.forgotten + state.promotions.count
            followed = state.members[place].followed
            state.forgetFollowed()
            return new
        }
    }

    /// What an unsaved object's reference became, as far as that is still known; nil: nothing.
    func promotion(of reference: ObjectReference) -> ObjectReference? {
        guard reference.isTemporary else { return nil }
        return state.withLock { state in
            state.promotions.lazy.compactMap { $0.replacement(of: reference) }.first
        }
    }
}
