import CoreData
import PostgreSQLClient

extension PostgreSQLPlace {
    /// - Parameter purpose: What needs the session: "The store can't … through a pooler".
    /// - Throws: 134080 for a connection that gets another session with each transaction.
    func requireSession(_ connection: PostgreSQLConnection, for purpose: String) throws {
        if connection.keepsSession { return }
        throw NSError.cocoa(
            NSPersistentStoreOpenError, "The store can't \(purpose) through a pooler: \(name).",
            reason: """
                That needs a session which lasts. Set the option NSPersistentStoreDirectURLKey to a URL that leads to the \
                server itself. If the pooler keeps sessions, add pooler=session to the URL.
                """)
    }
}

extension PostgreSQLSession {
    /// Runs `body` with a connection whose session lasts, and whose statements run as long as they need.
    ///
    /// - Throws: 134080 behind a pooler, if there is no URL of the server itself.
    func withLastingSession<R>(_ body: (PostgreSQLConnection) throws -> R) throws -> R {
        guard let own = direct ?? place.withoutTimeout else {
            return try pool.withConnection { connection in
                try place.requireSession(connection, for: "make indexes beside other programs")
                return try body(connection)
            }
        }
        let connection = try own.connection()
        defer { connection.close() }
        try own.requireSession(connection, for: "make indexes beside other programs")
        return try body(connection)
    }
}
