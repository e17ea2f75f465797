import FoundationGaps
import Testing

/// A number that registers how its changes are undone.
private final class Counter {
    let manager: UndoManager
    private(set) var value = 0

    init(_ manager: UndoManager) { self.manager = manager }

    func set(_ new: Int) {
        let old = value
        manager.registerUndo(withTarget: self) { $0.set(old) }
        value = new
    }
}

/// A manager. The test opens and closes its groups.
private func manual() -> (UndoManager, Counter) {
    let manager = UndoManager()
    manager.groupsByEvent = false
    return (manager, Counter(manager))
}

extension UndoManager {
    fileprivate func group(_ name: String = "", _ body: () -> Void) {
        beginUndoGrouping()
        body()
        if !name.isEmpty { setActionName(name) }
        endUndoGrouping()
    }
}

@Suite("Undo manager")
struct UndoManagerTests {
    @Test("undoing takes the last group back, redoing does it again, in reverse order of registration")
    func undoAndRedo() {
        let (manager, counter) = manual()
        manager.group {
            counter.set(1)
            counter.set(2)
        }
        manager.group { counter.set(3) }
        manager.undo()
        #expect(counter.value == 2)
        manager.undo()
        #expect(counter.value == 0)
        #expect(!manager.canUndo)
        #expect(manager.redoCount == 2)
        manager.redo()
        #expect(counter.value == 2)
        manager.redo()
        #expect(counter.value == 3)
        #expect(!manager.canRedo)
        #expect(manager.undoCount == 2)
    }

    @Test("with nothing to undo or redo nothing happens")
    func nothing() {
        let manager = UndoManager()
        manager.undo()
        manager.redo()
        #expect(!manager.canUndo)
        #expect(!manager.canRedo)
    }

    @Test("a new change makes redoing impossible")
    func newChange() {
        let (manager, counter) = manual()
        manager.group { counter.set(1) }
        manager.undo()
        #expect(manager.canRedo)
        manager.group { counter.set(2) }
        #expect(!manager.canRedo)
    }

    @Test("levelsOfUndo drops the oldest groups, at once and later")
    func levels() {
        let (manager, counter) = manual()
        (1...5).forEach { number in manager.group { counter.set(number) } }
        manager.levelsOfUndo = 3
        #expect(manager.undoCount == 3)
        manager.group { counter.set(6) }
        for _ in 0..<5 { manager.undo() }
        #expect(counter.value == 3)
    }

    @Test("nested groups are undone alone by undoNestedGroup, together by undo")
    func nested() {
        let (manager, counter) = manual()
        manager.beginUndoGrouping()
        manager.group { counter.set(1) }
        #expect(manager.groupingLevel == 1)
        manager.group { counter.set(2) }
        manager.undoNestedGroup()
        #expect(counter.value == 1)
        manager.redo()
        #expect(counter.value == 2)
        manager.endUndoGrouping()
        manager.undo()
        #expect(counter.value == 0)
    }

    @Test("an event's group is opened by the first registration, and undo closes it")
    func eventGroup() {
        let manager = UndoManager()
        let counter = Counter(manager)
        counter.set(1)
        counter.set(2)
        #expect(manager.groupingLevel == 1)
        #expect(manager.canUndo)
        manager.beginUndoGrouping()
        #expect(manager.groupingLevel == 2)
        manager.endUndoGrouping()
        manager.undo()
        #expect(counter.value == 0)
        #expect(manager.groupingLevel == 0)
    }

