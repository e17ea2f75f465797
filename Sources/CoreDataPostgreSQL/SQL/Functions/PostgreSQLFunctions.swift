/// What statements call in the database: the counterparts of ``SQLRoutine``, and what takes the place of operators
/// whose results PostgreSQL and SQLite do not share.
///
/// They are in a schema `coredata`, which a store makes once in its database. A database has the character set UTF-8.
///
/// All but those of chance and time are IMMUTABLE, so that an index can be over what they compute, STRICT, and PARALLEL
/// SAFE. None catches an error, which a parallel query could not do.
enum PostgreSQLFunctions {
    /// The version of the functions, which the schema has as its comment.
    ///
    /// Programs with an older version of the library go on in a database that a newer one has brought up to date. A new
    /// version keeps to these rules:
    ///
    /// 1. All functions of the former versions stay, with their parameters and results.
    /// 2. An IMMUTABLE function goes on to compute the same: the database may have indexes over it. What computes
    ///    something else gets another name.
    /// 3. If a mistake has to be mended in place, ``creation`` ends with a `REINDEX` of all indexes that depend on the
    ///    function (`pg_depend`), in the same transaction. ``searchVersion`` grows if words are split otherwise.
    static let version = 2

    /// The version of what indexes for full-text search call. Each is made anew when it changes.
    static let searchVersion = 2

    /// A query of the version that the database has; NULL where it has none, or where the comment is no version.
    static let versionQuery = """
        SELECT substring(obj_description(to_regnamespace('coredata'), 'pg_namespace') FROM '^[0-9]{1,9}$')::bigint
        """

    /// Has other programs that make the functions wait for the end of the transaction.
    static let lock = "SELECT pg_advisory_xact_lock(4848322418337202)"

    /// A query of whether the database orders texts by the rules of languages: see ``collations``.
    static let languageQuery = """
        SELECT collprovider = 'i' FROM pg_collation
        WHERE collname = 'Unicode' AND collnamespace = to_regnamespace('coredata')
        """

    /// The statements that make the functions, or bring those of an older version up to date.
    ///
    /// They run in one transaction. Several stores may do so at the same time.
    static var creation: [String] {
        [lock, "CREATE SCHEMA IF NOT EXISTS coredata"]
            + collations + conversions + numbers + texts + patterns + localized + searches
            + ["COMMENT ON SCHEMA coredata IS '\(version)'"]
    }

    /// A function whose body is one expression, which the planner may put in the call's place.
    static func expression(_ signature: String, returns type: String, _ body: String, kind: String = pure) -> String {
        """
        CREATE OR REPLACE FUNCTION coredata.\(signature) RETURNS \(type) LANGUAGE sql \(kind) \
        AS \(PostgreSQLQuoting.body("SELECT \(body)"))
        """
    }

    /// A function with statements.
    static func block(_ signature: String, returns type: String, _ body: String) -> String {
        """
        CREATE OR REPLACE FUNCTION coredata.\(signature) RETURNS \(type) LANGUAGE plpgsql \(pure) \
        AS \(PostgreSQLQuoting.body(body))
        """
    }

    static let pure = "IMMUTABLE STRICT PARALLEL SAFE"
    static let changing = "VOLATILE PARALLEL SAFE"
}

// MARK: Collations

extension PostgreSQLFunctions {
    /// The collations of texts by the rules of languages, here of none in particular.
    ///
    /// A server that was built without ICU has none. There they are copies of `C`: texts are then ordered byte by byte,
    /// and letters outside of ASCII have no case.
    private static var collations: [String] {
        [
            collation("Unicode", "und"),
            collation("CoreDataLocalized", "und", isDeterministic: false),
            collation("CoreDataLocalizedCaseInsensitive", "und-u-ks-level2", isDeterministic: false),
            collation("CoreDataLocalizedDiacriticInsensitive", "und-u-ks-level1-kc-true", isDeterministic: false),
            collation("CoreDataLocalizedFolded", "und-u-ks-level1", isDeterministic: false),
            // Two texts are never the same for it, as in memory.
            collation("CoreDataLocalizedStandard", "und-u-kn-true"),
        ]
    }

