import CoreData
import FileFaults
import Foundation

extension Sweep {
    /// Has the machine stop at one call after the other, in each way.
    ///
    /// The operation runs once, and what it does to its files is recorded. Each folder that a crash can leave is made
    /// from the record, and looked at.
    func sweepStops() throws {
        let (before, calls, first) = try recorded()
        var disk = before
        var (steps, seen, number) = (0, Set<Finding>(), 0)
        for (index, call) in calls.enumerated() {
            disk.apply(call)
            if case .mark = call.effect { steps += 1 }
            guard index >= first, call.changesSomething else { continue }
            number += 1
            guard number % stride == Int(seed) % stride else { continue }
            for stop in Stop.all(seed: seed &+ UInt64(index) &* 1000) where stop != .killWithinWrite || call.isWrite {
                let allowed = allowed(after: steps, stop)
                let image = disk.image(after: stop)
                count(stop.isKill ? "killed, by the record" : "power loss")
                // Many calls leave the same, for instance all that are not synchronized.
                guard seen.insert(Finding(image: image.digest, allowed: allowed)).inserted else { continue }
                try check(
                    image, "\(stop) after call \(index) (\(call.label))", among: allowed, repeats: number % 4 == 0)
            }
        }
        try checkClosed(disk)
    }

    /// Runs the operation and closes the stage.
    ///
    /// - Returns: The disk before, all calls, and where among them the operation begins.
    private func recorded() throws -> (disk: Disk, calls: [RecordedCall], first: Int) {
        try withStage { stage in
            let disk = try Disk(folder: stage.folder)
            filefaults_watch(stage.folder.path)
            filefaults_record(true)
            defer { filefaults_record(false) }
            let operation = try scenario.operation(stage)
            let first = RecordedCall.all.count
            try operation()
            try stage.close()
            let calls = RecordedCall.all
            checkRecord(disk, calls, stage.folder)
            return (disk, calls, first)
        }
    }

    /// The record tells all that was done: what the calls lead to is what is in the folder.
    private func checkRecord(_ disk: Disk, _ calls: [RecordedCall], _ folder: URL) {
        var disk = disk
        calls.forEach { disk.apply($0) }
        let files = disk.image(after: .kill).files
        for (path, bytes) in files where !path.hasSuffix("-shm") {
            let data = try? Data(contentsOf: folder.appendingPathComponent(path))
            if data.map({ Array($0) }) != bytes { fail("the record", "\(path) is not what the recorded calls lead to") }
        }
        let names = Set(files.keys)
        let found = Set(((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).map { "/" + $0 })
        if !names.isSubset(of: found) { fail("the record", "missing: \(names.subtracting(found))") }
    }

    /// The states that may be found. Without synchronization a power loss may take what was reported as done.
    private func allowed(after steps: Int, _ stop: Stop) -> ClosedRange<Int> {
        let last = min(steps + 1, states.count - 1)
        return (stop.isKill || scenario.isDurable ? min(steps, last) : 0)...last
    }

    private func check(
        _ image: Image, _ situation: String, among allowed: ClosedRange<Int>, repeats: Bool
    ) throws {
        let folder = newFolder()
        try image.write(to: folder)
        try withStage(in: folder) { stage in
            guard let state = state(of: folder, situation, among: allowed, mayMix: scenario.commitsInTurn) else {
                return
            }
            for problem in try problems(in: folder, isAfterCrash: true) { fail(situation, problem) }
            if repeats, state == 0, states[0] == (try? Contents.ofStores(in: folder, scenario)) {
                repeatOperation(stage, situation)
            }
        }
    }

    /// What a crash left is in no operation's way.
    func repeatOperation(_ stage: Stage, _ situation: String) {
        do {
            try scenario.operation(stage)()
            try stage.close()
            _ = state(of: stage.folder, situation + ", repeated", among: states.count - 1...states.count - 1)
            for problem in try problems(in: stage.folder, isAfterCrash: true) {
                fail(situation + ", repeated", problem)
            }
        } catch {
            fail(situation, "can't be repeated: \(error)")
        }
    }

    /// What was closed in order is on the disk.
    private func checkClosed(_ disk: Disk) throws {
        guard scenario.isDurableWhenClosed else { return }
        let last = states.count - 1
        try check(
            disk.image(after: .nothingKept), "power loss after everything was closed", among: last...last,
            repeats: false)
    }

    private struct Finding: Hashable {
        let image: Int
        let allowed: ClosedRange<Int>
    }
}

extension RecordedCall {
    fileprivate var label: String {
        switch effect {
        case .open: "open \(path)"
        case .write(let offset, let bytes): "write \(path) \(offset) \(bytes.count)"
        case .truncate(let length): "truncate \(path) \(length)"
        case .synchronize: "sync \(path)"
        case .delete: "delete \(path)"
        case .rename(let other): "rename \(path) \(other)"
        case .link(let other): "link \(path) \(other)"
        case .makeFolder: "mkdir \(path)"
        case .removeFolder: "rmdir \(path)"
        case .mark: "step"
        }
    }
}
