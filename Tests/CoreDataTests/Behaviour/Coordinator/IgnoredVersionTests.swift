import CoreData
import Foundation
import Testing

/// SQLite stores that are opened whatever version of the model made them.
@Suite("NSIgnorePersistentStoreVersioningOption")
struct IgnoredVersionTests {
    private static var ignoring: [AnyHashable: Any] { [NSIgnorePersistentStoreVersioningOption: true] }

    private func books(_ attributes: [NSAttributeDescription], _ others: [NSEntityDescription] = [])
        -> NSManagedObjectModel
    {
        let model = NSManagedObjectModel()
        model.entities = [entity("Book", attributes)] + others
        return model
    }

    private let title = { attribute("title", .stringAttributeType) }
    private let pages = { attribute("pages", .integer32AttributeType) }

    private func filled() throws -> MigratedStore {
        try MigratedStore(books([title(), pages()])) { context throws in
            _ = context.insert("Book", ["title": "Emma", "pages": 474])
        }
    }

    @Test("a store that has all that the model has is read and written, and is the model's from then on")
    func sameTables() throws {
        let store = try filled()
        let stamped = title()
        stamped.versionHashModifier = "2"
        let model = books([stamped, pages()])
        #expect(thrown { try store.use(model, [:]) { _ in } }?.code == NSPersistentStoreIncompatibleVersionHashError)
        try store.use(model, Self.ignoring) { context throws in
            #expect(try context.all("Book").map { $0.string("title") } == ["Emma"])
            _ = context.insert("Book", ["title": "Persuasion"])
            try context.save()
        }
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: try store.metadata))
        let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: store.url, options: nil)
        #expect(cached?.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(try store.use(model, [:]) { try $0.all("Book").count } == 2)
    }

    @Test("what the model does not have stays in the store")
    func fewerProperties() throws {
        let store = try filled()
        try store.use(books([title()]), Self.ignoring) { context throws in
            try #require(try context.all("Book").first).setValue("Emma II", forKey: "title")
            try context.save()
        }
        try store.use(books([title(), pages()]), Self.ignoring) { context throws in
            let book = try #require(try context.all("Book").first)
            #expect(book.string("title") == "Emma II" && book.value(forKey: "pages") as? Int == 474)
        }
    }

    @Test("what the store does not have is refused, with names; a store that is only read yields the rest")
    func moreProperties() throws {
        let pair = (shelf: toOne("shelf"), books: toMany("books"))
        let (book, shelf) = (entity("Book", [title(), pages(), pair.shelf]), entity("Shelf", [pair.books]))
        connect(book, pair.shelf, shelf, pair.books)
        let cases: [(model: NSManagedObjectModel, missing: String)] = [
            (books([title(), pages(), attribute("price", .decimalAttributeType)]), "Book.price"),
            (books([title(), attribute("pages", .stringAttributeType)]), "Book.pages"),
            (books([title(), pages()], [entity("Author", [attribute("name", .stringAttributeType)])]), "Author"),
            (model(book, shelf), "Book.shelf"),
        ]
        for (model, missing) in cases {
            let store = try filled()
            let before = try store.metadata[NSStoreModelVersionHashesKey] as? [String: Data]
            let error = try #require(thrown { try store.use(model, Self.ignoring) { _ in } })
            #expect(error.code == NSPersistentStoreIncompatibleSchemaError)
            #expect(error.localizedFailureReason?.contains(missing) ?? false, "\(error.localizedFailureReason ?? "")")
            var options = Self.ignoring
            options[NSReadOnlyPersistentStoreOption] = true
            try store.use(model, options) { context throws in
                let book = try #require(try context.all("Book").first)
                #expect(book.string("title") == "Emma")
                if missing == "Book.price" { #expect(book.value(forKey: "price") == nil) }
                if missing == "Book.shelf" { #expect(book.object("shelf") == nil) }
            }
            #expect(try store.metadata[NSStoreModelVersionHashesKey] as? [String: Data] == before)
            #expect(try store.use(books([title(), pages()]), [:]) { try $0.all("Book").count } == 1)
        }
    }

    @Test("a store that is no store is refused all the same")
    func noStore() throws {
        let store = try filled()
        try Data(String(repeating: "no store ", count: 100).utf8).write(to: store.url)
        #expect(thrown { try store.use(books([title()]), Self.ignoring) { _ in } }?.code == NSFileReadCorruptFileError)
    }
}
