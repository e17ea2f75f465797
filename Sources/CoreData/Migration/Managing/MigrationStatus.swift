import FoundationGaps

/// What other threads may ask of a migration, and that it is to end.
final class MigrationStatus: @unchecked Sendable {
    // Unchecked: everything is under the lock.

    private let lock = NSLock()
    private var state = State()

    private struct State {
        var mapping: NSEntityMapping?
        var progress: Float = 0
        var isRunning = false
        var cancellation: (any Error)?
    }

    /// The mapping that is worked off; nil: no migration runs.
    var mapping: NSEntityMapping? {
        get { lock.withLock { state.mapping } }
        set { lock.withLock { state.mapping = newValue } }
    }

    var progress: Float {
        get { lock.withLock { state.progress } }
        set { lock.withLock { state.progress = newValue } }
    }

    /// Notes that a migration begins.
    ///
    /// - Returns: False if one runs already.
    func begin() -> Bool {
        lock.withLock {
            if state.isRunning { return false }
            state = State()
            state.isRunning = true
            return true
        }
    }

    func end() {
        lock.withLock {
            state.isRunning = false
            state.mapping = nil
            state.cancellation = nil
        }
    }

    func cancel(_ error: any Error) { lock.withLock { if state.isRunning { state.cancellation = error } } }

    /// The error that the migration was cancelled with.
    var cancellation: (any Error)? { lock.withLock { state.cancellation } }
}
