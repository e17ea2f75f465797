import Dispatch
import Foundation

/// Tells a manager when the event that opened a group is over: at the end of the run loop's turn, or of the main
/// queue's where no run loop runs.
final class UndoEvents: @unchecked Sendable {
    // Unchecked: used where its manager is used, which is at one place at a time.

    private weak var manager: UndoManager?
    /// The run loops that will tell, so that none is asked twice.
    private var loops: Set<ObjectIdentifier> = []
    private var isMainQueueScheduled = false

    private static let mainQueueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main queue, where the main actor's code runs; another thread than the main one may serve it.
    static var isMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) ?? false }

    init(_ manager: UndoManager) { self.manager = manager }

    /// Has the event's group closed when this turn ends.
    func scheduleEnd() {
        guard let manager else { return }
        scheduleMainQueue()
        // A loop that never runs would keep what it is asked to perform for ever.
        let loop = ObjectIdentifier(RunLoop.current)
        guard RunLoop.current.currentMode != nil, loops.insert(loop).inserted else { return }
        RunLoop.current.perform(inModes: manager.runLoopModes) { [self] in
            loops.remove(loop)
            self.manager?.endEvent()
        }
    }

    private func scheduleMainQueue() {
        guard Self.isMainQueue || Thread.isMainThread, !isMainQueueScheduled else { return }
        isMainQueueScheduled = true
        DispatchQueue.main.async { [self] in
            isMainQueueScheduled = false
            guard let manager else { return }
            // A run loop in a mode that is none of the manager's is not at the event's end.
            if let mode = RunLoop.current.currentMode, !manager.runLoopModes.contains(mode) { return }
            manager.endEvent()
        }
    }
}
