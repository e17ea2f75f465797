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

    package var aliasOfSelect: String { "" }

    package func placeholder(_ number: Int) -> String { "?" }

    package func repeatedPlaceholder(_ number: Int) -> String { "?\(number)" }

    package func identifier(_ name: String) -> String {
        let isWord = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        // Nearly every name of a store begins with Z, and no keyword does; those of history begin with the name of one
        // of its tables. Apple's framework does not quote them in a file.
        let isKnown =
            name.hasPrefix("Z") || name.hasPrefix(SQLHistoryTables.changes)
            || name.hasPrefix(SQLHistoryTables.transactions) || name == SQLNaming.reflexive
        return isWord && isKnown ? name : name.quotedForSQL
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

    package func name(of type: SQLColumnType) -> String {
        if case .declared(let name) = type { return name }
        return Self.typeNames.first { $0.type == type }?.name ?? ""
    }

    package func type(of column: SQLTableColumn) -> SQLColumnType {
        Self.typeNames.first { $0.name == column.type }?.type ?? SQLColumnType(affinityOf: column.type)
    }

    /// The names that Apple's framework gives the types in a file.
    private static let typeNames: [(type: SQLColumnType, name: String)] = [
        (.key, "INTEGER PRIMARY KEY"), (.integer, "INTEGER"), (.float, "FLOAT"), (.decimal, "DECIMAL"),
        (.text, "VARCHAR"), (.shortText, "VARCHAR(255)"), (.date, "TIMESTAMP"), (.bytes, "BLOB"),
    ]

    package func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .int(let number): String(number)
        case .double(let number): "\(number)"
        case .text(let text): text.sqlLiteral
        case .blob(let data): "x'\(SQLHex.encoded(data))'"
        }
    }

    package func external(_ data: Data) -> SQLValue { .blob(InlineData.raw(data)) }

    /// A decimal is stored as a double where one holds its digits. What is longer goes through the column's own
    /// conversion, as it did when it was stored.
    package func decimal(_ digits: String) -> SQLValue { DecimalText.number(digits) ?? .text(digits) }

    package func truth(_ flag: Bool) -> String { flag ? "1" : "0" }

    package var wordForSame: String { "IS" }
    package var wordForIfNull: String { "IFNULL" }
    package var wordForGreater: String { "max" }

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

extension SQLColumnType {
    /// The type that holds what a column of a declared type holds, by SQLite's rules of affinity.
    fileprivate init(affinityOf type: String) {
        let type = type.uppercased()
        func has(_ parts: String...) -> Bool { parts.contains { type.contains($0) } }
        if has("INT") {
            self = .integer
        } else if has("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if has("BLOB") || type.isEmpty {
            self = .bytes
        } else {
            self = has("REAL", "FLOA", "DOUB") ? .float : .decimal
        }
    }
}
