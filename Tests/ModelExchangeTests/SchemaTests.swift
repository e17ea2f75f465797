import CSQLite
import CoreData
import CoreDataPostgreSQL
import Foundation
import ModelDocument
import PostgreSQLClient
import PostgreSQLServer
import Testing

@testable import ModelExchange

@Suite("The SQL of a model's tables")
struct SchemaTests {
    @Test("SQLite makes the tables that a store has", arguments: [false, true])
    func sqlite(isHostile: Bool) throws {
        let model = isHostile ? Self.odd : try ExchangeSamples.league()
        let text = try ModelLanguage.sql.text(of: model, title: "x\n; DROP TABLE ZTEAM")
        let made = try SQLiteFile()
        try made.run(text)
        let store = try SQLiteFile()
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(document: Self.plain(model)))
        let opened = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: store.path), options: nil)
        try coordinator.remove(opened)
        let (tables, wanted) = (try made.schema(), try store.schema())
        #expect(!tables.isEmpty && tables == wanted)
    }

    @Test("PostgreSQL makes the tables that a store has", arguments: [false, true])
    func postgreSQL(isHostile: Bool) throws {
        let model = isHostile ? Self.odd : try ExchangeSamples.league()
        let server = try PostgreSQLServer.shared
        let (made, store) = (try server.newDatabase(), try server.newDatabase())
        let connection = try PostgreSQLConnection(made)
        defer { connection.close() }
        let text = try ModelLanguage.postgresql.text(of: model, title: "x\n; DROP TABLE \"Team\"")
        // psql reads the script as a person would have it read.
        let psql = Process()
        psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        psql.arguments = ["psql", "--quiet", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-d", made]
        let input = Pipe()
        psql.standardInput = input
        psql.standardOutput = FileHandle.nullDevice
        try psql.run()
        input.fileHandleForWriting.write(Data(text.utf8))
        try input.fileHandleForWriting.close()
        psql.waitUntilExit()
        #expect(psql.terminationStatus == 0)
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(document: Self.plain(model)))
        let opened = try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: URL(string: store), options: nil)
        try coordinator.remove(opened)
        let other = try PostgreSQLConnection(store)
        defer { other.close() }
        let (columns, wanted) = (try Self.catalogue(connection), try Self.catalogue(other))
        #expect(columns.count > 10 && columns == wanted)
    }

    @Test("a model over tables of another program has no tables of its own")
    func mapped() throws {
        var model = try ExchangeSamples.league()
        for index in model.entities.indices { model.entities[index].userInfo = ["postgreSQLKey": "id"] }
        #expect(throws: (any Error).self) { try ModelLanguage.postgresql.text(of: model, title: "M") }
    }

    /// Names that a model can have, and that SQL takes for something else.
    private static var odd: Model {
        var entity = Model.Entity(name: "Order")
        entity.attributes = [
            "select", "größe", "名前", "aVeryLongNameThatGoesOnAndOnUntilItIsLongerThanSixtyThreeBytesOfText",
        ].map {
            Model.Attribute(name: $0, type: .string)
        }
        var group = Model.Relationship(name: "group", destinationName: "Order")
        (group.isOptional, group.inverseName, group.inverseEntityName) = (true, "from", "Order")
        var from = Model.Relationship(name: "from", destinationName: "Order")
        (from.isOptional, from.maxCount, from.inverseName, from.inverseEntityName) = (true, 0, "group", "Order")
        entity.relationships = [from, group]
        entity.uniquenessConstraints = [["select", "größe"]]
        return Model(entities: [entity])
    }

    private static func plain(_ model: Model) -> Model {
        var model = model
        for index in model.entities.indices { model.entities[index].representedClass = nil }
        return model
    }

    private static func catalogue(_ connection: PostgreSQLConnection) throws -> [String] {
        let rows = try connection.execute(
            """
            SELECT concat_ws('|', relname, relkind, attname, format_type(atttypid, atttypmod), attnotnull) \
            FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 \
            WHERE relnamespace = current_schema()::regnamespace ORDER BY 1
            """)
        return try (0..<rows.rowCount).map { try rows.string($0, 0) ?? "" }
    }
}

/// A database in a file that goes away with its folder.
final class SQLiteFile {
    let path: String
    private var handle: OpaquePointer?
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("Tables.sqlite").path
    }

    deinit {
        sqlite3_close(handle)
        try? FileManager.default.removeItem(at: folder)
    }

    struct Failure: Error { let message: String }

    private func opened() throws -> OpaquePointer? {
        if handle == nil { guard sqlite3_open(path, &handle) == SQLITE_OK else { throw Failure(message: path) } }
        return handle
    }

    func run(_ text: String) throws {
        let connection = try opened()
        guard sqlite3_exec(connection, text, nil, nil, nil) == SQLITE_OK else {
            throw Failure(message: String(cString: sqlite3_errmsg(connection)))
        }
    }

    /// The texts of all tables, indexes and triggers.
    func schema() throws -> [String] {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(
            try opened(), "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY sql", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        var found: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW { found.append(String(cString: sqlite3_column_text(statement, 0))) }
        return found
    }
}
