// Many processes that change one store in PostgreSQL at the same time.
//   PostgreSQLWriters run [seconds=60] [calm|broken] [seed=1]    starts a server and the processes; checks the store
//   PostgreSQLWriters work URL POLICY SECONDS SEED LEDGER        is one of the processes
//   PostgreSQLWriters live [saves=30]    starts a server and a process that saves; prints how long it takes until a
//                                        results controller tells of each save
//   PostgreSQLWriters save URL           is the process that saves
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch arguments.first {
    case "run": try exit(Contest(Array(arguments.dropFirst())).run() ? 0 : 1)
    case "work" where arguments.count == 6: try Writer(Array(arguments.dropFirst())).run()
    case "live": try LiveResults(saves: arguments.dropFirst().first.flatMap { Int($0) } ?? 30).run()
    case "save" where arguments.count == 2: try Saver(arguments[1]).run()
    default:
        print("usage: PostgreSQLWriters run [seconds] [calm|broken] [seed], or live [saves]")
        exit(2)
    }
} catch {
    print(error)
    exit(2)
}
