import CoreData
import PostgreSQLClient
import Synchronization

/// The statements that write one entity's rows: an INSERT, a COPY, two DELETEs, and an UPDATE per set of changed
/// properties.
final class PostgreSQLEntityWriter: Sendable {
    let layout: EntityLayout
    let insertion: PostgreSQLRowText
    /// Inserts rows in the binary format, with the values of ``insertion``.
    let copy: String
    let deletion: PostgreSQLRowText
    let uncheckedDeletion: PostgreSQLRowText
    /// The texts that remove all pairs that a row is in, each by the row's key.
    let linkRemovals: [String]
    private let statements: SQLRowStatements
    private let number: Int32
    private let values: [PostgreSQLValueWriter]
    private let columns: [SQLColumn]
    private let memberSlots: Set<Int>
    private let large: PostgreSQLLargeValues
    private let place: PostgreSQLRowPlace?
    private let distribution: PostgreSQLDistribution
    private let table: String
    /// The columns of attributes with external storage.
    private let largeColumns: [(slot: Int, name: String)]
    private let texts = Mutex(Texts())

    private struct Texts {
        var updates: [[Int]: PostgreSQLRowText] = [:]
        var members: [Int: PostgreSQLMemberTexts] = [:]
    }

    init(
        _ layout: EntityLayout, schema: SQLSchema, large: PostgreSQLLargeValues, distribution: PostgreSQLDistribution
    ) throws {
        guard let number = schema.number(of: layout) else {
            throw NSError.cocoa(
                NSPersistentStoreSaveError, "The store has no entity \(layout.name).",
                reason: "It is not in the table _coredata_entities.")
        }
        (self.layout, self.large, self.distribution) = (layout, large, distribution)
        place = PostgreSQLRowPlace(layout, schema, distribution)
        self.number = Int32(number)
        let dialect = PostgreSQLDialect()
        let placed = layout.slots.filter(\.isStoredInRow).compactMap { slot in
            schema.column(of: layout, slot: slot.index).map { (slot, $0) }
        }
        columns = placed.map(\.1)
        values = placed.map { PostgreSQLValueWriter($0, column: $1, schema: schema) }
        largeColumns = placed.filter(\.0.isExternal).map { ($0.index, $1.name) }
        table = schema.table(of: layout).name
        statements = SQLRowStatements(table: table)
        let names = columns.flatMap(\.columns)
        insertion = PostgreSQLRowText(dialect.text(of: statements.insertion(names)))
        copy = dialect.copy(into: table, ["Z_PK", "Z_ENT", "Z_OPT"] + names)
        let checked = statements.deletion(checksVersion: true)
        deletion = PostgreSQLRowText(dialect.text(of: place?.narrowed(checked) ?? checked))
        uncheckedDeletion = PostgreSQLRowText(dialect.text(of: statements.deletion(checksVersion: false)))
        let links = layout.toManySlots.filter { !$0.isTransient }.compactMap { slot in
            schema.link(of: layout, slot: slot.index).map { (slot, $0) }
        }
        linkRemovals = links.flatMap { SQLMemberStatements($0.1).removalsOfAll.map { dialect.text(of: $0) } }
        memberSlots = Set(
            links.filter { slot, link in
                if case .foreignKey = link { slot.kind == .orderedToMany } else { true }
            }.map(\.0.index))
    }

    /// Whether a change has members that are written by themselves: those of others stand in the members' rows.
    func writesMembers(_ change: RowChange) -> Bool { change.members.contains { memberSlots.contains($0.slot.index) } }

    /// Whether the change writes any column of the row.
    func writesColumns(_ row: ChangeRecord) -> Bool { values.contains { !row.isUnset($0.field.slot) } }

    // MARK: Rows

    /// The parameters that insert a row, and its snapshot.
    func insert(
        _ key: Int64, _ row: ChangeRecord, _ parameters: inout PostgreSQLParameters
    ) throws -> RowSnapshot {
        let large = largeValues(key, row)
        keep(large)
        let new = snapshot(key, version: row.firstVersion, old: nil, row, large)
        try append(new, large, to: &parameters)
        return new
    }

    /// The values of a row that is to be copied into the table. Large values get stamps when they change.
    func append(_ key: Int64, _ row: ChangeRecord, to parameters: inout PostgreSQLParameters) throws {
        let large = largeValues(key, row).mapValues(\.unstamped)
        try append(snapshot(key, version: row.firstVersion, old: nil, row, large), large, to: &parameters)
    }

    /// The values of a row of any store that is to be copied into the table as it is.
    ///
    /// - Parameter large: The values of attributes with external storage, by slot.
    func append(
        _ new: RowSnapshot, _ large: [Int: PostgreSQLLargeValue] = [:], to parameters: inout PostgreSQLParameters
    ) throws {
        parameters.append(int64: new.key)
        parameters.append(int32: number)
        parameters.append(int64: new.version)
        try new.withCells { cells in
            for value in values { try value.append(cells, large, to: &parameters, of: layout) }
        }
    }

