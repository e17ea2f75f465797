import Foundation
import PostgreSQLClient

/// How often a transaction begins anew, and when.
///
/// The server breaks off one of several transactions that wait for each other (40P01), or that can't be put into an
/// order (40001).
struct PostgreSQLContest {
    private var tries = 0
    private let limit = ContinuousClock.now + longest

    /// How often a transaction begins anew in any case.
    private static let mostRetries = 5

    /// For how long a transaction begins anew that the server broke off for the sake of another one.
    private static let longest: Duration = .seconds(60)

    /// Runs `body` again as long as the server breaks it off for the sake of another transaction.
    static func run<R>(_ body: () throws -> R) throws -> R {
        var contest = PostgreSQLContest()
        while true {
            do { return try body() } catch let error as PostgreSQLError {
                guard error.isRetryable, contest.mayBeginAnew(after: error) else { throw error }
            }
        }
    }

    /// Whether there is time for one more attempt. Waits before it, where another transaction was in the way.
    mutating func mayBeginAnew(after error: PostgreSQLError) -> Bool {
        tries += 1
        // A machine that was suspended finds the limit in the past.
        let isInTime = tries <= Self.mostRetries || error.isRetryable && ContinuousClock.now < limit
        if isInTime, error.isRetryable { pause() }
        return isInTime
    }

    /// Waits before a transaction begins anew that was in the way of another one.
    ///
    /// Two transactions that write the same unique values wait for each other, until the server looks for a deadlock:
    /// after a second. If several wait for one, the server breaks off one of them a second. Each of them has to stay
    /// away for longer than that. Else the others are in the way when it comes back, and so forth. Where many are in
    /// each other's way, the pauses grow until few enough are there at once.
    private func pause() {
        let longest = 1.1 + 0.9 * Double(min(tries - 1, 10))
        Thread.sleep(forTimeInterval: tries == 1 ? .random(in: 0...0.01) : .random(in: 1.1...longest))
    }
}
