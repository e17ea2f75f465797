import CoreData
import Foundation
import Testing

/// A store in a folder of its own.
final class SampleStore: Sendable {
    let folder: URL
    let url: URL

    init(_ name: String) throws {
        folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "studio-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appending(path: name)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The stores that Apple's Core Data made, as `folder/file`.
    static let appleStores = [
        "objcio-moody/Moody.moody", "apple-recipes/Recipes.sqlite", "coredataplus-samplemodel/SampleModel_V1.sqlite",
        "cartkit/CartStorage_v1.sqlite", "ddg-bookmarks/Bookmarks_V5.sqlite", "bookmigration/Model1.sqlite",
        "cartkit-swiftdata/CartKitSwiftData_v1.sqlite",
    ]

    /// A copy of a store that Apple's Core Data made, with all that lies beside it.
    static func apple(_ name: String) throws -> SampleStore {
        let original = StudioSamples.package.appending(path: "Tests/CoreDataTests/Fixtures/Stores/\(name)")
        let store = try SampleStore(original.lastPathComponent)
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: original.path + suffix) {
            try FileManager.default.copyItem(atPath: original.path + suffix, toPath: store.url.path + suffix)
        }
        return store
    }

    /// The store that the League Manager fills.
    static func league() throws -> SampleStore {
        let store = try SampleStore("League.sqlite")
        let program = StudioProcess.executable("LeagueManager")
        try #require(try StudioProcess.run(program, [store.folder.path]).status == 0)
        try #require(FileManager.default.fileExists(atPath: store.url.path))
        return store
    }

