import CSQLite
import Foundation

/// Turns the rows of an entity's table into snapshots, with no Swift object per value.
///
/// Which column goes to which cell, and how, is worked out once per entity; a row then costs one look at each column,
/// one allocation, and a copy of the bytes of its texts and blobs.
final class RowReader {
    /// What a SELECT for this reader lists, in this order: `Z_PK`, `Z_ENT` where the table has rows of several
    /// entities, `Z_OPT`, then the columns of the properties.
    ///
    /// A column less is worth something: SQLite sorts rows by text twice as fast as long as they and what they are
    /// sorted by are fewer than 13.
    let columns: [String]

    // Exclusive access is not checked at run time: the reader belongs to one session, which one thread at a time uses.
    // No method calls foreign code while it changes a property. `plans` is constant, and keeps the plans.

    /// The statement that reads one row by its key, once there is one.
    @exclusivity(unchecked) var byKey: SQLiteStatement?
    /// Those that read as many rows as the key says, by theirs.
    @exclusivity(unchecked) var byKeys: [Int: SQLiteStatement] = [:]
    private let plans: [Int64: RowPlan]
    private let versionColumn: Int32
    /// For tables of a single entity, where the rows' `Z_ENT` decides nothing.
    private let solePlan: Unmanaged<RowPlan>?
    @exclusivity(unchecked) private var lastNumber: Int64 = -1
    @exclusivity(unchecked) private var lastPlan: Unmanaged<RowPlan>?
    /// Whether the file's texts are what strings are made of. Then they are read where they lie; SQLite would copy each
    /// to put a zero behind it.
    private let isUTF8: Bool
    private let pieces: UnsafeMutableBufferPointer<Piece>
    private let converted: UnsafeMutableRawPointer

    /// Where the bytes of a variable value are, until the statement's next step; a count below zero stands for null.
    fileprivate struct Piece {
        var start: UnsafeRawPointer?
        var count: Int
    }

    /// Room per variable value for what is converted: the text of a decimal, the bytes of a UUID.
    private static let convertedSize = 256

    /// - Parameter part: What is read of each row; nil: all of it.
    init(
        _ layout: EntityLayout, includesSubentities: Bool, part: RowPart? = nil, schema: SQLSchema, isUTF8: Bool
    ) {
        self.isUTF8 = isUTF8
        let entities = (includesSubentities ? layout.selfAndDescendants : [layout]).filter { schema.contains($0) }
        let isSole = !schema.table(of: layout).hasSubentities
        var columns = isSole ? ["Z_PK", "Z_OPT"] : ["Z_PK", "Z_ENT", "Z_OPT"]
        versionColumn = Int32(columns.count - 1)
        var places: [String: Int32] = [:]
        func place(_ name: String) -> Int32 {
            if let known = places[name] { return known }
            let place = Int32(columns.count)
            places[name] = place
            columns.append(name)
            return place
        }
        var plans: [Int64: RowPlan] = [:]
        for entity in entities {
            guard let number = schema.number(of: entity) else { continue }
            plans[number] = RowPlan(entity, slots: part?.slots, schema: schema, place: place)
        }
        self.columns = columns
        self.plans = plans
        solePlan = isSole ? plans.values.first.map { .passUnretained($0) } : nil
        let most = plans.values.map(\.variable.count).max() ?? 0
        pieces = .allocate(capacity: most)
        converted = .allocate(byteCount: max(1, most * Self.convertedSize), alignment: 16)
    }

    deinit {
        pieces.deallocate()
        converted.deallocate()
    }

    /// The snapshot of the statement's current row, retained once for the caller; nil for a row of an entity that the
    /// model does not have.
    @inline(__always)
    func read(_ statement: SQLiteStatement) -> Unmanaged<RowSnapshot>? {
        let row = statement.handle
        guard let plan = solePlan ?? plan(of: row) else { return nil }
        // The reader keeps its plans: nothing has to be retained per row.
        return plan._withUnsafeGuaranteedRef { read(row, $0) }
    }

