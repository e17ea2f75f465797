import CSQLite
import Foundation

/// A prepared statement: bind values, step through rows, and it is ready for the next use.
///
/// A statement resets itself when its rows end and when a step fails; code that stops earlier calls ``reset()``.
package final class SQLiteStatement {
    package let handle: OpaquePointer
    let sql: String
    // The connection keeps its cached statements; an unowned way back avoids the cycle.
    private unowned let connection: SQLiteConnection
    /// Why a value could not be bound since the last step. Its parameter is null, which is not what is to be written.
    // Exclusive access is not checked at run time: one thread uses a statement, and calls no foreign code
    // meanwhile.
    @exclusivity(unchecked) private var bindingCode = SQLITE_OK

    package init(_ sql: String, on connection: SQLiteConnection) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw connection.error(sql: sql) }
        self.handle = handle
        self.sql = sql
        self.connection = connection
        connection.debug?.explain(sql, on: connection.handle)
    }

    deinit { sqlite3_finalize(handle) }

    /// Moves to the next row; false at the end.
    ///
    /// - Throws: ``SQLiteError``, also for a value that could not be bound.
    @inline(__always)
    package func step() throws -> Bool {
        if bindingCode != SQLITE_OK { throw unbound() }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            sqlite3_reset(handle)
            return false
        }
        throw failed()
    }

    private func failed() -> SQLiteError {
        let error = connection.error(sql: sql)
        sqlite3_reset(handle)
        return error
    }

    private func unbound() -> SQLiteError {
        defer { bindingCode = SQLITE_OK }
        return SQLiteError(code: bindingCode, message: String(cString: sqlite3_errstr(bindingCode)), sql: sql)
    }

    /// Runs to the end.
    func run() throws { while try step() {} }

    package func reset() { sqlite3_reset(handle) }

    /// The statement with its values in it, for a person to read; nil where memory does not suffice.
    var expandedText: String? {
        guard let text = sqlite3_expanded_sql(handle) else { return nil }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }

    // MARK: Values in

    @inline(__always)
    func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    @inline(__always)
    package func bind(_ index: Int32, int value: Int64) { sqlite3_bind_int64(handle, index, value) }

    @inline(__always)
    func bind(_ index: Int32, double value: Double) { sqlite3_bind_double(handle, index, value) }

    /// Binds a copy of the text.
    package func bind(_ index: Int32, text value: String) {
        var value = value
        value.withUTF8 { bind(index, bytes: UnsafeRawBufferPointer($0), isText: true, copy: true) }
    }

    /// Binds a copy of the bytes.
    func bind(_ index: Int32, blob value: Data) {
        value.withUnsafeBytes { bind(index, bytes: $0, isText: false, copy: true) }
    }

    /// Binds text or a blob.
    ///
    /// - Parameter copy: Whether SQLite copies the bytes; if not, they must stay where they are until the statement is
    ///   reset or the parameter is bound anew.
    @inline(__always)
    func bind(_ index: Int32, bytes: UnsafeRawBufferPointer, isText: Bool, copy: Bool) {
        // SQLITE_TRANSIENT is a cast in C, which Swift does not import: "copy before you return".
        let destructor = copy ? unsafeBitCast(-1, to: sqlite3_destructor_type.self) : nil
        let count = UInt64(bytes.count)
        if isText {
            // A text of no bytes is not null: SQLite needs an address for it.
            let base = bytes.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
            note(
                sqlite3_bind_text64(
                    handle, index, base.assumingMemoryBound(to: CChar.self), count, destructor, UInt8(SQLITE_UTF8)))
        } else if let base = bytes.baseAddress, count > 0 {
            note(sqlite3_bind_blob64(handle, index, base, count, destructor))
        } else {
            sqlite3_bind_zeroblob(handle, index, 0)
        }
    }

    /// Notes what became of a value that may be too large. Numbers and nulls are always bound.
    @inline(__always)
    private func note(_ code: Int32) { if code != SQLITE_OK { bindingCode = code } }

    /// Binds the value that a column of another statement's row has.
    func bind(_ index: Int32, copyOf row: SQLiteStatement, _ column: Int32) {
        note(sqlite3_bind_value(handle, index, sqlite3_column_value(row.handle, column)))
    }

    // MARK: Values out

    var columnCount: Int32 { sqlite3_column_count(handle) }

    func columnName(_ column: Int32) -> String { sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "" }

    @inline(__always)
    package func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

    @inline(__always)
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    @inline(__always)
    package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    @inline(__always)
    package func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// The bytes of a text, valid until the next step; numbers come as text.
    @inline(__always)
    package func textBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let base = sqlite3_column_text(handle, column)
        return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// The bytes of a blob or a text as they are, valid until the next step.
    @inline(__always)
    package func blobBytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let base = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column)))
    }

    package func text(_ column: Int32) -> String? {
        isNull(column) ? nil : String(decoding: textBytes(column), as: UTF8.self)
    }

    package func blob(_ column: Int32) -> Data? { isNull(column) ? nil : Data(blobBytes(column)) }
}

extension SQLiteStatement: SQLResultRow {
    package func decimal(_ column: Int32) -> String { DecimalText.plain(text(column) ?? "") }

    package func uuid(_ column: Int32) -> UUID? {
        let bytes = blobBytes(column)
        return bytes.count == 16
            ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : text(column).flatMap { UUID(uuidString: $0) }
    }

    package func value(_ column: Int32) -> SQLValue { SQLValue(self, column) }
}
