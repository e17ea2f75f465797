import Foundation
import ModelArchive
import RandomSeeds
import Testing

@testable import CoreData

/// Stores that Apple's framework wrote.
@Suite struct SQLiteFixtureTests {
    static let stores = AppleStores.names

    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test func thereAreStoresToTest() { #expect(Self.stores.count >= 15) }

    private func statements(_ connection: SQLiteConnection) throws -> Set<String> {
        let statement = try SQLiteStatement("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", on: connection)
        var found: Set<String> = []
        while try statement.step() { found.insert(statement.text(0) ?? "") }
        return found
    }

    @Test(arguments: stores)
    func everyRowIsReadAndNothingOfTheStoreIsLostToTheModel(name: String) throws {
        let (url, model, identity) = try AppleStores.copy(name, to: folder)
        try withExtendedLifetime(model) {
            let under = try StoreUnderTest(url, identity)
            #expect(under.store.schema.oddities.allSatisfy { $0.contains("Z_PRIMARYKEY") })
            for table in under.store.schema.tables {
                let reader = under.store.main.reader(for: under.layouts[table.root], includesSubentities: true)
                var select = SQLSelect(from: .table(table.name, .only))
                select.columns = reader.columns.map { .own($0) }
                let statement = try under.store.connection.statement(.select(select))
                let rows = try reader.readAll(statement).drained()
                #expect(Int64(rows.count) == (try under.integer("SELECT count(*) FROM \(table.name.quotedForSQL)")))
                for row in rows { try readMembers(of: row, under) }
            }
        }
    }

    /// Reads all members, which must be rows that exist.
    private func readMembers(of row: RowSnapshot, _ under: StoreUnderTest) throws {
        let reference = ObjectReference(key: row.key, entity: row.layout.number, store: 0)
        for slot in row.layout.slots where slot.kind.isToMany && !slot.isTransient {
            for member in try under.store.members(of: reference, slot: slot) {
                #expect(try under.row(member)?.layout.number == member.entity)
            }
        }
    }

    @Test(arguments: stores)
    func rowsOfEveryEntityAreAddedChangedAndDeletedInAnAppleMadeStore(name: String) throws {
        let (url, model, identity) = try AppleStores.copy(name, to: folder)
        try withExtendedLifetime(model) {
            var random = SeededGenerator(seed: 1)
            let under = try StoreUnderTest(url, identity)
            let before = try statements(under.store.connection)
            for layout in under.layouts.layouts where !layout.isAbstract {
                let reference = try under.newReference(layout.name)
                let values = RandomRow.values(layout, using: &random)
                let inserted = try under.save(inserts: [under.change(reference, nil, values)])[0]
                expectEqual(inserted, try under.row(reference))
                let changes = RandomRow.values(layout, using: &random)
                let updated = try under.save(updates: [under.change(reference, inserted, changes)])[0]
                expectEqual(updated, try under.row(reference))
                #expect(updated.version == inserted.version + (changes.isEmpty ? 0 : 1))
                if Bool.random(using: &random) {
                    try under.save(deletes: [under.change(reference, updated)])
                    #expect(try under.row(reference) == nil)
                }
            }
            #expect(try statements(under.store.connection) == before)
            #expect(try under.store.connection.text("PRAGMA integrity_check") == "ok")
            try under.store.close()
            #expect(try StoreUnderTest(url, identity).store.schema.oddities == under.store.schema.oddities)
        }
    }

    private func expectEqual(_ row: RowSnapshot, _ other: RowSnapshot?) {
        guard let other else {
            Issue.record("the row of \(row.layout.name) is missing")
            return
        }
        #expect(row.version == other.version && row.layout === other.layout)
        for slot in row.layout.slots where slot.isStoredInRow {
            let place = "\(row.layout.name).\(slot.name)"
            #expect(row.isNull(slot.cell) == other.isNull(slot.cell), "\(place)")
            guard !row.isNull(slot.cell), !other.isNull(slot.cell) else { continue }
            if slot.kind.isVariable {
                #expect(row.data(slot.cell) == other.data(slot.cell), "\(place)")
            } else {
                #expect(row.int(slot.cell) == other.int(slot.cell), "\(place)")
            }
        }
    }
}

/// Random values for all attributes of an entity.
enum RandomRow {
    static func values(_ layout: EntityLayout, using random: inout SeededGenerator) -> [String: Slot] {
        var values: [String: Slot] = [:]
        for slot in layout.slots where slot.isStoredInRow && slot.kind != .toOne {
            values[slot.name] = value(slot.kind, using: &random)
        }
        return values
    }

    private static func value(_ kind: SlotKind, using random: inout SeededGenerator) -> Slot {
        switch kind {
        case .int16: .int(Int64(Int16.random(in: .min ... .max, using: &random)))
        case .int32: .int(Int64(Int32.random(in: .min ... .max, using: &random)))
        case .int64: .int(.random(in: .min ... .max, using: &random))
        case .boolean: .int(.random(in: 0...1, using: &random))
        case .double, .date: .double(.random(in: -1e9...1e9, using: &random))
        case .float: .double(Double(Float.random(in: -1e9...1e9, using: &random)))
        case .decimal: .object(NSDecimalNumber(value: Int32.random(in: .min ... .max, using: &random)))
        case .string: .string("text \(UInt64.random(in: .min ... .max, using: &random)) ü🎈")
        case .uri: .object(NSURL(string: "https://example.org/\(Int.random(in: 0...9999, using: &random))")!)
        case .uuid: .uuid(UUID())
        default: .data(Data((0..<Int.random(in: 0...99, using: &random)).map { UInt8($0) }))
        }
    }
}
