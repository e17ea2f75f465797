import Foundation
import Testing

@testable import CoreData

/// Migrations of a store in its place, by a manager, while another coordinator saves to the store.
@Suite struct OvertakenMigrationTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    private func model(_ names: String...) -> NSManagedObjectModel {
        CoreDataTests.model(entity("Note", names.map { attribute($0, .stringAttributeType) }))
    }

    /// Runs a block once when a context saves to a store in the folder, and `body` meanwhile.
    private func atFirstSave<R>(_ block: () throws -> Void, _ body: () throws -> R) throws -> R {
        try withoutActuallyEscaping(block) { block in
            nonisolated(unsafe) var (block, error): ((() throws -> Void)?, (any Error)?) = (block, nil)
            let path = folder.url.path
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
            ) { notification in
                let coordinator = (notification.object as? NSManagedObjectContext)?.persistentStoreCoordinator
                guard coordinator?.persistentStores.first?.url?.path.hasPrefix(path) ?? false, let once = block else {
                    return
                }
                block = nil
                do { try once() } catch let thrown { error = thrown }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            let result = try body()
            #expect(block == nil && error == nil, "\(error.map { "\($0)" } ?? "no save")")
            block = nil
            return result
        }
    }

    /// A store of a type; those in databases with one journal or the other, and with other pages.
    struct Kind: CustomTestStringConvertible, Sendable {
        let type: String
        var pragmas: [String: String] = [:]
        var testDescription: String { "\(type) \(pragmas)" }

        var options: [AnyHashable: Any] {
            var options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: NSNumber(value: 0.2)]
            if !pragmas.isEmpty { options[NSSQLitePragmasOption] = pragmas as [AnyHashable: Any] }
            return options
        }

        static let all = [
            Kind(type: NSXMLStoreType), Kind(type: NSBinaryStoreType), Kind(type: NSSQLiteStoreType),
            Kind(type: NSSQLiteStoreType, pragmas: ["journal_mode": "DELETE"]),
            Kind(type: NSSQLiteStoreType, pragmas: ["page_size": "8192"]),
        ]
    }

    private func save(_ text: String, _ kind: Kind, at url: URL) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model("text"))
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: url, options: kind.options)
        defer { try? coordinator.remove(store) }
        try coordinator.work { context throws in
            _ = context.insert("Note", ["text": text])
            try context.save()
        }
    }

    private func texts(_ model: NSManagedObjectModel, _ kind: Kind, at url: URL) throws -> [String?] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
        defer { try? coordinator.remove(store) }
        return try coordinator.work { try $0.all("Note", sortedBy: "text").map { $0.string("text") } }
    }

    @Test("what is saved meanwhile is not lost: the migration fails, and is made again", arguments: Kind.all)
    func saving(kind: Kind) throws {
        let url = folder.file("Store")
        try save("first", kind, at: url)
        let (old, new) = (model("text"), model("text", "title"))
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        func migrate() throws {
            let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
            manager.usesStoreSpecificMigrationManager = false
            try manager.migrateStore(at: url, type: kind.type, mapping: mapping)
        }
        let error = try atFirstSave({ try save("meanwhile", kind, at: url) }) { thrown { try migrate() } }
        #expect(error?.code == NSMigrationError, "\(error.map { "\($0)" } ?? "no error")")
        #expect(try texts(old, kind, at: url) == ["first", "meanwhile"])
        try migrate()
        #expect(try texts(new, kind, at: url) == ["first", "meanwhile"])
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains { $0.hasPrefix(".Store-") })
    }

    @Test("nothing can be saved between the last look and the replacement", arguments: Kind.all)
    func replacing(kind: Kind) throws {
        let (url, new, files) = (folder.file("Store"), folder.file("New"), try StoreKinds.fileKind(of: kind.type))
        try save("first", kind, at: url)
        try save("new", Kind(type: kind.type), at: new)
        let watch = try files.watch(url)
        var (isQuiet, error): (Bool?, NSError?)
        try files.replace(url, options: nil, by: new, sourceOptions: nil) {
            isQuiet = try watch.isQuiet
            error = thrown { try save("meanwhile", kind, at: url) }
        }
        #expect(isQuiet == true && error != nil)
        #expect(try texts(model("text"), kind, at: url) == ["new"])
    }

    @Test("a replacement that is called off changes nothing", arguments: Kind.all)
    func callingOff(kind: Kind) throws {
        let (url, new, files) = (folder.file("Store"), folder.file("New"), try StoreKinds.fileKind(of: kind.type))
        try save("first", kind, at: url)
        try save("new", Kind(type: kind.type), at: new)
        let error = thrown {
            try files.replace(url, options: nil, by: new, sourceOptions: nil) {
                throw NSError(domain: "Test", code: 7)
            }
        }
        #expect(error?.code == 7)
        try save("second", kind, at: url)
        #expect(try texts(model("text"), kind, at: url) == ["first", "second"])
    }

    @Test("a watched store tells whether anything was saved", arguments: Kind.all)
    func watching(kind: Kind) throws {
        let (url, files) = (folder.file("Store"), try StoreKinds.fileKind(of: kind.type))
        try save("first", kind, at: url)
        let quiet = try files.watch(url)
        _ = try files.metadata(at: url, options: nil)
        #expect(try quiet.isQuiet)
        let watch = try files.watch(url)
        try save("second", kind, at: url)
        #expect(try !watch.isQuiet)
    }
}
