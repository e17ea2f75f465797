import FoundationGaps

/// Turns the rows of a dictionary fetch into dictionaries, with values as key-value coding boxes them.
struct DictionaryReader {
    let layouts: ModelLayout
    let coordinator: NSPersistentStoreCoordinator?
    /// The object with a key, of the entity with a number of the model's.
    let reference: (_ key: Int64, _ entity: Int32) -> ObjectReference
    /// The number that the model has for the entity with a `Z_ENT`.
    let entity: (Int64) -> Int32?
    let externalData: (Data) throws -> Data?

    func read(_ row: SQLiteStatement, _ columns: [SQLResultColumn]) throws -> [String: Any] {
        var values: [String: Any] = [:]
        values.reserveCapacity(columns.count)
        for column in columns { values[column.name] = try value(of: column, in: row) }
        return values
    }

    private func value(of column: SQLResultColumn, in row: SQLiteStatement) throws -> Any? {
        let index = Int32(column.index)
        if row.isNull(index) { return nil }
        switch column.kind {
        case .reference(let number): return reference(row.int(index), number)
        case .referenceWithEntity: return entity(row.int(index + 1)).map { reference(row.int(index), $0) }
        case .value(let type): return try value(index, type, in: row)
        }
    }

    private func value(_ index: Int32, _ type: SQLType, in row: SQLiteStatement) throws -> Any? {
        switch type {
        case .boolean: return NSNumber(value: row.double(index) != 0)
        case .integer, .entity: return NSNumber(value: row.int(index))
        case .double: return NSNumber(value: row.double(index))
        case .float: return NSNumber(value: Float(row.double(index)))
        case .date: return Date(timeIntervalSinceReferenceDate: row.double(index))
        case .decimal: return DecimalNumber(text: DecimalText.plain(row.text(index) ?? ""))
        case .string: return row.text(index)
        case .data: return row.blob(index)
        case .externalData: return try row.blob(index).flatMap { try externalData($0) }
        case .uuid: return Self.uuid(row, index)
        case .uri: return row.text(index).flatMap { URL(string: $0) }
        case .transformable(let entity, let slot):
            return try row.blob(index).flatMap { try layouts[entity].slots[slot].transform($0) }
        case .objectID: return row.text(index).flatMap { coordinator?.managedObjectID(for: $0) }
        case .object(let entity): return reference(row.int(index), entity)
        case .unknown: return Self.untyped(row, index)
        }
    }

    private static func uuid(_ row: SQLiteStatement, _ index: Int32) -> UUID? {
        let bytes = row.blobBytes(index)
        return bytes.count == 16
            ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : row.text(index).flatMap { UUID(uuidString: $0) }
    }

    private static func untyped(_ row: SQLiteStatement, _ index: Int32) -> Any? {
        switch SQLValue(row, index) {
        case .null: nil
        case .int(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .text(let value): value
        case .blob(let value): value
        }
    }
}
