import Synchronization

/// Whether a server is asked. One that failed is left out for a while: longer each time, up to a limit.
final class PostgreSQLAvailability: Sendable {
    private struct State {
        /// When it is asked again; nil while it works.
        var next: ContinuousClock.Instant?
        var pause: Duration = PostgreSQLAvailability.firstPause
    }

    private static let firstPause = Duration.milliseconds(100)
    private let state = Mutex(State())

    /// Whether the server is left out now.
    var isResting: Bool { state.withLock { state in state.next.map { $0 > .now } ?? false } }

    /// Whether the caller may ask the server. When a pause is over, one caller tries it, and the others go on without.
    func take() -> Bool {
        state.withLock { state in
            guard let next = state.next else { return true }
            if next > .now { return false }
            state.next = .now + state.pause
            return true
        }
    }

    /// Notes that the server did what it was asked for.
    func noteSuccess() { state.withLock { $0 = State() } }

    /// Notes that the server did not do what it was asked for.
    ///
    /// - Parameter longest: The longest pause.
    /// - Returns: Whether it worked before.
    @discardableResult
    func noteFailure(longest: Duration) -> Bool {
        state.withLock { state in
            defer {
                state.next = .now + state.pause
                state.pause = min(state.pause * 2, longest)
            }
            return state.next == nil
        }
    }
}
