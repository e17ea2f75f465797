/// The changes between one change notification of a context and the next: each such event ends with its notification.
struct ChangeEvents<Object: AnyObject & Hashable> {
    /// What changed since pending changes were processed.
    var objects: ContiguousArray<Object> = []
    /// Counts the events. It never goes back: objects remember in which event they changed.
    var number: UInt64 = 1
    /// The event whose notification is being posted.
    var notifying: UInt64?
    /// What the last change notification told, for the save's to take over.
    var notified = NotifiedChanges<Object>()

    /// The event that objects tell about: the one whose notification is being posted, else the one under way.
    var visible: UInt64 { notifying ?? number }

    /// Ends the event under way without a notification.
    mutating func reset() { (objects, notified) = ([], NotifiedChanges()) }
}
