import Foundation
import Testing

@testable import CoreData

/// What a store has beside the tables of its entities, after a migration in place.
@Suite struct StorePartMigrationTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func open<R>(
        _ url: URL, _ model: NSManagedObjectModel, configuration: String? = nil,
        _ block: (NSManagedObjectContext) throws -> R
    ) throws -> R {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: configuration, at: url, options: MigratedStore.automatic)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try block(context) }
        try coordinator.remove(store)
        return result
    }

    private func lines(_ url: URL, _ sql: String) throws -> [String] {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        let statement = try SQLiteStatement(sql, on: connection)
        var lines: [String] = []
        while try statement.step() {
            lines.append((0..<statement.columnCount).map { statement.text($0) ?? "" }.joined(separator: "|"))
        }
        return lines
    }

    @Test(
        "the history that Apple's framework keeps goes on to name the same entities",
        arguments: [
            "cartkit-swiftdata/CartKitSwiftData_v1.sqlite", "freezeray-swiftdata/App-1_0_0.sqlite",
            "freezeray-swiftdata/App-2_0_0.sqlite",
        ])
    func history(store: String) throws {
        let url = folder.file("Store.sqlite")
        try FileManager.default.copyItem(
            at: TestFolders.fixtures.appendingPathComponent("Stores/" + store), to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        let transactions = "SELECT * FROM ATRANSACTION ORDER BY Z_PK"
        let changes = """
            SELECT c.Z_PK, p.Z_NAME, c.ZENTITYPK, c.ZCHANGETYPE, c.ZTRANSACTIONID, c.ZCOLUMNS FROM ACHANGE c \
            LEFT JOIN Z_PRIMARYKEY p ON p.Z_ENT = c.ZENTITY ORDER BY c.Z_PK
            """
        // A change of each entity, beside those that the store has.
        _ = try lines(
            url,
            """
            INSERT INTO ACHANGE (Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) \
            SELECT 16001, 1, 1, Z_ENT, Z_ENT, 1 FROM Z_PRIMARYKEY WHERE Z_ENT < 16000
            """)
        let kept = "SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1"
        let before = (try lines(url, transactions), try lines(url, changes), try lines(url, kept))
        let former = try #require(
            try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url, options: nil))
        let later = try #require(former.copy() as? NSManagedObjectModel)
        // It comes first, and all others get another number.
        later.entities.append(entity("AAA", [attribute("name", .stringAttributeType)]))
        #expect(try open(url, later) { try $0.all("AAA") }.isEmpty)
        #expect(try lines(url, transactions) == before.0 && lines(url, changes) == before.1)
        #expect(try lines(url, kept) == before.2)
    }

    @Test("a store of a configuration has the entities of that configuration, before and after")
    func configurations() throws {
        func model(_ name: String) -> NSManagedObjectModel {
            let title = attribute(name, .stringAttributeType).renamed(from: "title")
            let (book, note) = (entity("Book", [title]), entity("Note", [attribute(name, .stringAttributeType)]))
            let model = NSManagedObjectModel()
            model.entities = [book, note]
            model.setEntities([book], forConfigurationName: "Books")
            model.setEntities([note], forConfigurationName: "Notes")
            return model
        }
        let url = folder.file("Books.sqlite")
        try open(url, model("title"), configuration: "Books") { context throws in
            _ = context.insert("Book", ["title": "Emma"])
            try context.save()
        }
        try open(url, model("name"), configuration: "Books") { context throws in
            #expect(try context.all("Book").map { $0.string("name") } == ["Emma"])
        }
        #expect(try lines(url, "SELECT name FROM sqlite_master WHERE name IN ('ZBOOK', 'ZNOTE')") == ["ZBOOK"])
        #expect(try lines(url, "SELECT Z_NAME FROM Z_PRIMARYKEY") == ["Book"])
    }

    @Test(
        "a spatial index knows the rows of a table that keeps its rows, and of one that is copied", arguments: [1, 4])
    func spatialIndexes(removed: Int) throws {
        func model(_ names: (String, String), _ others: [String]) -> NSManagedObjectModel {
            let axes = [names.0, names.1].enumerated().map { place, name in
                attribute(name, .doubleAttributeType).renamed(from: ["latitude", "longitude"][place])
            }
            let place = entity("Place", axes + others.map { attribute($0, .stringAttributeType) })
            let elements = axes.map { NSFetchIndexElementDescription(property: $0, collationType: .rTree) }
            place.indexes = [NSFetchIndexDescription(name: "position", elements: elements)]
            return CoreDataTests.model(place)
        }
        let url = folder.file("Places.sqlite")
        let others = ["a", "b", "c", "d", "e"]
        try open(url, model(("latitude", "longitude"), others)) { context throws in
            for number in 1...5 {
                _ = context.insert("Place", ["latitude": Double(number), "longitude": Double(-number)])
            }
            try context.save()
        }
        try open(url, model(("north", "east"), Array(others.dropFirst(removed)))) { context throws in
            _ = context.insert("Place", ["north": 6.0, "east": -6.0])
            try context.save()
        }
        let found = try lines(url, "SELECT * FROM Z_RT_Place_position ORDER BY 1")
        #expect(found.count == 6 && found.first?.hasPrefix("1|1.0|1.0|-1.0|-1.0") ?? false, "\(found)")
    }
}
