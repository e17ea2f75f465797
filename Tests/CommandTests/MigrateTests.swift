import CoreData
import Foundation
import MappingDocument
import ModelArchive
import Testing

@Suite("coredata migrate")
struct MigrateTests {
    private let library: LibraryModel

    init() throws {
        library = try LibraryModel()
        try library.fill()
    }

    private func migrate(_ arguments: String..., to version: String? = nil) throws -> Command {
        let model = version.map { library.path + "/" + $0 } ?? library.path
        return try Command(["migrate", library.store.path, "--to", model] + arguments)
    }

    // MARK: Previewing

    @Test("a dry run says what changes and what is lost, with rows counted, and as SQL")
    func words() throws {
        let run = try migrate("--dry-run")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let (words, sql) = try #require(Self.parts(run.output, "SQL\n"))
        #expect(Self.sorted(words) == Self.sorted(Self.expectedWords), "\(words)")
        #expect(sql.contains("ALTER TABLE") && sql.contains("DROP TABLE"), "\(sql)")
        #expect(sql.hasSuffix("\nThe store can be migrated; what is listed under Lost is lost.\n"))
    }

    private static let expectedWords = """
        Changes
          Book.rating: now required; 300 of 1,000 rows have no value and get 3
          Book.name: was title
          Book.language: new; 1,000 rows get “en”

        Lost
          Book.chapters: ordered to-many → to-many; the members of 2 rows lose their order
          Book.pages: gone; 812 of 1,000 rows have a value
          Leaflet: gone; 30 rows

        """

    private static func sorted(_ text: String) -> [String] { text.split(separator: "\n").map(String.init).sorted() }

    private static func parts(_ text: String, _ separator: String) -> (String, String)? {
        let parts = text.components(separatedBy: separator)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    @Test("the SQL of a dry run makes the schema that the migration makes")
    func sql() throws {
        let copy = library.folder.url.appendingPathComponent("Plain.sqlite")
        try FileManager.default.copyItem(at: library.store, to: copy)
        let run = try migrate("--dry-run", "--json")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let statements = try #require(json["sql"] as? [String])
        #expect(statements.count > 5 && json["migrated"] as? Bool == false)
        #expect(json["migration"] as? String == "lightweight")
        _ = try Self.sqlite(copy, statements.map { $0 + ";" }.joined(separator: "\n"))
        #expect(try migrate("--no-backup").status == 0)
        let schema = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
        #expect(try Self.sqlite(copy, schema) == Self.sqlite(library.store, schema))
        let rows = "SELECT * FROM ZBOOK ORDER BY Z_PK; SELECT * FROM ZCHAPTER ORDER BY Z_PK; SELECT * FROM Z_PRIMARYKEY"
        #expect(try Self.sqlite(copy, rows) == Self.sqlite(library.store, rows))
    }

    private static func sqlite(_ url: URL, _ sql: String) throws -> String {
        let run = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["sqlite3", url.path, sql])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test("a dry run changes no byte of any file, also beside an app that has the store open")
    func unchanged() throws {
        let before = try library.files()
        #expect(before.count >= 2)
        #expect(try migrate("--dry-run").status == 0)
        #expect(try library.files() == before)
        try library.use("Library") { context throws in
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue(1, forKey: "pages")
            try context.save()
            let open = try library.files()
            #expect(open.keys.contains("Library.sqlite-wal"))
            let run = try migrate("--dry-run")
            #expect(run.output.contains("813 of 1,001 rows have a value"), "\(run.output) \(run.errors)")
            #expect(try library.files() == open)
        }
    }

    // MARK: Migrating

    @Test("the store has the new version, clean, with all that both have, and its classes")
    func migrated() throws {
        let run = try migrate()
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(run.output.contains("Leaflet: gone; 30 rows") && run.output.contains("\nThe store is migrated.\n"))
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
        let check = try Command(["check", library.store.path])
        #expect(check.status == 0, "\(check.output)")
        #expect(try Command(["model", "show", library.store.path]).output.contains("Library.Book"))
    }

    @Test("the store as it was lies beside it, with its external data, unless --no-backup is given")
    func backup() throws {
        let path = library.folder.url.path + "/Library-backup.sqlite"
        #expect(try migrate().output.contains("The store as it was: \(path)\n"))
        let backup = library.folder.url.appendingPathComponent("Library-backup.sqlite")
        try library.use("Library", at: backup) { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "cover != nil")
            #expect(try context.fetch(request).first?.value(forKey: "cover") as? Data == LibraryModel.cover)
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Leaflet")) == 30)
        }
        let other = try LibraryModel()
        try other.fill()
        let run = try Command(["migrate", other.store.path, "--to", other.path, "--no-backup"])
        #expect(run.status == 0 && !run.output.contains("backup"))
        #expect(try !other.files().keys.contains { $0.contains("backup") })
    }

