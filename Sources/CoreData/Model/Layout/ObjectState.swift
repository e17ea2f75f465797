import FoundationGaps

/// Where an object stands in its life.
struct ObjectState: OptionSet {
    let rawValue: UInt32

    /// Its values have been asked for: it is no fault any longer.
    static let realized = ObjectState(rawValue: 1 << 0)
    static let inserted = ObjectState(rawValue: 1 << 1)
    static let updated = ObjectState(rawValue: 1 << 2)
    static let deleted = ObjectState(rawValue: 1 << 3)
    /// Its context holds it strongly, in the list of changed objects.
    static let tracked = ObjectState(rawValue: 1 << 4)
    /// It is in the list of what changed since pending changes were processed.
    static let inEvent = ObjectState(rawValue: 1 << 5)
    /// Its delete rules have run.
    static let propagated = ObjectState(rawValue: 1 << 6)
    /// `awakeFromFetch` runs: changes do not count.
    static let awaking = ObjectState(rawValue: 1 << 7)
    /// It keeps its model alive, having no context that does.
    static let ownsModel = ObjectState(rawValue: 1 << 8)
    /// Its row is gone: all its values are nil.
    static let inaccessible = ObjectState(rawValue: 1 << 9)
    /// It is no object of any store: it finds out which properties a key path goes through (``KeyPathProbe``).
    static let probing = ObjectState(rawValue: 1 << 10)

    /// The object has observers: every change is told (``WatcherTable``).
    static let observed = ObjectState(rawValue: 1 << 11)

    /// No undo manager wants to know what it was before it changes.
    static let unrecorded = ObjectState(rawValue: 1 << 12)

    /// Every use is checked for being on the context's queue (``ConcurrencyDebug``).
    static let guarded = ObjectState(rawValue: 1 << 13)

    /// Swift's Observation is told of every read.
    static let tracksReads = ObjectState(rawValue: 1 << 14)

    /// A fault that has some values of its row, which are read without firing it: `row` is that part.
    static let partial = ObjectState(rawValue: 1 << 15)

    /// It was related to another object after one of the two had been deleted, and the delete rules had run.
    static let relatedLate = ObjectState(rawValue: 1 << 16)

    /// It is in no context, and may be related to others in none: it has a temporary key.
    static let loose = ObjectState(rawValue: 1 << 17)

    /// A change notification has told of its insertion: what changes before the save is an update.
    static let insertionNotified = ObjectState(rawValue: 1 << 18)

    /// `prepareForDeletion()` was called, and its deletion is under way.
    static let preparing = ObjectState(rawValue: 1 << 19)

    /// Its store, of an app's class, was told that the object is in use.
    static let registeredWithStore = ObjectState(rawValue: 1 << 20)

    /// The next change of a changed object need not be recorded for undo.
    static let fullyTracked: ObjectState = [.tracked, .inEvent, .unrecorded]
    static let changed: ObjectState = [.inserted, .updated, .deleted]
}
