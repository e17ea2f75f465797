import CoreData

/// Makes events of transactions: which objects were inserted, updated and deleted, and how they are now.
struct ChangeEvents {
    /// A transaction with more changes, as a batch has, is told without them.
    private static let mostChanges = 200

    let context: NSManagedObjectContext

    func event(of transaction: NSPersistentHistoryTransaction) throws -> ServerSentEvent {
        let changes = transaction.changes ?? []
        let id = try transaction.token.text
        guard changes.count <= Self.mostChanges else {
            return ServerSentEvent(name: .reload, id: id, data: .object([:]))
        }
        let objects = try objects(of: changes)
        let data: JSON = .object([
            "author": transaction.author.map(JSON.text) ?? .null,
            "changes": .list(changes.compactMap { json(of: $0, objects) }),
        ])
        return ServerSentEvent(name: .changes, id: id, data: data)
    }

    /// The objects that are still there: one request for each entity.
    private func objects(of changes: [NSPersistentHistoryChange]) throws -> [NSManagedObjectID: NSManagedObject] {
        var found: [NSManagedObjectID: NSManagedObject] = [:]
        let ids = changes.filter { $0.changeType != .delete }.map(\.changedObjectID)
        for (name, ids) in Dictionary(grouping: ids, by: { $0.entity.name }) {
            guard let request = Resource.named(name)?.fetchRequest() else { continue }
            request.predicate = NSPredicate(format: "SELF IN %@", ids)
            for object in try context.fetch(request) { found[object.objectID] = object }
        }
        return found
    }

    private func json(
        of change: NSPersistentHistoryChange, _ objects: [NSManagedObjectID: NSManagedObject]
    ) -> JSON? {
        guard let resource = Resource.named(change.changedObjectID.entity.name) else { return nil }
        var values: [String: JSON] = ["resource": .text(resource.name)]
        if change.changeType == .delete {
            // The model keeps the id of a deleted object in the history.
            guard let id = change.tombstone?["id"] as? UUID else { return nil }
            values["kind"] = "delete"
            values["id"] = .text(id.uuidString.lowercased())
        } else {
            // An object that is gone by now is in a later transaction.
            guard let object = objects[change.changedObjectID], let id = object.publicID else { return nil }
            values["kind"] = change.changeType == .insert ? "insert" : "update"
            values["id"] = .text(id.uuidString.lowercased())
            values["object"] = resource.summary(of: object)
            if let properties = change.updatedProperties {
                values["properties"] = .list(properties.map(\.name).sorted().map(JSON.text))
            }
        }
        return .object(values)
    }
}

extension JSON: ExpressibleByStringLiteral {
    init(stringLiteral value: String) { self = .text(value) }
}
