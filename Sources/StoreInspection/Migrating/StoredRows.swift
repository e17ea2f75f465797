import CoreData
import Foundation

/// The rows of a store, to be counted.
package protocol StoredRows {
    /// The rows of an entity that is not abstract, without those of its subentities.
    ///
    /// - Parameter slot: Only the rows with a value of this property.
    func count(_ layout: EntityLayout, having slot: PropertySlot?) throws -> Int64
}

/// The rows of a database.
package struct TableRows: StoredRows {
    private let inspection: StoreInspection
    private let schema: SQLSchema

    package init(_ inspection: StoreInspection, _ mapping: InferredMapping) throws {
        self.inspection = inspection
        let tables = try SQLiteTables.read(inspection.connection)
        schema = SQLSchema.fitted(
            to: tables.columns, numbers: tables.numbers, layouts: mapping.sourceModel.seal(),
            entities: mapping.sourceEntities, virtualTables: [])
    }

    package func count(_ layout: EntityLayout, having slot: PropertySlot?) throws -> Int64 {
        guard schema.contains(layout), let number = schema.number(of: layout) else { return 0 }
        let table = schema.table(of: layout).name
        guard inspection.columns[table] != nil, let condition = condition(slot, layout) else { return 0 }
        return try inspection.connection.integer(
            "SELECT count(*) FROM \(table.quotedForSQL) WHERE Z_ENT = \(number)\(condition)") ?? 0
    }

    /// That a row has a value; nil where no row can have one.
    private func condition(_ slot: PropertySlot?, _ layout: EntityLayout) -> String? {
        guard let slot else { return "" }
        if let column = schema.column(of: layout, slot: slot.index) {
            return " AND \(column.name.quotedForSQL) IS NOT NULL"
        }
        guard let link = schema.link(of: layout, slot: slot.index), inspection.columns[link.table] != nil else {
            return nil
        }
        let column = link.sourceColumn.quotedForSQL
        return
            " AND Z_PK IN (SELECT \(column) FROM \(link.table.quotedForSQL) WHERE \(column) IS NOT NULL)"
    }
}

/// The rows of a store that a context has open, of any kind.
package struct ContextRows: StoredRows {
    private let context: NSManagedObjectContext

    package init(_ context: NSManagedObjectContext) { self.context = context }

    package func count(_ layout: EntityLayout, having slot: PropertySlot?) throws -> Int64 {
        let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
        request.includesSubentities = false
        if let slot {
            guard let predicate = predicate(slot) else { return 0 }
            request.predicate = predicate
        }
        return Int64(try context.performAndWait { try context.count(for: request) })
    }

    /// That an object has a value; nil where none can have one.
    private func predicate(_ slot: PropertySlot) -> NSPredicate? {
        if slot.isTransient || slot.kind == .composite { return nil }
        return slot.kind.isToMany
            ? NSPredicate(format: "%K.@count > 0", slot.name) : NSPredicate(format: "%K != nil", slot.name)
    }
}
