import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// What an index for full-text search is in the file, and that Apple's framework finds the store as it makes it.
@Suite("Search tables")
struct SearchIndexTests {
    /// All that the file's catalogue says, and the statements with which it says so.
    private func catalogue(_ url: URL) throws -> [String: String] {
        let connection = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { connection.close() }
        let statement = try SQLiteStatement("SELECT name, sql FROM sqlite_master", on: connection)
        var texts: [String: String] = [:]
        while try statement.step() { texts[statement.text(0) ?? ""] = statement.text(1) ?? "" }
        return texts
    }

    @Test("but for the search tables, a store with an index is one without")
    func schema() throws {
        let with = try SearchedFile()
        let without = try SearchedFile(SearchLibrary.make(), [:])
        for store in [with, without] {
            try store.fill()
            try store.coordinator.persistentStores.forEach(store.coordinator.remove)
        }
        let (searched, plain) = try (catalogue(with.url), catalogue(without.url))
        #expect(searched.filter { !$0.key.hasPrefix("Z_FTS_") } == plain)
        #expect(Set(searched.keys).isSuperset(of: ["Z_FTS_ZDOCUMENT", "Z_FTS_ZAUTHOR", "Z_FTS_ZDOCUMENT_DELETE"]))
        let metadata = try [with, without].map { store in
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: store.url)
                .filter { $0.key != NSStoreUUIDKey } as NSDictionary
        }
        #expect(metadata[0] == metadata[1])
    }

    @Test(
        "the independent reader finds nothing wrong",
        .enabled(if: Oracle.isAtHand, "the shared folder's apple_store.py and python3 are needed"))
    func oracle() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.coordinator.persistentStores.forEach(store.coordinator.remove)
        try Oracle.checkHashes(store.url)
        #expect(try Oracle.export(store.url).count == 5)
    }

    @Test("triggers call nothing that a library without our functions lacks")
    func triggers() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.coordinator.persistentStores.forEach(store.coordinator.remove)
        // Apple's framework writes rows so. This connection knows no function of ours.
        let connection = try SQLiteConnection(path: store.url.path, access: .readWrite)
        try connection.execute("UPDATE ZDOCUMENT SET ZBODY = 'A heron', Z_OPT = 2 WHERE ZTITLE = 'Nothing'")
        try connection.execute("INSERT INTO ZDOCUMENT (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (99, 3, 1, 'Heron')")
        try connection.execute("DELETE FROM ZDOCUMENT WHERE ZTITLE = 'Swift data'")
        for table in ["Z_FTS_ZDOCUMENT", "Z_FTS_ZAUTHOR"] {
            try connection.execute("INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
        }
        connection.close()
        try store.reopen(nil, [:]) { context throws in
            #expect(try context.titles("SELF matchesText: 'heron'") == ["Heron", "Nothing"])
            #expect(try context.titles("SELF matchesText: 'tables'") == [])
        }
    }

    @Test("an index whose triggers are gone is made anew")
    func lostTriggers() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.coordinator.persistentStores.forEach(store.coordinator.remove)
        let connection = try SQLiteConnection(path: store.url.path, access: .readWrite)
        try connection.execute("DROP TRIGGER Z_FTS_ZDOCUMENT_UPDATE")
        try connection.execute("UPDATE ZDOCUMENT SET ZBODY = 'A heron' WHERE ZTITLE = 'Nothing'")
        connection.close()
        try store.reopen(nil, [:]) { context throws in
            let error = thrown { _ = try context.titles("SELF matchesText: 'heron'") }
            #expect(
                error?.code == NSPersistentStoreUnsupportedRequestTypeError, "an index that may be wrong is not used")
        }
        try store.reopen { context throws in
            #expect(try context.titles("SELF matchesText: 'heron'") == ["Nothing"])
        }
    }

    @Test("rows of entities without a marked attribute are not in the index")
    func otherEntities() throws {
        let plain = entity("Plain", [attribute("size", .integer32AttributeType)])
        let text = entity("Text", [SearchLibrary.searched("text")])
        let store = try SearchedFile(
            model(entity("Base", abstract: true, [], subentities: [plain, text]), plain, text))
        try store.work { context throws in
            for number in 0..<5 { _ = context.insert("Plain", ["size": number]) }
            _ = context.insert("Text", ["text": "One word"])
            try context.save()
            try context.all("Plain").forEach(context.delete)
            try context.all("Text").first?.setValue("Another word", forKey: "text")
            try context.save()
            #expect(try context.all("Base", "SELF matchesText: 'another'").count == 1)
            #expect(try context.all("Plain", "SELF matchesText: 'another'").isEmpty)
        }
        try store.coordinator.persistentStores.forEach(store.coordinator.remove)
        let connection = try SQLiteConnection(path: store.url.path, access: .readWrite)
        #expect(try connection.integer("SELECT count(*) FROM Z_FTS_ZBASE_docsize") == 1)
        connection.close()
    }

    @Test("a search asks the index, and the best matches come from it in order")
    func plans() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Document")
            request.predicate = NSPredicate(matchingText: "swift data", in: "title")
            let explanation = try context.explain(request)[0]
            #expect(
                explanation.text.contains(
                    "t0.Z_PK IN (SELECT t1.\"rowid\" FROM Z_FTS_ZDOCUMENT t1 WHERE t1.Z_FTS_ZDOCUMENT MATCH ?)"))
            #expect(explanation.bindings.contains(.text("{\"ZTITLE\"} : (\"swift\" AND \"data\")")))
            #expect(explanation.plan.contains { $0.contains("SEARCH t0 USING INTEGER PRIMARY KEY") })
        }
    }

    @Test("search tables, their triggers and searches are trees that two databases write")
    func statements() throws {
        let model = SearchLibrary.make()
        let schema = SQLSchema.derived(from: model.seal())
        let dialects: [any SQLDialect] = [SQLiteDialect(hasJSON: true), PostgreSQLDialect()]
        var lines: [String] = []
        for parts in try schema.searchParts() {
            for statement in parts.statements {
                lines += dialects.map { $0.text(of: statement) + ";" }
            }
        }
        let document = try #require(model.seal().layout(named: "Document"))
        for format in ["SELF matchesText: 'swift dat*'", "author.name matchesText: '\"zoe m\"'"] {
            lines.append("-- \(format)")
            for dialect in dialects {
                var fetch = StoreFetch(entity: document, output: .references)
                fetch.predicate = NSPredicate(format: format)
                lines.append(try SQLTranslator(schema: schema, dialect: dialect, store: 1).translate(fetch).text + ";")
            }
        }
        lines.append("-- rank and snippet")
        for dialect in dialects {
            func column(_ name: String, _ type: NSAttributeType) -> StoreColumn {
                let expression = NSExpression(format: "FUNCTION(SELF, '\(name):', 'swift')", argumentArray: [])
                return StoreColumn(name: name, expression: expression, type: type)
            }
            var fetch = StoreFetch(
                entity: document,
                output: .dictionaries(
                    [column("textRank", .doubleAttributeType), column("textSnippet", .stringAttributeType)],
                    groupBy: [], having: nil, distinct: false))
            fetch.sortDescriptors = [NSSortDescriptor(key: "textRank", ascending: true)]
            fetch.limit = 20
            lines.append(try SQLTranslator(schema: schema, dialect: dialect, store: 1).translate(fetch).text + ";")
        }
        try RecordedText.compare(lines, with: "search.sql")
    }
}
