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
        guard case .none = transactionState, !exchange.isActive else {
            throw PostgreSQLError(.misuse, "A transaction can't begin in another one, or while rows are read.")
        }
        let access = readOnly ? "READ ONLY" : "READ WRITE"
        transactionState = .toBegin("BEGIN ISOLATION LEVEL \(isolation.rawValue) \(access)")
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
