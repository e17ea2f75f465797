import CBench
import Foundation

/// What one timed run reports.
struct Measurement {
    var n = 0
    var sum: Int64 = 0
    var seconds = 0.0
    var cpu = 0.0
    var free = 0.0

    /// Runs `body` with the clocks going; what it returns is let go of afterwards, on a clock of its own.
    @inline(never)
    mutating func time<T>(_ body: (inout Measurement) throws -> T) rethrows {
        bench_reset_peak()
        let (cpuStart, start) = (bench_cpu(), bench_now())
        var kept: T? = try body(&self)
        seconds = bench_now() - start
        cpu = bench_cpu() - cpuStart
        let freeStart = bench_now()
        withExtendedLifetime(kept) {}
        kept = nil
        free = bench_now() - freeStart
    }

    func print(_ workload: String) {
        let figures = String(
            format: "\"seconds\":%.6f,\"peak_rss_mb\":%.1f,\"cpu_seconds\":%.6f,\"free_seconds\":%.6f", seconds,
            bench_peak_rss_mb(), cpu, free)
        Swift.print("{\"impl\":\"coredata\",\"workload\":\"\(workload)\",\"n\":\(n),\(figures),\"check\":\(sum)}")
    }
}

/// The data of one player, ready to be set.
struct PlayerData {
    let age: Int16
    let team: Int
    let birthDate: Date
    let salary: Double
    let email: String
    let firstName: String
    let lastName: String

    /// - Parameter index: 1…
    init(_ index: Int) {
        var raw = bench_player()
        bench_make_player(Int64(index), &raw)
        age = Int16(raw.age)
        team = Int(raw.team)
        birthDate = Date(timeIntervalSinceReferenceDate: raw.birthdate)
        salary = raw.salary
        email = text(raw.email)
        firstName = text(raw.first)
        lastName = text(raw.last)
    }
}

/// The string in a C array.
func text<T>(_ tuple: T) -> String {
    withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
