import FoundationGaps

/// SQLite's SQL, from version 3.35.
package struct SQLiteDialect: SQLDialect {
    /// Whether the library has `json_each`: always from 3.38 on, before that where it was compiled in.
    package let hasJSON: Bool
    package let maximumParameters: Int

    /// - Parameter maximumParameters: The connection's `SQLITE_LIMIT_VARIABLE_NUMBER`.
    package init(hasJSON: Bool, maximumParameters: Int = 32_766) {
        self.hasJSON = hasJSON
        self.maximumParameters = maximumParameters
    }

    package func placeholder(_ number: Int) -> String { "?" }

    package func identifier(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        // Every name of a store begins with Z, and no keyword does; a quoted one can only be a plain word.
        return isPlain && name.hasPrefix("Z") ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    package func name(of routine: SQLRoutine) -> String { routine.rawValue }

    package func name(of storage: SQLStorage) -> String {
        switch storage {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .numeric: "NUMERIC"
        case .text: "TEXT"
        }
    }

    /// A leading plus takes the column out of the planner's sight.
    package func writeUnindexed(_ expression: SQLExpression, to writer: inout SQLWriter) {
        writer.write("+")
        writer.operand(expression)
    }

    /// NULL comes first in SQLite's ascending order, as nil does in memory.
    package func writeOrder(_ order: SQLOrder, to writer: inout SQLWriter) {
        writer.operand(order.expression)
        if let collation = SQLCollation.name(of: order.comparison) { writer.write(" COLLATE \(collation)") }
        writer.write(order.ascending ? "" : " DESC")
    }

    package func writeLimit(_ limit: Int?, offset: Int?, to writer: inout SQLWriter) {
        guard limit != nil || offset != nil else { return }
        writer.write(" LIMIT ")
        writer.bind(.int(Int64(limit ?? -1)))
        guard let offset else { return }
        writer.write(" OFFSET ")
        writer.bind(.int(Int64(offset)))
    }
}
