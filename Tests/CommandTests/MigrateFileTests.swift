import CoreData
import Foundation
import Testing

@Suite("coredata migrate, of XML and binary stores")
struct MigrateFileTests {
    static let types: [NSPersistentStore.StoreType] = [.xml, .binary]

    private func library(_ type: NSPersistentStore.StoreType) throws -> LibraryModel {
        let library = try LibraryModel(type: type)
        try library.fill()
        return library
    }

    private func migrate(_ library: LibraryModel, to version: String? = nil, _ arguments: String...) throws -> Command {
        let model = version.map { library.path + "/" + $0 } ?? library.path
        return try Command(["migrate", library.store.path, "--to", model] + arguments)
    }

    @Test("a dry run says what changes and what is lost, with rows counted", arguments: Self.types)
    func words(type: NSPersistentStore.StoreType) throws {
        let library = try library(type)
        let before = try library.files()
        let run = try migrate(library, "--dry-run")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(
            run.output.split(separator: "\n").sorted() == Self.words.split(separator: "\n").sorted(), "\(run.output)")
        #expect(try library.files() == before)
    }

    private static let words = """
        Changes
          Book.rating: now required; 300 of 1,000 rows have no value and get 3
          Book.name: was title
          Book.language: new; 1,000 rows get “en”

        Lost
          Book.chapters: ordered to-many → to-many; the members of 2 rows lose their order
          Book.pages: gone; 812 of 1,000 rows have a value
          Leaflet: gone; 30 rows

        The store can be migrated; what is listed under Lost is lost.
        """

    @Test(
        "the store has the new version, with all that both have; the old one lies beside it",
        arguments: Self.types)
    func migrated(type: NSPersistentStore.StoreType) throws {
        let library = try library(type)
        let run = try migrate(library)
        let backup = library.folder.url.appendingPathComponent("Library-backup." + library.ending)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output.hasSuffix("The store is migrated.\nThe store as it was: \(backup.path)\n"), "\(run.output)")
        try check(library)
        try library.use("Library", at: backup) { context throws in
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Leaflet")) == 30)
        }
        #expect(try Set(library.files().keys) == [library.store.lastPathComponent, backup.lastPathComponent])
    }

    private func check(_ library: LibraryModel) throws {
        try library.use("Library 2") { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            #expect(try context.count(for: request) == 1000)
            request.predicate = NSPredicate(format: "cover != nil")
            let book = try #require(try context.fetch(request).first)
            #expect(book.value(forKey: "name") as? String == "Book 0")
            #expect(book.value(forKey: "cover") as? Data == LibraryModel.cover)
            #expect((book.value(forKey: "chapters") as? NSSet)?.count == 2)
            request.predicate = NSPredicate(format: "rating == 3 AND language == 'en'")
            #expect(try context.count(for: request) == 440)
        }
    }

    @Test(
        "without --no-backup nothing else lies beside the store; --progress tells how far it is",
        arguments: Self.types)
    func progress(type: NSPersistentStore.StoreType) throws {
        let library = try library(type)
        let run = try migrate(library, "--no-backup", "--progress")
        #expect(run.status == 0 && !run.output.contains("as it was"), "\(run.errors)")
        #expect(try Set(library.files().keys) == [library.store.lastPathComponent])
        let again = try migrate(library)
        #expect(again.status == 0 && again.output == "The store is of this version already.\n", "\(again.errors)")
    }

    @Test(
        "what can't be inferred, and what rows break, is refused with the reason, and nothing changes",
        arguments: Self.types,
        ["Library 3": "Book.isbn: now required, no default", "Library 4": "Book.title", "Library 5": "unique"])
    func refused(type: NSPersistentStore.StoreType, version: (key: String, value: String)) throws {
        let library = try library(type)
        let before = try library.files()
        for arguments in [["--dry-run"], []] {
            let run = try Command(
                ["migrate", library.store.path, "--to", library.path + "/" + version.key] + arguments)
            #expect(run.status == 1 && run.output.contains("In the way\n"), "\(run.output)\(run.errors)")
            #expect((run.output + run.errors).contains(version.value), "\(run.output)\(run.errors)")
            #expect(try library.files() == before)
        }
    }

    @Test("a mapping model migrates them, too", arguments: Self.types)
    func mapped(type: NSPersistentStore.StoreType) throws {
        let library = try library(type)
        let document = library.folder.url.appendingPathComponent("Mapping.xcmappingmodel")
        let versions = [library.path + "/Library", library.path + "/Library 2"]
        #expect(try Command(["model", "infer"] + versions + ["-o", document.path]).status == 0)
        let dry = try migrate(library, "--dry-run", "--mapping", document.path)
        #expect(dry.output.contains("Book: becomes Book by BookToBook; 1,000 rows"), "\(dry.output)\(dry.errors)")
        #expect(dry.output.contains("Leaflet: removed by Leaflet; 30 rows"), "\(dry.output)")
        let run = try migrate(library, "--no-backup", "--mapping", document.path)
        #expect(run.status == 0, "\(run.errors)")
        try check(library)
    }

    @Test("a store whose model is not at hand, and a file that is no store, are refused")
    func missingModel() throws {
        let library = try library(.xml)
        let alone = library.folder.url.appendingPathComponent("Alone.xcdatamodel")
        try FileManager.default.copyItem(at: library.url.appendingPathComponent("Library 2.xcdatamodel"), to: alone)
        let lacking = try Command(["migrate", library.store.path, "--to", alone.path])
        #expect(lacking.status == 6 && lacking.errors.contains("--model takes it"), "\(lacking.errors)")
        let given = ["--model", library.path + "/Library.xcdatamodel", "--dry-run"]
        #expect(try Command(["migrate", library.store.path, "--to", alone.path] + given).status == 0)
        try Data("<?xml version=\"1.0\"?><a/>".utf8).write(to: library.store)
        let foreign = try migrate(library)
        #expect(foreign.status != 0 && !foreign.errors.isEmpty, "\(foreign.output)")
    }
}
