import CoreDataPostgreSQL
import Foundation
import Testing

@testable import CoreData

/// Migrations by a mapping model, object by object.
@Suite struct PostgreSQLMappingTests {
    @Test("a store comes out of a file into a database and back, derived values included")
    func betweenKinds() throws {
        let league = try MigrationLeague()
        defer { league.remove() }
        let mapping = MigrationLeague.mapping()
        let database = PostgreSQLTestStore.place(of: league.folder.appendingPathComponent("Database"))
        let type = NSPersistentStore.StoreType(rawValue: PostgreSQLTestStore.register())
        let model = MigrationLeague.secondModel()
        let folded = NSDerivedAttributeDescription()
        (folded.name, folded.attributeType) = ("folded", .stringAttributeType)
        folded.derivationExpression = NSExpression(format: "uppercase:(title)")
        model.entitiesByName["Club"]?.properties.append(folded)
        let manager = NSMigrationManager(sourceModel: MigrationLeague.firstModel(), destinationModel: model)
        try manager.migrateStore(from: league.old, type: .tested, mapping: mapping, to: database, type: type)
        try MigrationLeague.open(database, model, type: type.rawValue) { context throws in
            #expect(try context.strings("folded", of: "Club", sortedBy: "title") == ["TEAM 0", "TEAM 1"])
            let clubs = try context.all("Club", sortedBy: "title")
            #expect(clubs.map { $0.names("athletes").count } == [3, 3])
            clubs[0].setValue("Team 9", forKey: "title")
            try context.save()
            #expect(clubs[0].string("folded") == "TEAM 9")
        }
        let back = try NSMappingModel.inferredMappingModel(
            forSourceModel: model, destinationModel: MigrationLeague.secondModel())
        let file = league.folder.appendingPathComponent("Back.sqlite")
        let other = NSMigrationManager(sourceModel: model, destinationModel: MigrationLeague.secondModel())
        try other.migrateStore(from: database, type: type, mapping: back, to: file, type: .sqlite)
        try MigrationLeague.open(file, MigrationLeague.secondModel(), type: NSSQLiteStoreType) { context throws in
            #expect(try context.strings("title", of: "Club", sortedBy: "title") == ["Team 1", "Team 9"])
            #expect(try context.all("Athlete", "club.title == 'Team 9'").count == 3)
        }
        try NSPersistentStoreCoordinator(managedObjectModel: model).destroyPersistentStore(at: database, type: type)
    }

    @Test("until it is finished, the new store can't be opened (134080)")
    func unfinished() throws {
        let league = try MigrationLeague()
        defer { league.remove() }
        let database = PostgreSQLTestStore.place(of: league.folder.appendingPathComponent("Database"))
        let type = NSPersistentStore.StoreType(rawValue: PostgreSQLTestStore.register())
        let manager = NSMigrationManager(
            sourceModel: MigrationLeague.firstModel(), destinationModel: MigrationLeague.secondModel())
        let codes = CallLog()
        manager.userInfo = [
            "before end": {
                let error = thrown {
                    try MigrationLeague.open(database, MigrationLeague.secondModel(), type: type.rawValue) { _ in }
                }
                codes.lines.append("\(error?.code ?? 0)")
            }
        ]
        let mapping = MigrationLeague.mapping(policy: String(reflecting: AskingPolicy.self))
        try manager.migrateStore(from: league.old, type: .tested, mapping: mapping, to: database, type: type)
        #expect(codes.lines == ["\(NSPersistentStoreOpenError)"])
        try MigrationLeague.open(database, MigrationLeague.secondModel(), type: type.rawValue) { context throws in
            #expect(try context.all("Athlete").count == 6)
            let metadata = context.persistentStoreCoordinator?.persistentStores.first?.metadata
            #expect(metadata != nil && metadata?[UnfinishedCopy.key] == nil)
        }
        try NSPersistentStoreCoordinator(managedObjectModel: MigrationLeague.secondModel())
            .destroyPersistentStore(at: database, type: type)
    }
}

/// Asks something at its end.
final class AskingPolicy: NSEntityMigrationPolicy {
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        (manager.userInfo?["before end"] as? () -> Void)?()
    }
}
