import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import Testing

@Suite("Time limits of statements")
struct StatementTimeoutTests {
    private let store: NamedStore
    private let options: [AnyHashable: Any] = [NSPostgreSQLStatementTimeoutOption: 1 as NSNumber]

    init() throws {
        store = try NamedStore()
        // Making a store may take longer.
        let context = try store.open(NamedModel().make())
        try context.performAndWait {
            _ = context.insert("Album", ["title": "Tago Mago"])
            try context.save()
        }
    }

    /// Runs `body` while another transaction lets no one use a table.
    private func locked(_ body: () throws -> Void) throws {
        let other = try PostgreSQLConnection(store.url.absoluteString)
        defer { other.close() }
        try other.execute("BEGIN")
        try other.execute("LOCK TABLE \"Album\" IN ACCESS EXCLUSIVE MODE")
        try body()
        try other.execute("ROLLBACK")
    }

    private func expectTimeout(_ body: () throws -> Void) {
        let error = store.error(body)
        #expect(error?.code == NSPersistentStoreTimeoutError, "\(error as Any)")
        #expect(error?.userInfo[NSPostgreSQLStateErrorKey] as? String == "57014")
    }

    @Test("a fetch that takes longer throws 134090, and the store goes on", .timeLimit(.minutes(5)))
    func fetch() throws {
        let context = try store.open(NamedModel().make(), options: options)
        try context.performAndWait { () throws in
            try locked { expectTimeout { _ = try context.all("Album") } }
            #expect(try context.all("Album").count == 1)
        }
    }

    @Test("a save that takes longer writes nothing, and can be saved again", .timeLimit(.minutes(5)))
    func save() throws {
        let context = try store.open(NamedModel().make(), options: options)
        try context.performAndWait { () throws in
            _ = context.insert("Album", ["title": "Future Days"])
            try locked { expectTimeout { try context.save() } }
            #expect(context.insertedObjects.count == 1)
            try context.save()
            #expect(try context.all("Album").count == 2)
        }
    }

    @Test("the limit is also for a context that is pinned to a query generation", .timeLimit(.minutes(5)))
    func pinned() throws {
        let context = try store.open(NamedModel().make(), options: options)
        try context.performAndWait { () throws in
            try context.setQueryGenerationFrom(.current)
            #expect(try context.all("Band").isEmpty)
            try locked { expectTimeout { _ = try context.all("Album") } }
            #expect(try context.all("Album").count == 1)
        }
    }

    @Test("what is no number of seconds above 0 is refused with 134080")
    func refused() throws {
        for value in [0 as NSNumber, -1 as NSNumber, Double.nan as NSNumber, "5"] as [Any] {
            let error = store.error {
                _ = try store.open(NamedModel().make(), options: [NSPostgreSQLStatementTimeoutOption: value])
            }
            #expect(error?.code == NSPersistentStoreOpenError, "\(value)")
            #expect(error?.localizedDescription.contains("NSPostgreSQLStatementTimeoutOption") == true, "\(value)")
        }
        _ = try store.open(NamedModel().make(), options: [NSPostgreSQLStatementTimeoutOption: 1e12])
    }
}