    private static func collation(_ name: String, _ locale: String, isDeterministic: Bool = true) -> String {
        PostgreSQLQuoting.block(
            """
            CREATE COLLATION IF NOT EXISTS coredata."\(name)" \
            (provider = icu, locale = '\(locale)', deterministic = \(isDeterministic));
            EXCEPTION WHEN feature_not_supported THEN
            CREATE COLLATION IF NOT EXISTS coredata."\(name)" FROM pg_catalog."C";
            """)
    }
}

// MARK: Conversions

extension PostgreSQLFunctions {
    private static var conversions: [String] {
        [
            expression(
                "seconds(value timestamp with time zone)", returns: "double precision",
                "extract(epoch FROM (value - timestamptz '2001-01-01 00:00:00+00'))::double precision"),
            expression(
                "date(value double precision)", returns: "timestamp with time zone", "to_timestamp(value + 978307200)"),
            // Of a double the shortest digits that mean it, as everywhere in the framework.
            expression("decimal(value double precision)", returns: "numeric", "value::text::numeric"),
            expression(
                "whole(value double precision)", returns: "bigint",
                """
                CASE WHEN value >= 9223372036854775807 THEN 9223372036854775807 \
                WHEN value <= -9223372036854775808 THEN -9223372036854775807 - 1 ELSE trunc(value)::bigint END
                """),
            expression(
                "whole(value numeric)", returns: "bigint",
                """
                CASE WHEN value >= 9223372036854775807 THEN 9223372036854775807 \
                WHEN value <= -9223372036854775808 THEN -9223372036854775807 - 1 ELSE trunc(value)::bigint END
                """),
            expression("text(value numeric)", returns: "text", "trim_scale(value)::text"),
            block("text(value double precision)", returns: "text", textOfDouble),
            block("parsed(digits text)", returns: "double precision", parsed),
            block("number(value text)", returns: "double precision", number),
            block("leading_number(value text)", returns: "double precision", leadingNumber),
        ]
    }

    /// A double as Swift prints it.
    private static let textOfDouble = """
        DECLARE digits text := value::text;
        BEGIN
        IF abs(value) >= 1e15 AND abs(value) < 9007199254740992 THEN digits := coredata.exact(value)::text; END IF;
        IF digits ~ '^-?[0-9]+$' THEN RETURN digits || '.0'; END IF;
        RETURN CASE digits WHEN 'Infinity' THEN 'inf' WHEN '-Infinity' THEN '-inf' ELSE digits END;
        END
        """

    /// The double that digits stand for, which may be infinite.
    private static let parsed = """
        DECLARE exponent text := substring(digits FROM '[eE]([+-]?[0-9]+)$'); number numeric;
        BEGIN
        IF length(exponent) > 5 THEN
        IF digits ~ '^[+-]?[0.]+[eE]' OR exponent ~ '^-' THEN RETURN 0; END IF;
        RETURN CASE WHEN digits ~ '^-' THEN '-Infinity' ELSE 'Infinity' END::double precision;
        END IF;
        number := digits::numeric;
        IF abs(number) > 1.7976931348623158e308 THEN
        RETURN CASE WHEN number < 0 THEN '-Infinity' ELSE 'Infinity' END::double precision;
        END IF;
        RETURN CASE WHEN abs(number) < 2.4703282292062328e-324 THEN 0 ELSE number::double precision END;
        END
        """

    /// The number that a text is, as SQLite compares it with one; NULL for a text that is none.
    private static let number = #"""
        BEGIN
        IF value !~ '^[ \t\n\v\f\r]*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[ \t\n\v\f\r]*$' THEN
        RETURN NULL;
        END IF;
        RETURN coredata.parsed(btrim(value, E' \t\n\v\f\r'));
        END
        """#

    /// The number that a text begins with, as SQLite converts it; 0 where there is none.
    private static let leadingNumber = #"""
        DECLARE digits text := substring(
        value FROM '^[ \t\n\v\f\r]*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)');
        BEGIN
        RETURN CASE WHEN digits IS NULL THEN 0 ELSE coredata.parsed(digits) END;
        END
        """#
}
