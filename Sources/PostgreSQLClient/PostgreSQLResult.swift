import CPostgreSQL

/// The rows that a statement gave, or what it did.
///
/// Values are read by row and column, both from 0 on. A value that is NULL is nil. A value of another type than the one
/// that is asked for throws, as far as its length tells; the types of columns are in ``PostgreSQLStatement/columns``.
///
/// Threads may share a result: it does not change.
package final class PostgreSQLResult: @unchecked Sendable {
    // Unchecked: libpq's functions that read a result do not change it, and the result frees it alone.
    @usableFromInline let handle: OpaquePointer
    package let rowCount: Int
    package let columnCount: Int

    init(handle: OpaquePointer) {
        self.handle = handle
        rowCount = Int(PQntuples(handle))
        columnCount = Int(PQnfields(handle))
    }

    deinit { PQclear(handle) }

    /// How many rows the statement inserted, updated, deleted or selected; nil for a statement that has no such number.
    package var affectedRows: Int? { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } }

    /// What the server calls what it did: `INSERT 0 3`, `COMMIT`.
    package var command: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

    /// How much memory the result takes.
    package var memorySize: Int { PQresultMemorySize(handle) }

    package func name(ofColumn column: Int) -> String? {
        PQfname(handle, Int32(clamping: column)).map { String(cString: $0) }
    }

    package func type(ofColumn column: Int) -> PostgreSQLType {
        PostgreSQLType(rawValue: PQftype(handle, Int32(clamping: column)))
    }

    /// Whether a value is NULL. So is one that the result does not have.
    @inlinable
    package func isNull(_ row: Int, _ column: Int) -> Bool {
        PQgetisnull(handle, Int32(clamping: row), Int32(clamping: column)) != 0
    }
}
