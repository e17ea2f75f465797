import CoreData
import PostgreSQLClient
import Synchronization

/// The replicas of a store, and what they must have replayed to answer its reads.
///
/// A store object reads from one replica as long as that answers. Store objects begin with different ones.
final class PostgreSQLReplicas: Sendable {
    let freshness = PostgreSQLFreshness()
    let maxStaleness: Duration
    /// Whether the primary answers.
    let primary = PostgreSQLAvailability()
    private let all: [PostgreSQLReplica]
    private let current: Atomic<Int>

    /// How long a read waits for replicas that have not replayed enough.
    private static let patience = Duration.milliseconds(20)

    init(_ replicas: [PostgreSQLReplica], maxStaleness: Duration) {
        (all, self.maxStaleness) = (replicas, maxStaleness)
        current = Atomic(Int.random(in: replicas.indices))
    }

    func close() { for replica in all { replica.close() } }

    /// Runs `body`, which reads, with a replica.
    ///
    /// - Parameters:
    ///   - position: What it must have replayed.
    ///   - moment: When the read began.
    /// - Returns: Nil if no replica can answer.
    func read<R>(
        _ position: Int64, _ moment: PostgreSQLFreshness.Moment, _ body: (PostgreSQLConnection) throws -> R
    ) throws -> R? {
        let limit = ContinuousClock.now + Self.patience
        let first = current.load(ordering: .relaxed)
        for place in 0..<all.count {
            let index = (first + place) % all.count
            let found = try all[index].read(
                position, until: limit, told: { freshness.noteRead($0, since: moment) }, body)
            guard let found else { continue }
            if index != first { current.store(index, ordering: .relaxed) }
            return found
        }
        return nil
    }
}
