import Foundation

/// How one property's value goes into its columns and into a new snapshot.
struct ValueWriter {
    let slot: Int
    let cell: Int
    let kind: SlotKind
    let isExternal: Bool
    /// The property, for messages.
    let name: String
    private let column: SQLColumn?
    // The writer belongs to the store, which keeps its schema.
    private unowned(unsafe) let schema: SQLSchema

    init(_ slot: PropertySlot, column: SQLColumn?, schema: SQLSchema) {
        self.slot = slot.index
        cell = slot.cell
        kind = slot.kind
        isExternal = slot.isExternal
        name = slot.name
        self.column = column
        self.schema = schema
    }

    /// The columns, as SQL text; none where an opened store has no column for the property.
    var columns: [String] {
        guard let column else { return [] }
        return ([column.name] + [column.entityColumn].compactMap { $0 }).map { SQLSchema.name($0) }
    }

    /// The column with the value, as SQL text.
    var valueColumn: String? { column.map { SQLSchema.name($0.name) } }

    /// What an UPDATE sets. A row that gets another owner has no place among the new owner's members yet.
    var settings: [String] {
        guard let column else { return [] }
        var settings = columns.map { "\($0) = ?" }
        if let order = column.orderColumn {
            let (order, key) = (SQLSchema.name(order), SQLSchema.name(column.name))
            settings.append("\(order) = CASE WHEN \(key) IS ? THEN \(order) END")
        }
        return settings
    }

    /// Binds the value to the next parameters, as many as ``columns``.
    @inline(__always)
    func bind(
        _ value: Slot, _ raw: [Int: Data], to statement: SQLiteStatement, _ parameter: inout Int32
    ) throws {
        guard let column else { return try refuse(value) }
        bindValue(value, raw, to: statement, parameter)
        parameter += 1
        guard column.entityColumn != nil else { return }
        if case .reference(let reference) = value,
            let number = schema.number(of: schema.layouts[reference.entity])
        {
            statement.bind(parameter, int: number)
        } else {
            statement.bindNull(parameter)
        }
        parameter += 1
    }

    /// Binds the value to the next parameters, as many as ``settings``.
    func bindChange(
        _ value: Slot, _ raw: [Int: Data], to statement: SQLiteStatement, _ parameter: inout Int32
    ) throws {
        try bind(value, raw, to: statement, &parameter)
        guard column?.orderColumn != nil else { return }
        bindValue(value, raw, to: statement, parameter)
        parameter += 1
    }

    /// Binds the value to a parameter.
    @inline(__always)
    func bindValue(_ value: Slot, _ raw: [Int: Data], to statement: SQLiteStatement, _ parameter: Int32) {
        switch value {
        case .unset, .null: statement.bindNull(parameter)
        case .int(let value): statement.bind(parameter, int: value)
        case .double(let value): statement.bind(parameter, double: value)
        case .string(let value): statement.bind(parameter, text: value)
        case .data(let value):
            // The URI of an object ID is text.
            (isExternal ? raw[slot] ?? value : value).withUnsafeBytes {
                statement.bind(parameter, bytes: $0, isText: kind == .objectID, copy: true)
            }
        case .uuid(let value):
            withUnsafeBytes(of: value.uuid) { statement.bind(parameter, bytes: $0, isText: false, copy: true) }
        case .reference(let value): statement.bind(parameter, int: value.key)
        case .object(let object):
            let text = StoredText.of(object, kind)
            if kind == .decimal, let number = DecimalText.double(text) {
                statement.bind(parameter, double: number)
            } else {
                statement.bind(parameter, text: text)
            }
        }
    }

    /// Whether the column may hold less than the value: its declared type makes a double of a decimal's text.
    func mayLoseDigits(_ value: Slot) -> Bool {
        guard kind == .decimal, case .object(let object) = value else { return false }
        return DecimalText.double(StoredText.of(object, kind)) == nil
    }

    private func refuse(_ value: Slot) throws {
        switch value {
        case .unset, .null: return
        default:
            throw NSError.cocoa(
                NSPersistentStoreSaveError, "The store has no column for “\(name)”.",
                reason: "Its tables were made for another model.")
        }
    }

    // MARK: Snapshots

    /// How many bytes the value takes behind a snapshot's cells.
    @inline(__always)
    func byteCount(_ value: Slot, _ raw: [Int: Data], old: RowSnapshot?) -> Int {
        switch value {
        case .string(let value): value.utf8.count
        case .data(let value): (isExternal ? raw[slot] ?? value : value).count
        case .uuid: 16
        case .object(let object): StoredText.of(object, kind).utf8.count
        case .unset:
            if let old, kind.isVariable, !old.isNull(cell) { old.withBytes(cell) { $0.count } } else { 0 }
        case .null, .int, .double, .reference: 0
        }
    }

    /// Writes the value as a reader would read it back.
    @inline(__always)
    func write(_ value: Slot, _ raw: [Int: Data], old: RowSnapshot?, to writer: inout RowWriter) {
        switch value {
        case .null: break
        case .int(let value): writer.set(cell, int: value)
        // SQLite stores no NaN, and no sign of a zero.
        case .double(let value): if !value.isNaN { writer.set(cell, double: value == 0 ? 0 : value) }
        case .string(var value): value.withUTF8 { writer.set(cell, bytes: UnsafeRawBufferPointer($0)) }
        case .data(let value):
            (isExternal ? raw[slot] ?? value : value).withUnsafeBytes { writer.set(cell, bytes: $0) }
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { writer.set(cell, bytes: $0) }
        case .reference(let value): writer.set(cell, key: value.key, entity: value.entity)
        case .object(let object):
            var text = StoredText.of(object, kind)
            text.withUTF8 { writer.set(cell, bytes: UnsafeRawBufferPointer($0)) }
        case .unset: if let old, !old.isNull(cell) { copy(from: old, to: &writer) }
        }
    }

    private func copy(from old: RowSnapshot, to writer: inout RowWriter) {
        if kind.isVariable {
            old.withBytes(cell) { writer.set(cell, bytes: $0) }
        } else if kind == .toOne {
            writer.set(cell, key: old.int(cell), entity: Int32(truncatingIfNeeded: old.int(cell + 1)))
        } else {
            writer.set(cell, int: old.int(cell))
        }
    }
}

/// Values that are objects in memory and text in a row.
private enum StoredText {
    static func of(_ object: AnyObject, _ kind: SlotKind) -> String {
        switch object {
        case let number as NSDecimalNumber: number.description(withLocale: nil)
        case let url as NSURL: url.absoluteString
        default: preconditionFailure("a \(kind) attribute can't be stored from a \(type(of: object))")
        }
    }
}

extension EntityWriter {
    /// The snapshot of a row after a change.
    func snapshot(
        _ key: Int64, version: Int64, old: RowSnapshot?, _ row: [Slot], _ raw: [Int: Data]
    ) -> RowSnapshot {
        var byteCount = 0
        for value in values { byteCount += value.byteCount(row[value.slot], raw, old: old) }
        return RowSnapshot.make(layout: layout, key: key, version: version, byteCount: byteCount) { writer in
            for value in values { value.write(row[value.slot], raw, old: old, to: &writer) }
        }
    }
}
