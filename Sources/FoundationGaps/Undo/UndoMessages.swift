import Foundation

/// What an undo manager that is used on the main queue posts besides each of its notifications: a typed message.
///
/// ```swift
/// let token = NotificationCenter.default.addObserver(of: undoManager, for: .didUndoChange) { message in
///     // On the main actor, while undo() is running still.
/// }
/// ```
///
/// Each follows the notification of the same name, with the manager as its subject. Foundation on Linux makes no
/// messages of notifications, and no notifications of messages: what other code posts in a manager's name reaches the
/// observers of just that kind.
extension UndoManager {
    /// The message after `NSUndoManagerCheckpoint`: code that registers changes late must register them now.
    ///
    /// The manager posts it before a nested group opens, before a group closes, before an undo or a redo, and when
    /// ``UndoManager/canRedo`` is read. A Core Data context processes its pending changes at the notification.
    public struct CheckpointMessage: NotificationCenter.MainActorMessage, Sendable {
        /// What posts the message.
        public typealias Subject = UndoManager

        /// Makes the message. The manager does so; tests may post one themselves.
        public init() {}
    }

    /// The message after `NSUndoManagerDidOpenUndoGroup`: a group was opened.
    ///
    /// That happens in ``UndoManager/beginUndoGrouping()``, at an event's first change, and once in each undo and redo.
    public struct DidOpenUndoGroupMessage: NotificationCenter.MainActorMessage, Sendable {
        /// What posts the message.
        public typealias Subject = UndoManager

        /// Makes the message. The manager does so; tests may post one themselves.
        public init() {}
    }

    /// The message after `NSUndoManagerWillCloseUndoGroup`: a group is about to be closed.
    ///
    /// This is the last chance to register an action in the group, or to name it by ``UndoManager/setActionName(_:)``.
    public struct WillCloseUndoGroupMessage: NotificationCenter.MainActorMessage, Sendable {
        /// What posts the message.
        public typealias Subject = UndoManager

        /// Makes the message. The manager does so; tests may post one themselves.
        public init() {}
    }

    /// The message after `NSUndoManagerDidCloseUndoGroup`: a group was closed.
    ///
    /// A window can show here that its document has changes to save:
    ///
    /// ```swift
    /// let token = NotificationCenter.default.addObserver(of: undoManager, for: .didCloseUndoGroup) { message in
    ///     if !message.groupIsDiscardable { scheduleRedraw() }
    /// }
    /// ```
    public struct DidCloseUndoGroupMessage: NotificationCenter.MainActorMessage, Sendable {
        /// What posts the message.
        public typealias Subject = UndoManager

        /// Whether the closed group was marked by ``UndoManager/setActionIsDiscardable(_:)``.
        public var groupIsDiscardable: Bool

        /// Makes the message. The manager does so; tests may post one themselves.
        public init(groupIsDiscardable: Bool) { self.groupIsDiscardable = groupIsDiscardable }
    }

    /// The message after `NSUndoManagerWillUndoChange`: a group is about to be undone.
    ///
    /// ``UndoManager/isUndoing`` is still false.
    public struct WillUndoChangeMessage: NotificationCenter.MainActorMessage, Sendable {
        /// What posts the message.
        public typealias Subject = UndoManager

        /// Makes the message. The manager does so; tests may post one themselves.
        public init() {}
    }

    /// The message after `NSUndoManagerDidUndoChange`: a group was undone. Update menus and the selection here.
    ///
    /// ``UndoManager/isUndoing`` is false again. A Core Data context may still have pending changes from the undo.
    public struct DidUndoChangeMessage: NotificationCenter.MainActorMessage, Sendable {
        /// What posts the message.
        public typealias Subject = UndoManager

        /// Whether the undone group was marked by ``UndoManager/setActionIsDiscardable(_:)``.
        public var groupIsDiscardable: Bool

        /// Makes the message. The manager does so; tests may post one themselves.
        public init(groupIsDiscardable: Bool) { self.groupIsDiscardable = groupIsDiscardable }
    }

    /// The message after `NSUndoManagerWillRedoChange`: a group is about to be redone.
    ///
    /// ``UndoManager/isRedoing`` is still false.
    public struct WillRedoChangeMessage: NotificationCenter.MainActorMessage, Sendable {
        /// What posts the message.
        public typealias Subject = UndoManager

        /// Makes the message. The manager does so; tests may post one themselves.
        public init() {}
    }

    /// The message after `NSUndoManagerDidRedoChange`: a group was redone. Update menus and the selection here.
    ///
    /// ``UndoManager/isRedoing`` is false again. A Core Data context may still have pending changes from the redo.
    public struct DidRedoChangeMessage: NotificationCenter.MainActorMessage, Sendable {
        /// What posts the message.
        public typealias Subject = UndoManager

        /// Whether the redone group was marked by ``UndoManager/setActionIsDiscardable(_:)``.
        public var groupIsDiscardable: Bool

        /// Makes the message. The manager does so; tests may post one themselves.
        public init(groupIsDiscardable: Bool) { self.groupIsDiscardable = groupIsDiscardable }
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.CheckpointMessage> {
    /// Names ``UndoManager/CheckpointMessage`` to code that observes it.
    ///
    /// Pass it to `addObserver(of:for:)`. The observer runs on the main actor, while the manager waits.
    public static var checkpoint: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.DidOpenUndoGroupMessage> {
    /// Names ``UndoManager/DidOpenUndoGroupMessage`` to code that observes it.
    ///
    /// Pass it to `addObserver(of:for:)`. The observer runs on the main actor, while the manager waits.
    public static var didOpenUndoGroup: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.WillCloseUndoGroupMessage> {
    /// Names ``UndoManager/WillCloseUndoGroupMessage`` to code that observes it.
    ///
    /// Pass it to `addObserver(of:for:)`. The observer runs on the main actor, before the group closes.
    public static var willCloseUndoGroup: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.DidCloseUndoGroupMessage> {
    /// Names ``UndoManager/DidCloseUndoGroupMessage`` to code that observes it.
    ///
    /// Pass it to `addObserver(of:for:)`. The observer runs on the main actor, while the manager waits.
    public static var didCloseUndoGroup: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.WillUndoChangeMessage> {
    /// Names ``UndoManager/WillUndoChangeMessage`` to code that observes it.
    ///
    /// Pass it to `addObserver(of:for:)`. The observer runs on the main actor, before any action is undone.
    public static var willUndoChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.DidUndoChangeMessage> {
    /// Names ``UndoManager/DidUndoChangeMessage`` to code that observes it.
    ///
    /// Pass it to `addObserver(of:for:)`. The observer runs on the main actor, after the last action was undone.
    public static var didUndoChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.WillRedoChangeMessage> {
    /// Names ``UndoManager/WillRedoChangeMessage`` to code that observes it.
    ///
    /// Pass it to `addObserver(of:for:)`. The observer runs on the main actor, before any action is redone.
    public static var willRedoChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.DidRedoChangeMessage> {
    /// Names ``UndoManager/DidRedoChangeMessage`` to code that observes it.
    ///
    /// Pass it to `addObserver(of:for:)`. The observer runs on the main actor, after the last action was redone.
    public static var didRedoChange: Self { .init() }
}
