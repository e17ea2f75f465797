import CoreData
import Testing

@Suite("A mapping model and a policy that the plug-in compiles")
struct MappingTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")

    /// A version of the model.
    private func model(_ version: String) throws -> NSManagedObjectModel {
        let url = try #require(Bundle.module.url(forResource: "Ledger", withExtension: "momd"))
        return try #require(NSManagedObjectModel(contentsOf: url.appending(path: "\(version).mom")))
    }

    private func open(
        _ model: NSManagedObjectModel, _ options: [AnyHashable: Any] = [:],
        _ block: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = folder.appending(path: "Ledger.sqlite")
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try block(context) }
        try coordinator.remove(store)
    }

    private func fill(amount: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try open(model("Ledger")) { context in
            let account = NSEntityDescription.insertNewObject(forEntityName: "Account", into: context)
            account.setValue("Ada Lovelace", forKey: "owner")
            let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
            entry.setValue(amount, forKey: "amount")
            entry.setValue(account, forKey: "account")
            try context.save()
        }
    }

    private let options: [AnyHashable: Any] = [NSMigratePersistentStoresAutomaticallyOption: true]

    @Test("the resource is found by the models' hashes")
    func finding() throws {
        let mapping = try #require(
            NSMappingModel(
                from: [Bundle.module], forSourceModel: model("Ledger"), destinationModel: model("Ledger 2")))
        #expect(mapping.entityMappings.map(\.name) == ["AccountToAccount", "EntryToEntry"])
        let url = try #require(Bundle.module.url(forResource: "LedgerToLedger2", withExtension: "cdm"))
        #expect(NSMappingModel(contentsOf: url)?.entityMappings.count == 2)
    }

    @Test("expressions call the policy's methods, whose class is found with its module's name and without it")
    func migrating() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try fill(amount: "12.5")
        try open(model("Ledger 2"), options) { context in
            let account = try #require(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Account")).first)
            #expect(account.value(forKey: "initials") as? String == "AL")
            let entry = try #require((account.value(forKey: "entries") as? Set<NSManagedObject>)?.first)
            #expect(entry.value(forKey: "cents") as? Int == 1250)
        }
    }

    @Test("what a method throws is told, and the store stays as it was")
    func throwing() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try fill(amount: "much")
        let next = try model("Ledger 2")
        let error = #expect(throws: (any Error).self) { try open(next, options) { _ in } } as NSError?
        #expect(error?.code == NSMigrationError && error?.localizedFailureReason?.contains("much") ?? false)
        try open(model("Ledger")) { context in
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Entry"))
            #expect(count == 1)
        }
    }
}

/// Computes what the ledger's new version has.
final class LedgerPolicy: NSEntityMigrationPolicy {
    func initials(of name: String?) -> String {
        (name ?? "").split(separator: " ").compactMap(\.first).map(String.init).joined()
    }

    func cents(text: String, factor: Int) throws -> Int64 {
        guard let amount = Double(text) else {
            throw NSError(
                domain: "ledger", code: 1, userInfo: [NSLocalizedDescriptionKey: "“\(text)” is no amount."])
        }
        return Int64(amount * Double(factor))
    }
}
