import CoreData
import PostgreSQLClient

/// Which columns of attributes with external storage have a column with stamps beside them.
///
/// A stamp is a UUID: another one for each large value that the column gets. So a context sees that another program has
/// changed a value, without having the value. A store that was made before there were stamps gets them when it is
/// opened for writing. As long as a column has none, its values come with their rows.
enum PostgreSQLStamps: Equatable {
    /// All columns: in a store that is made, or migrated.
    case all
    /// Those whose stamps the tables have, by ``place(_:_:)``.
    case some(Set<String>)
    static let none = some([])

    static let ending = "._stamp"

    /// The column with the stamps of a column; nil for a column without.
    func stamp(of column: String, in table: String) -> String? {
        let name = column + Self.ending
        switch self {
        case .all: return name
        case .some(let places): return places.contains(Self.place(name, table)) ? name : nil
        }
    }

    private static func place(_ column: String, _ table: String) -> String {
        PostgreSQLDialect.shortened(table) + "\u{0}" + PostgreSQLDialect.shortened(column)
    }

    /// The stamps that the tables of the connection's schema have.
    init(_ connection: PostgreSQLConnection) throws {
        let found = try connection.execute(
            """
            SELECT relname::text, attname::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid \
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) \
            AND atttypid = 'uuid'::regtype AND attnum > 0 AND NOT attisdropped
            """)
        self = .some(
            Set(try (0..<found.rowCount).map { Self.place(try found.text($0, 1), try found.text($0, 0)) }))
    }
}

/// Gives a store stamps that was made before there were any.
///
/// New columns without values cost no time, whatever the size of the tables. A role that does not own the tables can't
/// make them. Nor can one while another program uses the tables all the time. Then the store goes on without.
struct PostgreSQLStampMaker {
    let connection: PostgreSQLConnection

    /// - Parameter schema: The store's tables with all stamps.
    /// - Returns: The stamps that there are now.
    func make(_ schema: SQLSchema) throws -> PostgreSQLStamps {
        let found = try PostgreSQLStamps(connection)
        let missing = PostgreSQLLargeValues(schema).places.filter { found.stamp(of: $0.column, in: $0.table) == nil }
        if missing.isEmpty { return found }
        do {
            try connection.transaction {
                try connection.execute("SET LOCAL lock_timeout = '\(Self.patience)ms'")
                try connection.execute(PostgreSQLMetadata.lock)
                for place in missing { try place.stampCreation.forEach { try connection.execute($0) } }
            }
        } catch let error as PostgreSQLError where Self.mayGoOn(error) {
            // Another program may have made them.
            return try PostgreSQLStamps(connection)
        }
        return .all
    }

    /// For how many milliseconds other programs may be in the way. They wait as long, too.
    private static let patience = 500

    private static func mayGoOn(_ error: PostgreSQLError) -> Bool {
        error.isRetryable || error.isCancelled || ["42501", "25006", "55P03"].contains(error.sqlState ?? "")
    }
}
