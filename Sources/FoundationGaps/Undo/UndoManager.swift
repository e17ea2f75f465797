import Foundation

/// Records how changes are taken back, and takes them back, step by step. Foundation on Linux lacks this class.
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
/// Code that changes something registers an action that undoes the change. The manager collects actions in groups, and
/// ``undo()`` takes back one whole group. While a group is undone, its actions register actions in turn. The manager
/// keeps them for ``redo()``. In the example, `undo()` calls `rename` again, and this call registers the redo.
///
/// With ``groupsByEvent``, all changes of one *event* form one group. An event is one of these:
/// - a turn of the run loop;
/// - a turn of the main queue, where no run loop runs;
/// - a `perform` block of a Core Data context.
///
/// On a thread that has none of these, the group stays open until ``undo()`` or ``endUndoGrouping()``.
///
/// A Core Data context registers the changes of its objects itself, once you set its `undoManager`. It is nil at first.
///
/// A manager belongs to one thread, or one queue, at a time. It has no lock. It posts its notifications there, and on
/// the main queue a typed message (``CheckpointMessage`` and so on) after each of them.
///
/// Three methods of Apple's class are missing. `registerUndo(withTarget:selector:object:)` and
/// `prepare(withInvocationTarget:)` need the Objective-C runtime. `setActionName(_: LocalizedStringResource?)` needs a
/// type that Linux lacks.
open class UndoManager: NSObject {
    private(set) var stacks = UndoStacks()
    private var disablings = 0
    private lazy var events = UndoEvents(self)

    // MARK: Groups

    /// Whether the manager opens a group at an event's first change and closes it at the event's end. The default is
    /// true.
    ///
    /// With false, you must open a group before you register anything. Otherwise ``registerUndo(withTarget:handler:)``
    /// traps. Use false in tests and in command-line tools, where you want to say exactly what one undo takes back:
    ///
    /// ```swift
    /// undoManager.groupsByEvent = false
    /// undoManager.beginUndoGrouping()
    /// undoManager.registerUndo(withTarget: team) { $0.name = "Heat" }
    /// undoManager.endUndoGrouping()
    /// ```
    open var groupsByEvent = true

    /// The largest number of groups that the manager keeps for undoing, and as many for redoing. The default 0 means no
    /// limit.
    ///
    /// The manager removes the oldest groups first. A smaller limit removes the extra groups at once. Groups in memory
    /// hold what their closures capture, so set a limit in an app that runs for long.
    open var levelsOfUndo = 0 {
        didSet { stacks.trim(to: levelsOfUndo) }
    }

    /// The modes of the run loop in which the end of a turn closes the event's group. The default is `[.default]`.
    ///
    /// A turn in another mode leaves the group open, for instance while the user drags something. The main queue
    /// follows the same rule where a run loop serves it. Set the modes before the first change of an event.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    /// The number of open groups, counting nested ones. 0 means that no group is open.
    ///
    /// Inside an event that changed something, this is at least 1 with ``groupsByEvent``. ``undo()`` traps if it is
    /// over 1.
    open var groupingLevel: Int { stacks.open.count }

    /// Opens a group inside the open group, if there is one. Balance it with ``endUndoGrouping()``.
    ///
    /// ```swift
    /// undoManager.beginUndoGrouping()
    /// for player in try context.fetch(request) { player.salary *= 1.05 }
    /// undoManager.endUndoGrouping()       // Part of the event's group: one undo() takes all of it back.
    /// ```
    ///
    /// With ``groupsByEvent`` the manager opens the event's own group first, if no group is open. Your group is then a
    /// nested one, and ``undoNestedGroup()`` can take back your group alone.
    ///
    /// Posts `NSUndoManagerCheckpoint` if the new group is nested. Then posts `NSUndoManagerDidOpenUndoGroup`.
    open func beginUndoGrouping() {
        openEventGroupIfNeeded()
        if groupingLevel > 0 { postCheckpoint() }
        open(UndoGroup())
    }

    /// Closes the group that was opened last. Traps if none is open.
    ///
    /// A nested group becomes one step of the group around it. A top-level group becomes the next one that ``undo()``
    /// takes back, and the oldest group goes if ``levelsOfUndo`` is exceeded. An event's group without actions
    /// disappears. An empty group of your own stays, and undoing it does nothing.
    ///
    /// Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillCloseUndoGroup` before, `NSUndoManagerDidCloseUndoGroup`
    /// after.
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

    /// Whether the manager keeps the actions that are registered now. The default is true.
    ///
    /// False between ``disableUndoRegistration()`` and the last balancing ``enableUndoRegistration()``.
    open var isUndoRegistrationEnabled: Bool { disablings == 0 }

