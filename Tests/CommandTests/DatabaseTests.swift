import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLServer
import Testing

/// A store in a database, with the objects of a store in a file.
private struct DatabaseStore {
    let file: LeagueStore
    let url: String

    init() throws {
        file = try LeagueStore()
        try file.fill()
        url = try PostgreSQLServer.shared.newDatabase()
        let copy = try Command(["copy", file.path, url])
        try #require(copy.status == 0, "\(copy.errors)")
    }

    /// Opens the store in the database as a program that records its changes, and works in a context.
    func use(author: String, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueStore.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: URL(string: url),
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = author
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }

    /// Runs a command once with the URL and once with the file in the place of `STORE`.
    func runs(_ arguments: [String]) throws -> (database: Command, file: Command) {
        func run(_ store: String) throws -> Command { try Command(arguments.map { $0 == "STORE" ? store : $0 }) }
        return (try run(url), try run(file.path))
    }
}

@Suite("Commands with the URL of a database")
struct DatabaseTests {
    @Test(
        "print what they print of a file with the same objects",
        arguments: [
            ["export", "STORE"], ["export", "STORE", "--format", "csv"],
            ["export", "STORE", "--entity", "Player", "--where", "age == 30", "--limit", "3"],
            ["inspect", "STORE", "--counts-only"], ["inspect", "STORE", "--format", "tsv"],
            ["query", "STORE", "Player", "--sort", "name", "--format", "tsv"],
            ["query", "STORE", "Player", "--group-by", "team.name", "--columns", "@count", "--format", "tsv"],
            ["query", "STORE", "Player", "--count"], ["search", "STORE", "Jordan", "--format", "tsv"],
            ["tree", "STORE", "Team/p1", "--depth", "2"], ["check", "STORE"], ["model", "show", "STORE"],
        ])
    func reading(arguments: [String]) throws {
        let runs = try DatabaseStore().runs(arguments)
        #expect(runs.file.status == 0, "\(runs.file.errors)")
        #expect(runs.database.status == 0, "\(runs.database.errors)")
        #expect(runs.database.output == runs.file.output)
    }

