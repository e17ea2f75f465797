import CoreData
import Foundation
import PostgreSQLClient

/// What says on which node a row of an entity is: the value that the rows are spread by.
struct PostgreSQLRowPlace: Sendable {
    private let slot: PropertySlot
    private let column: String
    private let value: PostgreSQLValueWriter
    private let layout: EntityLayout

    /// Nil for an entity whose rows all nodes have.
    init?(_ layout: EntityLayout, _ schema: SQLSchema, _ distribution: PostgreSQLDistribution) {
        guard let slot = layout.spreadingSlot(distribution), let column = schema.column(of: layout, slot: slot.index)
        else { return nil }
        (self.layout, self.slot, self.column) = (layout, slot, column.name)
        value = PostgreSQLValueWriter(slot, column: column, schema: schema)
    }

    /// Appends the value of a row.
    func append(_ row: RowSnapshot, to parameters: inout PostgreSQLParameters) throws {
        try row.withCells { try value.appendColumn($0, to: &parameters, of: layout) }
    }

    /// The change of one row, which also asks for its value: the parameter behind all others.
    func narrowed(_ statement: SQLStatement) -> SQLStatement {
        switch statement {
        case .update(let update):
            // Each setting has a parameter, as each condition has.
            let count = update.settings.count + update.conditions.count
            return .update(
                update.replacing(settings: update.settings, conditions: update.conditions + [isHere(count + 1)]))
        case .delete(let delete):
            let conditions = delete.conditions + [isHere(delete.conditions.count + 1)]
            return .delete(delete.replacing(conditions: conditions))
        default: return statement
        }
    }

    private func isHere(_ parameter: Int) -> SQLExpression { .equal(.own(column), .parameter(parameter)) }

    /// - Throws: 134030 for a change that would bring the row to another node.
    func check(_ row: ChangeRecord, over old: RowSnapshot) throws {
        guard old.withCells({ isKept(row[slot.index], $0) }) else {
            throw PostgreSQLDistribution.refusal(slot, of: layout)
        }
    }

    private func isKept(_ new: Slot, _ old: RowCells) -> Bool {
        let cell = value.field.cell
        return switch new {
        case .unset: true
        case .int(let number): old.int(cell) == number
        case .string(let text): old.bytes(cell).elementsEqual(text.utf8)
        case .uuid(let uuid): UUID(uuid: old.bytes(cell).loadUnaligned(as: uuid_t.self)) == uuid
        default: false
        }
    }
}
