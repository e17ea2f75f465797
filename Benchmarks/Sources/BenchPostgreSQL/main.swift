// BenchPostgreSQL prepare <URL>
// BenchPostgreSQL <workload> <URL> <repeat>
// `prepare` makes a store with all players. Workloads that write make the store anew, with teams alone.
import CBench
import CoreData
import CoreDataPostgreSQL
import Foundation

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2, let url = URL(string: arguments[1]) else {
    fail("usage: BenchPostgreSQL prepare <URL> | <workload> <URL> <repeat>")
}
let workloads = Workloads(url)
if arguments[0] == "prepare" {
    _ = try workloads.insert()
} else {
    guard arguments.count == 3, let times = Int(arguments[2]) else { fail("how often?") }
    for run in 0...times {  // run 0 is the warm-up
        guard var result = try workloads.run(arguments[0]) else { fail("there is no workload \(arguments[0])") }
        if run > 0 { bench_print("coredata", arguments[0], &result) }
    }
}
