import Synchronization

/// Numbers that no two threads get both.
final class Counter: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
