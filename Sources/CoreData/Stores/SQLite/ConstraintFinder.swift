import Foundation

/// Finds out which uniqueness constraints refuse a row, and for the sake of which other rows.
struct ConstraintFinder {
    private let store: SQLiteStore

    init(_ store: SQLiteStore) { self.store = store }

    /// The conflicts of a refused row; at least one.
    func conflicts(of change: RowChange) throws -> [(reference: ObjectReference, kind: StoreConflicts.Kind)] {
        var found: [(reference: ObjectReference, kind: StoreConflicts.Kind)] = []
        for constraint in change.layout.allUniquenessConstraints {
            guard let other = try other(change, constraint) else { continue }
            found.append((change.reference, .constraint(properties: constraint, other: other)))
        }
        // An index that the model does not know, of an older version or another tool.
        return found.isEmpty ? [(change.reference, .constraint(properties: [], other: nil))] : found
    }

    /// The other row with the same values, or nil.
    private func other(_ change: RowChange, _ constraint: [String]) throws -> ObjectReference? {
        let writer = try store.writer(for: change.layout)
        let columns = constraint.compactMap { change.layout.slot(named: $0) }
            .compactMap { writer.column(ofSlot: $0.index) }
        guard columns.count == constraint.count else { return nil }
        // The row's own values where the change sets none: an update's row still stands in the table.
        let twin = writer.statements.twin(columns.map { ($0.name, isGiven: !change.values[$0.value.slot].isUnset) })
        let statement = try SQLiteStatement(store.connection.dialect.text(of: twin), on: store.connection)
        statement.bind(1, int: change.reference.key)
        var parameter: Int32 = 2
        for (value, _) in columns where !change.values[value.slot].isUnset {
            value.bindValue(change.values[value.slot], to: statement, parameter)
            parameter += 1
        }
        guard try statement.step() else { return nil }
        let entity = store.schema.layoutNumber(of: statement.int(1)) ?? change.layout.number
        return ObjectReference(key: statement.int(0), entity: entity, store: change.reference.store)
    }
}
