import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

/// Roles with the rights that the article on PostgreSQL says.
///
/// Roles belong to the server: these tests have one of their own.
@Suite("Roles with few rights", .serialized)
struct RoleTests {
    private let server: PostgreSQLServer
    private let owner: NamedStore
    private let options: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]

    init() throws {
        server = try PostgreSQLServer()
        owner = try NamedStore(on: server)
        _ = try owner.open(NamedModel().make(), options: options)
        for statement in try Self.statements() { try owner.run(statement) }
    }

    /// The statements of the article's section.
    private static func statements() throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let article = try String(
            contentsOf: root.appendingPathComponent("Sources/CoreData/CoreData.docc/PostgreSQL.md"), encoding: .utf8)
        let section = article.components(separatedBy: "### A role with few rights")[1].components(
            separatedBy: "\n### ")[0]
        let listings = section.components(separatedBy: "```sql\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        let statements = listings.joined().split(separator: ";\n").map(String.init)
        try #require(statements.count == 7)
        return statements
    }

    private func store(_ role: String) throws -> NamedStore {
        var parts = try #require(URLComponents(url: owner.url, resolvingAgainstBaseURL: false))
        parts.user = role
        return NamedStore(url: try #require(parts.url))
    }

    @Test("an app's role saves, fetches, runs batches and reads history, and can make and drop nothing")
    func app() throws {
        let store = try store("league_app")
        let context = try store.open(NamedModel().make(), options: options)
        try context.performAndWait {
            let band = context.insert(
                "Band", ["name": "Can", "albums": [context.insert("Album", ["title": "x"])] as NSSet])
            band.setValue([context.insert("Label", ["name": "Spoon"])] as NSSet, forKey: "labels")
            try context.save()
            try context.execute(NSBatchInsertRequest(entityName: "Band", objects: [["name": "Neu!"]]))
            let update = NSBatchUpdateRequest(entityName: "Album")
            update.propertiesToUpdate = ["title": "y"]
            try context.execute(update)
            context.delete(band)
            try context.save()
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Band")
            fetch.predicate = NSPredicate(format: "name LIKE[cd] 'neu*'")
            #expect(try context.count(for: fetch) == 1)
            try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 5)
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
        }
        for statement in [
            "CREATE TABLE own ()", "DROP TABLE \"Band\"", "ALTER TABLE \"Band\" ADD x int", "CREATE SCHEMA own",
        ] {
            #expect(throws: (any Error).self, "\(statement)") { try store.run(statement) }
        }
    }

    @Test("an app's role can't migrate, and the error says that the right is missing")
    func migration() throws {
        var next = NamedModel()
        next.attributes = [("rating", .integer16AttributeType)]
        let migrating: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSPersistentHistoryTrackingKey: true as NSNumber,
        ]
        let store = try store("league_app")
        let error = store.error { _ = try store.open(next.make(), options: migrating) }
        #expect("\(error as Any)".contains("must be owner of table"), "\(error as Any)")
        _ = try owner.open(next.make(), options: migrating)
    }

    @Test("a role that may not use the schema is told so, and how to give it the right")
    func stranger() throws {
        try owner.run("CREATE ROLE league_stranger LOGIN", "REVOKE USAGE ON SCHEMA public FROM PUBLIC")
        let store = try store("league_stranger")
        let reading: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: true as NSNumber]
        let attempts: [() throws -> Void] = [
            { _ = try store.open(NamedModel().make()) }, { _ = try store.open(NamedModel().make(), options: reading) },
            { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: store.url) },
        ]
        for attempt in attempts {
            let error = try #require(store.error(attempt))
            #expect(error.code == CocoaError.Code.fileReadNoPermission.rawValue, "\(error)")
            #expect(error.localizedDescription.contains("“league_stranger” may not use the schema “public”"))
            let statement = "GRANT USAGE ON SCHEMA public TO league_stranger"
            #expect(error.localizedFailureReason?.contains(statement) == true, "\(error)")
        }
    }

    @Test("a reader's role fetches, and saves nothing")
    func reader() throws {
        let writing = try owner.open(NamedModel().make(), options: options)
        try writing.performAndWait {
            _ = writing.insert("Band", ["name": "Can"])
            try writing.save()
        }
        let store = try store("league_reader")
        let context = try store.open(NamedModel().make(), options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        try context.performAndWait { () throws in
            #expect(try context.all("Band", "name CONTAINS[cd] 'CÁN'").count == 1)
            _ = context.insert("Band", ["name": "Neu!"])
            #expect(throws: (any Error).self) { try context.save() }
        }
        #expect(throws: (any Error).self) { try store.run("UPDATE \"Band\" SET name = 'x'") }
    }
}