    /// - Returns: The snapshot, retained once for the caller.
    @inline(__always)
    private func read(_ row: OpaquePointer, _ plan: RowPlan) -> Unmanaged<RowSnapshot> {
        let byteCount = collect(plan, row)
        let (key, version) = (sqlite3_column_int64(row, 0), sqlite3_column_int64(row, versionColumn))
        if plan.isPartial {
            return RowSnapshot.makePartial(
                plan.table, key: key, version: version, byteCount: byteCount, cells: plan.readCells
            ) { write(row, plan, to: &$0) }
        }
        return RowSnapshot.make(plan.table, key: key, version: version, byteCount: byteCount) {
            write(row, plan, to: &$0)
        }
    }

    /// Writes the row's values, those of variable length as ``collect(_:_:)`` found them.
    @inline(__always)
    private func write(_ row: OpaquePointer, _ plan: RowPlan, to writer: inout RowWriter) {
        for value in plan.fixed { value.read(row, into: &writer) }
        for index in plan.variable.indices {
            let piece = pieces[index]
            guard piece.count >= 0 else { continue }
            writer.set(
                plan.variable[index].cell, bytes: UnsafeRawBufferPointer(start: piece.start, count: piece.count))
        }
    }

    /// All rows of a statement.
    func readAll(_ statement: SQLiteStatement) throws -> RowBatch {
        let rows = RowBatch()
        while try statement.step() {
            if let row = read(statement) { rows.append(row) }
        }
        return rows
    }

    @inline(__always)
    private func plan(of row: OpaquePointer) -> Unmanaged<RowPlan>? {
        let number = sqlite3_column_int64(row, 1)
        if number == lastNumber { return lastPlan }
        lastNumber = number
        lastPlan = plans[number].map { .passUnretained($0) }
        return lastPlan
    }

    /// Finds the bytes of all variable values and counts them.
    @inline(__always)
    private func collect(_ plan: RowPlan, _ row: OpaquePointer) -> Int {
        var total = 0
        for index in plan.variable.indices {
            let value = plan.variable[index]
            if value.kind == .string {
                let piece = isUTF8 ? value.utf8(row) : value.text(row)
                pieces[index] = piece
                total += max(0, piece.count)
                continue
            }
            let type = sqlite3_column_type(row, value.column)
            let piece: Piece
            if type == SQLITE_NULL {
                piece = Piece(start: nil, count: -1)
            } else if value.kind == .decimal || value.kind == .uuid {
                piece = value.convert(row, type, room: converted + index * Self.convertedSize, size: Self.convertedSize)
            } else {
                piece = value.bytes(row, type)
            }
            pieces[index] = piece
            total += max(0, piece.count)
        }
        return total
    }
}

/// How the rows of one entity become snapshots.
private final class RowPlan {
    let table: UnsafePointer<LayoutTable>
    let fixed: UnsafeMutableBufferPointer<FixedValue>
    let variable: UnsafeMutableBufferPointer<VariableValue>
    /// Whether some values only are read, and the cells of these.
    let isPartial: Bool
    let readCells: [Int]

    init(_ layout: EntityLayout, slots: [Int]?, schema: SQLSchema, place: (String) -> Int32) {
        table = UnsafePointer(layout.table)
        var fixed: [FixedValue] = []
        var variable: [VariableValue] = []
        let wanted = slots.map { $0.map { layout.slots[$0] } } ?? layout.slots
        for slot in wanted where slot.isStoredInRow {
            guard let column = schema.column(of: layout, slot: slot.index) else { continue }
            if slot.kind.isVariable {
                variable.append(VariableValue(column: place(column.name), cell: slot.cell, kind: slot.kind))
            } else {
                fixed.append(
                    FixedValue(
                        column: place(column.name), cell: slot.cell, kind: slot.kind,
                        entityColumn: column.entityColumn.map { place($0) } ?? -1, destination: slot.destination,
                        schema: schema))
            }
        }
        isPartial = slots != nil
        readCells = wanted.map(\.cell)
        self.fixed = .allocate(capacity: fixed.count)
        _ = self.fixed.initialize(from: fixed)
        self.variable = .allocate(capacity: variable.count)
        _ = self.variable.initialize(from: variable)
    }

    deinit {
        fixed.deinitialize().deallocate()
        variable.deinitialize().deallocate()
    }
}

