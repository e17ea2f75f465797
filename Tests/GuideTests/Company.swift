import CoreData
import Foundation

/// The guide's company, in stores of its own that go when it does.
final class Company {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Guide-" + UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func work(stores: Int = 1, _ block: (NSManagedObjectContext) throws -> Void) throws {
        let container = NSPersistentContainer(name: "Company")
        container.persistentStoreDescriptions = (1...stores).map {
            NSPersistentStoreDescription(url: folder.appendingPathComponent("\($0).sqlite"))
        }
        // Unsafe in name only: the handler runs before the function returns.
        nonisolated(unsafe) var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = failure ?? error }
        if let failure { throw failure }
        let context = container.newBackgroundContext()
        try context.performAndWait { try block(context) }
    }
}
