import CoreData

/// The tables of persistent history, and the statements that write, read and purge them.
///
/// A transaction gets its number when all else of it is written: the one row of `_coredata_history` is locked from then
/// until the commit. So numbers have no gaps, and their order is that of the commits: a reader that knows all up to one
/// number misses nothing. Changes are written earlier. They name their transaction by an identifier, which the client
/// takes from a sequence.
enum PostgreSQLHistoryTables {
    /// All tables, in the order in which they can be dropped.
    static let names = ["_coredata_changes", "_coredata_transactions", "_coredata_history"]
    /// The source of the transactions' identifiers.
    static let sequence = "_coredata_transactions._keys"

    static let creation = [
        """
        CREATE TABLE IF NOT EXISTS "_coredata_history" ("_id" boolean PRIMARY KEY DEFAULT true CHECK ("_id"), \
        "last" bigint NOT NULL)
        """,
        "INSERT INTO \"_coredata_history\" (\"last\") VALUES (0) ON CONFLICT DO NOTHING",
        """
        CREATE TABLE IF NOT EXISTS "_coredata_transactions" ("number" bigint PRIMARY KEY, \
        "id" bigint NOT NULL UNIQUE, "time" timestamptz NOT NULL, "author" text, "bundle" text, "context" text, \
        "process" text)
        """,
        """
        CREATE INDEX IF NOT EXISTS "_coredata_transactions.time" ON "_coredata_transactions" ("time")
        """,
        """
        CREATE SEQUENCE IF NOT EXISTS "\(sequence)" INCREMENT BY \(PostgreSQLKeys.blockSize) \
        OWNED BY "_coredata_transactions"."id"
        """,
        """
        CREATE TABLE IF NOT EXISTS "_coredata_changes" (\
        "key" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "transaction" bigint NOT NULL, \
        "kind" smallint NOT NULL, "entity" integer NOT NULL, "row" bigint NOT NULL, "properties" text[], \
        "tombstone" jsonb)
        """,
        """
        CREATE INDEX IF NOT EXISTS "_coredata_changes.transaction" ON "_coredata_changes" ("transaction")
        """,
    ]

    /// Whether the store has the tables.
    static let check = "SELECT to_regclass('\"_coredata_changes\"') IS NOT NULL"

    // MARK: Writing

    /// Enters changes of one kind. Parameters: the transaction's identifier, the kind, the entity's number, the rows'
    /// keys, the names of the changed properties.
    static let changes = """
        INSERT INTO "_coredata_changes" ("transaction", "kind", "entity", "row", "properties") \
        SELECT $1::bigint, $2::smallint, $3::integer, "row", $5::text[] \
        FROM unnest($4::bigint[]) WITH ORDINALITY AS "rows" ("row", "place") ORDER BY "place"
        """

    /// Enters deletions of rows that are still there, with values to keep. Parameters: the transaction's identifier,
    /// the kind, the entity's number, the rows' keys.
    ///
    /// - Parameter preserved: The attributes with values to keep, and their columns.
    static func deletions(from table: String, preserving preserved: [(slot: PropertySlot, column: SQLColumn)]) -> String
    {
        let dialect = PostgreSQLDialect()
        let values = preserved.map { slot, column in
            "\(dialect.literal(.text(slot.name))), \(PostgreSQLTombstone.expression(of: column, slot))"
        }
        return """
            INSERT INTO "_coredata_changes" ("transaction", "kind", "entity", "row", "tombstone") \
            SELECT $1::bigint, $2::smallint, $3::integer, "row", jsonb_build_object(\(values.joined(separator: ", "))) \
            FROM unnest($4::bigint[]) WITH ORDINALITY AS "rows" ("row", "place") \
            LEFT JOIN \(dialect.identifier(table)) ON \(dialect.identifier("Z_PK")) = "row" ORDER BY "place"
            """
    }

    /// Gives a transaction its number. Parameters: its identifier, and what it is called by.
    static let transaction = """
        WITH "next" AS (UPDATE "_coredata_history" SET "last" = "last" + 1 RETURNING "last") \
        INSERT INTO "_coredata_transactions" ("number", "id", "time", "author", "bundle", "context", "process") \
        SELECT "last", $1::bigint, clock_timestamp(), $2, $3, $4, $5 FROM "next" RETURNING "number"
        """

    // MARK: Reading

    /// The number of the newest transaction there ever was.
    static let last = "SELECT \"last\" FROM \"_coredata_history\""
    /// The number of the first transaction that is left; NULL without any.
    static let first = "SELECT min(\"number\") FROM \"_coredata_transactions\""

    /// The transactions of a range. Parameter: the number, or the time, that they are behind; of the last ones the
    /// number that they are before, and how many there are.
    static func transactions(_ range: HistoryRange) -> String {
        let end =
            switch range {
            case .all: " ORDER BY \"number\""
            case .afterNumber: " WHERE \"number\" > $1::bigint ORDER BY \"number\""
            case .afterTime: " WHERE \"time\" > $1::timestamptz ORDER BY \"number\""
            case .last: " WHERE \"number\" < $1::bigint ORDER BY \"number\" DESC LIMIT $2::bigint"
            }
        return """
            SELECT "number", "time", "author", "bundle", "context", "process" FROM "_coredata_transactions"\
            \(end)
            """
    }

    /// The changes of the transactions from one number to another, which are the parameters.
    static let changesOfTransactions = """
        SELECT "transactions"."number", "changes"."key", "kind", "entity", "row", \
        array_to_json("properties")::text, "tombstone"::text \
        FROM "_coredata_changes" AS "changes" \
        JOIN "_coredata_transactions" AS "transactions" ON "transactions"."id" = "changes"."transaction" \
        WHERE "transactions"."number" BETWEEN $1::bigint AND $2::bigint ORDER BY "transactions"."number", "key"
        """

    // MARK: Fitting to another model

    /// The highest number of an entity in the changes, which may be one of an entity that is gone.
    static let highestEntity = "SELECT coalesce(max(\"entity\"), 0) FROM \"_coredata_changes\""

    /// Gives properties their new names. Parameters: the entity's number, the old names, the new names.
    static let renaming = """
        UPDATE "_coredata_changes" SET \
        "properties" = (SELECT array_agg(coalesce(($3::text[])[array_position($2::text[], "name")], "name") ORDER BY "place") \
        FROM unnest("properties") WITH ORDINALITY AS "names" ("name", "place")), \
        "tombstone" = (SELECT jsonb_object_agg(coalesce(($3::text[])[array_position($2::text[], "key")], "key"), "value") \
        FROM jsonb_each("tombstone")) WHERE "entity" = $1::integer
        """

    // MARK: Purging

    /// The number of the first transaction from a time on, or the one behind the last. Parameter: the time.
    static let firstFromTime = """
        SELECT coalesce(min("number") FILTER (WHERE "time" >= $1::timestamptz), max("number") + 1) \
        FROM "_coredata_transactions"
        """

    /// Removes the changes, then the transactions, before a number, which is the parameter.
    static let purge = [
        """
        DELETE FROM "_coredata_changes" WHERE "transaction" IN \
        (SELECT "id" FROM "_coredata_transactions" WHERE "number" < $1::bigint)
        """,
        "DELETE FROM \"_coredata_transactions\" WHERE \"number\" < $1::bigint",
    ]
}
