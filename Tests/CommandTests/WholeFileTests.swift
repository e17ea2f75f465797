import CoreData
import Foundation
import Testing

/// XML and binary stores, which are read as a whole, and by the same commands as SQLite files.
@Suite("coredata on XML and binary stores")
struct WholeFileTests {
    private static let types: [NSPersistentStore.StoreType] = [.xml, .binary]

    /// A store, and the arguments that say where it is. An XML file carries no model.
    private func store(_ type: NSPersistentStore.StoreType) throws -> (library: LibraryModel, place: [String]) {
        let library = try LibraryModel(type: type)
        try library.fill()
        return (library, [library.store.path] + (type == .xml ? ["--model", library.path] : []))
    }

    private func run(_ command: String, _ place: [String], _ arguments: String...) throws -> Command {
        let run = try Command([command, place[0]] + arguments + place.dropFirst())
        #expect(run.status == 0 && run.errors.isEmpty, "\(command): \(run.errors)")
        return run
    }

    @Test("inspect counts the objects", arguments: types)
    func inspect(type: NSPersistentStore.StoreType) throws {
        let (library, place) = try store(type)
        let lines = try run("inspect", place).output.split(separator: "\n").map(String.init)
        #expect(lines.first == "store      \(library.store.lastPathComponent)")
        #expect(lines.contains { $0.hasPrefix("Book") && $0.hasSuffix("1000") })
    }

    @Test("query, tree and export show the objects, and no file changes", arguments: types)
    func objects(type: NSPersistentStore.StoreType) throws {
        let (library, place) = try store(type)
        let before = try library.files()
        let found = try run("query", place, "Book", "--where", "pages != nil", "--sort", "title", "--format", "csv")
        #expect(found.output.split(separator: "\r\n").count == 1 + 812)
        let limited = try run("query", place, "Book", "--sort", "-title", "--limit", "1", "--format", "csv").output
        let id = try #require(limited.split(separator: "\r\n").last?.split(separator: ",").first.map(String.init))
        #expect(id.hasPrefix("Book/p"))
        #expect(try run("tree", place, id).output.contains(id))
        let all = try run("export", place, "--entity", "Book", "--format", "jsonl").output
        #expect(all.split(separator: "\n").count == 1_000)
        #expect(try library.files() == before)
    }

    @Test("check finds nothing in a sound store", arguments: types)
    func check(type: NSPersistentStore.StoreType) throws {
        let (library, place) = try store(type)
        let before = try library.files()
        #expect(try run("check", place).output.isEmpty)
        #expect(try library.files() == before)
    }

    @Test("both hold what the SQLite file holds that they are copied to", arguments: types)
    func same(type: NSPersistentStore.StoreType) throws {
        let (library, place) = try store(type)
        let copy = library.folder.url.appendingPathComponent("Copy.sqlite").path
        #expect(try Command(["copy", place[0], copy] + place.dropFirst()).status == 0)
        let books = [
            "--columns", "title,pages,isbn,rating,chapters.@count", "--sort", "title,isbn", "--format", "jsonl",
        ]
        #expect(
            try Command(["query", copy, "Book"] + books).output
                == Command(["query", place[0], "Book"] + books + place.dropFirst()).output)
        for (entity, key) in [("Chapter", "heading"), ("Leaflet", "name")] {
            let diff = try Command(
                ["diff", copy, place[0], "--entity", entity, "--match", key] + place.dropFirst())
            #expect(diff.status == 0, "\(diff.output.prefix(400))\(diff.errors)")
        }
    }

    @Test("what only tables have, and changes, are refused with the kind of the store", arguments: types)
    func refused(type: NSPersistentStore.StoreType) throws {
        let (library, place) = try store(type)
        let before = try library.files()
        let kind = type == .xml ? "is an XML store" : "is a binary store"
        let rest = place.dropFirst()
        for arguments in [
            ["inspect", place[0], "--deleted"],
            ["update", place[0], "Book", "--set", "pages=1", "--where", "pages == 2"],
            ["delete", place[0], "Book", "--where", "pages == 1"], ["watch", place[0]],
        ] {
            let run = try Command(arguments + rest)
            #expect(run.status == 1 && run.errors.contains(kind), "\(arguments): \(run.errors)")
        }
        #expect(try library.files() == before)
    }

    @Test("an XML store without a model says so")
    func noModel() throws {
        let library = try store(.xml).library
        let query = try Command(["query", library.store.path, "Book"])
        #expect(query.status == 6)
        #expect(query.errors.contains("carries no model"), "\(query.errors)")
        let inspection = try run("inspect", [library.store.path]).output
        #expect(inspection.contains("model      none in the store; --model takes that of its app\n"), "\(inspection)")
    }
}
