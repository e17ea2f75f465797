import Foundation

/// Records how changes are taken back, and takes them back, step by step; Foundation on Linux has none.
///
/// Code that changes something registers an action that undoes it. Actions are collected in groups: what one
/// event did is undone together. While actions are undone, the actions that they register in turn are what redoing does.
///
/// ```swift
/// final class Editor {
///     let undoManager = UndoManager()
///
///     func rename(_ team: Team, to name: String?) {
///         let old = team.name
///         undoManager.registerUndo(withTarget: self) { $0.rename(team, to: old) }
///         undoManager.setActionName("Rename")
///         team.name = name
///     }
/// }
/// ```
///
/// An *event* is a turn of the run loop, a turn of the main queue where there is no run loop, or a `perform` block of
/// a Core Data context. On a thread that has none of these the group stays open until ``undo()``.
///
/// A manager belongs to one thread, or one queue, at a time. It posts notifications there, and on the main queue a typed
/// message (``CheckpointMessage`` and so on) after each. Not there: `registerUndo(withTarget:selector:object:)` and
/// `prepare(withInvocationTarget:)`, for without Objective-C neither a method's name nor a recorded message can be called, and
/// `setActionName(_: LocalizedStringResource?)`, whose type Linux lacks.
open class UndoManager: NSObject {
    private(set) var stacks = UndoStacks()
    private var disablings = 0
    private lazy var events = UndoEvents(self)

    // MARK: Groups

    /// Whether groups are opened by themselves and closed at the end of the event; true unless it is changed.
    ///
    /// Without that a group must be open before anything is registered.
    open var groupsByEvent = true

    /// How many groups are kept for undoing, and for redoing; 0: any number. The oldest go first.
    open var levelsOfUndo = 0 {
        didSet { stacks.trim(to: levelsOfUndo) }
    }

    /// The run loop's modes in whose turns the group of an event ends.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    /// How many groups are open, one in the other.
    open var groupingLevel: Int { stacks.open.count }

    /// Opens a group, in the one that is open; undoing takes a whole group back.
    ///
    /// With ``groupsByEvent`` the event's own group is opened around it first. Posts `NSUndoManagerCheckpoint`, unless the
    /// group is a top-level one, then `NSUndoManagerDidOpenUndoGroup`.
    open func beginUndoGrouping() {
        openEventGroupIfNeeded()
        if groupingLevel > 0 { postCheckpoint() }
        open(UndoGroup())
    }

    /// Closes the group that was opened last. Traps if none is open.
    ///
    /// Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillCloseUndoGroup`, then `NSUndoManagerDidCloseUndoGroup`.
    open func endUndoGrouping() {
        postCheckpoint()
        guard let group = stacks.open.last else {
            preconditionFailure("endUndoGrouping() was called with no group open; call beginUndoGrouping() first.")
        }
        postWillClose(group)
        stacks.close(levels: levelsOfUndo)
        post(.NSUndoManagerDidCloseUndoGroup, DidCloseUndoGroupMessage(groupIsDiscardable: group.isDiscardable))
    }

    /// Ends the group that the event opened, as the end of the event does.
    package func endEvent() {
        if groupingLevel == 1, stacks.open[0].isEvents, !isUndoing, !isRedoing { endUndoGrouping() }
    }

    // MARK: Registering

    /// Whether actions that are registered are kept.
    open var isUndoRegistrationEnabled: Bool { disablings == 0 }

    /// Lets what is registered from now on be forgotten, until ``enableUndoRegistration()`` has been called as often.
    open func disableUndoRegistration() { disablings += 1 }

    /// Balances ``disableUndoRegistration()``. Traps where there is nothing to balance.
    open func enableUndoRegistration() {
        precondition(
            disablings > 0, "enableUndoRegistration() was called without a disableUndoRegistration() before it.")
        disablings -= 1
    }

