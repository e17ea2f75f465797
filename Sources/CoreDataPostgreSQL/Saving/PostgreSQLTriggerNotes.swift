import CoreData
import PostgreSQLClient

/// What triggers tell of: the rows whose derived attributes they have set in the current transaction.
///
/// The table is empty but for transactions that run. What a crash leaves in it is of no use: it is not logged.
struct PostgreSQLTriggerNotes {
    static let table = """
        CREATE UNLOGGED TABLE "_coredata_trigger_notes" ("transaction" xid8 NOT NULL, "table" text NOT NULL, \
        "row" bigint NOT NULL)
        """
    static let index =
        "CREATE INDEX \"_coredata_trigger_notes.transaction\" ON \"_coredata_trigger_notes\" (\"transaction\")"

    private static let taking = """
        DELETE FROM "_coredata_trigger_notes" WHERE "transaction" = pg_current_xact_id() RETURNING "table", "row"
        """

    private let session: PostgreSQLSession
    private let connection: PostgreSQLConnection

    init(_ session: PostgreSQLSession, _ connection: PostgreSQLConnection) {
        (self.session, self.connection) = (session, connection)
    }

    /// Takes the keys of the rows, by the number of the root of their entity tree.
    func take() throws -> [Int32: Set<Int64>] {
        guard session.hasTriggers else { return [:] }
        let roots = Dictionary(
            session.schema.tables.map { ($0.name, $0.root) }, uniquingKeysWith: { first, _ in first })
        let told = try connection.execute(preparing: Self.taking, PostgreSQLParameters())
        var keys: [Int32: Set<Int64>] = [:]
        for row in 0..<told.rowCount {
            guard let root = roots[try told.text(row, 0)] else { continue }
            keys[root, default: []].insert(try told.int(row, 1))
        }
        return keys
    }
}
