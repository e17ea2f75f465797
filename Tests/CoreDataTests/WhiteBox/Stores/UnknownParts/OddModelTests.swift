import Foundation
import ModelArchive
import ModelDocument
import Testing

@testable import CoreData

/// What a reader does not know of a model must not stand between a user and the data.
@Suite("Stores and compiled models with parts that no reader knows")
struct OddModelTests {
    private let folder: StoreFolder
    private let url: URL

    init() throws {
        folder = try StoreFolder()
        url = folder.file("Odd.sqlite")
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel(document: OddModel.document))
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let team = context.insert("Team", ["name": "Reds"])
            let ann = context.insert("Person", ["name": "Ann", "age": 30, "nick": "A"])
            ann.setValue(team, forKey: "team")
            let bob = context.insert("Person", ["name": "Bob", "age": 40])
            bob.setValue(ann, forKey: "rival")
            try context.save()
        }
        try coordinator.remove(store)
    }

    private func archive(with oddity: Oddity) throws -> Data {
        var archive = try OpenArchive(try ModelArchive.write(OddModel.document, as: .modelCache))
        try oddity.plant(&archive)
        return archive.data
    }

    private func plant(_ archive: Data) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        try connection.execute("DELETE FROM Z_MODELCACHE")
        try SQLiteMetadata.writeModelCache(archive, to: connection)
    }

    @Test("there are more than forty oddities to read") func count() { #expect(Oddity.all.count > 40) }

    @Test("the store is read with the model in it, and the notes name what was left out", arguments: Oddity.all)
    func reading(oddity: Oddity) throws {
        let archive = try archive(with: oddity)
        try plant(archive)
        let notes = ReadingNotes()
        _ = try NSManagedObjectModel(archive: archive, leavingOut: notes)
        if let note = oddity.note { #expect(notes.lines.contains { $0.contains(note) }, "\(notes.lines)") }
        let model = try #require(try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url))
        try expectRows(model, isReadOnly: true)
    }

    @Test(
        "the store is written where nothing that is stored depends on the oddity, else refused", arguments: Oddity.all)
    func writing(oddity: Oddity) throws {
        let archive = try archive(with: oddity)
        try plant(archive)
        let model = try #require(try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url))
        guard oddity.isWritable else {
            let error = thrown { try expectRows(model, isReadOnly: false) }
            #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
            return
        }
        try expectRows(model, isReadOnly: false) { context throws in
            _ = context.insert("Person", ["name": "Cleo"])
            try context.save()
            #expect(try context.all("Person").count == 3)
        }
        #expect(try SQLiteStore.modelArchive(at: url) == archive)
    }

    @Test("a compiled file with the oddity is loaded", arguments: Oddity.all)
    func compiledFile(oddity: Oddity) throws {
        let file = folder.file("Odd.mom")
        try archive(with: oddity).write(to: file)
        let model = try #require(NSManagedObjectModel(contentsOf: file))
        #expect(model.entitiesByName["Person"]?.attributesByName["name"] != nil)
    }

    @Test("inspect, export and query show the rows", arguments: Oddity.all)
    func commands(oddity: Oddity) throws {
        try plant(archive(with: oddity))
        let export = try CommandLineTool.run(["export", url.path])
        #expect(export.contains("\"Ann\"") && export.contains("\"Bob\"") && export.contains("\"Reds\""), "\(export)")
        #expect(export.contains("\"team\":\"Team/p1\""))
        #expect(try CommandLineTool.run(["inspect", url.path]).contains("Person"))
        #expect(try CommandLineTool.run(["query", url.path, "Person", "--where", "age > 35"]).contains("Bob"))
        #expect(try CommandLineTool.run(["tree", url.path, "Team/p1"]).contains("Ann"))
    }

    private func expectRows(
        _ model: NSManagedObjectModel, isReadOnly: Bool, _ body: (NSManagedObjectContext) throws -> Void = { _ in }
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: NSNumber(value: isReadOnly)])
        defer { #expect(throws: Never.self) { try coordinator.remove(store) } }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let people = try context.all("Person", sortedBy: "name")
            #expect(people.map { $0.string("name") } == ["Ann", "Bob"])
            #expect(people.map { ($0.value(forKey: "age") as? NSNumber)?.intValue } == [30, 40])
            #expect(people.first?.object("team")?.string("name") == "Reds")
            #expect(try context.all("Team", "ANY players.name == 'Ann'").count == 1)
            try body(context)
        }
    }
}