    /// Makes the manager ignore new actions, until ``enableUndoRegistration()`` has been called as often.
    ///
    /// Use it for changes that the user must not undo, such as the first data of a new document:
    ///
    /// ```swift
    /// context.processPendingChanges()             // what was changed before is registered
    /// context.undoManager?.disableUndoRegistration()
    /// team.uniformColor = "black"
    /// context.processPendingChanges()             // the colour is not
    /// context.undoManager?.enableUndoRegistration()
    /// ```
    ///
    /// A context registers changes when it processes them. Without the first call, the changes before are not
    /// registered either. Without the last one, the colour is registered after all. Groups that exist already stay, and
    /// can be undone.
    open func disableUndoRegistration() { disablings += 1 }

    /// Balances one call of ``disableUndoRegistration()``. Actions are kept again after the last balancing call.
    ///
    /// Traps if no call is left to balance. ``removeAllActions()`` balances all of them.
    open func enableUndoRegistration() {
        precondition(
            disablings > 0, "enableUndoRegistration() was called without a disableUndoRegistration() before it.")
        disablings -= 1
    }

    /// Registers how a change is undone, in the open group.
    ///
    /// ```swift
    /// let old = team.uniformColor
    /// undoManager.registerUndo(withTarget: team) { $0.uniformColor = old }
    /// team.uniformColor = "red"
    /// ```
    ///
    /// With ``groupsByEvent`` the manager opens the event's group first, if no group is open. Does nothing while
    /// registration is disabled. What could be redone until now cannot be redone any more, unless an undo or a redo is
    /// running.
    ///
    /// To make a change redoable, let the handler register its own inverse: call the same method in it, as the example
    /// of ``UndoManager`` does.
    ///
    /// Traps if no group is open and ``groupsByEvent`` is false.
    ///
    /// - Parameters:
    ///   - target: The object that the change belongs to; held weakly. An action does nothing once its target is
    ///     released. Do not capture the target in the handler: the manager would keep it alive. Apple's manager must be
    ///     told instead, by `removeAllActions(withTarget:)`.
    ///   - handler: Undoes the change. It is called with the target, on the thread that calls ``undo()``.
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

    /// Whether ``undo()`` or ``undoNestedGroup()`` runs actions at this moment.
    ///
    /// An action that is registered meanwhile goes to the redo side. Read it in a setter that must behave differently
    /// then.
    open private(set) var isUndoing = false
    /// Whether ``redo()`` runs actions at this moment. An action that is registered meanwhile goes to the undo side.
    open private(set) var isRedoing = false

    /// Whether ``undo()`` would find something: a closed group, or an open group with actions.
    ///
    /// Use it to enable a menu item. Changes that a Core Data context has not processed yet do not count. Call the
    /// context's `processPendingChanges()` first.
    open var canUndo: Bool { stacks.canUndo }

    /// Whether ``redo()`` would find something. Use it to enable a menu item.
    ///
    /// Posts `NSUndoManagerCheckpoint` first. A context processes its changes at that moment, and a new change makes
    /// redoing impossible.
    open var canRedo: Bool {
        postCheckpoint()
        return !stacks.redo.isEmpty
    }

    /// The number of groups that ``undo()`` can take back one after the other. Open groups with actions count as one.
    open var undoCount: Int { stacks.undoCount }

    /// The number of groups that ``redo()`` can do again one after the other.
    ///
    /// A new action makes it 0, unless it is registered during an undo or a redo.
    open var redoCount: Int { stacks.redo.count }

    /// Takes back the last top-level group. Does nothing if there is none.
    ///
    /// ```swift
    /// viewContext.undoManager = undoManager
    /// team.name = "Heat"
    /// undoManager.undo()          // closes the event's group and undoes it
    /// undoManager.redo()          // the name is "Heat" again
    /// ```
    ///
    /// A single open group is closed first. The actions run at once, on this thread, the last one first. What they
    /// register becomes the group for ``redo()``, with the same name.
    ///
    /// Posts what ``undoNestedGroup()`` posts. Traps if a group is open inside another one, and if an undo or a redo is
    /// running.
    open func undo() {
        postCheckpoint()
        if groupingLevel == 1 { endUndoGrouping() }
        precondition(
            groupingLevel == 0,
            "undo() was called with \(groupingLevel) groups open; close them with endUndoGrouping(), or call undoNestedGroup()."
        )
        undoNestedGroup()
    }

    /// Takes back the last closed group: the last one inside the innermost open group, or else the last top-level one.
    ///
    /// Inside an open group this does nothing if an action was registered after the nested group. Most apps call
    /// ``undo()``. This method is for code that keeps an outer group open, as a long editing session does.
    ///
    /// Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillUndoChange` before, `NSUndoManagerDidUndoChange` after.
    /// The group for redoing posts the notifications of its opening and closing in between. Traps if an undo or a redo
    /// is running, and if an action leaves a group open.
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

