// Faults on purpose: see README.md beside the sources.
//
//   Faults list                                       the scenarios' names
//   Faults run [--stride N] [--seed N] [--only errors|stops|kills] [--unsafe] [NAME…]
//   Faults child NAME FOLDER CALL                     one scenario in a folder, to be killed at a call
import FileFaults
import Foundation

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "list": Scenario.all.forEach { print($0.name) }
    case "run": exit(try Run(Array(arguments.dropFirst())).all() ? 0 : 1)
    case "child":
        let scenario = try Run.scenarios(named: [arguments[1]], among: Scenario.all)[0]
        try Sweep.runToBeKilled(scenario, in: URL(fileURLWithPath: arguments[2]), at: UInt64(arguments[3]) ?? 0)
    default:
        print("usage: Faults list | run [--stride N] [--seed N] [--only errors|stops|kills] [--unsafe] [NAME…]")
        exit(2)
    }
} catch {
    print("Faults: \(error)")
    exit(3)
}
