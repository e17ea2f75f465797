import CoreData

/// PostgreSQL's SQL, from version 14.
///
/// Trees of fetches and changes go through ``PostgreSQLTyping`` first. Functions of ``SQLRoutine`` and collations have
/// counterparts in a schema `coredata` (``PostgreSQLFunctions``). Texts are stored with the collation `C`, so that they
/// compare byte by byte.
struct PostgreSQLDialect: SQLDialect {
    let maximumParameters = 65_535

    // MARK: Names and values

    func placeholder(_ number: Int) -> String { "$\(number)" }
    func repeatedPlaceholder(_ number: Int) -> String { "$\(number)" }

    /// A plain word would become lower-case.
    func identifier(_ name: String) -> String {
        let name = Self.shortened(PostgreSQLNaming.systemColumns[name] ?? name)
        return "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    /// A name that PostgreSQL keeps as it is.
    ///
    /// It would cut off what is behind 63 bytes, and take two names for the same. A long name keeps its beginning, and
    /// gets a number that depends on all of it.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > 63 else { return name }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 36)
        var start = Substring(name)
        while start.utf8.count + 1 + digits.utf8.count > 63 { start.removeLast() }
        return start + "~" + digits
    }

    /// A statement that takes rows of a table in the binary format.
    func copy(into table: String, _ columns: [String]) -> String {
        "COPY \(identifier(table)) (\(columns.map(identifier).joined(separator: ", "))) FROM STDIN (FORMAT binary)"
    }

    let aliasOfSelect = " AS \"rows\""

