/// The rows of a statement, read as they arrive, so that any number of them needs little memory.
///
/// ```swift
/// let rows = try connection.rows(statement, values)
/// while let batch = try rows.next() {
///     for row in 0..<batch.rowCount { use(try batch.int64(row, 0)) }
/// }
/// ```
///
/// The connection makes no other request until all rows are read, or ``close()`` is called, or the object is gone.
package final class PostgreSQLRows {
    private let connection: PostgreSQLConnection
    private var isDone = false

    fileprivate init(connection: PostgreSQLConnection) { self.connection = connection }

    deinit { close() }

    /// The next rows, at least one; nil at the end.
    package func next() throws -> PostgreSQLResult? {
        if isDone { return nil }
        do {
            while let (_, result) = try connection.nextResult(waits: true) {
                if result.rowCount > 0 { return result }
            }
        } catch {
            isDone = true
            throw error
        }
        isDone = true
        try connection.finish()
        return nil
    }

    /// Gives up the rest of the rows.
    ///
    /// The statement is cancelled at the server, except in a transaction: the cancellation would make the transaction
    /// fail, so that the rest is read and dropped there.
    package func close() {
        if isDone { return }
        isDone = true
        guard connection.state == .ready else { return }
        if !connection.isInTransaction { connection.cancel() }
        do {
            while try connection.nextResult(waits: true) != nil {}
            try connection.finish()
        } catch {
            // The error of the cancellation. A connection that broke says so on its next use.
        }
    }
}

extension PostgreSQLConnection {
    /// Executes a statement whose rows are read one by one, or a few at a time.
    ///
    /// - Parameter batchSize: How many rows come at a time. Before version 17, libpq gives them one by one.
    package func rows(
        _ statement: PostgreSQLStatement, _ values: PostgreSQLParameters = PostgreSQLParameters(),
        batchSize: Int = 256
    ) throws -> PostgreSQLRows {
        try begin()
        exchange.pieceSize = max(1, batchSize)
        do {
            try queue(statement, values, as: .execution(0, statement))
            exchange.executions = 1
            try queueSync()
            try flush { _, _ in }
        } catch {
            try undo(error)
            try complete { _, _ in }
            throw error
        }
        let rows = PostgreSQLRows(connection: self)
        openRows = rows
        return rows
    }

    /// Executes a statement, and calls `body` for each row with the result that has the row and the row's index there.
    ///
    /// - Parameter body: Returns false to give up the rest of the rows.
    package func forEachRow(
        _ statement: PostgreSQLStatement, _ values: PostgreSQLParameters = PostgreSQLParameters(),
        _ body: (PostgreSQLResult, Int) throws -> Bool
    ) throws {
        let rows = try rows(statement, values)
        defer { rows.close() }
        while let batch = try rows.next() {
            for row in 0..<batch.rowCount where try !body(batch, row) { return }
        }
    }
}
