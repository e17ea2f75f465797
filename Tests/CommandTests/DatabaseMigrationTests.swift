import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import Testing

@Suite("coredata migrate with the URL of a database")
struct DatabaseMigrationTests {
    private let library: LibraryModel
    private let url: String

    init() throws {
        library = try LibraryModel()
        try library.fill()
        url = try PostgreSQLServer.shared.newDatabase()
        try Self.copy(library, to: url)
    }

    private static func copy(_ library: LibraryModel, to url: String) throws {
        let copy = try Command(["copy", library.store.path, url])
        try #require(copy.status == 0, "\(copy.errors)")
    }

    private func migrate(_ arguments: String..., to version: String? = nil) throws -> Command {
        let model = version.map { library.path + "/" + $0 } ?? library.path
        return try Command(["migrate", url, "--to", model] + arguments)
    }

    private func psql(_ url: String, _ arguments: String...) throws -> String {
        let server = try PostgreSQLServer.shared
        let run = try Command(
            executable: URL(fileURLWithPath: server.program("psql")),
            arguments: ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", url] + arguments)
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    /// All columns, indexes and constraints of the entities' tables, and all rows.
    private func content(_ url: String) throws -> String {
        try psql(
            url, "-c",
            """
            SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns \
            WHERE table_schema = 'public' AND table_name NOT LIKE '\\_%' ORDER BY 1, 2
            """, "-c",
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE '\\_%' ORDER BY 1",
            "-c",
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conname NOT LIKE '\\_%' ORDER BY 1",
            "-c",
            "SELECT * FROM \"Book\" ORDER BY \"_key\"", "-c", "SELECT * FROM \"Chapter\" ORDER BY \"_key\"")
    }

    @Test("a dry run says what changes and is lost, and changes nothing")
    func dryRun() throws {
        let before = try content(url)
        let run = try migrate("--dry-run")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("Book.pages: gone; 812 of 1,000 rows have a value"), "\(run.output)")
        #expect(run.output.contains("ALTER TABLE \"Book\" RENAME COLUMN \"title\" TO \"name\""), "\(run.output)")
        #expect(run.output.hasSuffix("\nThe store can be migrated; what is listed under Lost is lost.\n"))
        #expect(try content(url) == before)
    }

    @Test("the SQL of a dry run makes the tables that the migration makes")
    func sql() throws {
        let other = try PostgreSQLServer.shared.newDatabase()
        try Self.copy(library, to: other)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(try migrate("--dry-run", "--json").output.utf8))
                as? [String: Any])
        let statements = try #require(json["sql"] as? [String])
        let script = library.folder.url.appendingPathComponent("migration.sql")
        try Data((["BEGIN"] + statements + ["COMMIT"]).map { $0 + ";\n" }.joined().utf8).write(to: script)
        _ = try psql(other, "-f", script.path)
        let run = try migrate("--no-backup")
        #expect(run.status == 0 && run.output.contains("The store is migrated."), "\(run.errors)")
        #expect(try content(url) == content(other))
        #expect(try migrate("--no-backup").output == "The store is of this version already.\n")
    }

    @Test("indexes can be made behind the migration")
    func deferred() throws {
        let run = try migrate("--no-backup", "--defer-indexes")
        #expect(run.status == 0, "\(run.errors)")
        let other = try PostgreSQLServer.shared.newDatabase()
        try Self.copy(library, to: other)
        let model = library.path
        #expect(try Command(["migrate", other, "--to", model, "--no-backup"]).status == 0)
        #expect(try content(url) == content(other))
    }

    /// What can't be inferred, and what the rows break.
    private static let refused = [
        "Library 3": "Book.isbn: now required, no default", "Library 4": "Book.title", "Library 5": "unique",
    ]

    @Test("a database is not migrated without a word about its copy, and not against its rows")
    func refusals() throws {
        let before = try content(url)
        let run = try migrate()
        #expect(
            run.status == 1 && run.errors.contains("Make a dump with pg_dump, and say --no-backup."), "\(run.errors)")
        for (version, reason) in Self.refused {
            for arguments in [["--dry-run"], ["--no-backup"]] {
                let run = try Command(["migrate", url, "--to", library.path + "/" + version] + arguments)
                #expect(
                    run.status == 1 && run.output.contains("In the way\n"), "\(version): \(run.output)\(run.errors)")
                #expect((run.output + run.errors).contains(reason), "\(version): \(run.output)\(run.errors)")
            }
        }
        #expect(try content(url) == before)
    }
}
