import CoreData
import FileFaults
import Foundation

extension Sweep {
    /// Has a process of its own be killed at one call after the other.
    ///
    /// At every other call this process has the stores open meanwhile: then the killed one's locks and its part of the
    /// shared memory are left to it.
    func sweepKills() throws {
        var call = 1 + Int(seed) % stride
        while try isKilled(at: call, isBeside: call % 2 == 0) { call += stride }
    }

    private func isKilled(at call: Int, isBeside: Bool) throws -> Bool {
        try withStage { stage in
            let situation = "killed at call \(call)" + (isBeside ? ", beside another process" : "")
            let others = isBeside ? try Bystander(stage.folder, scenario) : nil
            let (wasKilled, steps) = try runChild(stage.folder, call, situation)
            guard wasKilled else { return false }
            count("killed")
            let allowed = min(steps, states.count - 1)...min(steps + 1, states.count - 1)
            try others?.check { fail(situation, $0) }
            let mayMix = scenario.commitsInTurn
            if let state = state(of: stage.folder, situation, among: allowed, mayMix: mayMix) {
                for problem in try problems(in: stage.folder, isAfterCrash: true) { fail(situation, problem) }
                if state == 0, call % 4 == 1, !mayMix { repeatOperation(stage, situation) }
            }
            return true
        }
    }

    private func runChild(_ folder: URL, _ call: Int, _ situation: String) throws -> (wasKilled: Bool, steps: Int) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["child", scenario.name, folder.path, "\(call)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let steps = output.fileHandleForReading.readDataToEndOfFile().count
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL { return (true, steps) }
        if process.terminationStatus != 0 { fail(situation, "the process ended with \(process.terminationStatus)") }
        return (false, steps)
    }

    /// Runs a scenario in this process, which is killed at a call. Writes a byte after each step.
    static func runToBeKilled(_ scenario: Scenario, in folder: URL, at call: UInt64) throws {
        let stage = Stage(folder)
        filefaults_watch(folder.path)
        stage.didStep = { FileHandle.standardOutput.write(Data(".".utf8)) }
        let operation = try scenario.operation(stage)
        filefaults_arm(.kill, call)
        try operation()
        try stage.close()
        _ = filefaults_disarm()
    }
}

/// The stores of a folder, opened by a process that is not killed.
private final class Bystander {
    private let context: NSManagedObjectContext

    /// Nil if there is a store that can't be opened yet, or that the scenario replaces.
    init?(_ folder: URL, _ scenario: Scenario) throws {
        guard scenario.allowsBystander, let model = scenario.models().first else { return nil }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for name in scenario.stores {
            try coordinator.addPersistentStore(
                type: Stage.type(of: name), at: folder.appendingPathComponent(name))
        }
        context = Stage.context(on: coordinator)
        _ = try Contents.ofContext(context)
    }

    /// Reads everything again, and saves something.
    func check(_ fail: (String) -> Void) throws {
        context.performAndWait {
            context.reset()
            do {
                _ = try Contents.ofContext(context)
                let object = Library.add("Tag", "of a bystander", to: context)
                try context.save()
                context.delete(object)
                try context.save()
            } catch {
                fail("the other process can't go on: \(error)")
            }
        }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
            try context.persistentStoreCoordinator?.remove(store)
        }
    }
}
