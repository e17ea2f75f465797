import CoreData
import Foundation
import Synchronization

/// Tells how far a migration is, and ends it when that is asked for.
package final class MigrationControl: Sendable {
    /// How far a migration is.
    package struct Progress: Sendable, Hashable {
        /// From 0 to 1.
        package var fraction: Double
        /// The entity mapping that is worked off.
        package var mapping: String?

        package init(fraction: Double, mapping: String? = nil) { (self.fraction, self.mapping) = (fraction, mapping) }
    }

    private struct State {
        var isCancelled = false
        var manager: NSMigrationManager?
    }

    private let state = Mutex(State())
    private let tell: @Sendable (Progress) -> Void

    /// - Parameter tell: Called on the thread that migrates.
    package init(_ tell: @escaping @Sendable (Progress) -> Void = { _ in }) { self.tell = tell }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends what runs before its next object.
    package func cancel() {
        let manager = state.withLock { state in
            state.isCancelled = true
            return state.manager
        }
        manager?.cancelMigrationWithError(Self.cancellation)
    }

    private static let cancellation = NSError(
        domain: NSCocoaErrorDomain, code: NSMigrationCancelledError,
        userInfo: [NSLocalizedDescriptionKey: "The migration was ended."])

    /// - Throws: The error of a migration that was ended.
    package func check() throws { if isCancelled { throw Self.cancellation } }

    /// Listens to a manager, for as long as the value that it gives lives.
    package func watch(_ manager: NSMigrationManager) -> Any? {
        state.withLock { $0.manager = manager }
        let observation = manager.observe(\.migrationProgress, options: [.new]) { [tell, weak self] manager, change in
            // It may have been ended before the manager began.
            if self?.isCancelled ?? false { manager.cancelMigrationWithError(Self.cancellation) }
            let fraction = Double(change.newValue ?? 0)
            let name = fraction > 0 && fraction < 1 ? manager.currentEntityMapping.name : nil
            tell(Progress(fraction: fraction, mapping: name))
        }
        return observation
    }
}