    @Test("one of several hosts, and a schema with letters outside ASCII and percent codes, are found")
    func writtenOtherwise() throws {
        let store = try DatabaseStore()
        let parts = store.url.components(separatedBy: "?host=")
        try #require(parts.count == 2)
        let several = parts[0].replacing("@/", with: "@%2Fnowhere,\(parts[1])/")
        let run = try Command(["export", several])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try run.output == Command(["export", store.url]).output)
        let copy = try Command(["copy", store.file.path, store.url + "&schema=Ünïcode%20x"])
        #expect(copy.status == 0, "\(copy.errors)")
        let query = try Command(
            executable: URL(fileURLWithPath: try PostgreSQLServer.shared.program("psql")),
            arguments: [store.url, "-At", "-c", "SELECT count(*) > 0 FROM \"Ünïcode x\".\"Player\""])
        #expect(query.output == "t\n", "\(query.errors)")
    }

    @Test("inspect shows where the store is")
    func inspect() throws {
        let store = try DatabaseStore()
        let run = try Command(["inspect", store.url])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("store      postgresql://postgres@"), "\(run.output)")
        #expect(run.output.contains("model      in the store"), "\(run.output)")
    }

    @Test("query --explain prints the statement, its parameters, and the server's plan in words")
    func explain() throws {
        let run = try Command(["query", try DatabaseStore().url, "Player", "--where", "age > 20", "--explain"])
        #expect(run.output.hasPrefix("SELECT"), "\(run.errors)\(run.output)")
        #expect(run.output.contains("$1 = 20"))
        #expect(run.output.contains("Scan on \"Player\" t0"))
        #expect(run.output.contains("to find objects of Player."))
    }

    @Test("diff compares a database with a file")
    func diff() throws {
        let store = try DatabaseStore()
        let match = ["--match", "name", "--entity", "Player"]
        let same = try Command(["diff", store.file.path, store.url] + match)
        #expect(same.status == 0, "\(same.errors)\(same.output)")
        let update = try Command([
            "update", store.url, "Player", "--set", "age=31", "--where", "name == 'Jordan'", "--yes",
        ])
        #expect(update.status == 0, "\(update.errors)")
        let run = try Command(["diff", store.file.path, store.url] + match)
        #expect(run.status == 1)
        #expect(run.output == "~ Player[Jordan].age: 30 → 31\n", "\(run.output)\(run.errors)")
    }

    @Test("update and delete say what they would do, and do it")
    func changing() throws {
        let store = try DatabaseStore()
        let before = try Command(["export", store.url]).output
        let update = ["update", store.url, "Player", "--set", "age=40", "--where", "age == 30"]
        let tried = try Command(update + ["--dry-run"])
        #expect(tried.output == "Would change 4 objects:\n  Player: 4\n", "\(tried.errors)")
        let delete = ["delete", store.url, "Team", "--where", "name == 'Bulls'"]
        let preview = try Command(delete + ["--dry-run"])
        #expect(
            preview.output == "Would delete 3 objects:\n  Team: 1\n  Player: 2, by delete rules\n", "\(preview.errors)")
        #expect(try Command(["export", store.url]).output == before)
        #expect(try Command(update + ["--yes"]).output == "Changed 4 objects:\n  Player: 4\n")
        let deleted = try Command(delete + ["--yes"])
        #expect(deleted.output == "Deleted 3 objects:\n  Team: 1\n  Player: 2, by delete rules\n", "\(deleted.errors)")
        let rest = try Command([
            "query", store.url, "Player", "--columns", "name,age", "--sort", "name", "--format", "tsv",
        ])
        #expect(rest.output == "name\tage\nBird\t40\nParish\t40\nRussell\t60\n")
    }

    @Test("import inserts rows")
    func importing() throws {
        let store = try DatabaseStore()
        let rows = try store.file.folder.file("Teams.csv", Data("name,budget\nLakers,1.5\nBulls,2\n".utf8))
        let line = ["import", store.url, rows.path, "--entity", "Team", "--key", "name"]
        let tried = try Command(line + ["--dry-run"])
        #expect(tried.output == "Would insert 1 object of Team, and update 1.\n", "\(tried.errors)")
        #expect(try Command(line).output == "Inserted 1 object of Team, and updated 1.\n")
        let teams = try Command([
            "query", store.url, "Team", "--columns", "name,budget", "--sort", "name", "--format", "tsv",
        ])
        #expect(teams.output == "name\tbudget\nBulls\t2\nCeltics\t10.5\nLakers\t1.5\n")
    }

    @Test("check finds what the model forbids")
    func check() throws {
        let store = try DatabaseStore()
        let sql = """
            UPDATE "Player" SET "age" = 99 WHERE "name" = 'Bird';
            UPDATE "Player" SET "name" = NULL WHERE "name" = 'Parish'
            """
        let server = try PostgreSQLServer.shared
        let change = try Command(
            executable: URL(fileURLWithPath: server.program("psql")), arguments: [store.url, "-c", sql])
        try #require(change.status == 0, "\(change.errors)")
        let run = try Command(["check", store.url])
        #expect(run.status == 1)
        #expect(run.output.contains("validation-rule Player/p"), "\(run.output)\(run.errors)")
        #expect(run.output.contains("required-value Player/p"), "\(run.output)")
    }

    @Test(
        "say so where they are for files, or for stores with history",
        arguments: [
            (["history", "STORE"], "has no persistent history"), (["watch", "STORE"], "has no persistent history"),
            (["migrate", "STORE", "--to", "Other.mom"], "is not copied first"),
            (["inspect", "STORE", "--verify"], "is a database"), (["inspect", "STORE", "--deleted"], "is a database"),
        ])
    func refusals(arguments: [String], sentence: String) throws {
        let store = try DatabaseStore()
        let run = try Command(arguments.map { $0 == "STORE" ? store.url : $0 })
        #expect(run.status == 1)
        #expect(run.errors.contains(sentence), "\(run.errors)")
    }

    @Test("history and watch tell what programs save, and a change by the command is recorded")
    func history() async throws {
        let store = try DatabaseStore()
        try store.use(author: "widget") { context throws in
            try #require(try context.object("Player", "Bird")).setValue(31, forKey: "age")
            try context.save()
        }
        let history = try Command(["history", store.url, "--format", "tsv"])
        #expect(history.status == 0, "\(history.errors)")
        #expect(history.output.contains("widget") && history.output.contains("age"), "\(history.output)")
        let run = try RunningCommand(["watch", store.url, "--format", "tsv", "--limit", "1"])
        #expect(try await run.wait { $0.errors.contains("watching") }, "\(run.errors)")
        let update = try Command([
            "update", store.url, "Player", "--set", "age=32", "--where", "name == 'Bird'", "--yes",
        ])
        #expect(update.status == 0, "\(update.errors)")
        #expect(try await run.end() == 0)
        #expect(run.output.contains("coredata") && run.output.contains("age"), "\(run.output)")
    }

    @Test("a database without a store is told")
    func empty() throws {
        let run = try Command(["inspect", try PostgreSQLServer.shared.newDatabase()])
        #expect(run.status == 2)
        #expect(run.errors.contains("There is no store in postgresql://"), "\(run.errors)")
    }
}
