import CoreData
import FileFaults
import Foundation

extension FileFault {
    /// The faults that a program goes on after.
    static let survivable: [FileFault] = [.error, .dead, .full, .short, .interrupted]

    var label: String {
        switch self {
        case .none: "none"
        case .error: "I/O error"
        case .dead: "disk gone"
        case .full: "disk full"
        case .short: "short read or write"
        case .interrupted: "interrupted"
        case .kill: "killed"
        }
    }
}

extension Sweep {
    /// Has a fault come at one call after the other, until there are no more.
    ///
    /// Afterwards the stores have the state that was reported; the operation, done again, succeeds.
    func sweep(_ fault: FileFault) throws {
        var call = 1 + Int(seed) % stride
        while try fails(fault, at: call) { call += stride }
    }

    /// - Returns: Whether there is such a call.
    private func fails(_ fault: FileFault, at call: Int) throws -> Bool {
        try withStage { stage in
            filefaults_watch(stage.folder.path)
            let operation: () throws -> Void
            operation = try scenario.operation(stage)
            filefaults_arm(fault, UInt64(call))
            let outcome = Result { try operation() }
            let calls = filefaults_disarm()
            if let place = Fault.last {
                count(fault.label)
                check(stage, outcome, operation, "\(fault.label) at call \(call) (\(place))", fault)
            } else if case .failure(let error) = outcome {
                fail("\(fault.label) at call \(call)", "failed without a fault: \(error)")
            }
            return calls >= call
        }
    }

    private func check(
        _ stage: Stage, _ outcome: Result<Void, any Error>, _ operation: () throws -> Void, _ situation: String,
        _ fault: FileFault
    ) {
        let last = states.count - 1
        do {
            if case .failure(let error) = outcome {
                let situation = situation + ", failed with “\(error.localizedDescription)”"
                check(error, situation, fault)
                let isIncomplete = (error as NSError).code == NSPersistentStoreIncompleteSaveError
                let found = try checkFailure(stage, situation, mayMix: scenario.commitsInTurn && isIncomplete)
                let isLate = scenario.mayFailLate && found == last
                do {
                    try operation()
                } catch {
                    if !isLate { return fail(situation, "the retry failed: \(error)") }
                }
            }
            let situation = situation + (outcome.isFailure ? ", after the retry" : ", succeeded")
            _ = state(of: stage.folder, situation, among: last...last)
            try checkObjects(stage, situation)
            try stage.close()
            // A log that could not be put away is put away by the next connection that closes.
            _ = state(of: stage.folder, situation + ", closed", among: last...last)
            for problem in try problems(in: stage.folder, isAfterCrash: scenario.mayLeaveOrphans) {
                fail(situation, problem)
            }
        } catch {
            fail(situation, "can't go on: \(error)")
        }
    }

    /// After an error the old state is there, also if the process is killed now.
    ///
    /// - Returns: The state that was found.
    private func checkFailure(_ stage: Stage, _ situation: String, mayMix: Bool) throws -> Int? {
        let (done, next) = (stage.completedSteps, stage.completedSteps + 1)
        try withCopy(of: stage.folder) { copy in
            let situation = situation + ", then killed"
            guard state(of: copy, situation, among: done...next, mayMix: scenario.commitsInTurn) != nil else { return }
            for problem in try problems(in: copy, isAfterCrash: true) { fail(situation, problem) }
        }
        if next == states.count - 1 { try checkObjects(stage, situation) }
        let allowed = done...(scenario.mayFailLate || mayMix ? next : done)
        return state(of: stage.folder, situation, among: allowed, mayMix: mayMix)
    }

    private func check(_ error: any Error, _ situation: String, _ fault: FileFault) {
        let error = error as NSError
        if error.domain != NSCocoaErrorDomain { return fail(situation, "not a Cocoa error: \(error)") }
        if error.localizedDescription.isEmpty { fail(situation, "an error without a description: \(error)") }
        switch (fault, error.code) {
        case (.full, _) where error.isOfFullDisk: break
        case (.full, _): fail(situation, "a full disk is not reported as 640: \(error)")
        case (.short, _), (.interrupted, _): fail(situation, "failed, though it could go on: \(error)")
        default: break
        }
    }

    /// What contexts have, saved or not, is the new state.
    private func checkObjects(_ stage: Stage, _ situation: String) throws {
        guard !stage.contexts.isEmpty, let last = states.last else { return }
        let objects = try stage.contexts.map { try Contents.ofContext($0) }
        for difference in objects.map({ Set($0).symmetricDifference(last.objects) }) where !difference.isEmpty {
            fail(situation, "the objects in memory are not those of the new state: \(difference)")
        }
    }
}

/// The call at which a fault came.
private struct Fault: CustomStringConvertible {
    let description: String

    /// Nil if none came since faults were armed.
    static var last: Fault? {
        var kind = FileCallKind.open
        var path = [CChar](repeating: 0, count: 4096)
        guard filefaults_came(&kind, &path, path.count) else { return nil }
        let name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return Fault(description: "\(kind.label) \(name)")
    }
}

extension FileCallKind {
    fileprivate var label: String {
        switch self {
        case .open: "open"
        case .read: "read"
        case .write: "write"
        case .sync: "sync"
        case .truncate: "truncate"
        case .lock: "lock"
        case .delete: "delete"
        case .rename: "rename"
        case .link: "link"
        case .makeFolder: "mkdir"
        case .removeFolder: "rmdir"
        case .map: "map"
        case .list: "list"
        case .look: "look at"
        case .attributes: "set attributes of"
        case .mark: "mark"
        }
    }
}

extension NSError {
    /// Whether the error, or what it comes from, says that the disk is full. A migration's error has the cause with it.
    fileprivate var isOfFullDisk: Bool {
        domain == NSCocoaErrorDomain && code == 640
            || (userInfo[NSUnderlyingErrorKey] as? NSError)?.isOfFullDisk ?? false
            || (userInfo[NSDetailedErrorsKey] as? [NSError])?.contains(where: \.isOfFullDisk) ?? false
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