    /// All files of the folder, with their bytes.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            var isFolder: ObjCBool = false
            let file = folder.appending(path: path)
            _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
            files[path] = isFolder.boolValue ? Data() : try Data(contentsOf: file)
        }
        return files
    }

    /// A store of three notes with an index for full-text search, and of shelves without one.
    static func searched() throws -> SampleStore {
        let store = try SampleStore("Notes.sqlite")
        let (note, shelf, title) = (NSEntityDescription(), NSEntityDescription(), NSAttributeDescription())
        (note.name, shelf.name) = ("Note", "Shelf")
        (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
        title.userInfo = [NSFullTextSearchUserInfoKey: "YES"]
        note.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [note, shelf]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let made = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store.url,
            options: [NSPersistentStoreFullTextSearchOptionKey: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for text in ["Apples", "A “quoted” \\ lemon", "Lemons"] {
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(
                    text, forKey: "title")
                try context.save()
            }
        }
        try coordinator.remove(made)
        return store
    }

    // MARK: A store of our own

    /// A store with ten cities and any number of people. The first 100,000 of them live in the first city.
    static func people(_ count: Int) throws -> SampleStore {
        let store = try SampleStore("People.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let made = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store.url, options: nil)
        try coordinator.remove(made)
        try store.execute(
            """
            PRAGMA synchronous = OFF;
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
            INSERT INTO ZCITY (Z_PK, Z_ENT, Z_OPT, ZNAME)
            SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'City'), 1, 'City ' || i FROM n;
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZNUMBER, ZSCORE, ZBORN, ZISACTIVE, ZCITY)
            SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'), 1,
            printf('Person %07d', (i * 7919) % \(count)), i, (i % 1000) / 8.0, i * 1000.0, i % 2,
            CASE WHEN i <= 100000 THEN 1 ELSE 2 + i % 9 END FROM n;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 10 WHERE Z_NAME = 'City';
            UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_NAME = 'Person';
            """)
        return store
    }

    /// Sets the data of a person.
    func setData(_ data: Data, of key: Int) throws {
        let digits = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try execute("UPDATE ZPERSON SET ZDATA = x'\(digits)' WHERE Z_PK = \(key)")
    }

    /// A keyed archive of a dictionary, as apps have them in their stores.
    static func archive() throws -> Data {
        try NSKeyedArchiver.archivedData(
            withRootObject: NSDictionary(dictionary: ["home": "Boston", "years": NSArray(array: ["2004", "2007"])]),
            requiringSecureCoding: true)
    }

    /// Runs SQL on the store, and leaves no log behind.
    func execute(_ sql: String) throws {
        let run = try StudioProcess.run(
            URL(filePath: "/usr/bin/env"),
            ["sqlite3", url.path, sql + "; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE"])
        try #require(run.status == 0, "\(run.output)")
    }

    /// A store of which history knows: what ``recordHistory(in:)`` makes.
    static func history() throws -> SampleStore {
        let store = try SampleStore("History.sqlite")
        try recordHistory(in: .sqlite, at: store.url)
        return store
    }

    /// Makes a store with 203 transactions: the app's first one inserts a city and 30 people. Of 200 others every tenth
    /// one is the widget's. Each gives a person another number. Then the app deletes Person/p2, whose name is kept.
    /// The last one has no author: it inserts another city.
    static func recordHistory(in type: NSPersistentStore.StoreType, at url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: historyModel())
        let made = try coordinator.addPersistentStore(
            type: type, at: url, options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            func insert(_ entity: String, _ name: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValue(name, forKey: "name")
                return object
            }
            context.transactionAuthor = "app"
            context.name = "main"
            let city = insert("City", "Boston")
            let people = (1...30).map { insert("Person", "Person \($0)") }
            people.forEach { $0.setValue(city, forKey: "city") }
            // Their keys follow their numbers.
            try context.obtainPermanentIDs(for: people)
            try context.save()
            for number in 0..<200 {
                context.transactionAuthor = number % 10 == 9 ? "widget" : "app"
                people[number % 30].setValue(number, forKey: "number")
                try context.save()
            }
            context.transactionAuthor = "app"
            context.delete(people[1])
            try context.save()
            context.transactionAuthor = nil
            _ = insert("City", "Rome")
            try context.save()
        }
        try coordinator.remove(made)
    }

    private static func historyModel() -> NSManagedObjectModel {
        let model = model()
        model.entitiesByName["Person"]?.attributesByName["name"]?.preservesValueInHistoryOnDeletion = true
        return model
    }

    /// Inserts a city into a store of which history knows, as another program does.
    func recordCity(_ name: String) throws { try Self.recordCity(name, in: .sqlite, at: url) }

    /// The same for a store of any kind that ``recordHistory(in:at:)`` made.
    static func recordCity(_ name: String, in type: NSPersistentStore.StoreType, at url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: historyModel())
        let made = try coordinator.addPersistentStore(
            type: type, at: url, options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "City", into: context).setValue(name, forKey: "name")
            try context.save()
        }
        try coordinator.remove(made)
    }

    /// Gives a city of a store with history another name, as another program does.
    func recordName(_ name: String, ofCity old: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.historyModel())
        let made = try coordinator.addPersistentStore(
            type: .sqlite, at: url, options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "City")
            request.predicate = NSPredicate(format: "name == %@", old)
            try #require(try context.fetch(request).first).setValue(name, forKey: "name")
            try context.save()
        }
        try coordinator.remove(made)
    }

    private static func model() -> NSManagedObjectModel {
        let (person, city) = (NSEntityDescription(), NSEntityDescription())
        (person.name, city.name) = ("Person", "City")
        let (home, people) = (NSRelationshipDescription(), NSRelationshipDescription())
        (home.name, home.destinationEntity, home.inverseRelationship, home.maxCount) = ("city", city, people, 1)
        (people.name, people.destinationEntity, people.inverseRelationship) = ("people", person, home)
        people.isOrdered = true
        person.properties = [
            attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType),
            attribute("score", .doubleAttributeType), attribute("born", .dateAttributeType),
            attribute("isActive", .booleanAttributeType), attribute("data", .binaryDataAttributeType), home,
        ]
        city.properties = [attribute("name", .stringAttributeType), people]
        let model = NSManagedObjectModel()
        model.entities = [person, city]
        return model
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }
}
