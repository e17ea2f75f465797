import CSQLite
import FoundationGaps

/// The read transaction of a session, which stays open for the reads that follow, as long as no connection has
/// committed.
///
/// Small reads cost more for beginning and ending their transactions, by locks on the log and a look at the file, than
/// for what they read. Whether a connection has committed, in this process or another one, stands in memory that all
/// connections to the file share: the header of the log's index, which is also what SQLite looks at to begin a
/// transaction. As long as that is what it was, a transaction that began now would see the same, so a read never sees
/// less than if it had one of its own.
///
/// An open transaction keeps the log from being begun anew. So ``SQLiteReaders`` sees to it that none is kept for long.
struct SQLiteReadTransaction {
    /// The header, once the connection has read.
    private var index: UnsafeRawPointer?
    /// The header before the transaction began.
    private var state = coredata_log_state()

    /// Before a read: sees to it that the transaction is good for it.
    mutating func prepare(_ connection: SQLiteConnection) throws {
        // Before there is a header to look at, each statement is a transaction by itself.
        guard let index else { return }
        if connection.isInTransaction {
            if coredata_log_is(index, &state) != 0 { return }
            try end(connection)
        }
        // First what there is, then the transaction, which may see more: never the other way round.
        state = coredata_log_read(index)
        try connection.statement("BEGIN").run()
    }

    /// After a read.
    ///
    /// - Returns: Whether a transaction is open.
    mutating func settle(_ connection: SQLiteConnection) -> Bool {
        if index == nil { index = coredata_log_index(connection.handle) }
        return connection.isInTransaction
    }

    /// Ends the transaction, if there is one.
    ///
    /// Where a read of it has found the file damaged, or could not read a page, SQLite refuses to commit it. There is
    /// nothing to lose.
    func end(_ connection: SQLiteConnection) throws {
        guard connection.isInTransaction else { return }
        do { try connection.statement("COMMIT").run() } catch {
            if connection.isInTransaction { try connection.statement("ROLLBACK").run() }
        }
    }
}
