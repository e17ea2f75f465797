import Synchronization

/// Lets a limited number of tasks work at the same time. The others wait in the order in which they came.
///
/// A context's work blocks a thread while the database answers. Tasks that wait here block none.
final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, any Error>] = []
    }

    private let state: Mutex<State>
    private let longestQueue: Int

    /// - Parameter longestQueue: How many tasks may wait; further ones are refused.
    init(places: Int, longestQueue: Int = 2_000) {
        state = Mutex(State(free: max(1, places)))
        self.longestQueue = longestQueue
    }

    /// - Throws: ``Problem/busy`` if too many tasks wait, and what `body` throws.
    func pass<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let outcome: Result<Void, any Error>? = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return .success(())
                }
                guard state.waiting.count < longestQueue else { return .failure(Problem.busy) }
                state.waiting.append(continuation)
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    private func leave() {
        let next = state.withLock { state in
            if state.waiting.isEmpty { state.free += 1 }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
