#if Metrics
    import CoreData
    import Metrics

    /// Counts and times what all contexts and coordinators of the process do, through swift-metrics.
    ///
    /// ```swift
    /// MetricsSystem.bootstrap(…)
    /// CoreDataMeter.start()
    /// ```
    ///
    /// | label | what |
    /// |---|---|
    /// | `coredata_fetches` | fetches and counts; `coredata_fetch_duration`: how long each took |
    /// | `coredata_faults` | faults that fired; `coredata_fault_duration` |
    /// | `coredata_cache_hits` | rows that faults and IDs found in the row cache |
    /// | `coredata_rows_read` | rows that stores gave |
    /// | `coredata_saves` | saves to stores; `coredata_save_duration` |
    /// | `coredata_rows_written` | rows inserted, changed and deleted |
    public enum CoreDataMeter {
        /// Counts from now on. A meter that was started before is told no longer.
        ///
        /// - Parameters:
        ///   - dimensions: What tells these metrics from others of the same labels.
        ///   - factory: Where the metrics come from; the one that the process was bootstrapped with, if nothing is
        ///     said.
        public static func start(
            dimensions: [(String, String)] = [], factory: any MetricsFactory = MetricsSystem.factory
        ) {
            Activity.setMeter(Meter(dimensions, factory))
        }

        /// Counts no longer.
        public static func stop() { Activity.setMeter(nil) }
    }

    private final class Meter: ActivityMeter {
        private let counters: [Activity: Counter]
        private let timers: [Activity: Timer]

        init(_ dimensions: [(String, String)], _ factory: any MetricsFactory) {
            counters = Dictionary(
                uniqueKeysWithValues: Activity.allCases.map {
                    ($0, Counter(label: "coredata_" + $0.label, dimensions: dimensions, factory: factory))
                })
            timers = Dictionary(
                uniqueKeysWithValues: [(.fetches, "fetch"), (.faults, "fault"), (.saves, "save")].map {
                    ($0, Timer(label: "coredata_\($1)_duration", dimensions: dimensions, factory: factory))
                })
        }

        func note(_ activity: Activity, _ count: Int) { counters[activity]?.increment(by: count) }

        func note(_ activity: Activity, nanoseconds: UInt64) {
            timers[activity]?.recordNanoseconds(Int64(clamping: nanoseconds))
        }
    }

    extension Activity {
        fileprivate var label: String {
            switch self {
            case .cacheHits: "cache_hits"
            case .rowsRead: "rows_read"
            case .rowsWritten: "rows_written"
            case .fetches, .faults, .saves: rawValue
            }
        }
    }
#endif
