import CoreData
import PostgreSQLClient

/// Turns the rows of an entity's table into snapshots, with no Swift object per value.
///
/// Which column goes to which cell is worked out once per entity. A row then costs one look at each column, one
/// allocation, and a copy of the bytes of its texts and data.
final class PostgreSQLRowReader: Sendable {
    /// What a SELECT for this reader lists, in this order: the key, the entity's number where the table has rows of
    /// several entities, the version, then the columns of the properties.
    let columns: [String]
    /// The statement for one row. Parameter: its key.
    let byKey: String
    /// The statement for some rows. Parameter: a list of their keys.
    let byKeys: String
    /// The statement for the rows behind a key, in the order of their keys, up to its limit. Parameter: the key.
    ///
    /// The order is written without a place for NULL, which no key is: so the primary key's index has the order.
    private let behindKey: String
    private let types: [PostgreSQLType]
    private let plans: [Int64: RowPlan]
    private let versionColumn: Int
    /// For tables of a single entity.
    private let solePlan: RowPlan?

    /// - Parameter part: What is read of each row; nil: all of it.
    init(
        _ layout: EntityLayout, includesSubentities: Bool, part: RowPart? = nil, schema: SQLSchema,
        large: PostgreSQLLargeValues
    ) {
        let entities = (includesSubentities ? layout.selfAndDescendants : [layout]).filter { schema.contains($0) }
        let isSole = !schema.table(of: layout).hasSubentities
        var columns = isSole ? ["Z_PK", "Z_OPT"] : ["Z_PK", "Z_ENT", "Z_OPT"]
        versionColumn = columns.count - 1
        var places: [String: Int] = [:]
        func place(_ name: String) -> Int {
            if let known = places[name] { return known }
            places[name] = columns.count
            columns.append(name)
            return columns.count - 1
        }
        var plans: [Int64: RowPlan] = [:]
        for entity in entities {
            guard let number = schema.number(of: entity) else { continue }
            plans[number] = RowPlan(entity, slots: part?.slots, schema: schema, place: place)
        }
        self.columns = columns
        let table = schema.table(of: layout)
        var rows = SQLSelect(from: .table(table.name, .only))
        rows.columns = columns.map { .own($0) }
        let dialect = PostgreSQLDialect()
        let key = dialect.identifier("Z_PK")
        // A copy of a whole table needs its large values, too.
        let whole = dialect.text(of: .select(large.reading(rows, of: table.name, isWhole: true)))
        behindKey = "\(whole) WHERE \(key) > $1 ORDER BY \(key)"
        rows.conditions = [.isKey(.own("Z_PK"), in: .array(parameter: 1))]
        byKeys = dialect.text(of: .select(large.reading(rows, of: table.name)))
        let row = SQLRowStatements(table: table.name).selection(columns)
        byKey = dialect.text(of: large.reading(row, of: table.name))
        types = Self.types(of: columns, in: table)
        self.plans = plans
        solePlan = isSole ? plans.values.first : nil
    }

    private static func types(of columns: [String], in table: SQLTable) -> [PostgreSQLType] {
        columns.map { name in
            let type = table.columns.first { $0.name == name }?.type
            guard let type = type.flatMap({ PostgreSQLType(rawValue: $0) }) else {
                defect("The column \(name) has no type.")
            }
            return type
        }
    }

    /// The statement for so many rows behind a key, in the order of their keys. Parameter: the key.
    func behindKey(most: Int) -> String { "\(behindKey) LIMIT \(most)" }

    /// All rows of a result. Rows of entities that the model does not have are left out.
    func readAll(_ result: PostgreSQLResult, _ monitor: ReadMonitor? = nil) throws -> RowBatch {
        try check(result)
        let rows = RowBatch()
        for row in 0..<result.rowCount {
            if let monitor {
                try monitor.checkCancellation()
                monitor.noteRow()
            }
            if let snapshot = try read(result, row) { rows.append(snapshot) }
        }
        return rows
    }

    /// Makes sure that the columns have the types that ``read(_:_:)`` takes for granted. One look serves all rows.
    func check(_ result: PostgreSQLResult) throws {
        for (column, type) in types.enumerated() where !type.isRead(from: result.type(ofColumn: column)) {
            throw NSError.cocoa(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "The column “\(columns[column])” of the store has another type than \(type.rawValue).",
                reason: "Another program has changed the store's tables.")
        }
    }

