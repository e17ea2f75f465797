import CPostgreSQL
import Foundation

extension PostgreSQLConnection {
    /// Reads results and hands over those of executions.
    ///
    /// - Parameter waits: Whether to wait for all of them; otherwise those are read that are there.
    func receive(waits: Bool, _ deliver: (Int, PostgreSQLResult) throws -> Void) throws {
        while let (index, result) = try nextResult(waits: waits) {
            if exchange.discardsResults { continue }
            do {
                try deliver(index, result)
            } catch {
                exchange.error = exchange.error ?? error
                exchange.discardsResults = true
            }
        }
    }

    /// The next result of an execution; nil if all commands are answered, or if none is there and it does not wait.
    func nextResult(waits: Bool) throws -> (Int, PostgreSQLResult)? {
        while let step = exchange.first {
            if PQisBusy(handle) != 0 {
                guard waits else { return nil }
                try waitForInput()
                continue
            }
            guard let result = PQgetResult(handle) else {
                try endStep(step)
                continue
            }
            if let delivered = try take(result, of: step) { return delivered }
        }
        return nil
    }

    /// Waits until the server has sent something.
    func waitForInput() throws {
        guard try waitForSocket(POLLIN) else { return }
        // If it fails, what arrived before is still to be read. The last of it is libpq's own error.
        _ = PQconsumeInput(handle)
    }

    /// A command has no more results.
    private func endStep(_ step: Step) throws {
        if PQstatus(handle) == CONNECTION_BAD, !exchange.isAnswered { throw lost(.lost(handle)) }
        if case .sync = step { throw lost(PostgreSQLError(.connectionLost, "The server did not confirm the end.")) }
        if !exchange.isAnswered {
            throw lost(PostgreSQLError(.connectionLost, "The server did not answer a command."))
        }
        exchange.removeFirst()
        setPieces()
    }

    /// Looks at a result of a command.
    private func take(_ result: OpaquePointer, of step: Step) throws -> (Int, PostgreSQLResult)? {
        let result = PostgreSQLResult(handle: result)
        switch PQresultStatus(result.handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            exchange.isAnswered = true
            return try completed(step, result)
        case PGRES_PIPELINE_SYNC:
            exchange.removeFirst()
            return nil
        case PGRES_PIPELINE_ABORTED:
            guard exchange.error != nil else {
                throw lost(PostgreSQLError(.connectionLost, "The server skipped a command without an error before it."))
            }
            exchange.isAnswered = true
            skipped(step)
            return nil
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            throw lost(PostgreSQLError(.misuse, "COPY is no statement to execute. Use `copyIn`."))
        case _ where coredata_pq_is_piece(result.handle) != 0:
            if case .execution(let index, _) = step { return (index, result) }
            return nil
        default:
            exchange.isAnswered = true
            try failed(step, PostgreSQLError(result: result.handle))
            return nil
        }
    }

    private func completed(_ step: Step, _ result: PostgreSQLResult) throws -> (Int, PostgreSQLResult)? {
        switch step {
        case .execution(let index, _): return (index, result)
        case .describe(let statement):
            statement.describe(result)
            statements.keep(statement)
        case .commit where result.command == "COMMIT": transactionState = .committed
        case .commit: exchange.error = exchange.error ?? Self.notCommitted
        case .preamble(let preamble): check(preamble, result)
        case .afterCommit(let deliver): if case .committed = transactionState { deliver(result) }
        case .internalCommand, .begin, .deallocate, .prepare, .sync: break
        }
        return nil
    }

    private func check(_ preamble: PostgreSQLPreamble, _ result: PostgreSQLResult) {
        do { try preamble.check(result) } catch {
            exchange.error = exchange.error ?? error
            exchange.discardsResults = true
        }
    }

    /// The server did not run a command since one before it had failed.
    private func skipped(_ step: Step) {
        switch step {
        case .deallocate(let name): statements.staleNames.append(name)
        case .prepare(let statement): statement.name = nil
        case .describe(let statement): statements.forget(statement)
        case .internalCommand, .begin, .commit, .afterCommit, .preamble, .execution, .sync: break
        }
    }

    private func failed(_ step: Step, _ error: PostgreSQLError) throws {
        if error.kind == .connectionLost || PQstatus(handle) == CONNECTION_BAD {
            var error = error
            error.kind = .connectionLost
            throw lost(error)
        }
        // The transaction is committed, whatever comes behind it.
        if case .afterCommit = step, case .committed = transactionState { return }
        // A statement that the server does not have needs not be removed there.
        if case .deallocate = step, error.sqlState == "26000" {} else { skipped(step) }
        var error = timed(error)
        if exchange.isPipeline { error.executionIndex = exchange.nextExecution }
        if case .execution(_, let statement?) = step { forget(statement, after: error) }
        exchange.error = exchange.error ?? error
    }

    /// The error of a request, as one of its deadline if that was the reason.
    func timed(_ error: PostgreSQLError) -> PostgreSQLError {
        guard exchange.isTimedOut, error.isCancelled else { return error }
        var error = error
        error.kind = .deadlineExceeded
        error.message = Self.deadlineExceeded.message
        return error
    }

    /// A statement is prepared anew where its table has changed its columns, and where the server lost it.
    private func forget(_ statement: PostgreSQLStatement, after error: PostgreSQLError) {
        if error.sqlState == "0A000" { statements.forget(statement) }
        if error.sqlState == "26000" { statements.drop(statement) }
    }

    private static var notCommitted: PostgreSQLError {
        var error = PostgreSQLError(
            .server, "The server rolled the transaction back since one of its statements had failed.")
        error.sqlState = "25P02"
        return error
    }
}

extension PostgreSQLStatement {
    /// Notes what the server says about the statement.
    func describe(_ result: PostgreSQLResult) {
        isDescribed = true
        parameterTypes = (0..<PQnparams(result.handle)).map {
            PostgreSQLType(rawValue: PQparamtype(result.handle, $0))
        }
        columns = (0..<result.columnCount).map {
            Column(name: result.name(ofColumn: $0) ?? "", type: result.type(ofColumn: $0))
        }
    }
}
