import CoreData
import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Rings when the stores of a coordinator were changed, and when the command is to end: at SIGINT and SIGTERM.
final class ChangeBell {
    private final class State: Sendable {
        let semaphore = DispatchSemaphore(value: 0)
        let isEnded = Mutex(false)
    }

    private let state = State()
    private let observer: any NSObjectProtocol
    private let signals: [any DispatchSourceSignal]

    init(of coordinator: NSPersistentStoreCoordinator) {
        let state = state
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { _ in _ = state.semaphore.signal() }
        signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                state.isEnded.withLock { $0 = true }
                state.semaphore.signal()
            }
            source.resume()
            return source
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(observer)
        signals.forEach { $0.cancel() }
    }

    /// Waits until it rings.
    ///
    /// - Returns: False where the command is to end.
    func wait() -> Bool {
        state.semaphore.wait()
        // One look at the history finds what all notifications since the last one are about.
        while state.semaphore.wait(timeout: .now()) == .success {}
        return !state.isEnded.withLock(\.self)
    }
}
