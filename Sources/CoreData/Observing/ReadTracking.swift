import FoundationGaps
import Observation
import Synchronization

/// Managed objects take part in Swift's Observation: what `withObservationTracking` reads of them is watched, property by
/// property, and nothing else.
///
/// ```swift
/// withObservationTracking {
///     label.text = player.name
/// } onChange: {
///     scheduleRedraw()
/// }
/// ```
///
/// This holds for objects of contexts that say so (``NSManagedObjectContext/tracksObservedReads``): those of the main queue
/// do. Changes by accessors are told, of the other side of a relationship, by undoing, refreshing, merging and rolling back.
///
/// `NSManagedObject` itself does not conform to `Observable`, so that a class may: `extension Player: Observable {}`.
extension NSManagedObjectContext {
    /// Whether Swift's Observation is told what is read of this context's objects. True for contexts of the main queue, unless it is
    /// set otherwise; then every read costs some ten nanoseconds more.
    public var tracksObservedReads: Bool {
        get { tracksReads }
        set {
            tracksReads = newValue
            for object in uniquing.objects { object.adoptTracking(of: self) }
        }
    }
}

extension NSManagedObject {
    /// Takes over from its context whether reads are told.
    @inline(__always)
    func adoptTracking(of context: NSManagedObjectContext) {
        if context.tracksReads { state.insert(.tracksReads) } else { state.remove(.tracksReads) }
    }

    /// Tells Observation that a property is read, if that is to be told.
    @inline(__always)
    func noteRead(_ index: Int) { if state.contains(.tracksReads) { trackRead(index) } }

    @inline(never)
    private func trackRead(_ index: Int) {
        guard ReadDetector.shared.isAnythingTracked else { return }
        trackedReads.noteRead(of: layout.slots[index].name, by: self)
    }

    private var trackedReads: TrackedReads {
        let watchers = WatcherTable.shared.watchers(of: self)
        if let known = watchers.trackedReads { return known }
        let new = TrackedReads()
        watchers.trackedReads = new
        return new
    }
}

/// What Observation was told of one object. Used on the queue of the object's context only.
final class TrackedReads: Observable {
    private let registrar = ObservationRegistrar()
    private var paths: [String: KeyPath<TrackedReads, Bool>] = [:]

    /// A property as Observation knows it; which one is all that matters.
    private subscript(observed name: String) -> Bool { true }

    fileprivate func noteRead(of name: String, by object: NSManagedObject) {
        registrar.access(self, keyPath: path(to: name, of: object))
    }

    /// The key path of a property, whose changes are told from then on.
    private func path(to name: String, of object: NSManagedObject) -> KeyPath<TrackedReads, Bool> {
        if let known = paths[name] { return known }
        let path = \TrackedReads[observed: name]
        paths[name] = path
        let registrar = registrar
        object.watch(
            KeyWatcher(
                key: name,
                will: { [self] _ in registrar.willSet(self, keyPath: path) },
                did: { [self] _ in registrar.didSet(self, keyPath: path) }))
        return path
    }
}

/// Finds out whether anybody tracks reads right now, which Observation doesn't say: a read of this object is told to it, and
/// who tracks asks for the hash of what was read.
private final class ReadDetector: Observable, Sendable {
    static let shared = ReadDetector()

    private let registrar = ObservationRegistrar()
    private let hashings = Atomic<Int>(0)
    private static let path = \ReadDetector[Bait()]

    /// False only if nobody tracks on this thread. On another thread somebody may: that costs time, and tells nothing wrong.
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
