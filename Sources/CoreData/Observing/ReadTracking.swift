import FoundationGaps
import Observation

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
    /// Whether reads of this context's objects are told to Swift's Observation. True for contexts of the main queue.
    ///
    /// ```swift
    /// background.tracksObservedReads = true       // a view model on its own queue reads these objects
    /// ```
    ///
    /// With false, `withObservationTracking` sees no reads of the objects, and is not told of their changes. With true,
    /// every read costs some ten nanoseconds more.
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
        trackedReads.access(layout.slots[index].name) { watch($0) }
    }

    private var trackedReads: TrackedReads {
        let watchers = WatcherTable.shared.watchers(of: self)
        if let known = watchers.trackedReads { return known }
        let new = TrackedReads()
        watchers.trackedReads = new
        return new
    }

    // MARK: Changes of the whole object

    /// The values of the tracked properties, by index, as far as they are known.
    func trackedValues(_ reads: TrackedReads) -> [Int: Slot] {
        var values: [Int: Slot] = [:]
        for slot in trackedSlots(reads) {
            values[slot.index] = state.contains(.realized) ? comparableValue(slot) : reads.lastValues[slot.index]
        }
        return values
    }

    /// Tells of the tracked properties that have other values now, and of those that can't be compared.
    func tellDifferences(_ reads: TrackedReads, from before: [Int: Slot]) {
        for slot in trackedSlots(reads) {
            let now = comparableValue(slot)
            reads.lastValues[slot.index] = now
            if let now, let old = before[slot.index], now.isEqual(to: old) { continue }
            reads.tellChange(of: slot.name)
        }
    }

    private func trackedSlots(_ reads: TrackedReads) -> [PropertySlot] {
        reads.names.compactMap { layout.slot(named: $0) }
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
