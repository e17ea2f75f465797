// Processes for the tests to kill. `write STORE` saves without end, `check STORE` tells what is wrong. `halt STORE`
// stops in the middle of a migration, `migrate STORE` goes through with it.
//
// `record STORE NAME` saves with history, `follow STORE LEDGER` keeps a ledger of it without end, `catchup STORE
// LEDGER` does so up to the present, and `audit STORE LEDGER` tells what the ledger has wrong.
import Foundation

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(2) }
let store = URL(fileURLWithPath: arguments[2])
let other = arguments.count > 3 ? arguments[3] : ""
do {
    var faults: [String] = []
    switch arguments[1] {
    case "write": try Rounds.write(store)
    case "check": faults = try Rounds.faults(store)
    case "halt": try LaterRounds.halt(store)
    case "migrate": try LaterRounds.migrate(store)
    case "record": try Ledger.write(store, as: other)
    case "follow", "catchup":
        try Ledger.read(store, to: URL(fileURLWithPath: other), untilEnd: arguments[1] == "catchup")
    case "audit": faults = try Ledger(at: URL(fileURLWithPath: other)).faults(store)
    default: exit(2)
    }
    faults.forEach { print($0) }
    exit(faults.isEmpty ? 0 : 1)
} catch {
    print(error)
    exit(3)
}
