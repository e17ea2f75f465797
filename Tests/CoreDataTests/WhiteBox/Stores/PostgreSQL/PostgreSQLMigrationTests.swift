import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import PostgreSQLServer
import RandomSeeds
import Synchronization
import Testing

@testable import CoreData

/// Stores in a database that become those of another version of their model.
@Suite struct PostgreSQLMigrationTests {
    @Test(arguments: SeededGenerator.seeds(60, full: 3_000))
    func objectsComeThroughAnyEditsAsTheyShould(seed: UInt64) throws {
        let pair = RandomPair(seed: seed)
        let (store, before) = try pair.filledStore(PostgreSQLTestStore.self)
        let mapping = InferredMapping(from: pair.source, to: pair.destination)
        let error = thrown { try compare(store, before, pair, seed) }
        if let error {
            #expect(!mapping.obstacles.isEmpty, "seed \(seed): \(error)")
            #expect(
                error.code == NSMigrationMissingMappingModelError || error.code == NSMigrationError,
                "seed \(seed): \(error)")
            let after = try store.use(pair.source, [:]) { try StoreDump($0, pair.old) }
            #expect(after.differences(from: before) { _ in true }.isEmpty, "seed \(seed)")
        } else {
            #expect(!mapping.obstacles.contains { $0.rows == nil }, "seed \(seed)")
        }
        try destroy(store)
    }

    private func compare(_ store: MigratedStore, _ before: StoreDump, _ pair: RandomPair, _ seed: UInt64) throws {
        let (old, new) = (pair.old, pair.new)
        let expected = StoreDump(before, from: old, to: new)
        let after = try store.use(pair.destination) { try StoreDump($0, new) }
        let differences = after.differences(from: expected) { id in
            (new.relationship(id)?.isOrdered ?? false) && (old.relationship(id)?.isOrdered ?? false)
        }
        #expect(differences.isEmpty, "seed \(seed): \(differences.prefix(5).joined(separator: "\n"))")
        let fresh = try MigratedStore(pair.destination, in: MigratedStore.memory, kind: PostgreSQLTestStore.self)
        let schemas = try [store, fresh].map { Set(try parts(of: $0)) }
        let odd = schemas[0].symmetricDifference(schemas[1]).sorted()
        #expect(odd.isEmpty, "seed \(seed): \(odd.joined(separator: "\n"))")
        try destroy(fresh)
    }

    private func destroy(_ store: MigratedStore) throws {
        try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
            .destroyPersistentStore(at: store.url, ofType: store.type)
    }

    /// The columns, constraints, indexes, sequences, triggers and functions of a store's schema, in a line each.
    private func parts(of store: MigratedStore) throws -> [String] {
        let schema =
            URLComponents(url: store.url, resolvingAgainstBaseURL: false)?.queryItems?
            .first { $0.name == "schema" }?.value ?? ""
        let connection = try PostgreSQLConnection(PostgreSQLServer.shared.url)
        defer { connection.close() }
        var parameters = PostgreSQLParameters()
        try parameters.append(text: schema)
        let rows = try connection.execute(
            """
            WITH "own" AS (SELECT oid FROM pg_namespace WHERE nspname = $1) \
            SELECT 'column ' || relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) \
            || CASE WHEN attnotnull THEN ' not null' ELSE '' END || ' ' || attcollation::regcollation \
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid \
            WHERE relnamespace = (TABLE "own") AND relkind = 'r' AND attnum > 0 AND NOT attisdropped \
            UNION ALL SELECT 'constraint ' || conname || ' ' || replace(pg_get_constraintdef(oid), $1, '') \
            FROM pg_constraint WHERE connamespace = (TABLE "own") AND contype <> 'p' \
            UNION ALL SELECT 'index ' || replace(pg_get_indexdef(indexrelid), $1, '') FROM pg_index \
            JOIN pg_class ON pg_class.oid = indexrelid \
            WHERE relnamespace = (TABLE "own") AND NOT indisprimary \
            UNION ALL SELECT 'sequence ' || relname FROM pg_class \
            WHERE relnamespace = (TABLE "own") AND relkind = 'S' \
            UNION ALL SELECT 'trigger ' || replace(pg_get_triggerdef(pg_trigger.oid), $1, '') FROM pg_trigger \
            JOIN pg_class ON pg_class.oid = tgrelid WHERE relnamespace = (TABLE "own") AND NOT tgisinternal \
            UNION ALL SELECT 'function ' || proname || ' ' || prosrc FROM pg_proc \
            WHERE pronamespace = (TABLE "own")
            """, parameters)
        return try (0..<rows.rowCount).map { try rows.string($0, 0) ?? "" }
    }

    // MARK: Programs that start together

    @Test func programsThatStartTogetherMigrateAStoreOnce() throws {
        let (old, new) = (Self.library(["title"]), Self.library(["title", "pages"]))
        let store = try MigratedStore(old, kind: PostgreSQLTestStore.self) { context in
            for number in 1...50 { _ = context.insert("Book", ["title": "Book \(number)"]) }
        }
        let coordinators = (1...4).map { _ in NSPersistentStoreCoordinator(managedObjectModel: new) }
        let failures = Mutex<[NSError]>([])
        let (type, url) = (store.type, store.url)
        DispatchQueue.concurrentPerform(iterations: coordinators.count) { place in
            if let error = thrown({
                try coordinators[place].addPersistentStore(
                    ofType: type, configurationName: nil, at: url, options: MigratedStore.automatic)
            }) {
                failures.withLock { $0.append(error) }
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        let count = try store.use(new) { try $0.all("Book", "pages == nil").count }
        #expect(count == 50)
        for coordinator in coordinators {
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }

    // MARK: History

    @Test func historyKnowsPropertiesByTheirNewNames() throws {
        let (old, new) = (Self.library(["title"]), Self.library(["name"], renamedFrom: "title"))
        let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]
        let store = try MigratedStore(nil, kind: PostgreSQLTestStore.self)
        try store.use(old, tracking) { context in
            let book = context.insert("Book", ["title": "Emma"])
            try context.save()
            book.setValue("Persuasion", forKey: "title")
            try context.save()
            context.delete(book)
            try context.save()
        }
        let options = tracking.merging(MigratedStore.automatic) { first, _ in first }
        try store.use(new, options) { context in
            let changes = try context.changes(.fetchHistory(after: nil as NSPersistentHistoryToken?))
            #expect(changes.map(\.changeType) == [.insert, .update, .delete])
            #expect(changes[1].updatedProperties?.map(\.name) == ["name"])
            #expect(changes[2].tombstone?["name"] as? String == "Persuasion")
        }
    }

    private static func library(_ attributes: [String], renamedFrom old: String? = nil) -> NSManagedObjectModel {
        let book = NSEntityDescription()
        book.name = "Book"
        book.properties = attributes.map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.isOptional) = (name, true)
            attribute.attributeType = name == "pages" ? .integer32AttributeType : .stringAttributeType
            attribute.preservesValueInHistoryOnDeletion = true
            attribute.renamingIdentifier = old
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [book]
        return model
    }
}
