import Foundation

/// What a manager has to undo and to redo, and the groups that are open.
struct UndoStacks {
    private(set) var undo: [UndoGroup] = []
    private(set) var redo: [UndoGroup] = []
    /// The open groups, each in the one before it.
    var open: [UndoGroup] = []

    var canUndo: Bool { !undo.isEmpty || open.contains { !$0.isEmpty } }

    var undoCount: Int { undo.count + (open.contains { !$0.isEmpty } ? 1 : 0) }

    /// What would be undone next.
    var nextUndo: UndoGroup? { open.first { !$0.isEmpty } ?? undo.last }

    mutating func add(_ action: UndoAction, clearsRedo: Bool) {
        if clearsRedo { redo = [] }
        open.last?.add(action)
    }

    /// Closes the innermost group. One that an event opened and that nothing came of leaves no trace.
    mutating func close(levels: Int) {
        guard let group = open.popLast() else { return }
        if let outer = open.last {
            outer.add(group)
        } else if !(group.isEvents && group.isEmpty) {
            pushUndo(group, levels: levels)
        }
    }

    mutating func pushUndo(_ group: UndoGroup, levels: Int) {
        undo.append(group)
        trim(to: levels)
    }

    mutating func pushRedo(_ group: UndoGroup, levels: Int) {
        redo.append(group)
        trim(to: levels)
    }

    /// The last closed group, of the innermost open one if any is open.
    mutating func takeLastClosed() -> UndoGroup? { open.isEmpty ? undo.popLast() : open.last?.takeLastGroup() }

    mutating func takeRedo() -> UndoGroup? { redo.popLast() }

    mutating func trim(to levels: Int) {
        guard levels > 0 else { return }
        undo.removeFirst(max(0, undo.count - levels))
        redo.removeFirst(max(0, redo.count - levels))
    }

    /// Open groups stay open, emptied.
    mutating func removeAll() {
        undo = []
        redo = []
        open.forEach { $0.removeAll() }
    }

    mutating func removeAll(of target: ObjectIdentifier) {
        open.forEach { $0.remove(target) }
        undo.removeAll { $0.loses(target) }
        redo.removeAll { $0.loses(target) }
    }
}

/// Actions that are undone together.
final class UndoGroup {
    private enum Step {
        case action(UndoAction)
        case group(UndoGroup)
    }

    /// Whether the event opened it, not the app.
    let isEvents: Bool
    var actionName = ""
    var isDiscardable = false
    var userInfo: [UndoManager.UserInfoKey: Any] = [:]
    private var steps: [Step] = []

    init(isEvents: Bool = false) { self.isEvents = isEvents }

    var isEmpty: Bool { steps.isEmpty }

    func add(_ action: UndoAction) { steps.append(.action(action)) }

    func add(_ group: UndoGroup) { steps.append(.group(group)) }

    /// Takes the last closed group out; nil where an action came after it.
    func takeLastGroup() -> UndoGroup? {
        guard case .group(let group) = steps.last else { return nil }
        steps.removeLast()
        return group
    }

    /// Runs the actions, the last first.
    func perform() {
        for step in steps.reversed() {
            switch step {
            case .action(let action): action.perform()
            case .group(let group): group.perform()
            }
        }
    }

    /// What undoing a group makes is known by the group's name.
    func inherit(from group: UndoGroup) {
        if actionName.isEmpty { actionName = group.actionName }
        isDiscardable = isDiscardable || group.isDiscardable
        userInfo.merge(group.userInfo) { own, _ in own }
    }

    func removeAll() { steps = [] }

    func remove(_ target: ObjectIdentifier) {
        steps.removeAll { step in
            switch step {
            case .action(let action): action.target == target
            case .group(let group): group.loses(target)
            }
        }
    }

    /// Forgets the actions of a target.
    ///
    /// - Returns: Whether nothing is left.
    func loses(_ target: ObjectIdentifier) -> Bool {
        remove(target)
        return isEmpty
    }
}

/// How one change is undone.
struct UndoAction {
    let target: ObjectIdentifier
    let perform: () -> Void

    init<Target: AnyObject>(_ target: Target, _ handler: @escaping (Target) -> Void) {
        self.target = ObjectIdentifier(target)
        perform = { [weak target] in
            if let target { handler(target) }
        }
    }
}
