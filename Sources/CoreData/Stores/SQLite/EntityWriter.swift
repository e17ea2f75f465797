import Foundation

/// The statements that write one entity's rows: one INSERT, one DELETE, and an UPDATE per set of changed properties.
final class EntityWriter {
    let layout: EntityLayout
    let values: [ValueWriter]
    /// The places in `values` of attributes with external storage.
    let externals: [Int]
    /// The table's name, as SQL text.
    let table: String

    private let number: Int64
    private let connection: SQLiteConnection
    private let valueOfSlot: [Int?]
    private var insertion: SQLiteStatement?
    private var updates: [UpdateShape: SQLiteStatement] = [:]

    init(_ layout: EntityLayout, schema: SQLSchema, connection: SQLiteConnection) throws {
        guard let number = schema.number(of: layout) else {
            throw NSError.cocoa(
                NSPersistentStoreSaveError, "The store has no entity \(layout.name).",
                reason: "It is not in Z_PRIMARYKEY.")
        }
        self.layout = layout
        self.number = number
        self.connection = connection
        table = SQLSchema.name(schema.table(of: layout).name)
        let values = layout.slots.filter(\.isStoredInRow).map { slot in
            ValueWriter(slot, column: schema.column(of: layout, slot: slot.index), schema: schema)
        }
        self.values = values
        externals = values.indices.filter { values[$0].isExternal }
        var places = [Int?](repeating: nil, count: layout.slots.count)
        for (place, value) in values.enumerated() { places[value.slot] = place }
        valueOfSlot = places
    }

    // MARK: Rows in and out

    /// Inserts a row.
    func insert(_ key: Int64, version: Int64, _ row: [Slot], _ raw: [Int: Data]) throws {
        let statement = try insertStatement()
        statement.bind(1, int: key)
        statement.bind(2, int: number)
        statement.bind(3, int: version)
        var parameter: Int32 = 4
        for value in values { try value.bind(row[value.slot], raw, to: statement, &parameter) }
        _ = try statement.step()
    }

    /// Updates the row if it still has the version.
    ///
    /// - Returns: Whether it had.
    func update(_ key: Int64, from old: Int64, to new: Int64, _ row: [Slot], _ raw: [Int: Data]) throws -> Bool {
        let shape = UpdateShape(row)
        let statement = try updateStatement(shape)
        statement.bind(1, int: new)
        var parameter: Int32 = 2
        for value in values where !row[value.slot].isUnset {
            try value.bindChange(row[value.slot], raw, to: statement, &parameter)
        }
        statement.bind(parameter, int: key)
        statement.bind(parameter + 1, int: old)
        _ = try statement.step()
        return connection.changes == 1
    }

    /// Deletes the row if it still has the version; nil: whatever its version.
    ///
    /// - Returns: Whether there was such a row.
    func delete(_ key: Int64, version: Int64?) throws -> Bool {
        let statement = try connection.statement(
            "DELETE FROM \(table) WHERE Z_PK = ?" + (version == nil ? "" : " AND Z_OPT = ?"))
        statement.bind(1, int: key)
        if let version { statement.bind(2, int: version) }
        _ = try statement.step()
        return connection.changes == 1
    }

    /// Whether the change writes any column of the row.
    func writesColumns(_ row: [Slot]) -> Bool { values.contains { !row[$0.slot].isUnset } }

    /// The value writer of a slot.
    func value(ofSlot slot: Int) -> ValueWriter? { valueOfSlot[slot].map { values[$0] } }

    // MARK: Statements

    private func insertStatement() throws -> SQLiteStatement {
        if let insertion { return insertion }
        let columns = ["Z_PK", "Z_ENT", "Z_OPT"] + values.flatMap(\.columns)
        let places = [String](repeating: "?", count: columns.count).joined(separator: ", ")
        let statement = try connection.statement(
            "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))")
        insertion = statement
        return statement
    }

    private func updateStatement(_ shape: UpdateShape) throws -> SQLiteStatement {
        if let known = updates[shape] { return known }
        let settings = values.filter { shape.contains($0.slot) }.flatMap(\.settings)
        let statement = try connection.statement(
            "UPDATE \(table) SET \((["Z_OPT = ?"] + settings).joined(separator: ", ")) WHERE Z_PK = ? AND Z_OPT = ?")
        updates[shape] = statement
        return statement
    }
}

/// Which slots a change sets.
private struct UpdateShape: Hashable {
    private var first: UInt64 = 0
    /// Of slots from 64 on; entities rarely have so many.
    private var rest: [UInt64] = []

    init(_ row: [Slot]) {
        if row.count > 64 { rest = [UInt64](repeating: 0, count: (row.count - 1) / 64) }
        for index in row.indices where !row[index].isUnset {
            if index < 64 { first |= 1 << UInt64(index) } else { rest[index / 64 - 1] |= 1 << UInt64(index % 64) }
        }
    }

    func contains(_ slot: Int) -> Bool {
        (slot < 64 ? first : rest[slot / 64 - 1]) & (1 << UInt64(slot % 64)) != 0
    }
}
