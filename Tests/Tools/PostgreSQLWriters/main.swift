// Many processes that change one store in PostgreSQL at the same time.
//   PostgreSQLWriters run [seconds=60] [calm|broken] [seed=1]    starts a server and the processes; checks the store
//   PostgreSQLWriters work URL POLICY SECONDS SEED LEDGER        is one of the processes
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch arguments.first {
    case "run": try exit(Contest(Array(arguments.dropFirst())).run() ? 0 : 1)
    case "work" where arguments.count == 6: try Writer(Array(arguments.dropFirst())).run()
    default:
        print("usage: PostgreSQLWriters run [seconds] [calm|broken] [seed]")
        exit(2)
    }
} catch {
    print(error)
    exit(2)
}
