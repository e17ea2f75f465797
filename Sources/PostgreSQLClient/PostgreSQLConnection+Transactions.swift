import CPostgreSQL

enum TransactionState {
    case none
    /// A transaction that the server does not know yet: its BEGIN is sent with its first command.
    case toBegin(String)
    case running
    /// Committed, while the code of the transaction has not returned.
    case committed
}

extension PostgreSQLConnection {
    package enum Isolation: String, Sendable {
        case readCommitted = "READ COMMITTED"
        case repeatableRead = "REPEATABLE READ"
        case serializable = "SERIALIZABLE"

        fileprivate func begin(readOnly: Bool) -> String {
            "BEGIN ISOLATION LEVEL \(rawValue) \(readOnly ? "READ ONLY" : "READ WRITE")"
        }
    }

    /// Whether a transaction of ``transaction(isolation:readOnly:_:)`` runs.
    package var isInTransaction: Bool { if case .none = transactionState { false } else { true } }

    /// Runs `body` in a transaction: commits it, or rolls it back if `body` throws.
    ///
    /// BEGIN is sent with the first command, so it costs no round trip. A transaction without commands costs nothing.
    ///
    /// - Throws: What `body` throws. ``PostgreSQLError`` of the kind `commitIsUnknown` if the connection broke after
    ///   COMMIT was sent: the transaction may have an effect. If it broke earlier, the kind is `connectionLost`, and
    ///   the transaction has none.
    @discardableResult
    package func transaction<T>(
        isolation: Isolation = .readCommitted, readOnly: Bool = false, _ body: () throws -> T
    ) throws -> T {
        try beginTransaction(isolation: isolation, readOnly: readOnly)
        defer { transactionState = .none }
        do {
            let value = try body()
            openRows?.close()
            try commit()
            return value
        } catch {
            openRows?.close()
            rollBack()
            throw error
        }
    }

    /// Begins a transaction that lasts until the connection is closed.
    package func beginTransaction(isolation: Isolation = .readCommitted, readOnly: Bool = false) throws {
        guard case .none = transactionState, !exchange.isActive else {
            throw PostgreSQLError(.misuse, "A transaction can't begin in another one, or while rows are read.")
        }
        transactionState = .toBegin(isolation.begin(readOnly: readOnly))
    }

    private func commit() throws {
        guard case .running = transactionState else { return }
        do {
            try request { try queue(text: "COMMIT", as: .commit) }
        } catch let error as PostgreSQLError {
            // The server confirmed it, and the connection broke afterwards.
            if case .committed = transactionState, error.isConnectionLost { return }
            throw error
        }
    }

    /// Rolls back, also behind a deadline. A connection that can't do that is not used any more.
    private func rollBack() {
        guard case .running = transactionState, state == .ready, PQtransactionStatus(handle) != PQTRANS_IDLE else {
            return
        }
        let before = deadline
        defer { deadline = before }
        deadline = .now + options.cancelPatience
        do {
            try request { try queue(text: "ROLLBACK", as: .internalCommand) }
        } catch {
            state = .broken
        }
    }
}
