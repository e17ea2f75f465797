// Four contexts against an oracle, by random scripts; see `FourContexts help`.
import Foundation

let arguments = CommandLine.arguments.dropFirst()
do {
    switch arguments.first {
    case "elsewhere": try Elsewhere.serve()
    case "worker": try Worker().serve()
    default: try exit(Tournament(Array(arguments)).run() ? 0 : 1)
    }
} catch {
    print(error)
    exit(2)
}
