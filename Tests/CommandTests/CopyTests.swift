import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import Testing

@Suite("coredata copy")
struct CopyTests {
    private let folder = try! TemporaryFolder()  // A test without a folder has failed.

    private func place(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    /// What `coredata export` prints of a store.
    private static func export(_ store: String) throws -> String {
        let run = try Command(["export", store])
        try #require(run.status == 0, "\(run.errors)")
        return run.output
    }

    private static func copy(_ source: String, _ destination: String) throws {
        let run = try Command(["copy", source, destination])
        try #require(run.status == 0, "\(run.errors)")
        #expect(run.errors.isEmpty)
    }

    /// Copies a store through a database, and back.
    private func roundTrip(_ source: String) throws {
        let database = try PostgreSQLServer.shared.newDatabase()
        try Self.copy(source, database)
        let expected = try Self.export(source)
        #expect(try Self.export(database) == expected)
        try Self.copy(database, place("Back.sqlite"))
        #expect(try Self.export(place("Back.sqlite")) == expected)
        let check = try Command(["check", place("Back.sqlite")])
        #expect(try check.output == Command(["check", source]).output)
    }

    // MARK: Whole copies

    @Test("the League Manager's store comes back from a database as it was")
    func league() throws {
        let made = try Command(
            executable: Command.executable("LeagueManager"), arguments: [folder.url.path])
        try #require(made.status == 0, "\(made.errors)")
        try roundTrip(place("League.sqlite"))
    }

    @Test("ordered relationships, those without an inverse and data in files come back from a database")
    func library() throws {
        let library = try LibraryStore()
        try roundTrip(library.path)
        withExtendedLifetime(library) {}
    }

    @Test("a binary file is copied, too")
    func binary() throws {
        let library = try LibraryStore()
        let copy = try Command(["copy", library.path, place("Copy.store"), "--type", "binary"])
        try #require(copy.status == 0, "\(copy.errors)")
        try Self.copy(place("Copy.store"), place("Back.sqlite"))
        #expect(try Self.export(place("Back.sqlite")) == Self.export(library.path))
    }

    @Test("an XML file is copied with its model, which is not in it")
    func xml() throws {
        let store = try LibraryModel()
        try store.fill()
        try Self.copy(store.store.path, place("Copy.xml"))
        #expect(try String(contentsOfFile: place("Copy.xml"), encoding: .utf8).hasPrefix("<?xml"))
        let back = try Command(["copy", place("Copy.xml"), place("Back.sqlite")])
        #expect(back.status == 6)
        #expect(back.errors.contains("carries no model"), "\(back.errors)")
    }

    @Test("derived attributes have the values of the source, and are kept from then on")
    func derived() throws {
        let library = try LibraryStore(derives: true)
        try Self.copy(library.path, place("Copy.sqlite"))
        #expect(try Self.export(place("Copy.sqlite")) == Self.export(library.path))
        let update = try Command([
            "update", place("Copy.sqlite"), "Book", "--set", "pages=1", "--where", "title BEGINSWITH 'Book 1 '",
            "--yes",
        ])
        #expect(update.status == 0, "\(update.errors)")
        #expect(try Self.export(place("Copy.sqlite")) != Self.export(library.path))
        let check = try Command(["check", place("Copy.sqlite")])
        #expect(check.status == 0, "\(check.output)")
    }

    @Test("a copy has the source's metadata and a UUID of its own, and gives keys behind the source's")
    func metadata() throws {
        let library = try LibraryStore()
        let database = try PostgreSQLServer.shared.newDatabase()
        try Self.copy(library.path, database)
        let url = try #require(URL(string: database))
        let old = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: library.url)
        let new = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .postgreSQL, at: url)
        #expect(new["Librarian"] as? String == "Hypatia")
        #expect(new[NSStoreUUIDKey] as? String != old[NSStoreUUIDKey] as? String)
        let own: Set = [NSStoreUUIDKey, NSStoreTypeKey, "_NSAutoVacuumLevel"]
        #expect(Set(new.keys).subtracting(own) == Set(old.keys).subtracting(own))
        let rows = try folder.file("Tags.csv", Data("word\nnew\n".utf8))
        let inserted = try Command(["import", database, rows.path, "--entity", "Tag"])
        #expect(inserted.status == 0, "\(inserted.errors)")
        #expect(try Self.export(database).contains("\"word\":\"new\""))
    }

    // MARK: What is refused

    @Test("a destination with another store is refused, and stays as it is")
    func taken() throws {
        let (one, other) = (try LibraryStore(), try LeagueStore())
        try other.fill()
        let before = try other.files()
        let run = try Command(["copy", one.path, other.path])
        #expect(run.status == 1)
        #expect(run.errors.contains("There is a store in “\(other.path)” already"), "\(run.errors)")
        #expect(try other.files() == before)

        let database = try PostgreSQLServer.shared.newDatabase()
        try Self.copy(other.path, database)
        let rows = try Self.export(database)
        let second = try Command(["copy", one.path, database])
        #expect(second.status == 1)
        #expect(second.errors.contains("There is a store in"), "\(second.errors)")
        #expect(try Self.export(database) == rows)
    }

    @Test("no output has a password")
    func password() throws {
        let library = try LibraryStore()
        let url = "postgresql://reader:s3cret@127.0.0.1:1/library?connect_timeout=1"
        for arguments in [
            ["copy", library.path, url], ["copy", url, place("Copy.sqlite")], ["inspect", url], ["watch", url],
        ] {
            let run = try Command(arguments)
            #expect(run.status != 0)
            #expect(!run.errors.contains("s3cret") && !run.output.contains("s3cret"), "\(run.errors)")
            #expect(run.errors.contains("127.0.0.1"), "\(run.errors)")
        }
    }

    @Test("a reference that leads nowhere is an error: a database would not take it")
    func dangling() throws {
        let library = try LibraryStore()
        try Self.execute("UPDATE ZPUBLICATION SET ZSEQUEL = 4711 WHERE Z_PK = 3", library.path)
        let run = try Command(["copy", library.path, try PostgreSQLServer.shared.newDatabase()])
        #expect(run.status == 1)
        #expect(run.errors.contains("lead to objects that are missing"), "\(run.errors)")
    }

    private static func execute(_ sql: String, _ store: String) throws {
        let run = try Command(executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["sqlite3", store, sql])
        try #require(run.status == 0, "\(run.errors)")
    }

    // MARK: Copies that are broken off

    /// Starts a copy and kills it after some time, again and again, until one copy has ended by itself.
    ///
    /// - Parameter broken: Called after each kill.
    /// - Returns: How often the copy was killed.
    private func copyInPieces(
        _ source: String, _ destination: String, broken: () throws -> Void = {}
    ) async throws -> Int {
        var (kills, patience) = (0, 0.03)
        while true {
            let run = try RunningCommand(["copy", source, destination])
            // A task that sleeps would wait for a thread, which other tests have.
            usleep(UInt32(patience * 1_000_000))
            run.signal(SIGKILL)
            let status = try #require(try await run.end())
            // A copy that was killed between its end and that of its process is complete.
            if status == 0 || kills > 0 && run.errors.contains("There is a store in") { return kills }
            try #require(status == -SIGKILL, "\(run.errors)")
            kills += 1
            patience *= 1.5
            try broken()
        }
    }

    @Test("a copy into a database that is killed goes on", .timeLimit(.minutes(5)))
    func killedIntoDatabase() async throws {
        let library = try LibraryStore(bookCount: 600)
        let database = try PostgreSQLServer.shared.newDatabase()
        let kills = try await copyInPieces(library.path, database)
        #expect(kills > 0)
        #expect(try Self.export(database) == Self.export(library.path))
    }

    @Test("a copy into a file that is killed goes on, and nothing opens the file before", .timeLimit(.minutes(5)))
    func killedIntoFile() async throws {
        let library = try LibraryStore(bookCount: 600)
        let copy = place("Copy.sqlite")
        var refusals = 0
        _ = try await copyInPieces(library.path, copy) {
            guard FileManager.default.fileExists(atPath: copy) else { return }
            // A copy may be complete when it is killed, and is not to be changed then.
            let update = try Command(["update", copy, "Tag", "--set", "word=x", "--where", "FALSEPREDICATE", "--yes"])
            if update.errors.contains("is an unfinished copy of another one") { refusals += 1 }
        }
        #expect(refusals > 0)
        #expect(try Self.export(copy) == Self.export(library.path))
        // A file is written before the row that names it, and a killed process may leave it.
        let findings = try Command(["check", copy]).output.split(separator: "\n")
        #expect(findings.allSatisfy { $0.contains("orphaned-external-file") }, "\(findings)")
    }

    /// A store that can't be copied into a database to the end: a reference leads nowhere, which shows last.
    private static func unfinished(_ database: String) throws -> LibraryStore {
        let library = try LibraryStore()
        try execute("UPDATE ZPUBLICATION SET ZSEQUEL = 4711 WHERE Z_PK = 3", library.path)
        let run = try Command(["copy", library.path, database])
        try #require(run.status == 1, "\(run.errors)")
        return library
    }

    @Test("a source that has changed since the copy began is told; --afresh begins anew")
    func changedSource() throws {
        let database = try PostgreSQLServer.shared.newDatabase()
        let library = try Self.unfinished(database)
        try Self.execute("UPDATE ZPUBLICATION SET ZSEQUEL = NULL WHERE Z_PK = 3", library.path)
        let run = try Command(["copy", library.path, database])
        #expect(run.status == 1)
        #expect(run.errors.contains("The source has changed since the copy began"), "\(run.errors)")
        let anew = try Command(["copy", library.path, database, "--afresh"])
        #expect(anew.status == 0, "\(anew.errors)")
        #expect(try Self.export(database) == Self.export(library.path))
        let again = try Command(["copy", library.path, database, "--afresh"])
        #expect(again.status == 1)
        #expect(again.errors.contains("There is a store in"), "\(again.errors)")
    }

    @Test("an unfinished copy of another store is refused, and no command opens it")
    func otherSource() throws {
        let database = try PostgreSQLServer.shared.newDatabase()
        let (library, other) = (try Self.unfinished(database), try LeagueStore())
        let run = try Command(["copy", other.path, database])
        #expect(run.status == 1)
        #expect(run.errors.contains("there is an unfinished copy of another store"), "\(run.errors)")
        let export = try Command(["export", database])
        #expect(export.status == 1)
        #expect(export.errors.contains("is an unfinished copy of another one"), "\(export.errors)")
        withExtendedLifetime((library, other)) {}
    }
}
