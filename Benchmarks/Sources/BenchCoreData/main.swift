// BenchCoreData prepare <base.sqlite>
// BenchCoreData coredata <workload> <base.sqlite> <work.sqlite> <repeat>
import CBench
import Foundation

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "prepare" {
    try Workloads(base: arguments[2], work: "").prepare()
    exit(0)
}
guard arguments.count == 6, let times = Int(arguments[5]) else {
    print("usage: BenchCoreData coredata <workload> <base> <work> <repeat>")
    exit(2)
}
let workloads = try Workloads(base: arguments[3], work: arguments[4])
for run in 0...times {  // run 0 is the warm-up
    guard let result = try workloads.run(arguments[2]) else {
        print("there is no workload \(arguments[2])")
        exit(2)
    }
    if run > 0 { result.print(arguments[2]) }
}
bench_remove_db(arguments[4])
