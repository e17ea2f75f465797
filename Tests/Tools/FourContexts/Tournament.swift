import Dispatch
import Foundation
import Synchronization

/// Plays the scripts of many seeds in several processes, and makes the first that fails a short one.
///
///     FourContexts [seeds=200] [--seed N] [--from N] [--steps 200] [--jobs 2] [--all] [--false]
///
/// The seeds are any, others each time, or those from one on. With `--all` it goes on after a failure, and names all
/// seeds that fail instead of a short script for the first. With `--false` the oracle has a rule wrong, so that every
/// script fails.
struct Tournament {
    private var seeds: [UInt64] = []
    private var steps = 200
    private var jobs = 2
    private var isFalse = false
    private var goesOn = false
    private static let usage = """
        usage: FourContexts [seeds=200] [--seed N] [--from N] [--steps 200] [--jobs 2] [--all] [--false]
        """

    init(_ arguments: [String]) throws {
        var count: UInt64 = 200
        var first = UInt64.random(in: 1...UInt64(Int64.max))
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            func value() throws -> UInt64 {
                guard let value = rest.popFirst().flatMap({ UInt64($0) }) else {
                    throw Failure("\(argument) needs a number")
                }
                return value
            }
            switch argument {
            case "--seed": seeds = [try value()]
            case "--from": first = try value()
            case "--false": isFalse = true
            case "--all": goesOn = true
            case "--steps": steps = Int(try value())
            case "--jobs": jobs = Int(try value())
            default:
                guard let number = UInt64(argument) else { throw Failure(Self.usage) }
                count = number
            }
        }
        if seeds.isEmpty { seeds = (0..<count).map { first &+ $0 } }
    }

    /// Prints a line at once, also into a pipe.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// - Returns: Whether all went well.
    func run() throws -> Bool {
        let start = Date()
        let next = Atomic<Int>(0)
        let failed = Mutex<[(seed: UInt64, failure: String)]>([])
        let tally = Mutex(Tally())
        let scripts = { @Sendable [steps, isFalse] (seed: UInt64) in Script(seed: seed, length: steps, isFalse: isFalse)
        }
        let seeds = seeds
        DispatchQueue.concurrentPerform(iterations: min(jobs, seeds.count)) { _ in
            let worker = WorkerHandle()
            defer {
                worker.end()
                tally.withLock { $0.add(worker.tally) }
            }
            while goesOn || failed.withLock({ $0.isEmpty }) {
                let place = next.add(1, ordering: .relaxed).oldValue
                guard place < seeds.count else { return }
                say("four contexts: COREDATA_TEST_SEED=\(seeds[place])")
                let failure: String
                do {
                    guard let found = try worker.play(scripts(seeds[place])) else { continue }
                    failure = found.failure
                } catch {
                    failure = "\(error)"
                }
                say("FAILED with seed \(seeds[place]): \(failure)")
                failed.withLock { $0.append((seeds[place], failure)) }
            }
        }
        let failures = failed.withLock(\.self)
        guard let (seed, failure) = failures.first else {
            say("\(seeds.count) scripts of \(steps) steps in \(Int(Date().timeIntervalSince(start))) seconds")
            say(tally.withLock(\.text))
            return true
        }
        if goesOn {
            say("\(failures.count) of \(seeds.count) scripts failed")
        } else {
            say(try Shrinking(scripts(seed), failure: failure).report())
        }
        return false
    }
}

/// Takes steps out of a script that fails, as long as it goes on failing.
final class Shrinking {
    private var script: Script
    private let worker = WorkerHandle()
    private var plays = 0
    private let kind: String

    init(_ script: Script, failure: String) {
        self.script = script
        kind = Self.kind(of: failure)
    }

    deinit { worker.end() }

    /// The shortest script that was found, step by step, and how it fails.
    func report() throws -> String {
        try shrink()
        // One that depends on more than the script may take a few plays.
        for _ in 0..<20 {
            guard let (failure, log) = try worker.play(script, tells: true) else { continue }
            return text(failure, log)
        }
        return "The script does not fail every time."
    }

    private func text(_ failure: String, _ log: [String]) -> String {
        let steps = log.map { "  " + $0 }.joined(separator: "\n")
        return "\(script.steps.count) steps are enough (found in \(plays) plays):\n\(steps)\n\(failure)"
    }

    /// Delta debugging: parts of a half, a quarter, and so on are left out, down to single steps.
    private func shrink() throws {
        var size = script.steps.count / 2
        while size > 0 {
            var start = 0
            var isShorter = false
            while start < script.steps.count {
                var shorter = script
                shorter.steps.removeSubrange(start..<min(start + size, script.steps.count))
                if try fails(shorter) {
                    script = shorter
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size > 1 || !isShorter { size /= 2 }
        }
    }

    /// Whether a script fails the way that the whole one does; what object it is about is the same to us.
    private func fails(_ script: Script) throws -> Bool {
        plays += 1
        return try worker.play(script).map { Self.kind(of: $0.failure) == kind } ?? false
    }

    private static func kind(of failure: String) -> String {
        String(failure.prefix { $0 != "\n" }.filter { !$0.isNumber })
    }
}
