import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import Testing

/// Transactions that the server breaks off for the sake of others. Here triggers say so, the first times that they run.
@Suite("Transactions that are broken off")
struct BrokenOffTests {
    private let store: NamedStore
    private let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]

    init() throws {
        store = try NamedStore()
        let context = try store.open(NamedModel().make(), options: options)
        try context.performAndWait {
            _ = context.insert("Album", ["title": "Tago Mago"])
            try context.save()
        }
    }

    /// Makes a function that a trigger can call. What is counted by a sequence is counted though it is rolled back.
    private func makeFunction(_ state: String, times: Int, returning type: String) throws {
        try store.run(
            "CREATE SEQUENCE attempts",
            """
            CREATE FUNCTION break_off() RETURNS \(type) LANGUAGE plpgsql AS $$ BEGIN \
            IF nextval('public.attempts') <= \(times) THEN \
            RAISE EXCEPTION USING ERRCODE = '\(state)', MESSAGE = 'broken off'; END IF; \
            \(type == "trigger" ? "RETURN OLD;" : "") END $$
            """)
    }

    private var attempts: Int {
        get throws {
            let found = try store.run("SELECT last_value::text FROM attempts").first
            return found.flatMap { $0.flatMap { Int($0) } } ?? 0
        }
    }

    @Test("a migration begins anew", arguments: ["40P01", "40001"])
    func migration(state: String) throws {
        try makeFunction(state, times: 2, returning: "event_trigger")
        try store.run(
            """
            CREATE EVENT TRIGGER break_off ON ddl_command_start WHEN TAG IN ('ALTER TABLE') \
            EXECUTE FUNCTION break_off()
            """)
        var next = NamedModel()
        next.attributes = [("rating", .integer16AttributeType)]
        let migrating = options.merging([
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]) { $1 }
        let context = try store.open(next.make(), options: migrating)
        try context.performAndWait { () throws in #expect(try context.all("Album", "rating == nil").count == 1) }
        #expect(try attempts > 2)
    }

    @Test("a deletion of history begins anew", arguments: ["40P01", "40001"])
    func history(state: String) throws {
        try makeFunction(state, times: 2, returning: "trigger")
        try store.run(
            """
            CREATE TRIGGER break_off BEFORE DELETE ON "_coredata_transactions" FOR EACH ROW \
            EXECUTE FUNCTION break_off()
            """)
        let context = try store.open(NamedModel().make(), options: options)
        try context.performAndWait {
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
        }
        #expect(try attempts == 3)
        #expect(try store.run("SELECT count(*)::text FROM \"_coredata_transactions\"") == ["0"])
    }

    @Test("a deletion of history that the server refuses says that nothing was written")
    func refusedHistory() throws {
        try makeFunction("P0001", times: 100, returning: "trigger")
        try store.run(
            """
            CREATE TRIGGER break_off BEFORE DELETE ON "_coredata_transactions" FOR EACH ROW \
            EXECUTE FUNCTION break_off()
            """)
        let context = try store.open(NamedModel().make(), options: options)
        let error = try context.performAndWait {
            try #require(
                store.error {
                    _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
                })
        }
        #expect(error.code == NSPersistentStoreSaveError, "\(error)")
        #expect(error.localizedDescription.contains("can't be saved"), "\(error)")
        #expect(try attempts == 1)
    }
}