    /// Registers how a change is undone. What could be redone until now can't be any longer.
    ///
    /// Traps without an open group where ``groupsByEvent`` is off.
    ///
    /// - Parameters:
    ///   - target: Whose change it is; held weakly. The action of a target that is gone does nothing (Apple's manager must be
    ///     told: `removeAllActions(withTarget:)`).
    ///   - handler: Undoes the change; called with the target.
    open func registerUndo<TargetType>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) where TargetType: AnyObject {
        guard isUndoRegistrationEnabled else { return }
        openEventGroupIfNeeded()
        precondition(
            groupingLevel > 0,
            "Undo was registered with no group open and groupsByEvent off; call beginUndoGrouping() before the change.")
        stacks.add(UndoAction(target, handler), clearsRedo: !isUndoing && !isRedoing)
    }

    // MARK: Undoing

    /// Whether actions are being undone.
    open private(set) var isUndoing = false
    /// Whether actions are being redone.
    open private(set) var isRedoing = false

    /// Whether there is anything to undo; open groups may have to be closed before.
    open var canUndo: Bool { stacks.canUndo }

    /// Whether there is anything to redo.
    ///
    /// Posts `NSUndoManagerCheckpoint` first: changes that are yet to be registered make redoing impossible.
    open var canRedo: Bool {
        postCheckpoint()
        return !stacks.redo.isEmpty
    }

    /// How often ``undo()`` finds something to undo.
    open var undoCount: Int { stacks.undoCount }

    /// How often ``redo()`` finds something to redo.
    open var redoCount: Int { stacks.redo.count }

    /// Undoes the last top-level group, which is closed before if it is open. Does nothing where there is nothing to undo.
    ///
    /// Traps if a group is open inside another one.
    open func undo() {
        postCheckpoint()
        if groupingLevel == 1 { endUndoGrouping() }
        precondition(
            groupingLevel == 0,
            "undo() was called with \(groupingLevel) groups open; close them with endUndoGrouping(), or call undoNestedGroup()."
        )
        undoNestedGroup()
    }

    /// Undoes the last closed group, of the group that is open if one is.
    ///
    /// Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillUndoChange` before, `NSUndoManagerDidUndoChange` after.
    open func undoNestedGroup() {
        postCheckpoint()
        precondition(!isUndoing && !isRedoing, "An action that is being undone can't call undo().")
        guard let group = stacks.takeLastClosed() else { return }
        post(.NSUndoManagerWillUndoChange, WillUndoChangeMessage())
        isUndoing = true
        stacks.pushRedo(perform(group), levels: levelsOfUndo)
        isUndoing = false
        post(.NSUndoManagerDidUndoChange, DidUndoChangeMessage(groupIsDiscardable: group.isDiscardable))
    }

    /// Does again what was undone last. Does nothing where there is nothing to redo.
    ///
    /// Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillRedoChange` before, `NSUndoManagerDidRedoChange` after.
    open func redo() {
        postCheckpoint()
        precondition(!isUndoing && !isRedoing, "An action that is being undone or redone can't call redo().")
        guard let group = stacks.takeRedo() else { return }
        post(.NSUndoManagerWillRedoChange, WillRedoChangeMessage())
        isRedoing = true
        stacks.pushUndo(perform(group), levels: levelsOfUndo)
        isRedoing = false
        post(.NSUndoManagerDidRedoChange, DidRedoChangeMessage(groupIsDiscardable: group.isDiscardable))
    }

    /// Forgets all actions, and lets new ones be registered again.
    open func removeAllActions() {
        stacks.removeAll()
        disablings = 0
    }

    /// Forgets the actions of a target.
    open func removeAllActions(withTarget target: Any) {
        stacks.removeAll(of: ObjectIdentifier(target as AnyObject))
    }

    // MARK: Names

    /// Names what the open group undoes, for menus: "Rename". An empty name takes the name away.
    open func setActionName(_ actionName: String) { currentGroup?.actionName = actionName }

    /// The name of what ``undo()`` undoes; empty if it has none.
    open var undoActionName: String { stacks.nextUndo?.actionName ?? "" }

    /// The name of what ``redo()`` does again; empty if it has none.
    open var redoActionName: String { stacks.redo.last?.actionName ?? "" }

    /// The title of a menu's item for undoing.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The title of a menu's item for redoing.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title of a menu's item for undoing what has a name. Override it for another language than English.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of a menu's item for redoing what has a name. Override it for another language than English.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    // MARK: What goes with a group

    /// Says whether losing the changes of the open group would be no loss, so that an app need not ask whether to save them.
    open func setActionIsDiscardable(_ discardable: Bool) { currentGroup?.isDiscardable = discardable }

    /// Whether losing what ``undo()`` undoes would be no loss.
    open var undoActionIsDiscardable: Bool { stacks.nextUndo?.isDiscardable ?? false }

    /// Whether losing what ``redo()`` does again would be no loss.
    open var redoActionIsDiscardable: Bool { stacks.redo.last?.isDiscardable ?? false }

    /// Keeps a value with the open group; nil takes it away.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) { currentGroup?.userInfo[key] = info }

    /// A value that was kept with what ``undo()`` undoes.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { stacks.nextUndo?.userInfo[key] }

    /// A value that was kept with what ``redo()`` does again.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { stacks.redo.last?.userInfo[key] }

    /// The name of a value that is kept with a group.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    // MARK: How

    /// The group that names and flags are for: the outermost open one, that of this event, or the last that was closed.
    private var currentGroup: UndoGroup? {
        if isUndoRegistrationEnabled { openEventGroupIfNeeded() }
        return stacks.open.first ?? stacks.undo.last
    }

    private func openEventGroupIfNeeded() {
        guard groupsByEvent, groupingLevel == 0 else { return }
        open(UndoGroup(isEvents: true))
        events.scheduleEnd()
    }

    private func open(_ group: UndoGroup) {
        stacks.open.append(group)
        post(.NSUndoManagerDidOpenUndoGroup, DidOpenUndoGroupMessage())
    }

    /// Runs the actions of a group, the last first.
    ///
    /// - Returns: What they registered meanwhile, under the group's name unless they gave another.
    private func perform(_ group: UndoGroup) -> UndoGroup {
        let outer = stacks.open
        stacks.open = []
        let inverse = UndoGroup()
        open(inverse)
        group.perform()
        postCheckpoint()
        precondition(
            groupingLevel == 1 && stacks.open[0] === inverse,
            "An action that was undone or redone left \(groupingLevel) groups open; balance beginUndoGrouping() and endUndoGrouping() in it."
        )
        inverse.inherit(from: group)
        postWillClose(inverse)
        stacks.open = outer
        post(.NSUndoManagerDidCloseUndoGroup, DidCloseUndoGroupMessage(groupIsDiscardable: inverse.isDiscardable))
        return inverse
    }

    private func postCheckpoint() { post(.NSUndoManagerCheckpoint, CheckpointMessage()) }

    private func postWillClose(_ group: UndoGroup) {
        let info = group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: NSNumber(value: true)] : nil
        post(.NSUndoManagerWillCloseUndoGroup, WillCloseUndoGroupMessage(), info)
    }

    /// Tells observers of the notification, and those of the typed message where there can be any: on the main actor.
    private func post<Message: NotificationCenter.MainActorMessage & Sendable>(
        _ name: NSNotification.Name, _ message: Message, _ info: [AnyHashable: Any]? = nil
    ) where Message.Subject == UndoManager {
        NotificationCenter.default.post(name: name, object: self, userInfo: info)
        guard UndoEvents.isMainQueue else { return }
        nonisolated(unsafe) let manager = self  // on its own queue, which is the main one
        MainActor.assumeIsolated { NotificationCenter.default.post(message, subject: manager) }
    }
}
