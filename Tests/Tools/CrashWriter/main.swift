// A process for the tests to kill: `CrashWriter write STORE` saves without end, `CrashWriter check STORE` tells what is
// wrong. `CrashWriter halt STORE` stops in the middle of a migration, `CrashWriter migrate STORE` goes through with it.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 3 else { exit(2) }
let store = URL(fileURLWithPath: arguments[2])
do {
    if arguments[1] == "write" { try Rounds.write(store) }
    if arguments[1] == "halt" { try LaterRounds.halt(store) }
    if arguments[1] == "migrate" {
        try LaterRounds.migrate(store)
        exit(0)
    }
    let faults = try Rounds.faults(store)
    faults.forEach { print($0) }
    exit(faults.isEmpty ? 0 : 1)
} catch {
    print(error)
    exit(3)
}
