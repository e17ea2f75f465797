import CoreData
import Testing

@Suite("What a subclass of UndoManager overrides is called")
struct UndoManagerOverrideTests {
    @Test("a context groups, registers, undoes and redoes through the overrides of its undo manager")
    func context() throws {
        let stack = try Stack(LeagueModel.make())
        let context = stack.context()
        let manager = RecordingUndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        manager.calls = []
        manager.beginUndoGrouping()
        _ = context.insert("Team", ["name": "Celtics"])
        context.processPendingChanges()
        manager.endUndoGrouping()
        #expect(manager.calls.contains("registerUndo"))
        context.undo()
        #expect(manager.calls.contains("undo") && manager.calls.contains("undoNestedGroup"))
        #expect(context.insertedObjects.isEmpty)
        context.redo()
        #expect(manager.calls.contains("redo") && context.insertedObjects.count == 1)
        context.reset()
        #expect(manager.calls.contains("removeAllActionsWithTarget"))
    }

    @Test("every open member, used as the superclass's, does the superclass's work")
    func members() {
        let recorder = RecordingUndoManager()
        let manager: UndoManager = recorder
        let target = Target()
        let key = UndoManager.UserInfoKey("place")
        manager.groupsByEvent = false
        manager.levelsOfUndo = 3
        manager.runLoopModes = [.common]
        #expect(!manager.groupsByEvent && manager.levelsOfUndo == 3 && manager.runLoopModes == [.common])
        manager.disableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        manager.enableUndoRegistration()
        manager.beginUndoGrouping()
        #expect(manager.groupingLevel == 1)
        manager.registerUndo(withTarget: target) { [unowned manager] in
            $0.states.append("\(manager.isUndoing) \(manager.isRedoing)")
            manager.registerUndo(withTarget: $0) { $0.states.append("again") }
            manager.setActionUserInfoValue(8, forKey: key)
        }
        manager.setActionName("Rename")
        manager.setActionIsDiscardable(true)
        manager.setActionUserInfoValue(7, forKey: key)
        manager.endUndoGrouping()
        #expect(manager.canUndo && manager.undoCount == 1 && manager.undoActionName == "Rename")
        #expect(manager.undoMenuItemTitle == "Revert Rename" && manager.undoActionIsDiscardable)
        #expect(manager.undoActionUserInfoValue(forKey: key) as? Int == 7)
        manager.undo()
        #expect(target.states == ["true false"])
        #expect(manager.canRedo && manager.redoCount == 1 && manager.redoActionName == "Rename")
        #expect(manager.redoMenuItemTitle == "Repeat Rename")
        _ = manager.redoActionIsDiscardable
        _ = manager.redoActionUserInfoValue(forKey: key)
        manager.redo()
        #expect(target.states == ["true false", "again"])
        manager.removeAllActions(withTarget: target)
        manager.removeAllActions()
        #expect(!manager.canUndo && !manager.canRedo)
        #expect(Set(recorder.calls) == RecordingUndoManager.members)
    }
}

private final class Target {
    var states: [String] = []
}

/// Notes every member that is used. Its menus have titles of their own.
private final class RecordingUndoManager: UndoManager {
    static let members: Set<String> = [
        "groupsByEvent", "levelsOfUndo", "runLoopModes", "canUndo", "canRedo", "undoCount", "redoCount",
        "groupingLevel", "isUndoRegistrationEnabled", "isUndoing", "isRedoing", "undoActionName", "redoActionName",
        "undoMenuItemTitle", "redoMenuItemTitle", "undoActionIsDiscardable", "redoActionIsDiscardable",
        "beginUndoGrouping", "endUndoGrouping", "disableUndoRegistration", "enableUndoRegistration", "undo",
        "undoNestedGroup", "redo", "removeAllActions", "registerUndo", "removeAllActionsWithTarget", "setActionName",
        "setActionIsDiscardable", "setActionUserInfoValue", "undoActionUserInfoValue", "redoActionUserInfoValue",
        "undoMenuTitle", "redoMenuTitle",
    ]

