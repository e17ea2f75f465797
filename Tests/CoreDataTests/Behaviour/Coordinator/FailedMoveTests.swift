import CoreData
import Foundation
import Testing

/// Moves of stores that fail when the copy is made and can't be opened.
struct FailedMoveTests {
    private let stack: Stack
    private let store: NSPersistentStore
    private let object: NSManagedObjectID
    private let data = Data(repeating: 7, count: 200_000)

    init() throws {
        stack = try Stack(model(entity("Picture", [externalData("bytes")])))
        store = try #require(stack.coordinator.persistentStores.first)
        object = try stack.saved("Picture", ["bytes": data])
    }

    private var files: Set<String> {
        get throws {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: stack.folder.path)
            return Set(
                paths.filter { UUID(uuidString: ($0 as NSString).lastPathComponent) != nil || $0.contains(".sq") })
        }
    }

    private func move(to name: String) {
        let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["cache_size": "no number;"]]
        let error = #expect(throws: NSError.self) {
            try stack.coordinator.migratePersistentStore(
                store, to: stack.folder.appendingPathComponent(name), options: options, type: .sqlite)
        }
        #expect(error?.code == NSPersistentStoreOpenError)
    }

    @Test func aMoveThatFailsLeavesNoFilesOfTheCopy() throws {
        let before = try files
        move(to: "Moved.sqlite")
        #expect(try files == before)
    }

    @Test func aMoveThatFailsLeavesTheExternalDataOfAStoreWithAnotherExtension() throws {
        move(to: "Store.database")
        let read = try stack.work { try $0.existingObject(with: object).value(forKey: "bytes") as? Data }
        #expect(read == data)
    }
}
