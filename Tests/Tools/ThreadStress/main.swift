import CoreData
import Dispatch
import Foundation
import Synchronization

/// Eight contexts, three of them children of a ninth, that use one coordinator at once, each from a thread of its own:
/// for the Thread Sanitizer, which watches, and for the sums at the end, which have to be right.
///
///     ThreadStress [seconds=10] [seed]
let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 10
let seed = CommandLine.arguments.dropFirst(2).first.flatMap(UInt64.init) ?? .random(in: 0...UInt64(Int64.max))
print("thread stress: \(seconds) seconds, seed \(seed)")

let league = try League()
defer { league.remove() }
let end = Date(timeIntervalSinceNow: seconds)
let failures = Mutex<[String]>([])

DispatchQueue.concurrentPerform(iterations: 8) { index in
    var worker = Worker(league, index: index, seed: seed &+ UInt64(index))
    do {
        while Date() < end, failures.withLock(\.isEmpty) { try worker.turn() }
        worker.finish()
    } catch {
        failures.withLock { $0.append("context \(index): \(error)") }
    }
}

do { try league.check() } catch { failures.withLock { $0.append("\(error)") } }
let found = failures.withLock { $0 }
found.forEach { print($0) }
print(found.isEmpty ? "\(league.saves.withLock { $0 }) saves, all sums right" : "FAILED with seed \(seed)")
exit(found.isEmpty ? 0 : 1)
