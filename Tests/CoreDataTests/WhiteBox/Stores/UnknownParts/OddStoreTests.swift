import CoreData
import Foundation
import Testing

@testable import CoreData

/// What others put into a store's file must not stand between a user and the data.
@Suite("Stores with tables, columns and metadata that no model has")
struct OddStoreTests {
    struct Addition: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statements: [String]

        init(_ name: String, _ statements: String...) { (testDescription, self.statements) = (name, statements) }

        /// Puts a line into the catalogue that SQLite would not write by itself.
        static func catalogued(_ name: String, _ kind: String, _ object: String, on table: String, _ sql: String)
            -> Addition
        {
            Addition(
                name, "PRAGMA writable_schema = ON",
                "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('\(kind)', '\(object)', "
                    + "'\(table)', 0, '\(sql)')", "PRAGMA writable_schema = OFF")
        }
    }

    static let additions = [
        Addition("a table", "CREATE TABLE FOREIGN_ROWS (A, B)", "INSERT INTO FOREIGN_ROWS VALUES (1, x'00ff')"),
        Addition("a column", "ALTER TABLE ZPERSON ADD COLUMN ZFUTURE BLOB", "UPDATE ZPERSON SET ZFUTURE = x'0102'"),
        Addition("a view of another name", "CREATE VIEW PEOPLE AS SELECT ZNAME FROM ZPERSON"),
        Addition("an index", "CREATE INDEX FOREIGN_INDEX ON ZPERSON (ZAGE, Z_OPT) WHERE ZAGE > 3"),
        Addition("a trigger", "CREATE TRIGGER FOREIGN_TRIGGER AFTER DELETE ON ZTEAM BEGIN SELECT 1; END"),
        Addition(
            "an entity that the model lacks",
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (99, 'Ghost', 0, 4)"),
        Addition("a column of the model's table", "ALTER TABLE Z_MODELCACHE ADD COLUMN Z_FUTURE INTEGER"),
        Addition("a column of the metadata", "ALTER TABLE Z_METADATA ADD COLUMN Z_FUTURE INTEGER DEFAULT 5"),
        Addition("a column of the keys", "ALTER TABLE Z_PRIMARYKEY ADD COLUMN Z_FUTURE INTEGER DEFAULT 5"),
        Addition.catalogued(
            "a virtual table of an unknown module", "table", "FOREIGN_SEARCH", on: "FOREIGN_SEARCH",
            "CREATE VIRTUAL TABLE FOREIGN_SEARCH USING future_search(a, b)"),
        Addition(
            "a trigger that calls an unknown function",
            "CREATE TRIGGER FOREIGN_CALL AFTER DELETE ON ZTEAM BEGIN SELECT FutureFunction(OLD.Z_PK); END"),
    ]

    private let folder: StoreFolder
    private let url: URL
    private let model: NSManagedObjectModel

    init() throws {
        folder = try StoreFolder()
        url = folder.file("Odd.sqlite")
        model = try NSManagedObjectModel(document: OddModel.document)
        try work { context in
            _ = context.insert("Person", ["name": "Ann", "age": 30])
            try context.save()
        }
    }

    private func work(readOnly: Bool = false, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: NSNumber(value: readOnly)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }

    @Test("the rows are read, one is added, and the addition stays", arguments: additions)
    func readAndWritten(addition: Addition) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        for statement in addition.statements { try connection.execute(statement) }
        connection.close()
        let before = try catalogue()
        try work(readOnly: true) { context throws in
            #expect(try context.all("Person").map { $0.string("name") } == ["Ann"])
        }
        try work { context throws in
            #expect(try context.all("Person").map { $0.string("name") } == ["Ann"])
            _ = context.insert("Person", ["name": "Bob"])
            try context.save()
        }
        #expect(try catalogue() == before)
        #expect(try CommandLineTool.run(["export", url.path]).contains("\"Bob\""))
    }

    private func catalogue() throws -> [String] {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        let statement = try SQLiteStatement("SELECT name || ifnull(sql, '') FROM sqlite_master", on: connection)
        var lines: [String] = []
        while try statement.step() { lines.append(statement.text(0) ?? "") }
        return lines.sorted()
    }

    @Test("metadata of any kind stay as they are")
    func metadata() throws {
        let own: [String: Any] = [
            "date": Date(timeIntervalSinceReferenceDate: 4), "nested": ["list": [1, "two"], "data": Data([1, 2])],
        ]
        var all = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        all.merge(own) { $1 }
        try NSPersistentStoreCoordinator.setMetadata(all, forPersistentStoreOfType: NSSQLiteStoreType, at: url)
        try work { context in
            _ = context.insert("Person", ["name": "Bob"])
            try context.save()
        }
        let after = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(NSDictionary(dictionary: after).isEqual(NSDictionary(dictionary: all)))
    }
}
