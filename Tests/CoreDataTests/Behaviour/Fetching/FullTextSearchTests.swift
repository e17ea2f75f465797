import CoreData
import Foundation
import Testing

/// Full-text search by predicates: what is found, in the store and in memory.
@Suite("Full-text search")
struct FullTextSearchTests {
    /// Queries, and the titles that they find.
    private static let queries: [(query: String, titles: [String])] = [
        ("swift", ["Cafés of Zürich", "Core Data", "Swift data"]),
        ("SWIFT Data", ["Cafés of Zürich", "Core Data", "Swift data"]),
        ("swift tables", ["Swift data"]),
        ("\"swift data\"", ["Swift data"]),
        ("\"data swift\"", []),
        ("cafe", []),
        ("cafes zurich", ["Cafés of Zürich"]),
        ("caf*", ["Cafés of Zürich"]),
        ("\"core dat*\"", ["Core Data"]),
        ("\"core dat\"*", ["Core Data"]),
        ("stack", ["Core Data"]),
        ("Core-Data", ["Core Data"]),
        ("swift - data", ["Cafés of Zürich", "Core Data", "Swift data"]),
        ("unknown swift", []),
        ("", []),
        ("…", []),
    ]

    @Test("words, beginnings and phrases are found without regard to case and diacritics", arguments: queries)
    func found(query: String, titles: [String]) throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            #expect(try context.titles("SELF matchesText: %@", query) == titles)
            #expect(try context.scannedTitles("SELF matchesText: %@", query) == titles, "in memory")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Document")
            request.predicate = NSPredicate(matchingText: query)
            #expect(try context.count(for: request) == titles.count)
        }
    }

    @Test(
        "one attribute, related objects, negation and FUNCTION search as well",
        arguments: [
            ("title matchesText: 'swift'", ["Swift data"]),
            ("body matchesText: 'core swift'", ["Core Data"]),
            ("title matchesText: 'data' AND year < 2021", ["Swift data"]),
            ("NOT (SELF matchesText: 'swift')", ["Nothing"]),
            ("author matchesText: 'zoe mull*'", ["Cafés of Zürich", "Core Data"]),
            ("author.name matchesText: 'zoe'", ["Cafés of Zürich", "Core Data"]),
            ("NOT (author matchesText: 'zoe')", ["Nothing", "Swift data"]),
            ("FUNCTION(title, 'matchesText:', 'core') == YES", ["Core Data"]),
            ("SELF matchesText: 'nothing' OR title matchesText: 'core'", ["Core Data", "Nothing"]),
            ("title matchesText: NULL", []),
        ])
    func places(format: String, titles: [String]) throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            #expect(try context.titles(format) == titles)
            #expect(try context.scannedTitles(format) == titles, "in memory")
        }
    }

    /// Whether one of an author's documents fulfils a condition.
    private func document(_ condition: String) -> String { "SUBQUERY(documents, $d, \(condition)).@count > 0" }

    @Test("a subquery searches the members of a relationship, and a subentity's attribute is its own")
    func members() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            for format in [document("$d matchesText: 'waiter'"), document("$d.title matchesText: 'zurich'")] {
                #expect(try context.titles(format, entity: "Author") == ["Zoë Müller"])
                #expect(try context.scannedTitles(format, entity: "Author") == ["Zoë Müller"], "in memory")
            }
            #expect(try context.titles(document("$d matchesText: 'tables'"), entity: "Author") == [])
            #expect(try context.titles("summary matchesText: 'stack'", entity: "Article") == ["Core Data"])
            #expect(try context.titles("SELF matchesText: 'swift'", entity: "Article") == ["Core Data"])
        }
    }

    @Test("unsaved changes count, and are gone after a rollback or an undo")
    func unsaved() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            context.undoManager = UndoManager()
            let nothing = try #require(try context.all("Document", "title == 'Nothing'").first)
            nothing.setValue("A falcon", forKey: "body")
            _ = context.insert("Document", ["title": "Falcons", "body": "No falcon is a swift"])
            #expect(try context.titles("SELF matchesText: 'falcon'") == ["Falcons", "Nothing"])
            context.processPendingChanges()
            context.undo()
            #expect(try context.titles("SELF matchesText: 'falcon'") == [])
            nothing.setValue("Another falcon", forKey: "body")
            try context.save()
            #expect(try context.titles("SELF matchesText: 'falcon'") == ["Nothing"])
            context.delete(nothing)
            #expect(try context.titles("SELF matchesText: 'falcon'") == [])
            context.rollback()
            #expect(try context.titles("SELF matchesText: 'falcon'") == ["Nothing"])
        }
    }

    @Test("a results controller follows what comes to match and what ceases to")
    func controller() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Document")
            request.predicate = NSPredicate(matchingText: "swift")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            // Without a delegate a controller does not follow changes.
            let delegate = Follower()
            controller.delegate = delegate
            try controller.performFetch()
            #expect(controller.fetchedObjects?.count == 3)
            _ = context.insert("Document", ["title": "A swift"])
            try context.all("Document", "title == 'Core Data'").first?.setValue("None", forKey: "body")
            try context.save()
            let titles = controller.fetchedObjects?.compactMap { $0.string("title") }
            #expect(titles == ["A swift", "Cafés of Zürich", "Swift data"])
            withExtendedLifetime(delegate) {}
        }
    }

    private final class Follower: NSFetchedResultsControllerDelegate {
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
    }

    @Test("batches keep the index right")
    func batches() throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            _ = try context.ids(
                NSBatchInsertRequest(
                    entityName: "Document",
                    objects: [["title": "Batch one", "body": "kestrel"], ["title": "Batch two"]]))
            #expect(try context.titles("SELF matchesText: 'kestrel'") == ["Batch one"])
            _ = try context.count(
                NSManagedObjectContext.update("Document", ["body": "osprey"], "title BEGINSWITH 'Batch'"))
            #expect(try context.titles("body matchesText: 'osprey'") == ["Batch one", "Batch two"])
            #expect(try context.titles("SELF matchesText: 'kestrel'") == [])
            _ = try context.ids(NSManagedObjectContext.deletion("Document", "title == 'Batch one'"))
            #expect(try context.titles("SELF matchesText: 'osprey'") == ["Batch two"])
        }
    }

    @Test(
        "whatever a user types is a query",
        arguments: [
            "\"", "\"\"", "*", "* *", "swift*\"", "a AND", "OR", "NEAR(a b)", "-swift", "title:swift", "^swift", "(",
            ")",
            "{title} : swift", "swift'; DROP TABLE ZDOCUMENT", "a\0b", "\u{301}", "swift\u{301}", "+", "\\", "%", "?",
            "[",
            "“swift”", "🐦", "“", "e\u{301}\"", "NOT swift", "\"swift", "swift \"data",
        ])
    func anyText(query: String) throws {
        let store = try SearchedFile()
        try store.fill()
        try store.work { context throws in
            for place in ["SELF", "title"] {
                #expect(
                    try context.titles("\(place) matchesText: %@", query)
                        == context.scannedTitles("\(place) matchesText: %@", query))
            }
        }
    }

    @Test(
        "texts are split into words as the model asks for it",
        arguments: [
            ("english", "storing objects", ["Swift data"]), ("english", "brings", []),
            ("english", "cafe", ["Cafés of Zürich"]),
            ("substrings", "wif", ["Cafés of Zürich", "Core Data", "Swift data"]), ("substrings", "wi", []),
            ("substrings", "ata sta", ["Core Data"]), ("words", "storing", []),
        ])
    func tokenizers(word: String, query: String, titles: [String]) throws {
        let store = try SearchedFile(SearchLibrary.make(word))
        try store.fill()
        try store.work { context throws in
            #expect(try context.titles("SELF matchesText: %@", query) == titles)
            #expect(try context.scannedTitles("SELF matchesText: %@", query) == titles, "in memory")
            let byAttribute = "title matchesText: %@ OR body matchesText: %@"
            #expect(
                try context.titles(byAttribute, query, query) == context.scannedTitles(byAttribute, query, query))
        }
    }

    @Test("stores without SQL search object by object", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func otherStores(type: String) throws {
        let store = try SearchedFile(type: type)
        try store.fill()
        try store.work { context throws in
            for (query, titles) in Self.queries {
                #expect(try context.titles("SELF matchesText: %@", query) == titles, "\(query)")
            }
            #expect(try context.titles(document("$d.body matchesText: 'core'"), entity: "Author") == ["Zoë Müller"])
            let error = thrown {
                _ = try context.matches(for: "swift", in: NSFetchRequest<NSManagedObject>(entityName: "Document"))
            }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
            #expect(error?.localizedDescription.contains("needs the index of an SQLite store") == true)
        }
    }

    @Test("a store in memory has an index, too")
    func inMemory() throws {
        let store = try SearchedFile(type: NSInMemoryStoreType)
        try store.fill()
        try store.work { context throws in
            #expect(try context.titles("SELF matchesText: 'waiter'") == ["Cafés of Zürich"])
        }
    }
}
