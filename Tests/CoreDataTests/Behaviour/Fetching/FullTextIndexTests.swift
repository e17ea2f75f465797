import CoreData
import Foundation
import Testing

/// The index for full-text search: when it is made, kept and missed.
@Suite("Indexes for full-text search")
struct FullTextIndexTests {
    @Test("without the option there is no index, and a search says so")
    func missing() throws {
        let store = try SearchedFile(SearchLibrary.make(), [:])
        try store.fill()
        store.work { context in
            for format in ["SELF matchesText: 'swift'", "title matchesText: 'swift'", "author matchesText: 'zoe'"] {
                let error = thrown { _ = try context.titles(format) }
                #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
                #expect(error?.localizedDescription.contains("NSPersistentStoreFullTextSearchOptionKey") == true)
            }
        }
    }

    @Test("the index is made of what a store has, and kept up to date when the store is opened without the option")
    func reopened() throws {
        let store = try SearchedFile(SearchLibrary.make(), [:])
        try store.fill()
        try store.reopen { context throws in
            #expect(try context.titles("SELF matchesText: 'tables'") == ["Swift data"])
        }
        try store.reopen(nil, [:]) { context throws in
            _ = context.insert("Document", ["title": "Late", "body": "tables"])
            try context.all("Document", "title == 'Swift data'").forEach(context.delete)
            try context.save()
            #expect(try context.titles("SELF matchesText: 'tables'") == ["Late"])
        }
        try store.reopen { context throws in
            #expect(try context.titles("SELF matchesText: 'tables'") == ["Late"])
        }
    }

    @Test("a read-only store is searched by the index that it has")
    func readOnly() throws {
        let options: [AnyHashable: Any] = [
            NSPersistentStoreFullTextSearchOptionKey: true, NSReadOnlyPersistentStoreOption: true,
        ]
        let indexed = try SearchedFile()
        try indexed.fill()
        try indexed.reopen(nil, options) { context throws in
            #expect(try context.titles("SELF matchesText: 'tables'") == ["Swift data"])
        }
        let plain = try SearchedFile(SearchLibrary.make(), [:])
        try plain.fill()
        try plain.reopen(nil, options) { context throws in
            let error = thrown { _ = try context.titles("SELF matchesText: 'tables'") }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
            #expect(try context.all("Document").count == 4)
        }
    }

    @Test("an index of other attributes, or of other words, is made anew")
    func outdated() throws {
        let store = try SearchedFile()
        try store.fill()
        let noted = SearchLibrary.make { document in
            document.propertiesByName["note"]?.userInfo = [NSFullTextSearchUserInfoKey: true]
        }
        try store.reopen(noted) { context throws in
            #expect(try context.titles("note matchesText: 'swift'") == ["Nothing"])
            #expect(try context.titles("SELF matchesText: 'swift'").count == 4)
        }
        try store.reopen(SearchLibrary.make("english"), [:]) { context throws in
            let error = thrown { _ = try context.titles("SELF matchesText: 'storing'") }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError, "the index is of other words")
        }
        try store.reopen(SearchLibrary.make("english")) { context throws in
            #expect(try context.titles("SELF matchesText: 'storing'") == ["Swift data"])
        }
    }

    @Test("marks change no version hash")
    func hashes() {
        let (marked, plain) = (SearchLibrary.make(), SearchLibrary.make("NO"))
        plain.entitiesByName["Article"]?.propertiesByName["summary"]?.isIndexedBySpotlight = false
        #expect(marked.entityVersionHashesByName == plain.entityVersionHashesByName)
    }

    @Test("an attribute that is not marked can't be searched")
    func unmarked() throws {
        let store = try SearchedFile()
        try store.fill()
        store.work { context in
            for (format, word) in [
                ("note matchesText: 'swift'", "“note” of Document"),
                ("year matchesText: 'swift'", "“year” of Document"),
                ("'text' matchesText: title", "something else"), ("title matchesText: note", "known before the fetch"),
            ] {
                let error = thrown { _ = try context.titles(format) }
                #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError, "\(format)")
                #expect(error?.localizedDescription.contains(word) == true, "\(error?.localizedDescription ?? "")")
            }
        }
    }

    @Test("a model without marks has nothing to search")
    func unmarkedModel() throws {
        let store = try SearchedFile(model(entity("Document", [attribute("title", .stringAttributeType)])))
        store.work { context in
            let error = thrown { _ = try context.titles("SELF matchesText: 'swift'") }
            #expect(error?.localizedDescription.contains("no attribute that is marked") == true)
        }
    }

    /// Models with a mark that can't be kept, and what the error says.
    private static let wrongMarks: [(change: @Sendable (NSEntityDescription) -> Void, word: String)] = [
        ({ $0.propertiesByName["year"]?.userInfo = [NSFullTextSearchUserInfoKey: "YES"] }, "“year” of Document"),
        ({ $0.propertiesByName["title"]?.userInfo = [NSFullTextSearchUserInfoKey: "klingon"] }, "klingon"),
        ({ $0.propertiesByName["title"]?.userInfo = [NSFullTextSearchUserInfoKey: "english"] }, "different ways"),
        ({ ($0.propertiesByName["title"] as? NSAttributeDescription)?.isTransient = true }, "“title” of Document"),
    ]

    @Test("a mark that can't be kept stops the opening", arguments: wrongMarks.indices)
    func wrongMark(index: Int) throws {
        let (change, word) = Self.wrongMarks[index]
        let error = thrown { _ = try SearchedFile(SearchLibrary.make("words", change: change)) }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedDescription.contains(word) == true, "\(error?.localizedDescription ?? "no error")")
        _ = try SearchedFile(SearchLibrary.make("words", change: change), [:])
    }

    @Test("the option is true or false")
    func wrongOption() throws {
        let error = thrown {
            _ = try SearchedFile(SearchLibrary.make(), [NSPersistentStoreFullTextSearchOptionKey: "porter"])
        }
        #expect(error?.code == NSPersistentStoreOpenError)
    }

    @Test("a lightweight migration leaves an index of the new model")
    func migration() throws {
        let store = try SearchedFile()
        try store.fill()
        let changed = SearchLibrary.make { document in
            document.propertiesByName["title"]?.name = "heading"
            document.propertiesByName["heading"]?.renamingIdentifier = "title"
            document.properties.removeAll { $0.name == "note" }
            document.properties.append(attribute("pages", .integer32AttributeType))
        }
        // Without the option: the migration itself sees to it.
        try store.reopen(changed, [:]) { context throws in
            func headings(_ format: String) throws -> [String] {
                try context.all("Document", format).compactMap { $0.string("heading") }.sorted()
            }
            #expect(try headings("heading matchesText: 'swift'") == ["Swift data"])
            #expect(try headings("SELF matchesText: 'data swift'").count == 3)
            try context.all("Document", "heading == 'Swift data'").first?.setValue("Owls", forKey: "heading")
            try context.save()
            #expect(try headings("heading matchesText: 'swift'") == [])
            #expect(try headings("SELF matchesText: 'owl*'") == ["Owls"])
        }
    }
}
