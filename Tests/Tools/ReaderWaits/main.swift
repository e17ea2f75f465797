import CoreData
import Foundation

/// One context saves in a loop; what do fetches on another wait for it?
///
///     ReaderWaits [seconds=5]
///
/// Measured for each fetch: how long it took; how long it waited for a lock of the coordinator or the store, and for
/// how much of that the saver was at work under the lock, which is what it was blocked by the saver; how long its
/// thread was off the processor, which counts the scheduler and the disk too. Last comes what it was with one
/// connection for everybody.
LockContention.watchSavers()
let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 5
print(
    "save of   connections    saves  fetches   median     p99     max   waited at most   blocked: p99     max   off the processor: p99     max"
)
var worst = 0.0
for size in [1, 100, 10_000] {
    let measured = try Experiment(saving: size, connections: nil).run(seconds)
    worst = max(worst, measured.blockages.last ?? 0)
    measured.print(size, "several")
}
for size in [1, 100, 10_000] {
    try Experiment(saving: size, connections: 0).run(min(seconds, 3)).print(size, "one")
}
print("The saver worked under the lock for \(Double(LockContention.longestHold) * 1e-6) ms at most.")
let isGood = worst <= 0.001
print(isGood ? "No fetch was blocked for longer than 1 ms." : "FAILED: a fetch was blocked for \(worst * 1000) ms.")
exit(isGood ? 0 : 1)
