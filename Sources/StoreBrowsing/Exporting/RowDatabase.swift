import CSQLite
import Foundation

/// Rows as a table of an SQLite database: numbers as numbers, null as null, everything else as text.
package final class RowDatabase {
    private var database: OpaquePointer?
    private var insertion: OpaquePointer?

    /// - Parameters:
    ///   - url: Where the file is made.
    ///   - titles: The names of the columns. Those that SQLite takes for one get numbers.
    /// - Throws: ``ToolFailure`` for a file that can't be written.
    package init(at url: URL, table: String, titles: [String]) throws {
        try check(sqlite3_open_v2(url.path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil))
        let names = Self.distinct(titles).map(Self.quoted)
        let list = names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
        try run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; CREATE TABLE \(Self.quoted(table))\(list)")
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        try check(
            sqlite3_prepare_v2(database, "INSERT INTO \(Self.quoted(table)) VALUES (\(marks))", -1, &insertion, nil))
    }

    deinit { close() }

    package func write(_ values: [JSONValue]) throws {
        for (index, value) in values.enumerated() { try bind(value, Int32(index + 1)) }
        guard sqlite3_step(insertion) == SQLITE_DONE else { throw failure() }
        sqlite3_reset(insertion)
    }

    /// Commits the rows, and closes the file.
    package func finish() throws {
        try run("COMMIT")
        close()
    }

    private func bind(_ value: JSONValue, _ index: Int32) throws {
        switch value {
        case .null: try check(sqlite3_bind_null(insertion, index))
        case .bool(let flag): try check(sqlite3_bind_int64(insertion, index, flag ? 1 : 0))
        case .int(let number): try check(sqlite3_bind_int64(insertion, index, number))
        case .double(let number): try check(sqlite3_bind_double(insertion, index, number))
        case .string, .array, .object:
            var text = value.fieldText
            // SQLite copies the bytes before the call returns.
            let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            try check(
                text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        sqlite3_bind_text(insertion, index, $0.baseAddress, Int32($0.count), copies)
                    }
                })
            if text.isEmpty { try check(sqlite3_bind_text(insertion, index, "", 0, copies)) }
        }
    }

    /// The names with a number behind those that SQLite takes for one that was there before.
    private static func distinct(_ names: [String]) -> [String] {
        var known: Set<String> = []
        return names.map { name in
            var (candidate, number) = (name, 2)
            while !known.insert(candidate.lowercased()).inserted {
                candidate = "\(name) \(number)"
                number += 1
            }
            return candidate
        }
    }

    private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

    private func run(_ sql: String) throws { try check(sqlite3_exec(database, sql, nil, nil, nil)) }

    private func check(_ code: Int32) throws { if code != SQLITE_OK { throw failure() } }

    private func failure() -> ToolFailure {
        ToolFailure(.other, "The database can't be written: \(String(cString: sqlite3_errmsg(database)))")
    }

    private func close() {
        sqlite3_finalize(insertion)
        sqlite3_close_v2(database)
        (insertion, database) = (nil, nil)
    }
}
