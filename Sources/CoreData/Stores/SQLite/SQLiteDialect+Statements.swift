extension SQLiteDialect {
    /// The keys are a table that SQLite walks. It would put those of an `IN` into an index of its own first, which
    /// takes a fifth of the time.
    package func writeLookup(_ lookup: SQLRowLookup, to writer: inout SQLWriter) {
        writer.write("WITH k(p) AS (VALUES ")
        writer.list(1...lookup.count, separator: ",") { writer, number in
            writer.write("(")
            writer.parameter(number)
            writer.write(")")
        }
        writer.write(") SELECT ")
        writer.list(lookup.columns) { $0.write(identifier($1)) }
        writer.write(" FROM k CROSS JOIN \(identifier(lookup.table)) ON Z_PK = p")
    }

    /// A virtual table has no upserts, but rows that replace others.
    package func writeInsert(_ insert: SQLInsert, to writer: inout SQLWriter) {
        switch insert.conflict {
        case .isAnError: writer.write("INSERT ")
        case .keepsTheOldRow: writer.write("INSERT OR IGNORE ")
        case .replacesTheOldRow: writer.write("INSERT OR REPLACE ")
        }
        writer.target(of: insert)
    }

    package func writeIndexColumn(_ column: SQLIndexColumn, to writer: inout SQLWriter) {
        switch column {
        case .plain(let name): writer.write(identifier(name))
        case .binary(let name, let isAscending):
            writer.write("\(identifier(name)) COLLATE BINARY \(isAscending ? "ASC" : "DESC")")
        case .expression(let expression, let isAscending):
            writer.expression(.indexed(expression))
            writer.write(isAscending ? " ASC" : " DESC")
        }
    }

    package func writeSpatialTable(_ table: SQLSpatialTable, to writer: inout SQLWriter) {
        writer.write("CREATE VIRTUAL TABLE \(identifier(table.name)) USING RTREE (Z_PK INTEGER PRIMARY KEY, ")
        writer.list(table.bounds) { $0.write("\(identifier($1)) FLOAT") }
        writer.write(")")
    }

    // MARK: Triggers

    package func writeTrigger(_ trigger: SQLTrigger, to writer: inout SQLWriter) {
        writer.write("CREATE \(trigger.isTemporary ? "TEMP " : "")TRIGGER \(identifier(trigger.name)) ")
        writer.occasion(of: trigger)
        if let condition = trigger.condition {
            writer.write("WHEN ")
            writer.expression(condition)
            writer.write(" ")
        }
        writer.write("BEGIN ")
        writer.actions(of: trigger) { write($0, to: &$1) }
        writer.write(" END")
    }

    package func writeTriggerRemoval(_ name: String, on table: String, to writer: inout SQLWriter) {
        writer.write("DROP TRIGGER \(identifier(name))")
    }

    /// Calls the function that Apple's framework has for it, once for each row.
    private func write(_ note: SQLTriggerNote, to writer: inout SQLWriter) {
        let function =
            note.isInsert
            ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue" : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
        writer.write("SELECT \(function)(\(note.table.sqlLiteral), Z_ENT, Z_PK, \(note.attribute.sqlLiteral), ")
        writer.write("\(identifier(note.column))) FROM \(identifier(note.table))")
        writer.conditions(note.conditions)
    }
}

extension SQLSchema {
    /// The statements that make a fresh store, as text; see ``creation(for:)``.
    ///
    /// - Parameters:
    ///   - isLoading: Leaves out all indexes: ``lookupIndexStatements()`` and ``uniquenessStatements()`` make them.
    ///   - isCopy: Leaves out the triggers of derived attributes, too: ``derivationStatements()`` makes them.
    package func creationStatements(isLoading: Bool = false, isCopy: Bool = false) throws -> [String] {
        let dialect = SQLiteDialect(hasJSON: false)
        let all = try isCopy ? tableCreation(for: dialect) : creation(for: dialect)
        return (isLoading || isCopy ? all.filter { $0.index == nil } : all).map { dialect.text(of: $0) }
    }

    /// The statements that make the triggers of derived attributes, as text.
    func derivationStatements() throws -> [String] {
        let dialect = SQLiteDialect(hasJSON: false)
        return try derivationTriggers().map { dialect.text(of: $0) }
    }

    /// The statements that make the indexes by which rows are looked up, as text.
    func lookupIndexStatements() -> [String] { indexStatements { !$0.isUnique } }

    /// The statements that make the uniqueness constraints, as text.
    func uniquenessStatements() -> [String] { indexStatements(where: \.isUnique) }

    private func indexStatements(where isWanted: (SQLIndexDefinition) -> Bool) -> [String] {
        let dialect = SQLiteDialect(hasJSON: false)
        return allIndexes(dialect).filter(isWanted).map { dialect.text(of: .createIndex($0)) }
    }
}

extension SQLStatement {
    /// The index that the statement makes.
    fileprivate var index: SQLIndexDefinition? { if case .createIndex(let index) = self { index } else { nil } }
}

extension String {
    /// The text as a literal of SQL.
    var sqlLiteral: String { "'" + replacingOccurrences(of: "'", with: "''") + "'" }
}
