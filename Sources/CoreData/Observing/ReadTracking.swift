import FoundationGaps
import Observation
import Synchronization

/// Managed objects take part in Swift's Observation: what `withObservationTracking` reads of them is watched, property
/// by property, and nothing else.
///
/// ```swift
/// withObservationTracking {
///     label.text = player.name
/// } onChange: {
///     scheduleRedraw()
/// }
/// ```
///
/// This holds for objects of contexts that say so (``NSManagedObjectContext/tracksObservedReads``): those of the main
/// queue do. Changes by accessors are told, of the other side of a relationship, by undoing, refreshing, merging and
/// rolling back.
///
/// Refreshing, merging and rolling back are told of attributes and to-one relationships that they change, once the
/// values have changed. A to-many relationship is told of whenever its object is refreshed.
///
/// `NSManagedObject` itself does not conform to `Observable`, so that a class may: `extension Player: Observable {}`.
extension NSManagedObjectContext {
    /// Whether Swift's Observation is told what is read of this context's objects. True for contexts of the main queue,
    /// unless it is set otherwise; then every read costs some ten nanoseconds more.
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
    /// What the properties were when the object last changed as a whole: it may have been a fault ever since. By index.
    private var lastValues: [Int: Slot] = [:]

    /// A property as Observation knows it; which one is all that matters.
    private subscript(observed name: String) -> Bool { true }

    fileprivate func noteRead(of name: String, by object: NSManagedObject) {
        registrar.access(self, keyPath: path(to: name, of: object))
    }

    /// The key path of a property. Its changes are told from then on.
    private func path(to name: String, of object: NSManagedObject) -> KeyPath<TrackedReads, Bool> {
        if let known = paths[name] { return known }
        let path = \TrackedReads[observed: name]
        paths[name] = path
        let registrar = registrar
        object.watch(
            KeyWatcher(
                key: name, takesWholeChanges: false,
                will: { [self] _ in registrar.willSet(self, keyPath: path) },
                did: { [self] _ in registrar.didSet(self, keyPath: path) }))
        return path
    }

    // MARK: Changes of the whole object

    /// The values of the tracked properties, by index, as far as they are known.
    func values(of object: NSManagedObject) -> [Int: Slot] {
        var values: [Int: Slot] = [:]
        for slot in trackedSlots(of: object) {
            values[slot.index] =
                object.state.contains(.realized) ? object.comparableValue(slot) : lastValues[slot.index]
        }
        return values
    }

    /// Tells of the tracked properties that have other values now, and of those that can't be compared.
    func tellDifferences(from before: [Int: Slot], of object: NSManagedObject) {
        for slot in trackedSlots(of: object) {
            let now = object.comparableValue(slot)
            lastValues[slot.index] = now
            if let now, let old = before[slot.index], now.isEqual(to: old) { continue }
            guard let path = paths[slot.name] else { continue }
            registrar.willSet(self, keyPath: path)
            registrar.didSet(self, keyPath: path)
        }
    }

    private func trackedSlots(of object: NSManagedObject) -> [PropertySlot] {
        paths.keys.sorted().compactMap { object.layout.slot(named: $0) }
    }
}

extension NSManagedObject {
    /// The value of an attribute or a to-one relationship now, without firing a fault; nil where it can't be compared
    /// or read.
    fileprivate func comparableValue(_ slot: PropertySlot) -> Slot? {
        switch slot.kind {
        case .toMany, .orderedToMany, .fetched, .composite, .undefined: return nil
        default: if slot.isExternal { return nil }
        }
        if state.contains(.realized) { return current(slot) }
        let changed = changedValue(slot.index)
        if !changed.isUnset { return changed }
        guard slot.isStoredInRow, !state.contains(.partial),
            let row = snapshot ?? contextStorage?.readableRow(of: self)
        else { return nil }
        let own = snapshot
        defer { snapshot = own }
        snapshot = row
        return snapshotValue(slot)
    }
}

extension NSManagedObjectContext {
    /// The row that a fault would get; nil where there is none, or it can't be read now. A parent is not asked: it may
    /// be waiting.
    fileprivate func readableRow(of object: NSManagedObject) -> RowSnapshot? {
        guard !object.reference.isTemporary, parentContext == nil else { return nil }
        return try? source.row(for: object.reference, oldestRow)
    }
}

/// Finds out whether any code tracks reads right now, which Observation doesn't say: a read of this object is told to
/// it, and code that tracks asks for the hash of what was read.
private final class ReadDetector: Observable, Sendable {
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
