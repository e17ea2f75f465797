import Foundation

/// The statements that write one entity's rows: one INSERT, one DELETE, and an UPDATE per set of changed properties.
final class EntityWriter {
    let layout: EntityLayout
    let statements: SQLRowStatements
    /// The values of attributes with external storage.
    let externals: [ValueWriter]
    /// The values in columns that may lose digits.
    let decimals: [ValueWriter]
    /// The texts that remove all pairs that a row is in, each by the row's key.
    let linkRemovals: [String]
    /// The relationships that have their members written by themselves (``MemberWriter``): those of others stand in the
    /// members' rows.
    private let memberSlots: [Int]

    private let values: UnsafeMutableBufferPointer<ValueWriter>
    /// In the order of the values; nil where an opened store has no column for the property.
    private let columns: [SQLColumn?]
    private let number: Int64
    private let connection: SQLiteConnection

    // Exclusive access is not checked at run time: writers are used under the store's writing lock, and no method calls
    // foreign code while it changes a property.

    @exclusivity(unchecked) private var insertion: SQLiteStatement?
    @exclusivity(unchecked) private var deletion: SQLiteStatement?
    @exclusivity(unchecked) private var uncheckedDeletion: SQLiteStatement?
    private var memberTexts: [Int: MemberTexts] = [:]
    private var updates: [UpdateShape: SQLiteStatement] = [:]
    /// The update that was asked for last: mostly many rows have the same properties changed. ``updates`` keeps it, and
    /// only grows.
    @exclusivity(unchecked) private var lastUpdate: (shape: UInt64, statement: Unmanaged<SQLiteStatement>)?

    init(_ layout: EntityLayout, schema: SQLSchema, connection: SQLiteConnection) throws {
        guard let number = schema.number(of: layout) else {
            throw NSError.cocoa(
                NSPersistentStoreSaveError, "The store has no entity \(layout.name).",
                reason: "It is not in Z_PRIMARYKEY.")
        }
        self.layout = layout
        self.number = number
        self.connection = connection
        statements = SQLRowStatements(table: schema.table(of: layout).name)
        let stored = layout.slots.filter(\.isStoredInRow)
        columns = stored.map { schema.column(of: layout, slot: $0.index) }
        let values = zip(stored, columns).map { ValueWriter($0, column: $1, schema: schema) }
        externals = values.filter(\.isExternal)
        decimals = values.filter { $0.kind == .decimal }
        let dialect = connection.dialect
        linkRemovals = layout.toManySlots.compactMap { schema.link(of: layout, slot: $0.index) }
            .flatMap { SQLMemberStatements($0).removalsOfAll.map { dialect.text(of: $0) } }
        memberSlots = layout.toManySlots.filter { MemberWriter.writes($0, of: layout, schema) }.map(\.index)
        self.values = .allocate(capacity: values.count)
        _ = self.values.initialize(from: values)
    }

    deinit { values.deinitialize().deallocate() }

    /// Whether this is the writer of an entity's rows. The layout is only compared: nothing has to keep it.
    func isFor(_ layout: Unmanaged<EntityLayout>) -> Bool {
        Unmanaged.passUnretained(self.layout).toOpaque() == layout.toOpaque()
    }

    // MARK: Rows in and out

    /// Inserts a row.
    ///
    /// - Returns: Its snapshot.
    func insert(_ key: Int64, _ row: ChangeRecord, _ raw: [Int: Data]) throws -> RowSnapshot {
        let version = row.firstVersion
        let new = snapshot(key, version: version, old: nil, row, raw)
        try insertStatement()._withUnsafeGuaranteedRef { statement in
            statement.bind(1, int: key)
            statement.bind(3, int: version)
            try new.withCells { cells in
                var parameter: Int32 = 4
                for value in values { try value.bind(cells, to: statement, &parameter) }
                _ = try statement.step()
            }
        }
        return new
    }

    /// Updates the row if it still has the version of `old`.
    ///
    /// - Returns: Its new snapshot; nil where it has another version, or is gone.
    func update(_ old: RowSnapshot, _ row: ChangeRecord, _ raw: [Int: Data]) throws -> RowSnapshot? {
        let new = old.withCells { snapshot(old.key, version: old.version + 1, old: $0, row, raw) }
        try updateStatement(row.withValues { UpdateShape($0) })._withUnsafeGuaranteedRef { statement in
            statement.bind(1, int: old.version + 1)
            try new.withCells { cells in
                var parameter: Int32 = 2
                for value in values where !row.isUnset(value.slot) {
                    try value.bindChange(cells, to: statement, &parameter)
                }
                statement.bind(parameter, int: old.key)
                statement.bind(parameter + 1, int: old.version)
                _ = try statement.step()
            }
        }
        return connection.changes == 1 ? new : nil
    }

