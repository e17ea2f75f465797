import CoreData
import Foundation
import Testing

@Suite("URLs of stores that are no files")
struct StoreURLTests {
    private let folder: FileFolder
    private let coordinator: NSPersistentStoreCoordinator

    init() throws {
        folder = try FileFolder()
        coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: model(entity("Note", [attribute("text", .stringAttributeType)])))
    }

    /// The URL of a database whose path is that of a file in the test's folder.
    private func database(_ scheme: String = "postgresql") throws -> URL {
        let path = folder.file("Base").path
        return try #require(URL(string: "\(scheme)://app:S3cretpw@127.0.0.1\(path)?password=S3cretpw2"))
    }

    private var files: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)) }
    }

    /// Expects 134080 without a password, and a folder that is as it was.
    private func expectRefusal(
        _ scheme: String = "postgresql", _ body: (URL) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (url, before) = (try database(scheme), try files)
        let error = try #require(thrown { try body(url) }, sourceLocation: sourceLocation)
        #expect(error.domain == NSCocoaErrorDomain, sourceLocation: sourceLocation)
        #expect(error.code == NSPersistentStoreOpenError, "\(error)", sourceLocation: sourceLocation)
        #expect(!"\(error) \(error.userInfo)".contains("S3cret"), sourceLocation: sourceLocation)
        let namesType = error.localizedDescription.contains("NSPostgreSQLStoreType")
        #expect(
            namesType == scheme.lowercased().hasPrefix("postgres"), "\(error)", sourceLocation: sourceLocation)
        #expect(try files == before, sourceLocation: sourceLocation)
    }

    // MARK: Descriptions

    @Test(
        "a description shows no password",
        arguments: [
            "postgresql://app:S3cretpw@host/base?password=S3cretpw2", "postgres://app:S3cretpw@host:5432/base",
            "POSTGRESQL://app:S3cretpw@host/base?sslpassword=S3cretpw2", "postgresql:/app:S3cretpw@host/base",
            "service://app:S3cret%3Apw@host/base?sslpassword=S3cretpw2", "service://app:S3cretpw@host/base#a@b",
            "service://host/base?user=app&Password=S3cret&pass%77ord=S3cret", "service://app:12?S3cret@host/base",
            "postgresql://app@host/base?oauth_client_secret=S3cret&scram_client_key=S3cret",
            "service://app@host/base?scram_server_key=S3cret&OAuth_Client_Secret=S3cret",
            "postgresql://app:12/S3cret@host/base", "service://app:/S3cret/S3cret@host/base?c=d@e",
        ])
    func descriptions(text: String) throws {
        let shown = "\(NSPersistentStoreDescription(url: try #require(URL(string: text))))"
        #expect(!shown.contains("S3cret"), "\(shown)")
        #expect(shown.contains("app") && shown.contains("host") && shown.contains("base"), "\(shown)")
    }

    @Test("a description shows all else of a URL")
    func otherDescriptions() throws {
        func shown(_ text: String) throws -> String {
            "\(NSPersistentStoreDescription(url: try #require(URL(string: text))))"
        }
        #expect(
            try shown("service://app:S3cret@host:1/base?a=b&password=S3cret&c=d#e")
                == "<NSPersistentStoreDescription> (type: SQLite, url: "
                + "service://app:***@host:1/base?a=b&password=***&c=d#e)")
        for text in [
            "file:///tmp/a:b@c.sqlite?password=x", "service://app@host/base?c=d", "/tmp/a.sqlite",
            "service://host:1/base?c=d@e",
        ] {
            #expect(try shown(text) == "<NSPersistentStoreDescription> (type: SQLite, url: \(text))")
        }
    }

    // MARK: Stores

    @Test(
        "a store that is a file is not made at the URL of a database or a service",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, JSONStore.register()],
        ["postgresql", "postgres", "POSTGRESQL", "service"])
    func adding(type: String, scheme: String) throws {
        try expectRefusal(scheme) {
            try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: $0)
        }
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("a container reports a forgotten type")
    func container() throws {
        let container = NSPersistentContainer(name: "Forgotten", managedObjectModel: coordinator.managedObjectModel)
        try expectRefusal { url in
            container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
            nonisolated(unsafe) var failure: (any Error)?
            container.loadPersistentStores { failure = $1 }
            if let failure { throw failure }
        }
    }

    @Test(
        "a file at the path of such a URL is not destroyed, replaced, read or written",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, JSONStore.register()])
    func destroying(type: String) throws {
        try Data("kept".utf8).write(to: folder.file("Base"))
        let force = [NSPersistentStoreForceDestroyOption: true]
        try expectRefusal { try coordinator.destroyPersistentStore(at: $0, ofType: type, options: force) }
        let other = folder.file("Other")
        try expectRefusal {
            try coordinator.replacePersistentStore(at: $0, withPersistentStoreFrom: other, ofType: type)
        }
        try expectRefusal {
            try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: $0, ofType: type)
        }
        try expectRefusal {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: $0, options: nil)
        }
        try expectRefusal {
            try NSPersistentStoreCoordinator.setMetadata(
                ["mine": 1], forPersistentStoreOfType: type, at: $0, options: nil)
        }
        try expectRefusal("service") { _ = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: $0) }
        #expect(try Data(contentsOf: folder.file("Base")) == Data("kept".utf8))
    }

    @Test("a store does not move to such a URL, and is not migrated from or to one; it goes on where it was")
    func moving() throws {
        let url = folder.file("Store.sqlite")
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        try expectRefusal { try coordinator.migratePersistentStore(store, to: $0, withType: NSSQLiteStoreType) }
        #expect(!coordinator.setURL(try database(), for: store))
        let model = coordinator.managedObjectModel
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
        for (source, destination) in [(url, nil), (nil, folder.file("Other.sqlite"))] as [(URL?, URL?)] {
            let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
            try expectRefusal {
                try manager.migrateStore(
                    from: source ?? $0, type: .sqlite, mapping: mapping, to: destination ?? $0, type: .sqlite)
            }
        }
        #expect(coordinator.persistentStores == [store] && store.url == url)
        try coordinator.work { context in
            _ = context.insert("Note", ["text": "still here"])
            try context.save()
        }
    }

    @Test("a URL without a scheme is a path, the file /dev/null is a store in memory, and memory takes any URL")
    func otherURLs() throws {
        let path = folder.file("Path.sqlite").path
        let store = try coordinator.addPersistentStore(type: .sqlite, at: try #require(URL(string: path)))
        #expect(FileManager.default.fileExists(atPath: path))
        try coordinator.remove(store)
        try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: "/dev/null"))
        let (url, before) = (try database(), try files)
        #expect(try coordinator.addPersistentStore(type: .inMemory, at: url).url == url)
        #expect(try files == before)
    }
}
