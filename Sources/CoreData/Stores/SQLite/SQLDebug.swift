import CSQLite
import Foundation

/// Writes to standard error what a connection is asked, for developers that look for slow fetches.
///
/// As with Apple's framework, the argument `-com.apple.CoreData.SQLDebug N` turns it on; so does an environment
/// variable of that name. 1: each statement, how long it took, and how many rows it gave. 2: also with its values. 3:
/// also what it cost SQLite: steps, rows scanned without an index, sorts; and the statements of triggers. 4: also the
/// plan, when a statement is prepared. Without the switch nothing is registered with SQLite, and nothing is paid.
final class SQLDebug {
    static let level = LaunchSetting.integer("com.apple.CoreData.SQLDebug")

    private let level: Int
    private let name: String
    private let isReader: Bool
    private let write: (String) -> Void
    private var rows = 0
    /// While the plan of a statement is asked for, which is itself a statement.
    private var isExplaining = false

    /// - Parameters:
    ///   - level: 1 to 4.
    ///   - name: What lines say of the connection.
    ///   - isReader: Whether the connection only reads: that its reads share transactions is nothing to tell.
    init(level: Int, name: String, isReader: Bool = false, write: @escaping (String) -> Void = SQLDebug.toStandardError)
    {
        (self.level, self.name, self.isReader, self.write) = (level, name, isReader, write)
    }

    /// For a connection, if the switch is on.
    static func ifOn(_ path: String, _ access: SQLiteConnection.Access) -> SQLDebug? {
        guard level > 0 else { return nil }
        let file = (path as NSString).lastPathComponent
        return SQLDebug(
            level: level, name: access == .readOnly ? "\(file), reader" : file,
            isReader: access == .readOnly)
    }

    private static func toStandardError(_ line: String) {
        FileHandle.standardError.write(Data("CoreData: \(line)\n".utf8))
    }

    /// Listens to a connection, which keeps this object.
    func attach(to handle: OpaquePointer) {
        let kinds = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW)
        sqlite3_trace_v2(
            handle, kinds,
            { kind, debug, statement, detail in
                guard let debug else { return 0 }
                Unmanaged<SQLDebug>.fromOpaque(debug).takeUnretainedValue().note(kind, statement, detail)
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ kind: UInt32, _ statement: UnsafeMutableRawPointer?, _ detail: UnsafeMutableRawPointer?) {
        guard !isExplaining, let statement = statement.map({ OpaquePointer($0) }) else { return }
        if isReader, sqlite3_column_count(statement) == 0 { return }
        switch Int32(kind) {
        case SQLITE_TRACE_STMT: begin(statement, detail)
        case SQLITE_TRACE_ROW: rows += 1
        case SQLITE_TRACE_PROFILE: end(statement, detail?.load(as: Int64.self) ?? 0)
        default: break
        }
    }

    private func begin(_ statement: OpaquePointer, _ text: UnsafeMutableRawPointer?) {
        guard let text = text.map({ String(cString: $0.assumingMemoryBound(to: CChar.self)) }) else { return }
        if text.hasPrefix("--") {
            if level > 2 { write("trigger: \(text.dropFirst(3))") }
            return
        }
        rows = 0
        write("sql: \(text)   [\(name)]")
        guard level > 1, sqlite3_bind_parameter_count(statement) > 0, let expanded = sqlite3_expanded_sql(statement)
        else { return }
        defer { sqlite3_free(expanded) }
        write("details: with values: \(String(cString: expanded))")
    }

    private func end(_ statement: OpaquePointer, _ nanoseconds: Int64) {
        let milliseconds = String(format: "%.3f", Double(nanoseconds) / 1e6)
        write("annotation: \(milliseconds) ms, \(rows) row\(rows == 1 ? "" : "s")")
        rows = 0
        guard level > 2 else { return }
        func status(_ kind: Int32) -> Int32 { sqlite3_stmt_status(statement, kind, 1) }
        write(
            "details: \(status(SQLITE_STMTSTATUS_VM_STEP)) steps, \(status(SQLITE_STMTSTATUS_FULLSCAN_STEP)) rows scanned without an index, \(status(SQLITE_STMTSTATUS_SORT)) sorts, \(status(SQLITE_STMTSTATUS_AUTOINDEX)) rows of indexes made for it"
        )
    }

    /// Tells the plan of a statement that was just prepared.
    func explain(_ sql: String, on handle: OpaquePointer) {
        guard level > 3, !isExplaining else { return }
        isExplaining = true
        defer { isExplaining = false }
        var statement: OpaquePointer?
        // What has no plan, or can't be explained, says nothing.
        guard sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN " + sql, -1, &statement, nil) == SQLITE_OK else { return }
        defer { sqlite3_finalize(statement) }
        var lines: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 3) { lines.append(String(cString: text)) }
        }
        guard !lines.isEmpty else { return }
        write("plan of: \(sql)")
        for line in lines { write("plan:    \(line)") }
    }
}
