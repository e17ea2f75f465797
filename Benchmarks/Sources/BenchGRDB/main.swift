// BenchGRDB <workload> <base.sqlite> <work.sqlite> <repeat> [players]      repeat 0: one run, without a warm-up
import CBench
import Foundation

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 4, let times = Int(arguments[3]) else {
    fail("usage: BenchGRDB <workload> <base> <work> <repeat> [players]")
}
if arguments.count > 4, let players = Int64(arguments[4]) { bench_set_player_count(players) }
let workloads = Workloads(base: arguments[1], work: arguments[2])
for run in (times > 0 ? 0 : 1)...max(times, 1) {  // run 0 is the warm-up
    guard var result = try workloads.run(arguments[0]) else { fail("there is no workload \(arguments[0])") }
    if run > 0 { bench_print("grdb", arguments[0], &result) }
}
bench_remove_db(arguments[2])