/// A value that fits a cell.
private struct FixedValue {
    let column: Int32
    let cell: Int
    let kind: SlotKind
    /// The column with a to-one's exact entity, or -1.
    let entityColumn: Int32
    /// The to-one's declared destination.
    let destination: Int32
    /// The session keeps the schema, and its readers, which go before it.
    unowned(unsafe) let schema: SQLSchema

    @inline(__always)
    func read(_ row: OpaquePointer, into writer: inout RowWriter) {
        switch kind {
        case .double, .float, .date:
            let value = sqlite3_column_double(row, column)
            if value != 0 || !isNull(row) { writer.set(cell, double: value) }
        case .boolean:
            let value = sqlite3_column_double(row, column)
            if value != 0 || !isNull(row) { writer.set(cell, int: value != 0 ? 1 : 0) }
        case .toOne:
            let key = sqlite3_column_int64(row, column)
            if key != 0 || !isNull(row) { writer.set(cell, key: key, entity: entity(row)) }
        default:
            let value = sqlite3_column_int64(row, column)
            if value != 0 || !isNull(row) { writer.set(cell, int: value) }
        }
    }

    /// Whether the column is null, which reads as zero: there is nothing to ask where it doesn't.
    @inline(__always)
    private func isNull(_ row: OpaquePointer) -> Bool { sqlite3_column_type(row, column) == SQLITE_NULL }

    @inline(__always)
    private func entity(_ row: OpaquePointer) -> Int32 {
        guard entityColumn >= 0 else { return destination }
        return schema.layoutNumber(of: sqlite3_column_int64(row, entityColumn)) ?? destination
    }
}

/// A text or blob. Whatever storage class the column really has, the cell gets what the attribute's type wants.
private struct VariableValue {
    let column: Int32
    let cell: Int
    let kind: SlotKind

    /// The bytes of a text as the file has it.
    ///
    /// They are asked of the column's value, which is found once then: a connection without mutexes has no values that
    /// need one.
    @inline(__always)
    func utf8(_ row: OpaquePointer) -> RowReader.Piece {
        let value = sqlite3_column_value(row, column)
        if let start = sqlite3_value_blob(value) {
            return RowReader.Piece(start: start, count: Int(sqlite3_value_bytes(value)))
        }
        // A null, or a text of no bytes.
        return RowReader.Piece(start: nil, count: sqlite3_value_type(value) == SQLITE_NULL ? -1 : 0)
    }

    /// The bytes of a text, made UTF-8.
    @inline(__always)
    func text(_ row: OpaquePointer) -> RowReader.Piece {
        // A null has no text; nothing else has to be asked.
        guard let start = sqlite3_column_text(row, column) else { return RowReader.Piece(start: nil, count: -1) }
        return RowReader.Piece(start: UnsafeRawPointer(start), count: Int(sqlite3_column_bytes(row, column)))
    }

    @inline(__always)
    func bytes(_ row: OpaquePointer, _ type: Int32) -> RowReader.Piece {
        // A number in a text or blob column comes as its text.
        let isText = kind == .string || kind == .uri || type != SQLITE_BLOB
        let start =
            isText
            ? sqlite3_column_text(row, column).map { UnsafeRawPointer($0) } : sqlite3_column_blob(row, column)
        return RowReader.Piece(start: start, count: Int(sqlite3_column_bytes(row, column)))
    }

    func convert(_ row: OpaquePointer, _ type: Int32, room: UnsafeMutableRawPointer, size: Int) -> RowReader.Piece {
        let piece = bytes(row, type)
        if kind == .uuid, type == SQLITE_BLOB || piece.count != 36 { return piece }
        if kind == .decimal, type == SQLITE_INTEGER { return piece }
        let text = String(decoding: UnsafeRawBufferPointer(start: piece.start, count: piece.count), as: UTF8.self)
        let result: [UInt8]
        if kind == .uuid {
            guard let uuid = UUID(uuidString: text) else { return piece }
            result = withUnsafeBytes(of: uuid.uuid) { Array($0) }
        } else {
            result = Array(DecimalText.plain(text).utf8)
        }
        guard result.count <= size else { return piece }
        room.copyMemory(from: result, byteCount: result.count)
        return RowReader.Piece(start: room, count: result.count)
    }
}