    @Test("an event's group ends with the run loop's turn")
    func runLoop() {
        let manager = UndoManager()
        nonisolated(unsafe) let counter = Counter(manager)  // the loop is this thread's
        for number in 1...2 {
            RunLoop.current.perform { counter.set(number) }
            for _ in 0..<2 { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
            #expect(manager.groupingLevel == 0)
        }
        #expect(manager.undoCount == 2)
        manager.undo()
        #expect(counter.value == 1)
    }

    @Test("an event's group ends with the main queue's turn") @MainActor
    func mainQueue() async {
        let manager = UndoManager()
        let counter = Counter(manager)
        for number in 1...2 {
            counter.set(number)
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
            #expect(manager.groupingLevel == 0)
        }
        manager.undo()
        #expect(counter.value == 1)
    }

    @Test("what is registered while registration is off is forgotten; enabling balances disabling")
    func disabling() {
        let (manager, counter) = manual()
        manager.group {
            counter.set(1)
            manager.disableUndoRegistration()
            manager.disableUndoRegistration()
            counter.set(2)
            manager.enableUndoRegistration()
            #expect(!manager.isUndoRegistrationEnabled)
            counter.set(3)
            manager.enableUndoRegistration()
            #expect(manager.isUndoRegistrationEnabled)
        }
        manager.undo()
        #expect(counter.value == 0)
        manager.redo()
        #expect(counter.value == 3)
    }

    @Test("removeAllActions forgets everything and enables registration; with a target, that target's alone")
    func removing() {
        let (manager, first) = manual()
        let second = Counter(manager)
        manager.group { first.set(1) }
        manager.group {
            first.set(2)
            second.set(2)
        }
        manager.removeAllActions(withTarget: first)
        #expect(manager.undoCount == 1)
        manager.undo()
        #expect(first.value == 2 && second.value == 0)
        manager.disableUndoRegistration()
        manager.removeAllActions()
        #expect(!manager.canUndo && !manager.canRedo && manager.isUndoRegistrationEnabled)
    }

    @Test("an action does nothing after its target is gone")
    func gone() {
        let (manager, counter) = manual()
        manager.group {
            Counter(manager).set(9)
            counter.set(1)
        }
        manager.undo()
        #expect(counter.value == 0)
    }

    @Test("action names, menu titles, discardable flags and user info go with a group, and over to redoing")
    func names() {
        let (manager, counter) = manual()
        let key = UndoManager.UserInfoKey(rawValue: "place")
        #expect(manager.undoMenuItemTitle == "Undo")
        manager.group("Count") {
            counter.set(1)
            manager.setActionIsDiscardable(true)
            manager.setActionUserInfoValue("top", forKey: key)
        }
        #expect(manager.undoActionName == "Count")
        #expect(manager.undoMenuItemTitle == "Undo Count")
        #expect(manager.undoActionIsDiscardable)
        #expect(manager.undoActionUserInfoValue(forKey: key) as? String == "top")
        manager.undo()
        #expect(manager.undoActionName == "")
        #expect(manager.redoMenuItemTitle == "Redo Count")
        #expect(manager.redoActionIsDiscardable)
        #expect(manager.redoActionUserInfoValue(forKey: key) as? String == "top")
        manager.redo()
        #expect(manager.undoActionName == "Count")
        manager.setActionName("")
        #expect(manager.undoMenuItemTitle == "Undo")
    }

    @Test("notifications come in the documented order")
    func notifications() {
        let (manager, counter) = manual()
        nonisolated(unsafe) var posted: [String] = []  // posted on this thread
        let names: [(NSNotification.Name, String)] = [
            (.NSUndoManagerCheckpoint, "checkpoint"), (.NSUndoManagerDidOpenUndoGroup, "opened"),
            (.NSUndoManagerWillCloseUndoGroup, "closing"), (.NSUndoManagerDidCloseUndoGroup, "closed"),
            (.NSUndoManagerWillUndoChange, "undoing"), (.NSUndoManagerDidUndoChange, "undone"),
            (.NSUndoManagerWillRedoChange, "redoing"), (.NSUndoManagerDidRedoChange, "redone"),
        ]
        let observers = names.map { name, text in
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { _ in
                posted.append(text)
            }
        }
        defer { observers.forEach { NotificationCenter.default.removeObserver($0) } }
        func take() -> [String] {
            defer { posted = [] }
            return posted
        }
        manager.beginUndoGrouping()
        #expect(take() == ["opened"])
        manager.beginUndoGrouping()
        #expect(take() == ["checkpoint", "opened"])
        counter.set(1)
        manager.endUndoGrouping()
        #expect(take() == ["checkpoint", "closing", "closed"])
        manager.endUndoGrouping()
        _ = take()
        manager.undo()
        #expect(
            take() == ["checkpoint", "checkpoint", "undoing", "opened", "checkpoint", "closing", "closed", "undone"])
        #expect(manager.canRedo)
        #expect(take() == ["checkpoint"])
        manager.redo()
        #expect(take() == ["checkpoint", "redoing", "opened", "checkpoint", "closing", "closed", "redone"])
    }