    /// The statement and the parameters that update a row which has the version of `old`, and its new snapshot.
    func update(
        _ old: RowSnapshot, _ row: ChangeRecord, _ parameters: inout PostgreSQLParameters
    ) throws -> (text: PostgreSQLRowText, new: RowSnapshot) {
        let large = largeValues(old.key, row)
        keep(large)
        let new = old.withCells { snapshot(old.key, version: old.version + 1, old: $0, row, large) }
        let changed = values.indices.filter { !row.isUnset(values[$0].field.slot) }
        parameters.append(int64: new.version)
        try new.withCells { cells in
            for index in changed { try values[index].appendChange(cells, large, to: &parameters, of: layout) }
        }
        parameters.append(int64: old.key)
        parameters.append(int64: old.version)
        if let place {
            try place.check(row, over: old)
            try place.append(old, to: &parameters)
        }
        return (update(of: changed), new)
    }

    /// The parameters that delete a row which has the version of `old`.
    func delete(_ old: RowSnapshot) throws -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(int64: old.key)
        parameters.append(int64: old.version)
        try place?.append(old, to: &parameters)
        return parameters
    }

    private func update(of changed: [Int]) -> PostgreSQLRowText {
        texts.withLock { texts in
            if let known = texts.updates[changed] { return known }
            let plain = statements.update(changed.map { columns[$0] })
            let text = PostgreSQLRowText(PostgreSQLDialect().text(of: place?.narrowed(plain) ?? plain))
            texts.updates[changed] = text
            return text
        }
    }

    /// The values of attributes with external storage that a row is to have, by slot.
    private func largeValues(_ key: Int64, _ row: ChangeRecord) -> [Int: PostgreSQLLargeValue] {
        var found: [Int: PostgreSQLLargeValue] = [:]
        for column in largeColumns {
            guard case .data(let data) = row[column.slot] else { continue }
            found[column.slot] = large.value(data, of: column.name, in: table, key: key)
        }
        return found
    }

    /// An app that has saved a value may ask for it next.
    private func keep(_ values: [Int: PostgreSQLLargeValue]) {
        for value in values.values where value.stamp != nil { large.cache.keep(value.data, for: value.raw) }
    }

    /// The row as a reader would read it back.
    private func snapshot(
        _ key: Int64, version: Int64, old: RowCells?, _ row: ChangeRecord, _ large: [Int: PostgreSQLLargeValue]
    ) -> RowSnapshot {
        let raw = large.mapValues(\.raw)
        return row.withValues { row in
            var byteCount = 0
            for value in values where value.field.kind.isVariable {
                byteCount += value.field.byteCount(row[value.field.slot], raw, old: old)
            }
            return RowSnapshot.make(layout: layout, key: key, version: version, byteCount: byteCount) { writer in
                for value in values {
                    if !row[value.field.slot].isUnset {
                        value.write(row, raw, to: &writer)
                    } else if let old {
                        value.field.keep(old, in: &writer)
                    }
                }
            }
        }
    }

    // MARK: Members

    /// How the members of a relationship are written; nil where the store has no place for them.
    func memberTexts(_ slot: PropertySlot, _ schema: SQLSchema) -> PostgreSQLMemberTexts? {
        texts.withLock { texts in
            if let known = texts.members[slot.index] { return known }
            guard let link = schema.link(of: layout, slot: slot.index) else { return nil }
            let found = PostgreSQLMemberTexts(SQLMemberStatements(link), distribution)
            texts.members[slot.index] = found
            return found
        }
    }

    // MARK: Uniqueness

    /// The statement that finds another row with the same values in a constraint, and its parameters; nil where the
    /// entity lacks one of the constraint's properties.
    func twin(
        _ row: RowSnapshot, _ constraint: [String], _ parameters: inout PostgreSQLParameters
    ) throws -> String? {
        let slots = constraint.compactMap { layout.slot(named: $0) }
        let places = slots.compactMap { slot in values.firstIndex { $0.field.slot == slot.index } }
        guard places.count == constraint.count else { return nil }
        parameters.append(int64: row.key)
        let isGiven = places.map { values[$0].isInRow(row) }
        try row.withCells { cells in
            for (place, isGiven) in zip(places, isGiven) where isGiven {
                try values[place].appendColumn(cells, to: &parameters, of: layout)
            }
        }
        let twin = statements.twin(zip(places, isGiven).map { (columns[$0].name, isGiven: $1) })
        return PostgreSQLDialect().text(of: twin)
    }
}

/// The texts of ``SQLMemberStatements``.
struct PostgreSQLMemberTexts {
    let isReflexive: Bool
    let removal: String?
    let addition: String?
    let sortKeys: String?
    let sortKeyUpdate: String?

    init(_ statements: SQLMemberStatements, _ distribution: PostgreSQLDistribution) {
        let dialect = PostgreSQLDialect()
        isReflexive = statements.isReflexive
        removal = statements.removal.map { dialect.text(of: $0) }
        addition = statements.addition.map { dialect.text(of: distribution.spread($0)) }
        sortKeys = statements.sortKeys.map { dialect.text(of: $0) }
        sortKeyUpdate = statements.sortKeyUpdate.map { dialect.text(of: $0) }
    }
}
