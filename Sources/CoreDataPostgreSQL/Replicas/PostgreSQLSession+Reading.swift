import CoreData
import PostgreSQLClient

extension PostgreSQLSession {
    /// Runs `body`, which reads, with a connection to a replica that is new enough, or to the primary. It may run
    /// several times.
    ///
    /// - Throws: What ``connected(_:)`` throws.
    func reading<R>(_ body: (PostgreSQLConnection) throws -> R) throws -> R {
        guard let replicas else { return try connected(body) }
        let moment = replicas.freshness.moment
        if let position = moment.wanted, moment.age <= replicas.maxStaleness, !replicas.primary.isResting {
            if let found = try replicas.read(position, moment, body) { return found }
        }
        if let position = moment.needed {
            if let found = try asking(replicas, body) { return found }
            // The primary does not answer: what it had beside this is lost, or comes later.
            if let found = try replicas.read(position, moment, body) { return found }
        }
        return try readingPrimary(body)
    }

    /// Runs `body`, which reads outside of a transaction, with a connection to the primary.
    func readingPrimary<R>(_ body: (PostgreSQLConnection) throws -> R) throws -> R {
        guard let replicas else { return try connected(body) }
        return try connected { try learning($0, replicas, body) }
    }

    /// Reads from the primary, and learns its position.
    private func learning<R>(
        _ connection: PostgreSQLConnection, _ replicas: PostgreSQLReplicas,
        _ body: (PostgreSQLConnection) throws -> R
    ) throws -> R {
        let moment = replicas.freshness.moment
        let preamble = PostgreSQLPosition.preamble { replicas.freshness.noteRead($0, since: moment) }
        let found = try connection.withPreamble(preamble) { try body(connection) }
        replicas.primary.noteSuccess()
        return found
    }

    /// Reads from the primary if it answers at once.
    ///
    /// - Returns: Nil if it does not answer.
    private func asking<R>(
        _ replicas: PostgreSQLReplicas, _ body: (PostgreSQLConnection) throws -> R
    ) throws -> R? {
        guard replicas.primary.take() else { return nil }
        do {
            return try pool.withConnection(timeout: Self.primaryPatience) { try learning($0, replicas, body) }
        } catch let error as PostgreSQLError where error.isConnectionLost || error.mayConnectLater {
            if replicas.primary.noteFailure(longest: .seconds(5)) {
                NSManagedObjectModel.warn("Replicas answer in the place of \(place.name): \(error.message)")
            }
            return nil
        } catch let error as PostgreSQLError where error.kind == .poolExhausted {
            // It is busy: the read waits its turn.
            return try readingPrimary(body)
        } catch let error as PostgreSQLError {
            if error.kind == .poolClosed { throw StoreIsClosed() }
            throw error.cocoaError(place)
        }
    }

    /// How long a read waits for the primary while replicas can answer.
    private static let primaryPatience = Duration.seconds(1)
}
