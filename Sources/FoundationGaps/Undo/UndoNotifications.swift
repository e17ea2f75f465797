import Foundation

/// The order, on Apple's systems, of closing an event's group among the tasks at the end of a run loop's turn.
///
/// It is here so that code compiles. The manager on Linux does not use it, as run loops there have no order of tasks.
public let NSUndoCloseGroupingRunLoopOrdering = 350_000

/// The key in the `userInfo` of `NSUndoManagerWillCloseUndoGroup` for a group that was marked discardable.
///
/// The value is an `NSNumber` that is true. The `userInfo` is nil for any other group. See
/// ``UndoManager/setActionIsDiscardable(_:)``.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// The notifications of ``UndoManager``. It posts them on the thread that called it; the object is the manager.
///
/// ```swift
/// let token = NotificationCenter.default.addObserver(
///     forName: .NSUndoManagerDidUndoChange, object: undoManager, queue: nil
/// ) { _ in scheduleRedraw() }
/// ```
///
/// Observers run at once, while the manager waits for them. Pass the manager as `object`, or the notifications of all
/// managers arrive.
extension NSNotification.Name {
    /// Changes that are not registered yet must be registered now.
    ///
    /// The manager posts it before a nested group opens, before a group closes, before an undo or a redo, and when
    /// ``UndoManager/canRedo`` is read. A Core Data context processes its pending changes at it. An observer must not
    /// change the manager's groups.
    public static let NSUndoManagerCheckpoint = NSNotification.Name("NSUndoManagerCheckpointNotification")
    /// A group was opened: by ``UndoManager/beginUndoGrouping()``, at an event's first change, or by an undo or a redo.
    public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    /// A group is about to be closed. It is the last chance to register an action in the group, or to name it.
    ///
    /// For a discardable group, the `userInfo` has the key ``NSUndoManagerGroupIsDiscardableKey``.
    public static let NSUndoManagerWillCloseUndoGroup = NSNotification.Name(
        "NSUndoManagerWillCloseUndoGroupNotification")
    /// A group was closed. A document usually has a change to save then.
    ///
    /// The group may be empty, or nested in another one. Each undo and redo posts it too.
    public static let NSUndoManagerDidCloseUndoGroup = NSNotification.Name("NSUndoManagerDidCloseUndoGroupNotification")
    /// A group is about to be undone. ``UndoManager/isUndoing`` is still false. Not posted if there is nothing to undo.
    public static let NSUndoManagerWillUndoChange = NSNotification.Name("NSUndoManagerWillUndoChangeNotification")
    /// A group was undone. ``UndoManager/isUndoing`` is false again. Update menus and the selection here.
    public static let NSUndoManagerDidUndoChange = NSNotification.Name("NSUndoManagerDidUndoChangeNotification")
    /// A group is about to be redone. ``UndoManager/isRedoing`` is still false. Not posted if there is nothing to redo.
    public static let NSUndoManagerWillRedoChange = NSNotification.Name("NSUndoManagerWillRedoChangeNotification")
    /// A group was redone. ``UndoManager/isRedoing`` is false again. Update menus and the selection here.
    public static let NSUndoManagerDidRedoChange = NSNotification.Name("NSUndoManagerDidRedoChangeNotification")
}