    /// Does again what was undone last. Does nothing if there is nothing to redo.
    ///
    /// What the actions register becomes a group for ``undo()`` again, with the same name.
    ///
    /// Posts `NSUndoManagerCheckpoint` and `NSUndoManagerWillRedoChange` before, `NSUndoManagerDidRedoChange` after.
    /// Traps if an undo or a redo is running, and if an action leaves a group open.
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

    /// Removes all actions, for undoing and for redoing, and enables registration again.
    ///
    /// Open groups stay open, without actions. Call it when what the actions refer to is gone, for instance after a
    /// document was closed. A context's `reset()` calls it.
    open func removeAllActions() {
        stacks.removeAll()
        disablings = 0
    }

    /// Removes the actions of one target, and the groups that are empty without them.
    ///
    /// Seldom needed, as the manager holds targets weakly. Use it when an object lives on but its changes must not be
    /// undone.
    ///
    /// - Parameter target: The object that the actions were registered with. Identity decides, not equality.
    open func removeAllActions(withTarget target: Any) {
        stacks.removeAll(of: ObjectIdentifier(target as AnyObject))
    }

    // MARK: Names

    /// Names what the open group undoes, for menus. An empty name removes the name.
    ///
    /// ```swift
    /// undoManager.setActionName("Rename Team")
    /// undoManager.undoMenuItemTitle       // "Undo Rename Team"
    /// ```
    ///
    /// The name belongs to the outermost open group, even inside a nested one. The last call wins. If no group is open,
    /// the manager opens the event's group with ``groupsByEvent``. Without it, or while registration is disabled, the
    /// name goes to the group that was closed last.
    open func setActionName(_ actionName: String) { currentGroup?.actionName = actionName }

    /// The name of the group that ``undo()`` takes back; empty if the group has none, or if there is no group.
    open var undoActionName: String { stacks.nextUndo?.actionName ?? "" }

    /// The name of the group that ``redo()`` does again; empty if the group has none, or if there is no group.
    open var redoActionName: String { stacks.redo.last?.actionName ?? "" }

    /// The title for a menu item that calls ``undo()``, such as "Undo Rename". It is "Undo" if there is no name.
    ///
    /// See ``undoMenuTitle(forUndoActionName:)`` for other languages.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The title for a menu item that calls ``redo()``, such as "Redo Rename". It is "Redo" if there is no name.
    ///
    /// See ``redoMenuTitle(forUndoActionName:)`` for other languages.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title of a menu item that undoes an action of this name. The title is English.
    ///
    /// Override it for another language; ``undoMenuItemTitle`` calls it:
    ///
    /// ```swift
    /// final class GermanUndoManager: UndoManager {
    ///     override func undoMenuTitle(forUndoActionName actionName: String) -> String {
    ///         actionName.isEmpty ? "Widerrufen" : "\(actionName) widerrufen"
    ///     }
    /// }
    /// ```
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of a menu item that does an action of this name again. The title is English.
    ///
    /// Override it for another language; ``redoMenuItemTitle`` calls it.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    // MARK: What goes with a group

    /// Says whether the user loses nothing if the changes of the open group are not saved.
    ///
    /// An example is a new scroll position. An app can close the document without a question. The manager only keeps
    /// the flag and reports it. The flag belongs to the same group that ``setActionName(_:)`` names.
    open func setActionIsDiscardable(_ discardable: Bool) { currentGroup?.isDiscardable = discardable }

    /// Whether the group that ``undo()`` takes back was marked by ``setActionIsDiscardable(_:)``. False if there is no
    /// group.
    open var undoActionIsDiscardable: Bool { stacks.nextUndo?.isDiscardable ?? false }

    /// Whether the group that ``redo()`` does again was marked by ``setActionIsDiscardable(_:)``. False if there is no
    /// group.
    open var redoActionIsDiscardable: Bool { stacks.redo.last?.isDiscardable ?? false }

    /// Keeps a value of the app's with the open group; nil removes it.
    ///
    /// ```swift
    /// let selection = UndoManager.UserInfoKey("selection")
    /// undoManager.setActionUserInfoValue(player.objectID, forKey: selection)
    /// undoManager.undoActionUserInfoValue(forKey: selection)      // the player's ID
    /// ```
    ///
    /// The group is the one that ``setActionName(_:)`` names. Undoing it copies the values to the group for redoing.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) { currentGroup?.userInfo[key] = info }

    /// A value that was kept with the group that ``undo()`` takes back; nil if there is no value or no group.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { stacks.nextUndo?.userInfo[key] }

    /// A value that was kept with the group that ``redo()`` does again; nil if there is no value or no group.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { stacks.redo.last?.userInfo[key] }

    /// The name of a value that an app keeps with a group. See ``UndoManager/setActionUserInfoValue(_:forKey:)``.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
        /// The key's text. Two keys with the same text are equal.
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
        // Unchecked: the manager is used on its own queue, which is the main one.
        nonisolated(unsafe) let manager = self
        MainActor.assumeIsolated { NotificationCenter.default.post(message, subject: manager) }
    }
}