    /// The snapshot of a row, retained once for the caller; nil for a row of an entity that the model does not have.
    ///
    /// - Precondition: ``check(_:)`` has passed for the result.
    func read(_ result: PostgreSQLResult, _ row: Int) throws -> Unmanaged<RowSnapshot>? {
        guard let plan = solePlan ?? plans[result.integer(row, 1)] else { return nil }
        return try plan.read(result, row, version: result.integer(row, versionColumn))
    }
}

/// How the rows of one entity become snapshots.
private final class RowPlan: @unchecked Sendable {
    // Unchecked: all is constant. The store's model keeps the layout.

    private let layout: EntityLayout
    private let fixed: [FixedValue]
    private let variable: [VariableValue]
    /// The cells of the values that are read, where these are some values only.
    private let partCells: [Int]?
    private let hasDecimals: Bool

    init(_ layout: EntityLayout, slots: [Int]?, schema: SQLSchema, place: (String) -> Int) {
        self.layout = layout
        var fixed: [FixedValue] = []
        var variable: [VariableValue] = []
        let wanted = slots.map { $0.map { layout.slots[$0] } } ?? layout.slots
        for slot in wanted where slot.isStoredInRow {
            guard let column = schema.column(of: layout, slot: slot.index) else { continue }
            if slot.kind.isVariable {
                variable.append(
                    VariableValue(column: place(column.name), cell: slot.cell, isDecimal: slot.kind == .decimal))
            } else {
                fixed.append(
                    FixedValue(
                        column: place(column.name), cell: slot.cell, kind: slot.kind,
                        entityColumn: column.entityColumn.map { place($0) } ?? -1, destination: slot.destination,
                        schema: schema))
            }
        }
        partCells = slots == nil ? nil : wanted.map(\.cell)
        hasDecimals = variable.contains(where: \.isDecimal)
        (self.fixed, self.variable) = (fixed, variable)
    }

    /// - Returns: The snapshot, retained once for the caller.
    func read(_ result: PostgreSQLResult, _ row: Int, version: Int64) throws -> Unmanaged<RowSnapshot> {
        let decimals = hasDecimals ? try decimals(result, row) : []
        var byteCount = 0
        for (index, value) in variable.enumerated() {
            byteCount += value.isDecimal ? decimals[index].utf8.count : result.field(row, value.column)?.count ?? 0
        }
        let key = result.integer(row, 0)
        func fill(_ writer: inout RowWriter) {
            for value in fixed { value.read(result, row, into: &writer) }
            for (index, value) in variable.enumerated() {
                guard let bytes = result.field(row, value.column) else { continue }
                if value.isDecimal {
                    var text = decimals[index]
                    text.withUTF8 { writer.set(value.cell, bytes: UnsafeRawBufferPointer($0)) }
                } else {
                    writer.set(value.cell, bytes: bytes)
                }
            }
        }
        if let partCells {
            return RowSnapshot.makePartial(
                layout.table, key: key, version: version, byteCount: byteCount, cells: partCells, fill: fill)
        }
        return RowSnapshot.make(layout.table, key: key, version: version, byteCount: byteCount, fill: fill)
    }

    /// The digits of the decimals, by the place of their value; empty for other values.
    private func decimals(_ result: PostgreSQLResult, _ row: Int) throws -> [String] {
        try variable.map { value in
            guard value.isDecimal else { return "" }
            return try result.numeric(row, value.column) ?? ""
        }
    }
}

/// A value that stands behind the cells.
private struct VariableValue {
    let column: Int
    let cell: Int
    let isDecimal: Bool
}

/// A value that fits a cell.
private struct FixedValue {
    let column: Int
    let cell: Int
    let kind: SlotKind
    /// The column with a to-one's exact entity, or -1.
    let entityColumn: Int
    /// The to-one's declared destination.
    let destination: Int32
    let schema: SQLSchema

    func read(_ result: PostgreSQLResult, _ row: Int, into writer: inout RowWriter) {
        if result.isNull(row, column) { return }
        switch kind {
        case .double, .float: writer.set(cell, double: result.floating(row, column))
        case .date: writer.set(cell, double: PostgreSQLTime.seconds(result.integer(row, column)))
        case .toOne: writer.set(cell, key: result.integer(row, column), entity: entity(result, row))
        default: writer.set(cell, int: result.integer(row, column))
        }
    }

    private func entity(_ result: PostgreSQLResult, _ row: Int) -> Int32 {
        guard entityColumn >= 0, !result.isNull(row, entityColumn) else { return destination }
        return schema.layoutNumber(of: result.integer(row, entityColumn)) ?? destination
    }
}
