import Foundation
import Testing

@testable import CoreData

/// Objects deleted, as their model's rules say, from stores that Apple's framework wrote.
@Suite struct SQLiteDeletionTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test func theStoresHaveRelationshipsOfEveryKindToDeleteFrom() throws {
        var found: Set<String> = []
        for name in AppleStores.names {
            let (url, model, _) = try AppleStores.copy(name, to: folder)
            for relationship in model.entities.flatMap(\.sortedRelationships) { found.formUnion(kinds(relationship)) }
            try FileManager.default.removeItem(at: url)
            try? FileManager.default.removeItem(atPath: url.path + "-wal")
        }
        #expect(found == ["nullify", "cascade", "to-one", "one-to-many", "ordered", "many-to-many", "without inverse"])
    }

    private func kinds(_ relationship: NSRelationshipDescription) -> [String] {
        let rule = relationship.deleteRule == .cascadeDeleteRule ? "cascade" : "nullify"
        guard let inverse = relationship.inverseRelationship else { return [rule, "without inverse"] }
        guard relationship.isToMany else { return [rule, "to-one"] }
        let kind = inverse.isToMany ? "many-to-many" : "one-to-many"
        return [rule, kind] + (relationship.isOrdered ? ["ordered"] : [])
    }

    @Test(arguments: AppleStores.namesOfOneVersion)
    func whatIsDeletedLeavesNothingBehind(name: String) throws {
        let (url, model, identity) = try AppleStores.copy(name, to: folder)
        let before = try StoreState(url, identity)
        let pruner = try GraphPruner(model, url, options: AppleStores.hasHistory(url) ? HistoryStack.options : nil)
        for entity in model.entities where !entity.isAbstract {
            try pruner.deleteAlone(entity)
            try pruner.deleteAppleMade(entity)
            for relationship in entity.sortedRelationships where !relationship.isTransient {
                try pruner.deleteMember(of: relationship, entity)
                try pruner.deleteOwner(of: relationship, entity)
            }
            #expect(pruner.deletedCount[entity.name ?? ""] ?? 0 > 0, "no \(entity.name ?? "") could be deleted")
        }
        try pruner.close()
        let after = try StoreState(url, identity)
        #expect(after.integrity == "ok")
        #expect(after.schema == before.schema)
        #expect(after.dangling.subtracting(before.dangling).isEmpty)
        if Oracle.isAtHand { try Oracle.expectSameExport(url) }
    }
}

/// What must hold of a store's file.
private struct StoreState {
    let integrity: String?
    let schema: Set<String>
    /// Keys that no row has, with the column that holds them.
    let dangling: Set<String>

    init(_ url: URL, _ identity: StoreModel) throws {
        let under = try StoreUnderTest(url, identity)
        let connection = under.store.connection
        integrity = try connection.text("PRAGMA integrity_check")
        let statement = try SQLiteStatement("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", on: connection)
        var schema: Set<String> = []
        while try statement.step() { schema.insert(statement.text(0) ?? "") }
        self.schema = schema
        dangling = try DanglingKeys(under).all()
        try under.store.close()
    }
}

/// Finds keys of rows that do not exist, and sort keys without a relationship.
private struct DanglingKeys {
    private let under: StoreUnderTest

    init(_ under: StoreUnderTest) { self.under = under }

    func all() throws -> Set<String> {
        var found: Set<String> = []
        for layout in under.layouts.layouts {
            for slot in layout.slots where slot.kind.isRelationship && !slot.isTransient {
                found.formUnion(try slot.kind.isToMany ? inMembers(layout, slot) : inColumn(layout, slot))
            }
        }
        return found
    }

    private func inColumn(_ layout: EntityLayout, _ slot: PropertySlot) throws -> Set<String> {
        let schema = under.store.schema
        guard let column = schema.column(of: layout, slot: slot.index) else { return [] }
        let table = schema.table(of: layout).name
        // A deletion does not clear a to-one that leads to the object without an inverse.
        var found = slot.inverse < 0 ? [] : try keys(table, column.name, missingIn: slot.destination)
        if let order = column.orderColumn {
            found.formUnion(try rows(table, order, where: "\(column.name) IS NULL AND \(order) IS NOT NULL"))
        }
        guard let entity = column.entityColumn, slot.inverse >= 0 else { return found }
        let destination = schema.table(of: under.layouts[slot.destination]).name
        let other = "(\(column.name), \(entity)) NOT IN (SELECT Z_PK, Z_ENT FROM \(destination))"
        found.formUnion(try rows(table, entity, where: "\(column.name) IS NOT NULL AND \(other)"))
        found.formUnion(try rows(table, entity, where: "\(column.name) IS NULL AND \(entity) IS NOT NULL"))
        return found
    }

    private func inMembers(_ layout: EntityLayout, _ slot: PropertySlot) throws -> Set<String> {
        switch under.store.schema.link(of: layout, slot: slot.index) {
        case .joinTable(let table, let source, let target, _):
            try keys(table, source, missingIn: layout.number).union(keys(table, target, missingIn: slot.destination))
        case .sourceColumnInDestination(let table, let column, _): try keys(table, column, missingIn: layout.number)
        case .foreignKey, nil: []
        }
    }

    private func keys(_ table: String, _ column: String, missingIn entity: Int32) throws -> Set<String> {
        let destination = under.store.schema.table(of: under.layouts[entity]).name
        return try rows(table, column, where: "\(column) NOT IN (SELECT Z_PK FROM \(destination))")
    }

    private func rows(_ table: String, _ column: String, where condition: String) throws -> Set<String> {
        let statement = try under.store.connection.statement(
            "SELECT rowid, \(column) FROM \(table) WHERE \(condition)")
        var found: Set<String> = []
        while try statement.step() { found.insert("\(table).\(column) of row \(statement.int(0))") }
        return found
    }
}
