/// The changes between one change notification of a context and the next: each such event ends with its notification.
struct ChangeEvents {
    /// What changed since pending changes were processed.
    var objects: ContiguousArray<NSManagedObject> = []
    /// Counts the events. It never goes back: objects remember in which event they changed.
    var number: UInt64 = 1
    /// The event of the notification that is being posted.
    var announcing: UInt64?
    /// What the last change notification told, for the save's to take over.
    var announced = AnnouncedChanges()

    /// The event that objects tell about: the one that a notification is being posted for, else the one under way.
    var visible: UInt64 { announcing ?? number }

    /// Ends the event under way without a notification.
    mutating func reset() { (objects, announced) = ([], AnnouncedChanges()) }
}
