import Foundation
import Synchronization

/// Ends the browsers that are still there when the tests are done.
enum RunningBrowsers {
    private struct Running {
        let process: pid_t
        let folder: String
    }

    private static let running = Mutex<[Running]>([])
    /// Registered once, with the first browser.
    private static let registration: Void = {
        atexit { RunningBrowsers.endAll() }
    }()

    static func add(_ process: pid_t, _ folder: URL) {
        _ = registration
        running.withLock { $0.append(Running(process: process, folder: folder.path)) }
    }

    static func remove(_ process: pid_t) { running.withLock { $0.removeAll { $0.process == process } } }

    private static func endAll() {
        let all = running.withLock(\.self)
        for each in all { kill(each.process, SIGKILL) }
        for each in all { try? FileManager.default.removeItem(atPath: each.folder) }
    }
}
