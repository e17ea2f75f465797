import PostgreSQLClient

/// A place in the log that replicas replay (LSN), as a server tells it of itself.
struct PostgreSQLPosition {
    /// Greater than those of all places before it. A replica that has replayed nothing yet is at 0.
    let number: Int64
    /// Whether it is the end of the server's own log, and not how far it has replayed another one's.
    let isPrimary: Bool

    static let query = """
        SELECT ((CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END) \
        - '0/0'::pg_lsn)::bigint, NOT pg_is_in_recovery()
        """

    init(_ result: PostgreSQLResult) throws {
        number = try result.int64(0, 0) ?? 0
        isPrimary = try result.bool(0, 1) ?? false
    }

    /// Asks in front of each request. What the request reads is at least of the position.
    static func preamble(_ check: @escaping (PostgreSQLPosition) throws -> Void) -> PostgreSQLPreamble {
        PostgreSQLPreamble(query) { try check(PostgreSQLPosition($0)) }
    }
}
