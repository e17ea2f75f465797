import CoreData
import Foundation

/// A coordinator over stores that record their changes, in a folder that goes when the stack does.
final class HistoryStack {
    let folder: URL
    let coordinator: NSPersistentStoreCoordinator

    /// - Parameter stores: The names of the stores.
    init(_ model: NSManagedObjectModel = BatchLeague.make(), stores: [String] = ["Store"]) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for name in stores {
            try coordinator.addPersistentStore(
                ofType: testedStoreType, configurationName: nil, at: url(of: name), options: Self.options)
        }
    }

    deinit {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
        try? FileManager.default.removeItem(at: folder)
    }

    static var options: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true as NSNumber] }

    func url(of name: String = "Store") -> URL {
        testedPlace(folder.appendingPathComponent(name + ".sqlite"))
    }

    func context(author: String? = nil, name: String? = nil) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        (context.transactionAuthor, context.name) = (author, name)
        return context
    }

    /// Runs a block with a new context, on its queue.
    func work<T>(
        author: String? = nil, name: String? = nil, _ block: (NSManagedObjectContext) throws -> T
    ) rethrows -> T {
        let context = context(author: author, name: name)
        return try context.performAndWait { try block(context) }
    }

    /// The same store, seen by another coordinator.
    func reopened<T>(
        _ options: [AnyHashable: Any]? = HistoryStack.options, _ block: (NSManagedObjectContext) throws -> T
    ) throws -> T {
        let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        let store = try other.addPersistentStore(
            ofType: testedStoreType, configurationName: nil, at: url(), options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        let result = try context.performAndWait { try block(context) }
        try other.remove(store)
        return result
    }

    func token() -> NSPersistentHistoryToken? { coordinator.currentPersistentHistoryToken(fromStores: nil) }

    /// The transactions after a token.
    func transactions(after token: NSPersistentHistoryToken? = nil) throws -> [NSPersistentHistoryTransaction] {
        try work { try $0.transactions(.fetchHistory(after: token)) }
    }

    /// What the transactions after a token did, in short.
    func story(after token: NSPersistentHistoryToken? = nil) throws -> [[String]] {
        try transactions(after: token).map { ($0.changes ?? []).map(\.short).sorted() }
    }
}

extension NSManagedObjectContext {
    func result(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
        (try execute(request) as? NSPersistentHistoryResult)?.result
    }

    func transactions(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryTransaction] {
        try result(request) as? [NSPersistentHistoryTransaction] ?? []
    }

    func changes(_ request: NSPersistentHistoryChangeRequest) throws -> [NSPersistentHistoryChange] {
        request.resultType = .changesOnly
        return try result(request) as? [NSPersistentHistoryChange] ?? []
    }
}

extension NSPersistentHistoryChange {
    /// Such as `update Player 3 age,name`.
    var short: String {
        let key = changedObjectID.uriRepresentation().lastPathComponent.dropFirst()
        let properties = updatedProperties.map { " " + $0.map(\.name).sorted().joined(separator: ",") } ?? ""
        return "\(changeType) \(changedObjectID.entity.name ?? "") \(key)\(properties)"
    }
}