    @Test("on the main queue a typed message follows each notification, and says whether a group is discardable")
    @MainActor func messages() {
        let (manager, counter) = manual()
        var posted: [String] = []
        let center = NotificationCenter.default
        let told = center.addObserver(forName: .NSUndoManagerCheckpoint, object: manager, queue: nil) { _ in
            MainActor.assumeIsolated { posted.append("told") }
        }
        func discardable(_ text: String, _ flag: Bool) { posted.append(flag ? text + ", discardable" : text) }
        let tokens = [
            center.addObserver(of: manager, for: .checkpoint) { _ in posted.append("checkpoint") },
            center.addObserver(of: manager, for: .didOpenUndoGroup) { _ in posted.append("opened") },
            center.addObserver(of: manager, for: .willCloseUndoGroup) { _ in posted.append("closing") },
            center.addObserver(of: manager, for: .didCloseUndoGroup) { discardable("closed", $0.groupIsDiscardable) },
            center.addObserver(of: manager, for: .willUndoChange) { _ in posted.append("undoing") },
            center.addObserver(of: manager, for: .didUndoChange) { discardable("undone", $0.groupIsDiscardable) },
            center.addObserver(of: manager, for: .willRedoChange) { _ in posted.append("redoing") },
            center.addObserver(of: manager, for: .didRedoChange) { discardable("redone", $0.groupIsDiscardable) },
        ]
        defer {
            center.removeObserver(told)
            tokens.forEach { center.removeObserver($0) }
        }
        func take() -> [String] {
            defer { posted = [] }
            return posted
        }
        UndoManager().group {}
        #expect(take() == [], "of another manager")
        manager.group { counter.set(1) }
        #expect(take() == ["opened", "told", "checkpoint", "closing", "closed"])
        manager.group {
            counter.set(2)
            manager.setActionIsDiscardable(true)
        }
        #expect(take() == ["opened", "told", "checkpoint", "closing", "closed, discardable"])
        manager.undoNestedGroup()
        #expect(
            take() == [
                "told", "checkpoint", "undoing", "opened", "told", "checkpoint", "closing", "closed, discardable",
                "undone, discardable",
            ])
        manager.redo()
        #expect(
            take() == [
                "told", "checkpoint", "redoing", "opened", "told", "checkpoint", "closing", "closed, discardable",
                "redone, discardable",
            ])
        #expect(counter.value == 2)
    }

    @Test("that a group is about to be closed says whether it is discardable, also when it is undone and redone")
    func discardableNotifications() {
        let (manager, counter) = manual()
        nonisolated(unsafe) var flags: [Bool?] = []  // posted on this thread
        let observer = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerWillCloseUndoGroup, object: manager, queue: nil
        ) { flags.append($0.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool) }
        defer { NotificationCenter.default.removeObserver(observer) }
        manager.group { counter.set(1) }
        manager.undo()
        #expect(flags == [nil, nil])
        manager.group {
            counter.set(2)
            manager.setActionIsDiscardable(true)
        }
        manager.undo()
        manager.redo()
        #expect(flags == [nil, nil, true, true, true])
    }

    @Test("on another queue notifications are posted, and no message of the main actor's")
    @MainActor func messagesElsewhere() {
        let (manager, counter) = manual()
        nonisolated(unsafe) var posted: [String] = []  // on this thread, or not at all
        let center = NotificationCenter.default
        let told = center.addObserver(forName: .NSUndoManagerDidUndoChange, object: manager, queue: nil) { _ in
            posted.append("told")
        }
        let token = center.addObserver(of: manager, for: .didUndoChange) { _ in posted.append("message") }
        defer {
            center.removeObserver(told)
            center.removeObserver(token)
        }
        // Where the main thread lends itself to the queue, too.
        DispatchQueue(label: "elsewhere").sync {
            manager.group { counter.set(1) }
            manager.undo()
        }
        #expect(posted == ["told"])
    }

    @Test("registering without a group, and groups out of balance, are said with the way out")
    func misuse() async {
        let registering = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let manager = UndoManager()
            manager.groupsByEvent = false
            manager.registerUndo(withTarget: manager) { _ in }
        }
        expectMessage(registering, "call beginUndoGrouping() before the change")
        let ending = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UndoManager().endUndoGrouping()
        }
        expectMessage(ending, "call beginUndoGrouping() first")
        let undoing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let manager = UndoManager()
            manager.beginUndoGrouping()
            manager.undo()
        }
        expectMessage(undoing, "undo() was called with 2 groups open")
    }

    @Test("isUndoing and isRedoing are true while actions run")
    func flags() {
        let (manager, counter) = manual()
        var seen: [[Bool]] = []
        func register() {
            manager.registerUndo(withTarget: counter) { _ in
                seen.append([manager.isUndoing, manager.isRedoing])
                register()
            }
        }
        manager.group { register() }
        manager.undo()
        manager.redo()
        #expect(seen == [[true, false], [false, true]])
        #expect(!manager.isUndoing && !manager.isRedoing)
    }
}

/// Whether a program that had to stop said why.
private func expectMessage(_ result: ExitTest.Result?, _ text: String) {
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains(text), "the message is: \(message)")
}