    /// Deletes the row if it still has the version; nil: whatever its version.
    ///
    /// - Returns: Whether there was such a row.
    func delete(_ key: Int64, version: Int64?) throws -> Bool {
        try deleteStatement(checksVersion: version != nil)._withUnsafeGuaranteedRef { statement in
            statement.bind(1, int: key)
            if let version { statement.bind(2, int: version) }
            _ = try statement.step()
        }
        return connection.changes == 1
    }

    /// Whether the change writes any column of the row.
    func writesColumns(_ row: ChangeRecord) -> Bool { values.contains { !row.isUnset($0.slot) } }

    /// Whether a change has members that are written by themselves.
    func writesMembers(_ change: RowChange) -> Bool { change.members.contains { memberSlots.contains($0.slot.index) } }

    /// The value and the column of a slot; nil where the row has none.
    func column(ofSlot slot: Int) -> (value: ValueWriter, name: String)? {
        guard let place = values.firstIndex(where: { $0.slot == slot }), let name = columns[place]?.name else {
            return nil
        }
        return (values[place], name)
    }

    /// The row as a reader would read it back.
    @inline(__always)
    private func snapshot(
        _ key: Int64, version: Int64, old: RowCells?, _ row: ChangeRecord, _ raw: [Int: Data]
    ) -> RowSnapshot {
        row.withValues { row in
            var byteCount = 0
            for value in values where value.kind.isVariable {
                byteCount += value.field.byteCount(row[value.slot], raw, old: old)
            }
            return RowSnapshot.make(layout: layout, key: key, version: version, byteCount: byteCount) { writer in
                for value in values {
                    if !row[value.slot].isUnset {
                        value.field.write(row, raw, to: &writer)
                    } else if let old {
                        value.field.keep(old, in: &writer)
                    }
                }
            }
        }
    }

    // MARK: Statements

    /// How the members of a relationship are written, worked out once; nil where the store has no place for them.
    func memberTexts(_ slot: PropertySlot, _ schema: SQLSchema) -> MemberTexts? {
        if let known = memberTexts[slot.index] { return known }
        guard let link = schema.link(of: layout, slot: slot.index) else { return nil }
        let texts = MemberTexts(SQLMemberStatements(link), connection.dialect)
        memberTexts[slot.index] = texts
        return texts
    }

    /// The statement, which this object keeps. The entity's number is bound.
    @inline(__always)
    private func insertStatement() throws -> Unmanaged<SQLiteStatement> {
        .passUnretained(try insertion ?? makeInsertStatement())
    }

    private func makeInsertStatement() throws -> SQLiteStatement {
        let names = columns.compactMap { $0 }.flatMap(\.columns)
        let text = connection.dialect.text(of: statements.insertion(names))
        // Not the connection's: writers of other entities may have the same text, and bind other numbers.
        let statement = try SQLiteStatement(text, on: connection)
        statement.bind(2, int: number)
        insertion = statement
        return statement
    }

    /// The statement, which this object keeps.
    @inline(__always)
    private func deleteStatement(checksVersion: Bool) throws -> Unmanaged<SQLiteStatement> {
        .passUnretained(
            try (checksVersion ? deletion : uncheckedDeletion) ?? makeDeleteStatement(checksVersion: checksVersion))
    }

    private func makeDeleteStatement(checksVersion: Bool) throws -> SQLiteStatement {
        let statement = try connection.statement(statements.deletion(checksVersion: checksVersion))
        if checksVersion { deletion = statement } else { uncheckedDeletion = statement }
        return statement
    }

    /// The statement, which ``updates`` keeps.
    @inline(__always)
    private func updateStatement(_ shape: UpdateShape) throws -> Unmanaged<SQLiteStatement> {
        if let lastUpdate, shape.isShort, lastUpdate.shape == shape.first { return lastUpdate.statement }
        let statement = Unmanaged.passUnretained(try otherUpdateStatement(shape))
        lastUpdate = shape.isShort ? (shape.first, statement) : nil
        return statement
    }

    private func otherUpdateStatement(_ shape: UpdateShape) throws -> SQLiteStatement {
        if let known = updates[shape] { return known }
        let changed = values.indices.filter { shape.contains(values[$0].slot) }.compactMap { columns[$0] }
        let statement = try connection.statement(statements.update(changed))
        updates[shape] = statement
        return statement
    }
}

/// Which slots a change sets.
private struct UpdateShape: Hashable {
    private(set) var first: UInt64 = 0
    /// Of slots from 64 on; entities rarely have so many.
    private var rest: [UInt64] = []

    /// Whether the entity has no more than 64 slots.
    var isShort: Bool { rest.isEmpty }

    init(_ row: UnsafeMutableBufferPointer<Slot>) {
        if row.count > 64 { rest = [UInt64](repeating: 0, count: (row.count - 1) / 64) }
        for index in row.indices where !row[index].isUnset {
            if index < 64 { first |= 1 << UInt64(index) } else { rest[index / 64 - 1] |= 1 << UInt64(index % 64) }
        }
    }

    func contains(_ slot: Int) -> Bool {
        (slot < 64 ? first : rest[slot / 64 - 1]) & (1 << UInt64(slot % 64)) != 0
    }
}
