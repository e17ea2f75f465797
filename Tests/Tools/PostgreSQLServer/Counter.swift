import Synchronization

/// Numbers that no two threads get both.
final class Counter: Sendable {
    private let last = Atomic<Int>(0)

    /// The number that was given last.
    var count: Int { last.load(ordering: .relaxed) }

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
