import CBench

typealias Measurement = bench_result

extension Measurement {
    /// Runs `body` with the clocks going; what it returns is let go of afterwards, on a clock of its own.
    @inline(never)
    mutating func time<T>(_ body: (inout Measurement) throws -> T) rethrows {
        bench_start()
        var kept: T? = try body(&self)
        bench_stop(&self)
        let freeing = bench_now()
        withExtendedLifetime(kept) {}
        kept = nil
        free_seconds = bench_now() - freeing
    }
}