    @Test("a second backup does not replace the first")
    func secondBackup() throws {
        #expect(try migrate().status == 0)
        let first = try Data(contentsOf: library.folder.url.appendingPathComponent("Library-backup.sqlite"))
        let run = try Command(["migrate", library.store.path, "--to", library.path + "/Library"])
        #expect(run.status == 0 && run.output.contains("Library-backup-2.sqlite"), "\(run.output)\(run.errors)")
        #expect(run.errors.contains("note: the store is of a newer version, Library 2"))
        #expect(try Data(contentsOf: library.folder.url.appendingPathComponent("Library-backup.sqlite")) == first)
    }

    @Test("--progress tells of each step on standard error")
    func progress() throws {
        let run = try migrate("--progress")
        let lines = run.errors.split(separator: "\n")
        #expect(run.status == 0 && lines.count > 5 && lines[0].hasPrefix("1 of "), "\(run.errors)")
        #expect(lines.contains { $0.contains("ALTER TABLE ZBOOK") })
    }

    @Test("a store that has the version already stays as it is")
    func done() throws {
        let before = try library.files()
        let run = try migrate(to: "Library")
        #expect(run.status == 0 && run.output == "The store is of this version already.\n")
        #expect(try library.files() == before)
    }

    @Test("the source model is found beside the new one where the store carries none")
    func sourceBeside() throws {
        _ = try Self.sqlite(library.store, "DROP TABLE Z_MODELCACHE; PRAGMA wal_checkpoint(TRUNCATE)")
        let alone = library.folder.url.appendingPathComponent("Alone.xcdatamodel")
        try FileManager.default.copyItem(at: library.url.appendingPathComponent("Library 2.xcdatamodel"), to: alone)
        let lacking = try Command(["migrate", library.store.path, "--to", alone.path])
        #expect(lacking.status == 6 && lacking.errors.contains("--model takes it"), "\(lacking.errors)")
        let given = ["--model", library.path + "/Library.xcdatamodel", "--dry-run"]
        #expect(try Command(["migrate", library.store.path, "--to", alone.path] + given).status == 0)
        #expect(try migrate().status == 0)
    }

    // MARK: Refusals

    @Test("rows that stand against a migration are counted, and nothing changes")
    func conditional() throws {
        let before = try library.files()
        for arguments in [["--dry-run"], []] {
            let run = try Command(
                ["migrate", library.store.path, "--to", library.path + "/Library 3.xcdatamodel"] + arguments)
            #expect(run.status == 1)
            #expect(run.output.contains("In the way\n  Book.isbn: now required, no default; 10 rows stand against it"))
            #expect(run.output.contains("  Book: 500 values are in several rows, where (title) is unique\n"))
            #expect(run.errors.contains("Book.isbn: now required, no default; 10 rows stand against it"))
        }
        #expect(try library.files() == before)
    }

