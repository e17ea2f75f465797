import CoreData
import Foundation
import Testing

/// A document with versions of a model, and a store of the first one.
struct LibraryModel {
    let folder: TemporaryFolder
    /// The document.
    let path: String
    var url: URL { URL(fileURLWithPath: path) }
    let type: NSPersistentStore.StoreType
    var store: URL { folder.url.appendingPathComponent("Library." + ending) }
    /// What the names of stores end with.
    var ending: String { [.xml: "xml", .binary: "bin"][type] ?? "sqlite" }

    /// The first version; one that can be inferred and loses something; one that rows may stand against; one that can't
    /// be inferred; one with a constraint that the rows break.
    static let versions = [
        "Library": """
        <entity name="Book" representedClassName="Library.Book" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="pages" optional="YES" attributeType="Integer 32" usesScalarValueType="NO"/>
            <attribute name="isbn" optional="YES" attributeType="String"/>
            <attribute name="rating" optional="YES" attributeType="Integer 16" usesScalarValueType="NO"/>
            <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <relationship name="chapters" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
        destinationEntity="Chapter" inverseName="book" inverseEntity="Chapter"/>
        </entity>
        <entity name="Chapter" syncable="YES">
            <attribute name="heading" optional="YES" attributeType="String"/>
            <relationship name="book" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book" \
        inverseName="chapters" inverseEntity="Book"/>
        </entity>
        <entity name="Leaflet" syncable="YES"><attribute name="name" optional="YES" attributeType="String"/></entity>
        """,
        "Library 2": """
        <entity name="Book" representedClassName="Library.Book" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String" elementID="title"/>
            <attribute name="isbn" optional="YES" attributeType="String"/>
            <attribute name="rating" attributeType="Integer 16" defaultValueString="3" usesScalarValueType="NO"/>
            <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <attribute name="language" optional="YES" attributeType="String" defaultValueString="en"/>
            <relationship name="chapters" optional="YES" toMany="YES" deletionRule="Cascade" \
        destinationEntity="Chapter" inverseName="book" inverseEntity="Chapter"/>
        </entity>
        <entity name="Chapter" syncable="YES">
            <attribute name="heading" optional="YES" attributeType="String"/>
            <relationship name="book" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Book" \
        inverseName="chapters" inverseEntity="Book"/>
        </entity>
        """,
        "Library 3": """
        <entity name="Book" representedClassName="Library.Book" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String"/>
            <attribute name="isbn" attributeType="String"/>
            <uniquenessConstraints><uniquenessConstraint>
                <constraint value="title"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        """,
        "Library 4": """
        <entity name="Book" representedClassName="Library.Book" syncable="YES">
            <attribute name="title" optional="YES" attributeType="Integer 32" usesScalarValueType="NO"/>
        </entity>
        """,
        "Library 5": """
        <entity name="Book" representedClassName="Library.Book" syncable="YES">
            <attribute name="title" optional="YES" attributeType="String"/>
            <uniquenessConstraints><uniquenessConstraint>
                <constraint value="title"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
        """,
    ]

    /// - Parameters:
    ///   - current: The name of the current version.
    ///   - type: The type of the stores.
    init(current: String = "Library 2", type: NSPersistentStore.StoreType = .sqlite) throws {
        self.type = type
        folder = try TemporaryFolder()
        let document = folder.url.appendingPathComponent("Library.xcdatamodeld")
        path = document.path
        for (name, entities) in Self.versions {
            let version = document.appendingPathComponent(name + ".xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            let xml = """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                \(entities)
                </model>
                """
            try Data(xml.utf8).write(to: version.appendingPathComponent("contents"))
        }
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
            <key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string>
            </dict></plist>
            """
        try Data(list.utf8).write(to: document.appendingPathComponent(".xccurrentversion"))
    }

    /// A version, with plain objects.
    func model(_ version: String) throws -> NSManagedObjectModel {
        let model = try #require(
            NSManagedObjectModel(contentsOf: url.appendingPathComponent(version + ".xcdatamodel")))
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        return model
    }

    /// Opens the store with a version and works in a context.
    func use<Result>(_ version: String, at url: URL? = nil, _ body: (NSManagedObjectContext) throws -> Result) throws
        -> Result
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model(version))
        let store = try coordinator.addPersistentStore(
            ofType: type.rawValue, configurationName: nil, at: url ?? self.store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let result = try context.performAndWait { try body(context) }
        try coordinator.remove(store)
        return result
    }

    /// Makes a store of the first version: 1,000 books, of which 812 have pages, 700 a rating and 990 an ISBN, one has
    /// a large cover and two have two chapters; 30 leaflets.
    func fill() throws {
        try use("Library") { context throws in
            func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
                return object
            }
            for number in 0..<1000 {
                let book = insert("Book", ["title": "Book \(number / 2)"])
                if number < 812 { book.setValue(number, forKey: "pages") }
                if number < 700 { book.setValue(number % 5, forKey: "rating") }
                if number < 990 { book.setValue("isbn \(number)", forKey: "isbn") }
                if number == 0 { book.setValue(Self.cover, forKey: "cover") }
                guard number < 2 else { continue }
                let chapters = (1...2).map { insert("Chapter", ["heading": "Chapter \($0) of \(number)"]) }
                book.setValue(NSOrderedSet(array: chapters), forKey: "chapters")
            }
            for number in 0..<30 { _ = insert("Leaflet", ["name": "Leaflet \(number)"]) }
            try context.save()
        }
    }

    static let cover = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0) })

    /// All files of the folder but the document's, with their bytes.
    func files() throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        var files: [String: Data] = [:]
        for path in paths where !path.hasPrefix("Library.xcdatamodeld") {
            let url = folder.url.appendingPathComponent(path)
            if let data = try? Data(contentsOf: url) { files[path] = data }
        }
        return files
    }
}
