import Observation
import Synchronization

/// What Observation was told of one object. Used on the queue of the object's context only.
final class TrackedReads: Observable {
    private let registrar = ObservationRegistrar()
    private var paths: [String: KeyPath<TrackedReads, Bool>] = [:]
    /// What the properties were when the object last changed as a whole: it may have been a fault ever since. By index.
    var lastValues: [Int: Slot] = [:]

    /// A property as Observation knows it; which one is all that matters.
    private subscript(observed name: String) -> Bool { true }

    /// The names of the properties that were read, in order.
    var names: [String] { paths.keys.sorted() }

    /// Tells Observation that a property is read.
    ///
    /// - Parameter watch: Has the object tell a watcher of its changes.
    func access(_ name: String, watch: (KeyWatcher) -> Void) {
        registrar.access(self, keyPath: path(to: name, watch))
    }

    /// Tells Observation that a property has changed.
    func tellChange(of name: String) {
        guard let path = paths[name] else { return }
        registrar.willSet(self, keyPath: path)
        registrar.didSet(self, keyPath: path)
    }

    /// The key path of a property, whose changes are told from then on.
    private func path(to name: String, _ watch: (KeyWatcher) -> Void) -> KeyPath<TrackedReads, Bool> {
        if let known = paths[name] { return known }
        let path = \TrackedReads[observed: name]
        paths[name] = path
        let registrar = registrar
        watch(
            KeyWatcher(
                key: name, takesWholeChanges: false,
                will: { [self] _ in registrar.willSet(self, keyPath: path) },
                did: { [self] _ in registrar.didSet(self, keyPath: path) }))
        return path
    }
}

/// Finds out whether any code tracks reads right now, which Observation doesn't say: a read of this object is told to
/// it, and code that tracks asks for the hash of what was read.
final class ReadDetector: Observable, Sendable {
    static let shared = ReadDetector()

    private let registrar = ObservationRegistrar()
    private let hashings = Atomic<Int>(0)
    private static let path = \ReadDetector[Bait()]

    /// False only if no code tracks on this thread. If code on another thread tracks, this is true: it costs time and
    /// does no harm.
    var isAnythingTracked: Bool {
        let before = hashings.load(ordering: .relaxed)
        registrar.access(self, keyPath: ReadDetector.path)
        return hashings.load(ordering: .relaxed) != before
    }

    private subscript(_ bait: Bait) -> Bool { true }

    private struct Bait: Hashable {
        func hash(into hasher: inout Hasher) { ReadDetector.shared.hashings.add(1, ordering: .relaxed) }
    }
}