    func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .int(let number): number < 0 ? "('\(number)')" : String(number)
        case .double(let number): number < 0 ? "(\(number))" : "\(number)"
        case .text(let text): quoted(text)
        case .blob(let data): "'\\x\(data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())'"
        }
    }

    /// Backslashes are plain characters in standard strings.
    private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    func external(_ data: Data) -> SQLValue { .blob(data) }

    /// A number where it holds all digits, so that it can stand beside numbers of all kinds.
    func decimal(_ digits: String) -> SQLValue { SQLiteDialect(hasJSON: true).decimal(digits) }

    /// `CoreDataFold` is `coredata.fold`.
    func name(of routine: SQLRoutine) -> String {
        let words = routine.rawValue.replacing("NSCoreData", with: "").replacing("CoreData", with: "")
        return "coredata."
            + words.enumerated().map { $1.isUppercase && $0 > 0 ? "_\($1.lowercased())" : $1.lowercased() }.joined()
    }

    func name(of storage: SQLStorage) -> String {
        switch storage {
        case .integer: "BIGINT"
        case .real: "DOUBLE PRECISION"
        case .numeric: "NUMERIC"
        case .text: "TEXT"
        }
    }

    func name(of type: SQLColumnType) -> String {
        switch type {
        case .key: "BIGINT PRIMARY KEY"
        case .integer: "BIGINT"
        case .float, .date: "DOUBLE PRECISION"
        case .decimal: "NUMERIC"
        case .text, .shortText: "TEXT COLLATE \"C\""
        case .bytes: "BYTEA"
        case .declared(let definition): definition
        }
    }

    /// Texts compare byte by byte. The columns that all tables have are never null.
    func type(of column: SQLTableColumn) -> SQLColumnType {
        switch column.name {
        case "Z_PK": .declared(column.type + " PRIMARY KEY")
        case "Z_ENT", "Z_OPT": .declared(column.type + " NOT NULL")
        default:
            .declared(column.type == PostgreSQLType.text.rawValue ? column.type + " COLLATE \"C\"" : column.type)
        }
    }

    // MARK: Expressions

    func truth(_ flag: Bool) -> String { flag ? "TRUE" : "FALSE" }

    let wordForSame = "IS NOT DISTINCT FROM"
    let wordForIfNull = "COALESCE"
    let wordForGreater = "GREATEST"

    /// Lists are filled up to a power of two with their last value, so that lists of similar length share a statement.
    func writeMembership(of expression: SQLExpression, in values: [SQLValue], to writer: inout SQLWriter) {
        guard let last = values.last else { return writer.write(truth(false)) }
        var count = 1
        while count < values.count { count *= 2 }
        if count > maximumParameters / 2 { count = values.count }
        writer.operand(expression)
        writer.write(" IN (")
        writer.list(0..<count) { $0.bind($1 < values.count ? values[$1] : last) }
        writer.write(")")
    }

    func writeMembership(of expression: SQLExpression, in keys: SQLKeyList, to writer: inout SQLWriter) {
        writer.operand(expression)
        switch keys {
        case .array(let parameter):
            writer.write(" = ANY (")
            writer.parameter(parameter)
            writer.write("::bigint[]")
        case .parameters(let count):
            writer.write(" IN (")
            writer.list(1...count) { $0.parameter($1) }
        }
        writer.write(")")
    }

    func writeText(
        _ text: SQLExpression, _ relation: SQLTextRelation, _ part: SQLExpression, to writer: inout SQLWriter
    ) {
        switch relation {
        case .beginsWith: writer.call("starts_with", [text, part])
        case .endsWith:
            writer.write("right(")
            writer.expression(text)
            writer.write(", ")
            writer.call("length", [part])
            writer.write(") = ")
            writer.operand(part)
        case .contains:
            writer.call("strpos", [text, part])
            writer.write(" > 0")
        }
    }

    /// The planner goes by statistics, and needs no hint.
    func writeUnindexed(_ expression: SQLExpression, to writer: inout SQLWriter) { writer.operand(expression) }

    // MARK: Statements

    func writeOrder(_ order: SQLOrder, to writer: inout SQLWriter) {
        writer.operand(order.expression)
        if let collation = SQLCollation.name(of: order.comparison) {
            writer.write(" COLLATE coredata.\(identifier(collation))")
        }
        writer.write(direction(isAscending: order.ascending))
    }

    /// Null comes first in ascending order, as nil does in memory.
    private func direction(isAscending: Bool) -> String { isAscending ? " ASC NULLS FIRST" : " DESC NULLS LAST" }

    func writeLimit(_ limit: Int?, offset: Int?, to writer: inout SQLWriter) {
        if let limit {
            writer.write(" LIMIT ")
            writer.bind(SQLTypedValue(.int(Int64(limit)), as: PostgreSQLType.bigint.rawValue))
        }
        if let offset {
            writer.write(" OFFSET ")
            writer.bind(SQLTypedValue(.int(Int64(offset)), as: PostgreSQLType.bigint.rawValue))
        }
    }

    func writeLookup(_ lookup: SQLRowLookup, to writer: inout SQLWriter) {
        writer.write("SELECT ")
        writer.list(lookup.columns) { $0.write(identifier($1)) }
        writer.write(" FROM \(identifier(lookup.table)) WHERE ")
        writer.expression(.isKey(.column("Z_PK", of: .only), in: .array(parameter: 1)))
    }

    func writeInsert(_ insert: SQLInsert, to writer: inout SQLWriter) {
        writer.write("INSERT ")
        writer.target(of: insert)
        switch insert.conflict {
        case .isAnError: break
        case .keepsTheOldRow: writer.write(" ON CONFLICT DO NOTHING")
        case .replacesTheOldRow(let key):
            writer.write(" ON CONFLICT (\(identifier(key))) DO UPDATE SET ")
            writer.list(insert.columns.filter { $0 != key }) {
                $0.write("\(identifier($1)) = EXCLUDED.\(identifier($1))")
            }
        }
    }

    // MARK: Definitions

    func writeIndexColumn(_ column: SQLIndexColumn, to writer: inout SQLWriter) {
        switch column {
        case .plain(let name): writer.write(identifier(name))
        case .binary(let name, let isAscending): writer.write(identifier(name) + direction(isAscending: isAscending))
        case .expression(let expression, let isAscending):
            writer.expression(.indexed(expression))
            writer.write(direction(isAscending: isAscending))
        }
    }

    func writeSpatialTable(_ table: SQLSpatialTable, to writer: inout SQLWriter) {
        writer.write("CREATE TABLE \(identifier(table.name)) (\"Z_PK\" BIGINT PRIMARY KEY, ")
        writer.list(table.bounds) { $0.write("\(identifier($1)) DOUBLE PRECISION") }
        writer.write(")")
    }

    /// A trigger calls a function, which has the trigger's name. Both are made by one statement.
    func writeTrigger(_ trigger: SQLTrigger, to writer: inout SQLWriter) {
        precondition(!trigger.isTemporary, "what SQLite needs temporary triggers for, functions in the database do")
        let name = identifier(trigger.name)
        var body = SQLWriter(dialect: self)
        body.actions(of: trigger) { write($0, to: &$1) }
        var block = SQLWriter(dialect: self)
        // Other programs may have other schemas in their path when they fire it.
        block.write(
            """
            CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT \
            AS \(PostgreSQLQuoting.body("BEGIN \(body.text) RETURN NULL; END")); CREATE TRIGGER \(name)
            """ + " ")
        block.occasion(of: trigger)
        if let condition = trigger.condition {
            block.write("WHEN (")
            block.expression(condition)
            block.write(") ")
        }
        block.write("EXECUTE FUNCTION \(name)();")
        writer.write(PostgreSQLQuoting.block(block.text))
    }

    func writeTriggerRemoval(_ name: String, on table: String, to writer: inout SQLWriter) {
        // The trigger goes with it.
        writer.write("DROP FUNCTION \(identifier(name))() CASCADE")
    }

    private func write(_ note: SQLTriggerNote, to writer: inout SQLWriter) {
        writer.write("INSERT INTO \"_coredata_trigger_notes\" (\"transaction\", \"table\", \"row\") ")
        writer.write("SELECT pg_current_xact_id(), \(quoted(note.table)), \(identifier("Z_PK")) ")
        writer.write("FROM \(identifier(note.table))")
        writer.conditions(note.conditions)
    }
}
