import FileFaults
import Foundation

/// Sweeps over scenarios, with a line for each.
struct Run {
    private var scenarios = Scenario.all
    private var stride = 1
    private var seed: UInt64 = 1
    private var only: String?
    private var names: [String] = []

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--stride": stride = Int(rest.popFirst() ?? "") ?? 1
            case "--seed": seed = UInt64(rest.popFirst() ?? "") ?? 1
            case "--only": only = rest.popFirst()
            case "--unsafe": scenarios = Scenario.unsafe
            default: names.append(argument)
            }
        }
        scenarios = try Self.scenarios(named: names, among: scenarios)
    }

    /// The scenarios with these names; all where there are none.
    static func scenarios(named names: [String], among all: [Scenario]) throws -> [Scenario] {
        if names.isEmpty { return all }
        return try names.flatMap { name in
            let found = all.filter { $0.name == name }
            if found.isEmpty { throw ScenarioFailure("no scenario “\(name)”; `Faults list` has their names") }
            return found
        }
    }

    /// - Returns: Whether nothing was found.
    func all() throws -> Bool {
        var totals: [String: Int] = [:]
        var failures = 0
        for scenario in scenarios {
            let report = try report(of: scenario)
            totals.merge(report.counts) { $0 + $1 }
            failures += report.failures.count
            Self.say("\(report.failures.isEmpty ? "ok  " : "FAIL")  \(scenario.name): \(Self.text(report.counts))")
            for failure in report.failures.prefix(20) { Self.say("      \(failure)") }
            if report.failures.count > 20 { Self.say("      and \(report.failures.count - 20) more") }
        }
        Self.say("\(scenarios.count) scenarios, seed \(seed), \(failures) failures: \(Self.text(totals))")
        return failures == 0
    }

    private func report(of scenario: Scenario) throws -> Report {
        let place = try Self.newPlace()
        defer { try? FileManager.default.removeItem(at: place) }
        let sweep = try Sweep(scenario, place: place, stride: stride * scenario.stride, seed: seed)
        if only == nil || only == "errors" { try FileFault.survivable.forEach { try sweep.sweep($0) } }
        if only == nil || only == "stops" { try sweep.sweepStops() }
        if only == nil || only == "kills" { try sweep.sweepKills() }
        return sweep.report
    }

    /// In memory, where there is such a place: nothing here waits for a disk.
    private static func newPlace() throws -> URL {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = FileManager.default.isWritableFile(atPath: memory.path)
        let parent = isThere ? memory : FileManager.default.temporaryDirectory
        let place = parent.appendingPathComponent("faults-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return place.resolvingSymlinksInPath()
    }

    /// Prints a line at once, also where the output is a file.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func text(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}
