import CoreData
import Foundation

/// What a scenario's stores hold, as text: all objects with their values and relationships, by no keys or identifiers.
struct Contents: Equatable, CustomStringConvertible {
    /// What each store holds.
    private let stores: [String]

    var description: String { stores.joined(separator: "\n") }

    /// Opens each store with the first model that made it, as an app does.
    ///
    /// - Throws: What opening and reading throw.
    static func ofStores(in folder: URL, _ scenario: Scenario) throws -> Contents {
        Contents(
            stores: try scenario.stores.map { name in
                (["\(name):"] + (try linesOfStore(at: folder.appendingPathComponent(name), scenario.models())))
                    .joined(separator: "\n")
            })
    }

    /// Whether each store has what it has in one of some states, not all in the same one.
    func isMixture(of states: some Collection<Contents>) -> Bool {
        stores.indices.allSatisfy { place in states.contains { $0.stores[place] == stores[place] } }
    }

    /// What a context sees, unsaved changes included; a scenario's one context stands for all stores.
    static func ofContext(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait {
            // A property can't throw what is wrong with a damaged store.
            var unreadable: (any Error)?
            context.unreadableFaultHandler = { unreadable = unreadable ?? $0 }
            defer { context.unreadableFaultHandler = nil }
            let lines = try lines(of: context)
            if let unreadable { throw unreadable }
            return lines
        }
    }

    /// The objects alone, as ``ofContext(_:)`` yields them.
    var objects: [String] {
        description.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  ") }.sorted()
    }

    private static func linesOfStore(at url: URL, _ models: [NSManagedObjectModel]) throws -> [String] {
        guard try holdsStore(url) else { return ["no store"] }
        let type = Stage.type(of: url.lastPathComponent)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
        let fits = { (model: NSManagedObjectModel) in
            model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }
        guard let place = models.firstIndex(where: fits) else {
            throw ScenarioFailure("no model of the scenario made the store \(url.lastPathComponent)")
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: models[place])
        let store = try coordinator.addPersistentStore(type: type, at: url, options: Stage.impatient)
        defer { try? coordinator.remove(store) }
        let context = Stage.context(on: coordinator)
        let own = metadata.filter { !$0.key.hasPrefix("NS") && !$0.key.hasPrefix("_") }.map {
            "\($0.key) = \($0.value)"
        }
        return ["model \(place), metadata \(own.sorted())"] + (try ofContext(context))
            + (try history(context))
    }

    /// What the store's history has, by kinds of changes.
    private static func history(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait {
            guard context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil) != nil else {
                return []
            }
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            return transactions.map { transaction in
                let changes = (transaction.changes ?? []).map { change in
                    let properties = (change.updatedProperties ?? []).map(\.name).sorted()
                    return "\(change.changeType) \(change.changedObjectID.entity.name ?? "") \(properties)"
                }
                return "history \(changes.sorted())"
            }
        }
    }

    /// Whether there is a store: a blank database, as it is left where a store was destroyed, is none.
    private static func holdsStore(_ url: URL) throws -> Bool {
        guard FileManager.default.fileExists(atPath: url.path) else { return false }
        guard Stage.type(of: url.lastPathComponent) == .sqlite else { return try !Data(contentsOf: url).isEmpty }
        return try SQLiteConnection(path: url.path, access: .readWrite, timeout: 1)
            .integer("SELECT count(*) FROM sqlite_master") != 0
    }

    private static func lines(of context: NSManagedObjectContext) throws -> [String] {
        let entities = context.persistentStoreCoordinator?.managedObjectModel.entities ?? []
        return try entities.filter { $0.superentity == nil }.flatMap { entity in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            return try context.fetch(request).map(line)
        }.sorted()
    }

    private static func line(_ object: NSManagedObject) -> String {
        let relationships = object.entity.relationshipsByName.keys.sorted().map { name in
            let value = object.value(forKey: name)
            let members = (value as? NSSet)?.allObjects ?? (value as? NSOrderedSet)?.array ?? [value].compactMap { $0 }
            return "\(name): \(members.compactMap { $0 as? NSManagedObject }.map(identity).sorted())"
        }
        return "  " + identity(object) + " " + relationships.joined(separator: " ")
    }

    private static func identity(_ object: NSManagedObject) -> String {
        let values = object.entity.attributesByName.keys.sorted().map { "\($0): \(text(object.value(forKey: $0)))" }
        return "\(object.entity.name ?? "")(\(values.joined(separator: ", ")))"
    }

    private static func text(_ value: Any?) -> String {
        guard let data = value as? Data else { return value.map { "\($0)" } ?? "nil" }
        return "\(data.count) bytes, \(data.first ?? 0), \(data.hashValue)"
    }
}
