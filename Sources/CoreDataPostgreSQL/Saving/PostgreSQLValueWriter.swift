import CoreData
import PostgreSQLClient

/// How one property's value goes into its columns.
struct PostgreSQLValueWriter: Sendable {
    let field: RowField
    private let name: String
    private let type: PostgreSQLClient.PostgreSQLType
    private let hasEntityColumn: Bool
    private let hasOrderColumn: Bool
    private let hasStampColumn: Bool
    private let schema: SQLSchema

    init(_ slot: PropertySlot, column: SQLColumn, schema: SQLSchema) {
        field = RowField(slot)
        name = slot.name
        type = PostgreSQLClient.PostgreSQLType(rawValue: PostgreSQLType(slot.kind).oid)
        hasEntityColumn = column.entityColumn != nil
        hasOrderColumn = column.orderColumn != nil
        hasStampColumn = column.stampColumn != nil
        self.schema = schema
    }

    /// Appends the value of a new row, as many parameters as ``SQLColumn/columns``.
    ///
    /// - Parameter large: The values of attributes with external storage, by slot.
    func append(
        _ row: RowCells, _ large: [Int: PostgreSQLLargeValue], to parameters: inout PostgreSQLParameters,
        of layout: EntityLayout
    ) throws {
        if field.isExternal { return try append(large[field.slot], to: &parameters) }
        try appendColumn(row, to: &parameters, of: layout)
        guard hasEntityColumn else { return }
        if !row.isNull(field.cell), let number = schema.number(of: schema.layouts[row.entity(field.cell)]) {
            parameters.append(int32: Int32(number))
        } else {
            parameters.appendNull()
        }
    }

    private func append(_ value: PostgreSQLLargeValue?, to parameters: inout PostgreSQLParameters) throws {
        if let value { try parameters.append(data: value.data) } else { parameters.appendNull(as: type) }
        guard hasStampColumn else { return }
        if let stamp = value?.stamp { parameters.append(uuid: stamp) } else { parameters.appendNull(as: .uuid) }
    }

    /// Whether a row has the value itself.
    func isInRow(_ row: RowSnapshot) -> Bool {
        !field.isExternal || row.isNull(field.cell) || row.withBytes(field.cell) { $0.first == 1 }
    }

    /// Appends the value of a changed row, as many parameters as an UPDATE sets.
    func appendChange(
        _ row: RowCells, _ large: [Int: PostgreSQLLargeValue], to parameters: inout PostgreSQLParameters,
        of layout: EntityLayout
    ) throws {
        try append(row, large, to: &parameters, of: layout)
        if hasOrderColumn { try appendColumn(row, to: &parameters, of: layout) }
    }

    /// - Precondition: ``isInRow(_:)``
    func appendColumn(_ row: RowCells, to parameters: inout PostgreSQLParameters, of layout: EntityLayout) throws {
        let cell = field.cell
        if row.isNull(cell) { return parameters.appendNull(as: type) }
        switch field.kind {
        case .int16: parameters.append(int16: try exactly(row.int(cell), of: layout))
        case .int32: parameters.append(int32: try exactly(row.int(cell), of: layout))
        case .boolean: parameters.append(bool: row.int(cell) != 0)
        case .double, .float: parameters.append(double: row.double(cell))
        case .date: try appendDate(row.double(cell), to: &parameters, of: layout)
        case .decimal: try parameters.append(numeric: String(decoding: row.bytes(cell), as: UTF8.self))
        case .string, .uri, .objectID: try appendText(row.bytes(cell), to: &parameters, of: layout)
        case .binary, .transformable:
            let bytes = row.bytes(cell)
            try parameters.append(bytes: field.isExternal ? UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) : bytes)
        case .uuid: parameters.append(uuid: UUID(uuid: row.bytes(cell).loadUnaligned(as: uuid_t.self)))
        default: parameters.append(int64: row.int(cell))
        }
    }

    private func exactly<T: FixedWidthInteger>(_ value: Int64, of layout: EntityLayout) throws -> T {
        guard let exact = T(exactly: value) else {
            throw refusal(of: layout, "It is \(value), and the column has integers of \(T.bitWidth) bits.")
        }
        return exact
    }

    private func appendText(
        _ text: UnsafeRawBufferPointer, to parameters: inout PostgreSQLParameters, of layout: EntityLayout
    ) throws {
        do { try parameters.append(text: text) } catch {
            throw refusal(of: layout, "PostgreSQL stores no text with the character U+0000.")
        }
    }

    private func appendDate(
        _ seconds: Double, to parameters: inout PostgreSQLParameters, of layout: EntityLayout
    ) throws {
        guard let microseconds = PostgreSQLTime.microseconds(seconds) else {
            throw refusal(of: layout, "PostgreSQL stores dates from 4713 BC to the year 294276.")
        }
        parameters.append(timestamp: microseconds)
    }

    /// Writes a changed value into a new snapshot, as a reader would read it back.
    ///
    /// - Parameter raw: What snapshots have of attributes with external storage, by slot.
    func write(_ values: UnsafeMutableBufferPointer<Slot>, _ raw: [Int: Data], to writer: inout RowWriter) {
        // A column has whole microseconds. What it can't have at all is refused when the row's parameters are made.
        if field.kind == .date, case .double(let seconds) = values[field.slot], !seconds.isNaN {
            writer.set(field.cell, double: PostgreSQLTime.stored(seconds) ?? seconds)
        } else {
            field.write(values, raw, to: &writer)
        }
    }

    private func refusal(of layout: EntityLayout, _ reason: String) -> NSError {
        .cocoa(
            NSPersistentStoreSaveError, "The value of “\(layout.name).\(name)” can't be saved.", reason: reason,
            userInfo: ["entity": layout.name, "property": name])
    }
}
