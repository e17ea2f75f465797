import FileFaults
import Foundation

/// All faults on all calls of one scenario.
final class Sweep {
    let scenario: Scenario
    /// Of so many calls one gets a fault; 1: each.
    let stride: Int
    /// What chance decides.
    let seed: UInt64
    /// Where stages are made.
    let place: URL
    /// The prepared folder.
    let prepared: URL
    /// The contents after each step, the old ones first.
    private(set) var states: [Contents] = []
    /// The names that files may have once everything is closed.
    private(set) var files: Set<String> = []
    private(set) var report: Report
    private var stageCount = 0

    init(_ scenario: Scenario, place: URL, stride: Int = 1, seed: UInt64) throws {
        self.scenario = scenario
        self.place = place
        self.stride = stride
        self.seed = seed
        report = Report(scenario: scenario.name)
        prepared = place.appendingPathComponent("prepared")
        try prepare()
        try learn()
    }

    private func prepare() throws {
        try FileManager.default.createDirectory(at: prepared, withIntermediateDirectories: true)
        let stage = Stage(prepared)
        try scenario.prepare(stage)
        try stage.close()
    }

    /// Runs the scenario without faults, and keeps what it leads to.
    private func learn() throws {
        states = [try Contents.ofStores(in: prepared, scenario)]
        try withStage { stage in
            stage.didStep = { self.states.append(try Contents.ofStores(in: stage.folder, self.scenario)) }
            try scenario.operation(stage)()
            stage.didStep = nil
            try stage.close()
            // An operation that is not made of steps is one.
            if states.count == 1 { states.append(try Contents.ofStores(in: stage.folder, scenario)) }
            files = try Soundness.names(in: stage.folder).union(Soundness.names(in: prepared))
            for problem in try problems(in: stage.folder, isAfterCrash: false) { fail("without faults", problem) }
        }
    }

    // MARK: Stages

    /// Runs `body` with a copy of the prepared folder.
    func withStage<R>(_ body: (Stage) throws -> R) throws -> R {
        let folder = newFolder()
        try FileManager.default.copyItem(at: prepared, to: folder)
        return try withStage(in: folder, body)
    }

    /// Runs `body` with a folder, which is removed afterwards.
    func withStage<R>(in folder: URL, _ body: (Stage) throws -> R) throws -> R {
        let stage = Stage(folder)
        defer {
            try? stage.close()
            filefaults_watch(nil)
            try? FileManager.default.removeItem(at: folder)
        }
        return try body(stage)
    }

    /// Runs `body` with a copy of a folder as it is.
    func withCopy(of folder: URL, _ body: (URL) throws -> Void) throws {
        let copy = newFolder()
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: folder, to: copy)
        try body(copy)
    }

    func newFolder() -> URL {
        stageCount += 1
        return place.appendingPathComponent("stage-\(stageCount)")
    }

    // MARK: What is found

    /// The number of the state that a folder's stores have; nil: none, which is a failure.
    ///
    /// - Parameter mayMix: Whether some stores may have an older one of the states, and others a newer one.
    func state(
        of folder: URL, _ situation: @autoclosure () -> String, among allowed: ClosedRange<Int>, mayMix: Bool = false
    ) -> Int? {
        do {
            let contents = try Contents.ofStores(in: folder, scenario)
            // States may be alike.
            if let state = states.indices.last(where: { allowed.contains($0) && states[$0] == contents }) {
                return state
            }
            if mayMix, contents.isMixture(of: states[allowed]) { return allowed.lowerBound }
            let found = states.firstIndex(of: contents).map { "state \($0)" } ?? contents.difference(from: states)
            fail(situation(), "the stores are not in a state of \(allowed), but: \(found)")
        } catch {
            fail(situation(), "the stores can't be read: \(error)")
        }
        return nil
    }

    func problems(in folder: URL, isAfterCrash: Bool) throws -> [String] {
        try Soundness.problems(in: folder, scenario, files: files, isAfterCrash: isAfterCrash)
    }

    func fail(_ situation: String, _ problem: String) { report.failures.append("\(situation): \(problem)") }

    func count(_ fault: String, _ number: Int = 1) { report.counts[fault, default: 0] += number }
}

/// What a sweep found.
struct Report {
    let scenario: String
    /// How often each kind of fault came.
    var counts: [String: Int] = [:]
    var failures: [String] = []
}

extension Contents {
    /// What is not as in the last state, and what of it is missing.
    fileprivate func difference(from states: [Contents]) -> String {
        func lines(_ contents: Contents?) -> [Substring] { contents?.description.split(separator: "\n") ?? [] }
        let known = Set(states.flatMap { lines($0) })
        let more = lines(self).filter { !known.contains($0) }
        let fewer = lines(states.last).filter { !Set(lines(self)).contains($0) }
        return "\(lines(self).count) lines; in no state: \(more); missing of the last: \(fewer)"
    }
}
