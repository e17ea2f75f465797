import CoreData
import Foundation

/// Writers that record history, and a reader of it that keeps a ledger: all of them get killed.
///
/// A writer inserts items, raises their counts and deletes them. The reader notes each change in a ledger, which it
/// writes in one step with the token of the last transaction. So the ledger, once it is up to date, has for each item
/// one insertion, an update for each count, and one deletion if the item is gone.
struct Ledger: Codable {
    var token: Data?
    var insertions: [String: Int] = [:]
    var updates: [String: Int] = [:]
    var deletions: [String: Int] = [:]

    // MARK: Writing

    static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Item"
        entity.properties = [("owner", .stringAttributeType), ("count", .integer64AttributeType)].map { name, type in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType) = (name, type)
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    static func context(_ store: URL) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Writes until the process is ended.
    static func write(_ store: URL, as owner: String) throws -> Never {
        let context = try context(store)
        context.transactionAuthor = owner
        while true {
            try context.performAndWait {
                let own = NSFetchRequest<NSManagedObject>(entityName: "Item")
                own.predicate = NSPredicate(format: "owner == %@", owner)
                var items = try context.fetch(own).shuffled()
                if items.count > 5, .random() { items.popLast().map { context.delete($0) } }
                for item in items.prefix(.random(in: 0...3)) {
                    item.setValue((item.value(forKey: "count") as? Int64 ?? 0) + 1, forKey: "count")
                }
                if items.count < 10 {
                    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                    item.setValue(owner, forKey: "owner")
                    item.setValue(0 as Int64, forKey: "count")
                }
                try context.save()
            }
        }
    }

    // MARK: Reading

    init() {}

    init(at url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        self = try JSONDecoder().decode(Ledger.self, from: Data(contentsOf: url))
    }

    /// Reads until the process is ended, or until nothing is left to read.
    static func read(_ store: URL, to url: URL, untilEnd: Bool) throws {
        let context = try context(store)
        var ledger = try Ledger(at: url)
        repeat {
            let isNew = try context.performAndWait { try ledger.readOn(context, url) }
            if !isNew, untilEnd { return }
        } while true
    }

    /// Notes the next transactions, and purges those before.
    ///
    /// - Returns: Whether there were any.
    private mutating func readOn(_ context: NSManagedObjectContext, _ url: URL) throws -> Bool {
        let token = try self.token.flatMap {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: $0)
        }
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        guard let last = transactions.last else { return false }
        for change in transactions.flatMap({ $0.changes ?? [] }) { note(change) }
        self.token = try NSKeyedArchiver.archivedData(withRootObject: last.token, requiringSecureCoding: true)
        try JSONEncoder().encode(self).write(to: url, options: .atomic)
        if .random() { try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: last.token)) }
        return true
    }

    private mutating func note(_ change: NSPersistentHistoryChange) {
        let item = change.changedObjectID.uriRepresentation().absoluteString
        switch change.changeType {
        case .insert: insertions[item, default: 0] += 1
        case .update: updates[item, default: 0] += 1
        case .delete: deletions[item, default: 0] += 1
        }
    }

    // MARK: Checking

    /// What a ledger that is up to date has missed or doubled; empty if it is right.
    func faults(_ store: URL) throws -> [String] {
        let context = try Self.context(store)
        return try context.performAndWait {
            var faults: [String] = []
            var counts: [String: Int] = [:]
            for item in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")) {
                let uri = item.objectID.uriRepresentation().absoluteString
                counts[uri] = Int(item.value(forKey: "count") as? Int64 ?? 0)
            }
            for (item, count) in counts where updates[item] ?? 0 != count || deletions[item] != nil {
                faults.append(
                    "\(item): count \(count), \(updates[item] ?? 0) updates, \(deletions[item] ?? 0) deletions")
            }
            for (item, count) in insertions where count != 1 || counts[item] == nil && deletions[item] != 1 {
                faults.append("\(item): \(count) insertions, \(deletions[item] ?? 0) deletions")
            }
            faults += counts.keys.filter { insertions[$0] == nil }.map { "\($0) was never inserted" }
            return faults
        }
    }
}
