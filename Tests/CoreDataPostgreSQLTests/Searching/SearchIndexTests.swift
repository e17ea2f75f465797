import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

/// Indexes for full-text search in a database: what other programs meet, and what is left behind.
@Suite("Indexes for full-text search in PostgreSQL")
struct SearchIndexTests {
    private let store: NamedStore
    private let option: [AnyHashable: Any] = [NSPersistentStoreFullTextSearchOptionKey: true]

    init() throws { store = try NamedStore() }

    /// Documents with a title and a body, split into words as the mark says.
    private func model(_ mark: String = "YES", keys: [AnyHashable: Any] = [:]) -> NSManagedObjectModel {
        let document = NSEntityDescription()
        document.name = "Document"
        document.userInfo = keys
        document.properties = ["title", "body"].map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
            attribute.userInfo = [NSFullTextSearchUserInfoKey: mark]
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [document]
        return model
    }

    private func titles(_ context: NSManagedObjectContext, _ query: String) throws -> [String] {
        try context.all("Document", "SELF matchesText: '\(query)'", sorted: "title").compactMap {
            $0.value(forKey: "title") as? String
        }
    }

    @Test("rows that other programs write are found, and no longer once they change or go")
    func others() throws {
        let context = try store.open(model(), options: option)
        try store.run(
            "INSERT INTO \"Document\" (_key, _entity, _version, title, body) VALUES (1001, 1, 1, 'A heron', 'Héron cendré'), (1002, 1, 1, 'An owl', NULL)"
        )
        try context.performAndWait {
            #expect(try titles(context, "HERON cendre") == ["A heron"])
            #expect(try titles(context, "ow*") == ["An owl"])
            try store.run(
                "UPDATE \"Document\" SET title = 'An auk', _version = 2 WHERE _key = 1002",
                "DELETE FROM \"Document\" WHERE _key = 1001")
            context.reset()
            #expect(try titles(context, "heron") == [])
            #expect(try titles(context, "auk") == ["An auk"])
        }
    }

    @Test("a search goes by the index, for words and for parts of words", arguments: ["YES", "english", "substrings"])
    func plan(mark: String) throws {
        try store.run("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        let context = try store.open(model(mark), options: option)
        try store.run(
            """
            INSERT INTO "Document" (_key, _entity, _version, title, body) SELECT i, 1, 1, 'title ' || md5(i::text), 'body ' || md5((-i)::text) \
            FROM generate_series(1, 20000) i
            """, "VACUUM ANALYZE")
        try context.performAndWait {
            let word = try #require(
                try store.run(
                    "SELECT \(mark == "substrings" ? "substr(title, 10, 8)" : "split_part(title, ' ', 2)") FROM \"Document\" WHERE _key = 77"
                )[0])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Document")
            request.predicate = NSPredicate(format: "SELF matchesText: %@", word)
            #expect(try context.fetch(request).map { $0.objectID.uriRepresentation().lastPathComponent } == ["p77"])
            let explanation = try #require(try context.explain(request).first)
            let plan = explanation.plan.joined(separator: "\n")
            #expect(plan.contains("Index Scan on \"Z_FTS_Document_"), "\(plan)")
        }
        let indexes = try store.run(
            "SELECT indexdef FROM pg_indexes WHERE tablename = 'Z_FTS_Document' AND indexdef LIKE '%USING gin%'")
        #expect(indexes.count == (mark == "substrings" ? 2 : 3))
    }

    @Test("a snippet has the words marked, also of parts of words", arguments: ["YES", "english", "substrings"])
    func snippets(mark: String) throws {
        let context = try store.open(model(mark), options: option)
        try context.performAndWait {
            let filler = String(repeating: "Much is said of other things here. ", count: 20)
            _ = context.insert("Document", ["title": "x", "body": filler + "Der Schwänefang, 2nd!" + filler])
            try context.save()
            let query = mark == "substrings" ? "hwänef" : "schwanefang"
            let match = try #require(
                try context.matches(for: query, in: NSFetchRequest<NSManagedObject>(entityName: "Document")).first)
            #expect(match.highlights.map { match.snippet[$0] } == [mark == "substrings" ? "hwänef" : "Schwänefang"])
            #expect(match.snippet.hasPrefix("…") && match.snippet.hasSuffix("…") && match.snippet.count < 200)
            #expect(match.rank < 0)
        }
    }

    @Test("a text of many megabytes is saved, and found by its beginning")
    func long() throws {
        let context = try store.open(model(), options: option)
        try context.performAndWait {
            let words = (0..<400_000).map { "wörd\($0)" }.joined(separator: " ")
            _ = context.insert("Document", ["title": "long", "body": words])
            try context.save()
            #expect(try titles(context, "wörd17 wörd18") == ["long"])
        }
    }

    @Test("a destroyed store leaves no table and no function")
    func destroyed() throws {
        _ = try store.open(model(), options: option)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.destroyPersistentStore(at: store.url, type: .postgreSQL)
        #expect(
            try store.run("SELECT count(*)::text FROM pg_class WHERE relnamespace = 'public'::regnamespace") == ["0"])
        #expect(
            try store.run("SELECT count(*)::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace") == ["0"])
    }

    @Test("tables of another program get no index, and the error says so")
    func mapped() throws {
        try store.run("CREATE TABLE \"Document\" (id bigserial PRIMARY KEY, title text, body text)")
        let url = try #require(URL(string: store.url.absoluteString + "&schema=app"))
        let mapped = model(
            keys: [NSPostgreSQLKeyUserInfoKey: "id", NSPostgreSQLTableUserInfoKey: "public.Document"])
        let error = store.error { _ = try NamedStore(url: url).open(mapped, options: option) }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedFailureReason?.contains("full-text search") == true)
    }
}
