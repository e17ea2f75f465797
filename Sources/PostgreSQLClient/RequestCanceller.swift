import CPostgreSQL
import Foundation

/// Cancels the request that a connection runs. Threads may share it.
///
/// The server knows connections and no requests: a cancellation that arrives late would meet the next request.
/// Therefore a request ends only when the cancellation of it is through.
final class RequestCanceller: @unchecked Sendable {
    // Unchecked: libpq lets threads share the handle, which does not change and is freed here alone.

    private struct State {
        var isRunning = false
        var isRequested = false
        /// A thread that sends cancellations.
        var isSending = false
        var isWoken = false
    }

    private let handle: OpaquePointer
    private let state = Monitor(State())
    let wakeUp: WakeUp

    init(connection: OpaquePointer, wakeUp: WakeUp) throws {
        guard let handle = PQgetCancel(connection) else { throw PostgreSQLError.lost(connection) }
        self.handle = handle
        self.wakeUp = wakeUp
    }

    deinit { PQfreeCancel(handle) }

    /// A request starts. False if another one has not ended.
    func begin() -> Bool {
        state.withLock { state in
            if state.isRunning { return false }
            state.isRunning = true
            state.isRequested = false
            return true
        }
    }

    /// The request ended. False if its cancellation did not come to an end in time.
    func end(patience: Duration) -> Bool {
        let isThrough = state.change { state in
            state.isRunning = false
            return !state.isSending
        }
        if isThrough { return true }
        return state.wait(until: .now + patience) { $0.isSending ? nil : true } ?? false
    }

    /// Whether the running request is to be cancelled.
    var isRequested: Bool { state.withLock(\.isRequested) }

    /// Has the server cancel the request. Returns at once; false if there is none.
    func cancel() -> Bool {
        let (isRunning, isFirst) = state.withLock { state in
            let isFirst = state.isRunning && !state.isRequested && !state.isSending
            state.isRequested = state.isRunning
            if isFirst { state.isSending = true }
            return (state.isRunning, isFirst)
        }
        if isFirst { Thread.detachNewThread { self.send() } }
        if isRunning { wakeUp.signal() }
        return isRunning
    }

    /// Sends cancellations until the request ended: one that arrives before the request has no effect.
    private func send() {
        var message = [CChar](repeating: 0, count: 256)
        for _ in 0..<100 {
            PQcancel(handle, &message, Int32(message.count))
            let ended = state.wait(until: .now + .milliseconds(200)) { $0.isRunning ? nil : true }
            if ended == true { break }
        }
        state.change { $0.isSending = false }
    }

    /// Ends a wait for notifications, or the next one.
    func wake() {
        state.withLock { $0.isWoken = true }
        wakeUp.signal()
    }

    /// Whether ``wake()`` was called since the last question.
    func takeWake() -> Bool {
        state.withLock { state in
            defer { state.isWoken = false }
            return state.isWoken
        }
    }
}
