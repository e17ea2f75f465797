import Dispatch
import Synchronization

/// What contexts and coordinators do, counted and timed for tools that ask. Usually none does, and then it costs a look
/// at a flag where a store is asked or a fault fires, and nothing where objects are read.
package enum Activity: String, CaseIterable, Sendable {
    /// Fetches and counts that contexts were asked for.
    case fetches
    /// Faults that took their values, from wherever these came.
    case faults
    /// Rows that a fault or an ID found in the row cache.
    case cacheHits
    /// Rows that stores were asked for by key, and those that fetches and relationships brought.
    case rowsRead
    /// Saves to stores, of contexts that have no parent.
    case saves
    /// Rows inserted, changed and deleted.
    case rowsWritten
}

/// Is told of ``Activity``, on any thread.
package protocol ActivityMeter: AnyObject, Sendable {
    func note(_ activity: Activity, _ count: Int)
    /// How long one of an activity took.
    func note(_ activity: Activity, nanoseconds: UInt64)
}

extension Activity {
    private static let hasMeter = Atomic<Bool>(false)
    private static let sharedMeter = Mutex<(any ActivityMeter)?>(nil)

    /// The listener that is told from now on; nil: none.
    package static func setMeter(_ meter: (any ActivityMeter)?) {
        sharedMeter.withLock { $0 = meter }
        hasMeter.store(meter != nil, ordering: .releasing)
    }

    /// Whether a listener is told.
    @inline(__always)
    static var isMetered: Bool { hasMeter.load(ordering: .relaxed) }

    /// Counts so many of the activity.
    @inline(__always)
    func note(_ count: Int = 1) {
        if Self.isMetered { tell { $0.note(self, count) } }
    }

    /// Counts one of the activity, and how long it takes.
    @inline(__always)
    func measured<R>(_ body: () throws -> R) rethrows -> R {
        if Self.isMetered { return try timed(body) }
        return try body()
    }

    @inline(never)
    private func timed<R>(_ body: () throws -> R) rethrows -> R {
        let start = DispatchTime.now().uptimeNanoseconds
        defer {
            let took = DispatchTime.now().uptimeNanoseconds - start
            tell {
                $0.note(self, 1)
                $0.note(self, nanoseconds: took)
            }
        }
        return try body()
    }

    @inline(never)
    private func tell(_ body: (any ActivityMeter) -> Void) {
        if let meter = Self.sharedMeter.withLock({ $0 }) { body(meter) }
    }
}
