import CoreData
import Foundation
import Testing

@Suite("coredata search")
struct SearchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Three books and an album, in a store with or without an index.
    private func store(_ word: String?, indexed: Bool) throws -> String {
        func text(_ name: String) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
            attribute.userInfo = word.map { [NSFullTextSearchUserInfoKey: $0] } ?? [:]
            return attribute
        }
        let (book, album) = (NSEntityDescription(), NSEntityDescription())
        (book.name, album.name) = ("Book", "Album")
        book.properties = [text("title"), text("body")]
        album.properties = [text("title")]
        let model = NSManagedObjectModel()
        model.entities = [book, album]
        let url = folder.url.appendingPathComponent("Library.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentStoreFullTextSearchOptionKey: indexed])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for (entity, title, body) in [
                ("Book", "Birds", "An owl and a swift."), ("Book", "Swift", "The swift swift is swift."),
                ("Book", "Maps", "None"), ("Album", "Swift songs", nil),
            ] {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValue(title, forKey: "title")
                if let body { object.setValue(body, forKey: "body") }
                try context.save()
            }
        }
        try coordinator.remove(store)
        return url.path
    }

    private func ids(_ run: Command) -> [String] {
        run.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: "\t").first.map(String.init) }
    }

    @Test("a store with an index has its best objects first, entity by entity")
    func indexed() throws {
        let path = try store("YES", indexed: true)
        let all = try Command(["search", path, "SWIFT", "--format", "tsv"])
        #expect(all.status == 0 && all.errors.isEmpty, "\(all.errors)")
        #expect(ids(all) == ["Album/p1", "Book/p2", "Book/p1"])
        #expect(
            ids(try Command(["search", path, "swi*", "--entity", "Book", "--limit", "1", "--format", "tsv"])) == [
                "Book/p2"
            ])
        let table = try Command(["search", path, "\"an owl\""]).output
        #expect(table.contains("An owl and a swift.") && table.contains("1 object"))
    }

    @Test("a store without an index is read, which is said", arguments: ["YES", nil])
    func scanned(word: String?) throws {
        let path = try store(word, indexed: false)
        let all = try Command(["search", path, "swift", "--format", "tsv"])
        #expect(all.status == 0)
        #expect(all.errors.contains("no index for full-text search of Book; each object's body, title are read"))
        #expect(Set(ids(all)) == ["Album/p1", "Book/p2", "Book/p1"])
        #expect(ids(try Command(["search", path, "owl birds", "--format", "tsv"])) == ["Book/p1"])
    }

    @Test("nothing of the store changes, and check finds nothing wrong with an index")
    func evidence() throws {
        let path = try store("english", indexed: true)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try Command(["search", path, "owls"]).output.contains("owl"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let check = try Command(["check", path])
        #expect(check.status == 0, "\(check.output) \(check.errors)")
    }

    @Test("wrong arguments are refused")
    func wrong() throws {
        let path = try store("YES", indexed: true)
        #expect(try Command(["search", path, "swift", "--limit", "0"]).status == 64)
        let unknown = try Command(["search", path, "swift", "--entity", "Bok"])
        #expect(unknown.status == 7 && unknown.errors.contains("has no entity Bok"))
    }
}
