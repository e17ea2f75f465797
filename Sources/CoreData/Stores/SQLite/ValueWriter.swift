import Foundation

/// How one property's value goes into its columns.
///
/// A trivial value, so that walking an entity's writers counts no references: what has a name is in ``SQLColumn``.
struct ValueWriter {
    let field: RowField
    private let hasColumn: Bool
    private let hasEntityColumn: Bool
    private let hasOrderColumn: Bool
    /// The store's session keeps the schema. The store forgets its writers before it opens another session.
    private unowned(unsafe) let schema: SQLSchema

    init(_ slot: PropertySlot, column: SQLColumn?, schema: SQLSchema) {
        field = RowField(slot)
        hasColumn = column != nil
        hasEntityColumn = column?.entityColumn != nil
        hasOrderColumn = column?.orderColumn != nil
        self.schema = schema
    }

    var slot: Int { field.slot }
    var cell: Int { field.cell }
    var kind: SlotKind { field.kind }
    var isExternal: Bool { field.isExternal }

    /// Binds the value of a new row to the next parameters, as many as ``SQLColumn/columns``.
    ///
    /// Texts and blobs are bound where they lie: the row must outlive the statement's step.
    @inline(__always)
    func bind(_ row: RowCells, to statement: SQLiteStatement, _ parameter: inout Int32) throws {
        guard hasColumn else { return try refuse(row) }
        bindColumn(row, to: statement, parameter)
        parameter += 1
        guard hasEntityColumn else { return }
        if !row.isNull(cell), let number = schema.number(of: schema.layouts[row.entity(cell)]) {
            statement.bind(parameter, int: number)
        } else {
            statement.bindNull(parameter)
        }
        parameter += 1
    }

    /// Binds the value of a changed row to the next parameters, as many as an UPDATE sets.
    @inline(__always)
    func bindChange(_ row: RowCells, to statement: SQLiteStatement, _ parameter: inout Int32) throws {
        try bind(row, to: statement, &parameter)
        guard hasOrderColumn else { return }
        bindColumn(row, to: statement, parameter)
        parameter += 1
    }

    @inline(__always)
    private func bindColumn(_ row: RowCells, to statement: SQLiteStatement, _ parameter: Int32) {
        if row.isNull(cell) { return statement.bindNull(parameter) }
        switch kind {
        case .double, .float, .date: statement.bind(parameter, double: row.double(cell))
        // The URI of an object ID is text.
        case .string, .uri, .objectID:
            statement.bind(parameter, bytes: row.bytes(cell), isText: true, copy: false)
        case .binary, .transformable, .uuid:
            statement.bind(parameter, bytes: row.bytes(cell), isText: false, copy: false)
        case .decimal: bindDecimal(row.bytes(cell), to: statement, parameter)
        default: statement.bind(parameter, int: row.int(cell))
        }
    }

    private func bindDecimal(_ text: UnsafeRawBufferPointer, to statement: SQLiteStatement, _ parameter: Int32) {
        switch DecimalText.number(String(decoding: text, as: UTF8.self)) {
        case .int(let number): statement.bind(parameter, int: number)
        case .double(let number): statement.bind(parameter, double: number)
        default: statement.bind(parameter, bytes: text, isText: true, copy: false)
        }
    }

    /// Binds a copy of a value to one parameter.
    func bindValue(_ value: Slot, to statement: SQLiteStatement, _ parameter: Int32) {
        switch value {
        case .unset, .null: statement.bindNull(parameter)
        case .int(let value): statement.bind(parameter, int: value)
        case .double(let value): statement.bind(parameter, double: value)
        case .string(let value): statement.bind(parameter, text: value)
        case .data(let value) where kind == .objectID:
            statement.bind(parameter, text: String(decoding: value, as: UTF8.self))
        case .data(let value): statement.bind(parameter, blob: value)
        case .uuid(let value): statement.bind(parameter, blob: withUnsafeBytes(of: value.uuid) { Data($0) })
        case .reference(let value): statement.bind(parameter, int: value.key)
        case .object(let object):
            var text = StoredText.of(object, kind)
            text.withUTF8 { text in
                let text = UnsafeRawBufferPointer(text)
                if kind == .decimal, DecimalText.number(String(decoding: text, as: UTF8.self)) != nil {
                    bindDecimal(text, to: statement, parameter)
                } else {
                    statement.bind(parameter, bytes: text, isText: true, copy: true)
                }
            }
        }
    }

    /// Whether the column may hold less than the value: its declared type makes a double of a decimal's text.
    func mayLoseDigits(_ value: Slot) -> Bool {
        guard kind == .decimal, case .object(let object) = value else { return false }
        return DecimalText.number(StoredText.of(object, kind)) == nil
    }

    private func refuse(_ row: RowCells) throws {
        if row.isNull(cell) { return }
        throw NSError.cocoa(
            NSPersistentStoreSaveError, "The store has no column for one of the changed properties.",
            reason: "Its tables were made for another model.")
    }
}