    @Test("what can't be inferred is refused with the reason that an app gets")
    func refused() throws {
        let before = try library.files()
        let (old, new) = (try library.model("Library"), try library.model("Library 4"))
        let error = try #require(throws: NSError.self) {
            try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        }
        let reason = try #require(error.localizedFailureReason)
        let run = try migrate(to: "Library 4")
        #expect(run.status == 1 && run.errors.contains(reason), "\(run.errors) \(reason)")
        #expect(try library.files() == before)
    }

    @Test("files that are missing or something else have the exit codes of all commands")
    func failures() throws {
        #expect(try Command(["migrate", "/nowhere.sqlite", "--to", library.path]).status == 2)
        #expect(try Command(["migrate", library.store.path, "--to", "/nowhere.momd"]).status == 2)
        let version = try migrate(to: "Library 9")
        #expect(version.status == 2 && version.errors.contains("Library 2"), "\(version.errors)")
        let text = try library.folder.file("Text.sqlite", Data("a text".utf8))
        #expect(try Command(["migrate", text.path, "--to", library.path]).status == 5)
        #expect(try migrate("--dry-run", "--progress").status == 64)
        #expect(try migrate("--mapping", "/nowhere.cdm").status == 2)
    }

    // MARK: Mapping models

    @Test("an inferred document migrates as the inference does")
    func mapped() throws {
        let document = library.folder.url.appendingPathComponent("Mapping.xcmappingmodel")
        let infer = try Command([
            "model", "infer", library.path + "/Library", library.path + "/Library 2", "-o", document.path,
        ])
        #expect(infer.status == 0, "\(infer.errors)")
        let before = try library.files()
        let dry = try migrate("--dry-run", "--mapping", document.path)
        #expect(dry.status == 0, "\(dry.errors)")
        #expect(dry.output.contains("Book: becomes Book by BookToBook; 1,000 rows"), "\(dry.output)")
        #expect(dry.output.contains("Book.pages: no expression reads it; 812 of 1,000 rows have a value"))
        #expect(dry.output.contains("Leaflet: removed by Leaflet; 30 rows"), "\(dry.output)")
        #expect(try library.files() == before)
        let copy = try LibraryModel()
        try copy.fill()
        #expect(try Command(["migrate", copy.store.path, "--to", copy.path]).status == 0)
        let run = try migrate("--mapping", document.path, "--no-backup")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try Command(["check", library.store.path]).status == 0)
        let values = [
            "--columns", "isbn,name,rating,language,chapters.@count,cover", "--sort", "isbn,name", "--format", "tsv",
        ]
        #expect(
            try Command(["query", library.store.path, "Book"] + values).output
                == Command(["query", copy.store.path, "Book"] + values).output)
        #expect(try !library.files().keys.contains { $0.hasPrefix(".Library.sqlite-") })
    }

    @Test("an expression that only the app can evaluate is refused, and the store stays as it was")
    func unknownKey() throws {
        let document = library.folder.url.appendingPathComponent("Unknown.xcmappingmodel")
        _ = try Command(["model", "infer", library.path + "/Library", library.path + "/Library 2", "-o", document.path])
        var file = try MappingModel(XMLStoreDocument(contentsOf: document))
        let book = try #require(file.entityMappings.firstIndex { $0.sourceName == "Book" })
        let isbn = try #require(file.entityMappings[book].attributeMappings.firstIndex { $0.name == "isbn" })
        try file.entityMappings[book].attributeMappings[isbn].setValueExpression("$source.@count")
        try XMLStoreDocument(file).data().write(to: document.appendingPathComponent("xcmapping.xml"))
        let before = try library.files()
        for arguments in [["--dry-run"], []] {
            let run = try Command(
                ["migrate", library.store.path, "--to", library.path, "--mapping", document.path] + arguments)
            #expect(run.status == 1 && run.errors.contains("The models say nothing of @count"), "\(run.errors)")
            #expect(try library.files() == before)
        }
    }

    @Test("a mapping with a policy of the app's is left to the app")
    func policy() throws {
        let document = library.folder.url.appendingPathComponent("Policy.xcmappingmodel")
        _ = try Command(["model", "infer", library.path + "/Library", library.path + "/Library 2", "-o", document.path])
        let file = document.appendingPathComponent("xcmapping.xml")
        let xml = try String(contentsOf: file, encoding: .utf8).replacing(
            #"<attribute name="sourcename" type="string">Book</attribute>"#,
            with: #"<attribute name="migrationpolicyclassname" type="string">Library.BookPolicy</attribute>"#
                + #"<attribute name="sourcename" type="string">Book</attribute>"#)
        try Data(xml.utf8).write(to: file)
        let before = try library.files()
        let run = try migrate("--mapping", document.path)
        #expect(run.status == 1 && run.errors.contains("Library.BookPolicy is a class of the app"), "\(run.errors)")
        #expect(try library.files() == before)
    }
}