    var calls: [String] = []

    private func note<Value>(_ name: String, _ value: Value) -> Value {
        calls.append(name)
        return value
    }

    override var groupsByEvent: Bool {
        get { note("groupsByEvent", super.groupsByEvent) }
        set { super.groupsByEvent = newValue }
    }
    override var levelsOfUndo: Int {
        get { note("levelsOfUndo", super.levelsOfUndo) }
        set { super.levelsOfUndo = newValue }
    }
    override var runLoopModes: [RunLoop.Mode] {
        get { note("runLoopModes", super.runLoopModes) }
        set { super.runLoopModes = newValue }
    }
    override var canUndo: Bool { note("canUndo", super.canUndo) }
    override var canRedo: Bool { note("canRedo", super.canRedo) }
    override var undoCount: Int { note("undoCount", super.undoCount) }
    override var redoCount: Int { note("redoCount", super.redoCount) }
    override var groupingLevel: Int { note("groupingLevel", super.groupingLevel) }
    override var isUndoRegistrationEnabled: Bool { note("isUndoRegistrationEnabled", super.isUndoRegistrationEnabled) }
    override var isUndoing: Bool { note("isUndoing", super.isUndoing) }
    override var isRedoing: Bool { note("isRedoing", super.isRedoing) }
    override var undoActionName: String { note("undoActionName", super.undoActionName) }
    override var redoActionName: String { note("redoActionName", super.redoActionName) }
    override var undoMenuItemTitle: String { note("undoMenuItemTitle", super.undoMenuItemTitle) }
    override var redoMenuItemTitle: String { note("redoMenuItemTitle", super.redoMenuItemTitle) }
    override var undoActionIsDiscardable: Bool { note("undoActionIsDiscardable", super.undoActionIsDiscardable) }
    override var redoActionIsDiscardable: Bool { note("redoActionIsDiscardable", super.redoActionIsDiscardable) }
    override func beginUndoGrouping() {
        calls.append("beginUndoGrouping")
        super.beginUndoGrouping()
    }
    override func endUndoGrouping() {
        calls.append("endUndoGrouping")
        super.endUndoGrouping()
    }
    override func disableUndoRegistration() {
        calls.append("disableUndoRegistration")
        super.disableUndoRegistration()
    }
    override func enableUndoRegistration() {
        calls.append("enableUndoRegistration")
        super.enableUndoRegistration()
    }
    override func undo() {
        calls.append("undo")
        super.undo()
    }
    override func undoNestedGroup() {
        calls.append("undoNestedGroup")
        super.undoNestedGroup()
    }
    override func redo() {
        calls.append("redo")
        super.redo()
    }
    override func removeAllActions() {
        calls.append("removeAllActions")
        super.removeAllActions()
    }
    override func registerUndo<TargetType>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) where TargetType: AnyObject {
        calls.append("registerUndo")
        super.registerUndo(withTarget: target, handler: handler)
    }
    override func removeAllActions(withTarget target: Any) {
        calls.append("removeAllActionsWithTarget")
        super.removeAllActions(withTarget: target)
    }
    override func setActionName(_ actionName: String) {
        calls.append("setActionName")
        super.setActionName(actionName)
    }
    override func setActionIsDiscardable(_ discardable: Bool) {
        calls.append("setActionIsDiscardable")
        super.setActionIsDiscardable(discardable)
    }
    override func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
        calls.append("setActionUserInfoValue")
        super.setActionUserInfoValue(info, forKey: key)
    }
    override func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
        calls.append("undoActionUserInfoValue")
        return super.undoActionUserInfoValue(forKey: key)
    }
    override func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
        calls.append("redoActionUserInfoValue")
        return super.redoActionUserInfoValue(forKey: key)
    }
    override func undoMenuTitle(forUndoActionName actionName: String) -> String {
        calls.append("undoMenuTitle")
        return "Revert \(actionName)"
    }
    override func redoMenuTitle(forUndoActionName actionName: String) -> String {
        calls.append("redoMenuTitle")
        return "Repeat \(actionName)"
    }
}
