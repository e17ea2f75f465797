import Synchronization

/// Hands out the keys of unsaved objects, unique in the process.
enum TemporaryKeys {
    private static let last = Atomic<Int64>(0)
    static func next() -> Int64 { -last.add(1, ordering: .relaxed).newValue }
}
