import Foundation

/// What an undo manager that is used on the main queue posts besides each of its notifications: a typed message.
///
/// ```swift
/// let token = NotificationCenter.default.addObserver(of: undoManager, for: .didUndoChange) { message in
///     // On the main actor, while undo() is running still.
/// }
/// ```
///
/// Each follows the notification of the same name, with the manager as its subject. Foundation on Linux makes no messages of
/// notifications, and no notifications of messages: what other code posts in a manager's name reaches the observers of just
/// that kind.
extension UndoManager {
    /// A group is about to be opened in another, or closed, or it is asked what can be undone or redone: changes that are yet to
    /// be registered should be registered now.
    public struct CheckpointMessage: NotificationCenter.MainActorMessage, Sendable {
        public typealias Subject = UndoManager

        public init() {}
    }

    /// A group was opened.
    public struct DidOpenUndoGroupMessage: NotificationCenter.MainActorMessage, Sendable {
        public typealias Subject = UndoManager

        public init() {}
    }

    /// A group is about to be closed.
    public struct WillCloseUndoGroupMessage: NotificationCenter.MainActorMessage, Sendable {
        public typealias Subject = UndoManager

        public init() {}
    }

    /// A group was closed.
    public struct DidCloseUndoGroupMessage: NotificationCenter.MainActorMessage, Sendable {
        public typealias Subject = UndoManager

        /// Whether losing what the group undoes would be no loss.
        public var groupIsDiscardable: Bool

        public init(groupIsDiscardable: Bool) { self.groupIsDiscardable = groupIsDiscardable }
    }

    /// A group is about to be undone.
    public struct WillUndoChangeMessage: NotificationCenter.MainActorMessage, Sendable {
        public typealias Subject = UndoManager

        public init() {}
    }

    /// A group was undone.
    public struct DidUndoChangeMessage: NotificationCenter.MainActorMessage, Sendable {
        public typealias Subject = UndoManager

        /// Whether losing what was undone would be no loss.
        public var groupIsDiscardable: Bool

        public init(groupIsDiscardable: Bool) { self.groupIsDiscardable = groupIsDiscardable }
    }

    /// A group is about to be redone.
    public struct WillRedoChangeMessage: NotificationCenter.MainActorMessage, Sendable {
        public typealias Subject = UndoManager

        public init() {}
    }

    /// A group was redone.
    public struct DidRedoChangeMessage: NotificationCenter.MainActorMessage, Sendable {
        public typealias Subject = UndoManager

        /// Whether losing what was redone would be no loss.
        public var groupIsDiscardable: Bool

        public init(groupIsDiscardable: Bool) { self.groupIsDiscardable = groupIsDiscardable }
    }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.CheckpointMessage> {
    /// Names ``UndoManager/CheckpointMessage`` to code that observes it.
    public static var checkpoint: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.DidOpenUndoGroupMessage> {
    /// Names ``UndoManager/DidOpenUndoGroupMessage`` to code that observes it.
    public static var didOpenUndoGroup: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.WillCloseUndoGroupMessage> {
    /// Names ``UndoManager/WillCloseUndoGroupMessage`` to code that observes it.
    public static var willCloseUndoGroup: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.DidCloseUndoGroupMessage> {
    /// Names ``UndoManager/DidCloseUndoGroupMessage`` to code that observes it.
    public static var didCloseUndoGroup: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.WillUndoChangeMessage> {
    /// Names ``UndoManager/WillUndoChangeMessage`` to code that observes it.
    public static var willUndoChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.DidUndoChangeMessage> {
    /// Names ``UndoManager/DidUndoChangeMessage`` to code that observes it.
    public static var didUndoChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.WillRedoChangeMessage> {
    /// Names ``UndoManager/WillRedoChangeMessage`` to code that observes it.
    public static var willRedoChange: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<UndoManager.DidRedoChangeMessage> {
    /// Names ``UndoManager/DidRedoChangeMessage`` to code that observes it.
    public static var didRedoChange: Self { .init() }
}
