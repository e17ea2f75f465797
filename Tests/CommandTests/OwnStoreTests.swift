import CoreData
import Foundation
import Testing

@Suite("Stores that were written here, without their app")
struct OwnStoreTests {
    private let folder: TemporaryFolder
    private let path: String
    private let photo = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0) })

    /// Two shops with a composite address, a large photo in a file of its own, and what is transformed.
    init() throws {
        folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Shops.sqlite")
        path = url.path
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for (name, city) in [("Bakery", "Ulm"), ("=Bank", "Rome")] {
                let shop = NSEntityDescription.insertNewObject(forEntityName: "Shop", into: context)
                shop.setValue(name, forKey: "name")
                shop.setValue(["city": city, "zip": 89073] as [String: Any], forKey: "address")
                if name == "Bakery" { shop.setValue(photo, forKey: "photo") }
            }
            try context.save()
        }
        try coordinator.remove(store)
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func model() -> NSManagedObjectModel {
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.isOptional = true
        address.elements = [attribute("city", .stringAttributeType), attribute("zip", .integer32AttributeType)]
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let shop = NSEntityDescription()
        shop.name = "Shop"
        shop.properties = [attribute("name", .stringAttributeType), address, photo]
        let model = NSManagedObjectModel()
        model.entities = [shop]
        return model
    }

    @Test("elements of composite attributes are columns, predicates and members of objects")
    func composite() throws {
        let run = try Command([
            "query", path, "Shop", "--where", "address.city == 'Ulm'", "--columns", "name,address.city,address.zip",
        ])
        let expected = """
            name    address.city  address.zip
            ──────  ────────────  ───────────
            Bakery  Ulm                 89073

            1 object

            """
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == expected)
        let objects = try ExportedObject.all(Command(["export", path]).output)
        let cities = objects.values.compactMap { ($0.attributes["address"] as? [String: Any])?["city"] as? String }
        #expect(cities.sorted() == ["Rome", "Ulm"])
        let unknown = try Command(["query", path, "Shop", "--columns", "address.street"])
        #expect(unknown.status == 7 && unknown.errors.contains("no element “street”"))
    }

    @Test("a value in a file of its own is resolved wherever it is shown, with and without the model")
    func external() throws {
        let query = ["query", path, "Shop", "--where", "photo != nil", "--columns", "photo"]
        #expect(try Command(query).output.contains("<150000 bytes>"))
        let target = folder.url.appendingPathComponent("blobs")
        #expect(try Command(query + ["--extract", target.path]).status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: target.path)
        #expect(files.count == 1)
        #expect(try Data(contentsOf: target.appendingPathComponent(files.first ?? "")) == photo)
        let sql = "DROP TABLE Z_MODELCACHE; PRAGMA wal_checkpoint(TRUNCATE)"
        _ = try Command(executable: URL(fileURLWithPath: "/usr/bin/env"), arguments: ["sqlite3", path, sql])
        let inferred = try ExportedObject.all(Command(["export", path]).output)
        let photos = inferred.values.compactMap { $0.attributes["photo"] as? String }
        #expect(photos == [photo.base64EncodedString()])
    }

    @Test("check says nothing of a clean one, and names the value without its file")
    func check() throws {
        #expect(try Command(["check", path]).status == 0)
        let support = folder.url.appendingPathComponent(".Shops_SUPPORT/_EXTERNAL_DATA")
        for file in try FileManager.default.contentsOfDirectory(atPath: support.path) {
            try FileManager.default.removeItem(at: support.appendingPathComponent(file))
        }
        let run = try Command(["check", path])
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("error missing-external-file ZSHOP Shop/p"))
        #expect(try Command(["export", path]).errors.contains("Shop.photo: the external file"))
    }

    @Test("a text that looks like a formula is disarmed in CSV for spreadsheets")
    func formula() throws {
        let csv = try Command(["query", path, "Shop", "--columns", "name", "--sort", "name", "--format", "csv"])
        #expect(csv.output == "\u{FEFF}name\r\n'=Bank\r\nBakery\r\n")
    }
}
