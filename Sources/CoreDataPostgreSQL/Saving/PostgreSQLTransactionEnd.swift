import CoreData
import PostgreSQLClient

/// The last statements of a transaction that writes. They go to the server together with its COMMIT.
///
/// Beside the number in persistent history, and what other clients are told, the transaction writes a mark: its own
/// number in the row that the table `_coredata_clients` has for this client. When the connection breaks at the COMMIT,
/// the mark tells whether the transaction has been carried out.
final class PostgreSQLTransactionEnd<Result> {
    let mark: PostgreSQLMark
    /// Where other clients are told of the commit; nil where they are not.
    private let channel: String?
    /// Gets the place of the commit in the server's log; nil where no replica is asked for it.
    private let position: PostgreSQLFreshness.Commit?
    /// What the transaction has made. It is known before the COMMIT is sent.
    var result: Result?
    /// The transaction's number in history; nil where nothing was recorded.
    private(set) var number: Int64?

    init(mark: PostgreSQLMark, channel: String?, commit: PostgreSQLFreshness.Commit?) {
        (self.mark, self.channel, position) = (mark, channel, commit)
    }

    /// Ends and commits the transaction.
    ///
    /// - Parameter rows: Adds statements that come first.
    func commit(
        _ connection: PostgreSQLConnection, _ recorder: PostgreSQLHistoryRecorder?,
        rows: (PostgreSQLPipeline) throws -> Void = { _ in }
    ) throws {
        var placeOfNumber: Int?
        try connection.pipeline(committing: true, then: query) { pipeline in
            try rows(pipeline)
            if let transaction = try recorder?.transaction() {
                placeOfNumber = pipeline.count
                try pipeline.add(preparing: PostgreSQLHistoryTables.transaction, transaction)
            }
            try pipeline.add(preparing: PostgreSQLMark.entry, mark.parameters)
            if let channel { try notify(channel, hasNumber: placeOfNumber != nil, pipeline) }
        } deliver: { index, result in
            if index == placeOfNumber { number = try result.int64(0, 0) }
        }
    }

    private var query: PostgreSQLConnection.AfterCommit? {
        position.map { commit in (PostgreSQLPosition.query, { commit.position = try? PostgreSQLPosition($0) }) }
    }

    private func notify(_ channel: String, hasNumber: Bool, _ pipeline: PostgreSQLPipeline) throws {
        var parameters = PostgreSQLParameters()
        try parameters.append(text: channel)
        try pipeline.add(preparing: hasNumber ? Self.numberedNotice : Self.notice, parameters)
    }

    private static var notice: String { "SELECT pg_notify($1, '')" }
    private static var numberedNotice: String { "SELECT pg_notify($1, (\(PostgreSQLHistoryTables.last))::text)" }
}

/// What a client writes in each of its transactions, and looks for when it does not know a transaction's end.
struct PostgreSQLMark {
    /// The client: one opened store.
    let client: UUID
    /// The transaction, by a number that grows.
    let number: Int64

    /// The table of marks.
    static let table = """
        CREATE TABLE "_coredata_clients" ("client" uuid PRIMARY KEY, "transaction" bigint NOT NULL, \
        "time" timestamptz NOT NULL)
        """

    /// Writes the mark. A transaction that was given up meanwhile gets NULL there, and fails.
    static let entry = """
        INSERT INTO "_coredata_clients" AS "clients" ("client", "transaction", "time") VALUES ($1, $2, now()) \
        ON CONFLICT ("client") DO UPDATE SET "time" = excluded."time", "transaction" = \
        CASE WHEN "clients"."transaction" < excluded."transaction" THEN excluded."transaction" END
        """

    /// Looks whether a transaction was committed, and gives it up otherwise: the server can't commit it any more. Waits
    /// for its end as long as the server works on it.
    ///
    /// Parameters: the client, the transaction's number. The next number is not used by a transaction.
    static let question = """
        INSERT INTO "_coredata_clients" AS "clients" ("client", "transaction", "time") VALUES ($1, $2 + 1, now()) \
        ON CONFLICT ("client") DO UPDATE SET "transaction" = CASE WHEN "clients"."transaction" = $2 THEN $2 \
        ELSE $2 + 1 END RETURNING "transaction"
        """

    /// Removes this client's mark, and those of clients that have written nothing for a month.
    static let removal = """
        DELETE FROM "_coredata_clients" WHERE "client" = $1 OR "time" < now() - interval '30 days'
        """

    var parameters: PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(uuid: client)
        parameters.append(int64: number)
        return parameters
    }

    /// Whether the transaction was committed. If not, it never will be.
    func wasCommitted(_ connection: PostgreSQLConnection) throws -> Bool {
        try connection.execute(Self.question, parameters).int64(0, 0) == number
    }
}
