import CoreData
import Foundation

/// Documents with authors, whose texts are marked for full-text search.
enum SearchLibrary {
    /// - Parameter word: How texts are split into words.
    static func make(_ word: String = "YES", change: (NSEntityDescription) -> Void = { _ in }) -> NSManagedObjectModel {
        let summary = attribute("summary", .stringAttributeType)
        summary.isIndexedBySpotlight = true
        let article = entity("Article", [summary])
        let document = entity(
            "Document",
            [
                searched("title", word), searched("body", word), attribute("note", .stringAttributeType),
                attribute("year", .integer32AttributeType),
            ], subentities: [article])
        let author = entity("Author", [searched("name", word)])
        let (toAuthor, documents) = (toOne("author"), toMany("documents"))
        connect(document, toAuthor, author, documents)
        document.properties.append(toAuthor)
        author.properties.append(documents)
        change(document)
        return model(document, article, author)
    }

    static func searched(_ name: String, _ word: String = "YES") -> NSAttributeDescription {
        let attribute = attribute(name, .stringAttributeType)
        attribute.userInfo = [NSFullTextSearchUserInfoKey: word]
        return attribute
    }
}

/// A store of documents in a folder of its own, or in a place of its own in the tested database.
final class SearchedFile {
    static var option: [AnyHashable: Any] { [NSPersistentStoreFullTextSearchOptionKey: true] }

    let folder: URL
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private let type: String

    init(
        _ model: NSManagedObjectModel = SearchLibrary.make(), type: String = testedStoreType,
        _ options: [AnyHashable: Any] = option
    ) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Search-" + UUID().uuidString)
        self.type = type
        url = Self.place("Library.store", in: folder, type)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        context.persistentStoreCoordinator = coordinator
    }

    /// Where a store of the type is.
    private static func place(_ name: String, in folder: URL, _ type: String) -> URL {
        let file = folder.appendingPathComponent(name)
        return type == testedStoreType ? testedPlace(file) : file
    }

    /// Adds another store, with an index.
    func addStore(_ name: String) throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: Self.place(name, in: folder, type), options: Self.option)
    }

    deinit {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
        try? FileManager.default.removeItem(at: folder)
    }

    func work<T>(_ body: (NSManagedObjectContext) throws -> T) rethrows -> T {
        try context.performAndWait { try body(context) }
    }

    /// Opens the store once more, closed by this one, with another model or other options.
    func reopen<T>(
        _ model: NSManagedObjectModel? = nil, _ options: [AnyHashable: Any] = option,
        _ body: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let other = NSPersistentStoreCoordinator(managedObjectModel: model ?? coordinator.managedObjectModel)
        let store = try other.addPersistentStore(
            ofType: type, configurationName: nil, at: url,
            options: options.merging(MigratedStore.automatic) { own, _ in own })
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        let result = try context.performAndWait { try body(context) }
        try other.remove(store)
        return result
    }

    /// Four documents, the last an article.
    func fill() throws {
        try work { context in
            let author = context.insert("Author", ["name": "Zoë Müller"])
            let documents = [
                context.insert(
                    "Document", ["title": "Swift data", "body": "Objects are stored in tables.", "year": 2020]),
                context.insert(
                    "Document", ["title": "Cafés of Zürich", "body": "The swift waiter brought data.", "year": 2021]),
                context.insert("Document", ["title": "Nothing", "note": "swift", "year": 2022]),
                context.insert(
                    "Article",
                    ["title": "Core Data", "body": "Core Data in Swift", "summary": "A data stack", "year": 2023]),
            ]
            documents[1].setValue(author, forKey: "author")
            documents[3].setValue(author, forKey: "author")
            try context.save()
        }
    }
}

extension NSManagedObjectContext {
    /// The titles of the documents that a predicate finds, in alphabetical order.
    func titles(_ format: String, _ arguments: Any..., entity: String = "Document") throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try fetch(request).compactMap { $0.string(entity == "Author" ? "name" : "title") }.sorted()
    }

    /// The titles of the documents for which a predicate holds, object by object.
    func scannedTitles(_ format: String, _ arguments: Any..., entity: String = "Document") throws -> [String] {
        let predicate = NSPredicate(format: format, argumentArray: arguments)
        return try all(entity).filter { predicate.evaluate(with: $0) }
            .compactMap { $0.string(entity == "Author" ? "name" : "title") }.sorted()
    }
}
