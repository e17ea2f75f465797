import CoreData
import Foundation

/// Tells how far a migration manager is, five times a second.
final class ProgressMeter {
    private let timer: DispatchSourceTimer

    init(_ manager: NSMigrationManager, _ watch: MigrationWatch) {
        timer = DispatchSource.makeTimerSource()
        // Unchecked: the watch belongs to the timer until it is stopped.
        nonisolated(unsafe) let watch = watch
        timer.setEventHandler {
            let percent = Int(manager.migrationProgress * 100)
            watch.note({ "\(percent) %" }, done: percent, of: 100)
        }
        timer.schedule(deadline: .now() + 0.2, repeating: 0.2)
        timer.resume()
    }

    /// No call follows.
    func stop() {
        let stopped = DispatchSemaphore(value: 0)
        timer.setCancelHandler { stopped.signal() }
        timer.cancel()
        stopped.wait()
    }
}
