// A process for the tests to kill: `CrashWriter write STORE` saves without end, `CrashWriter check STORE` tells what is
// wrong.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 3 else { exit(2) }
let store = URL(fileURLWithPath: arguments[2])
do {
    if arguments[1] == "write" { try Rounds.write(store) }
    let faults = try Rounds.faults(store)
    faults.forEach { print($0) }
    exit(faults.isEmpty ? 0 : 1)
} catch {
    print(error)
    exit(3)
}
