import Synchronization

/// How new the rows of a replica have to be for one store object.
///
/// They have what the store object has committed, what it was told of, and what it has read before. The primary gives
/// positions of its log with commits and reads. A replica is new enough if it has replayed the log so far.
final class PostgreSQLFreshness: Sendable {
    fileprivate struct Positions {
        /// Behind what the store object has committed, was told of, and has read from replicas.
        var needed: Int64 = 0
        /// What the primary had when it was read last. Its log may have an end that no replica gets, if it fails.
        var wanted: Int64 = 0
        /// How many commits there were whose position was not known. The opening of the store counts as one.
        var commits: UInt64 = 1
        /// How many of them ``needed`` is behind.
        var covered: UInt64 = 0
        /// When the primary was asked for its position.
        var asked = ContinuousClock.now
    }

    /// What is known when a request begins.
    struct Moment {
        fileprivate let positions: Positions
        fileprivate let time = ContinuousClock.now

        /// What a replica must have replayed while the primary does not answer; nil if that is not known.
        var needed: Int64? { positions.covered == positions.commits ? positions.needed : nil }

        /// What a replica must have replayed; nil if that is not known.
        var wanted: Int64? { needed.map { max($0, positions.wanted) } }

        /// How long ago the primary was asked.
        var age: Duration { time - positions.asked }
    }

    /// A transaction that writes.
    final class Commit {
        fileprivate let moment: Moment
        /// The position behind its COMMIT; nil if the server has not told it.
        var position: PostgreSQLPosition?

        fileprivate init(_ moment: Moment) { self.moment = moment }
    }

    private let positions = Mutex(Positions())

    var moment: Moment { Moment(positions: positions.withLock { $0 }) }

    func beginCommit() -> Commit { Commit(moment) }

    /// Notes a commit of the store's own.
    func note(_ commit: Commit) {
        guard let position = commit.position else { return noteCommit() }
        positions.withLock { $0.learn(position.number, since: commit.moment, isCommit: true) }
    }

    /// Notes a commit whose position is not known. The next read goes to the primary, and learns a position.
    func noteCommit() { positions.withLock { $0.commits += 1 } }

    /// Notes the position of a server that was read, which it had after the moment. Later reads see no less.
    func noteRead(_ position: PostgreSQLPosition, since moment: Moment) {
        positions.withLock { positions in
            if position.isPrimary {
                positions.learn(position.number, since: moment, isCommit: false)
            } else {
                positions.needed = max(positions.needed, position.number)
            }
        }
    }
}

extension PostgreSQLFreshness.Positions {
    /// Learns a position of the primary.
    ///
    /// If it is less than what was known before, another server has taken the place of the primary. The log of the
    /// former one had an end that no server has.
    fileprivate mutating func learn(_ position: Int64, since moment: PostgreSQLFreshness.Moment, isCommit: Bool) {
        let known = moment.positions
        if position < known.needed, needed == known.needed { needed = position }
        if position < known.wanted, wanted == known.wanted { wanted = position }
        wanted = max(wanted, position)
        if isCommit || covered < known.commits { needed = max(needed, position) }
        covered = max(covered, known.commits)
        asked = max(asked, moment.time)
    }
}
