import FoundationGaps

/// A fetch request for transactions or changes, which is carried out over those that were read.
struct HistoryFetch {
    private let request: AnyFetchRequest
    /// Whether it finds changes; else it finds transactions.
    let findsChanges: Bool
    /// Whether the changes of a transaction have to be read for it.
    let readsChanges: Bool

    /// - Throws: 134070 for an entity that is none of history's, or a key that it does not have.
    init(_ request: AnyFetchRequest) throws {
        self.request = request
        let name = request.entity?.name ?? request.entityName
        guard let entity = [HistoryModel.transaction, HistoryModel.change].first(where: { $0.name == name }) else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "A fetch of persistent history can't be for \(name ?? "a request without an entity").",
                reason:
                    "Make it with NSPersistentHistoryTransaction.fetchRequest or NSPersistentHistoryChange.fetchRequest."
            )
        }
        findsChanges = entity === HistoryModel.change
        let keys = HistoryKeys(entity: entity)
        try request.predicate?.allowEvaluation(validator: keys)
        let order = (request.sortDescriptors ?? []).compactMap(\.key)
        for key in order { try keys.check(path: key) }
        let finder = ChangesFinder()
        try request.predicate?.allowEvaluation(validator: finder)
        finder.note(order)
        readsChanges = findsChanges || finder.isFound
    }

    /// The transactions that the request finds.
    func transactions(among records: [HistoryRecord]) throws -> [HistoryRecord] {
        try arranged(records.map { NSPersistentHistoryTransaction($0) }).map(\.record)
    }

    /// The changes that the request finds.
    func changes(among records: [HistoryRecord]) throws -> [NSPersistentHistoryChange] {
        try arranged(records.flatMap { NSPersistentHistoryTransaction($0).changes ?? [] })
    }

    private func arranged<Object: NSObject>(_ objects: [Object]) throws -> [Object] {
        var found = try objects.filter { try request.predicate?.evaluateOrThrow(with: $0) ?? true }
        if let order = request.sortDescriptors, !order.isEmpty { found = found.sorted(by: order) }
        let rest = found.dropFirst(request.fetchOffset)
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }
}

/// Refuses keys that transactions and changes do not have.
private struct HistoryKeys: NSPredicateValidating {
    let entity: NSEntityDescription

    func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws {
        guard let key else { return }
        try check(path: [scope, key].compactMap(\.self).joined(separator: "."))
    }

    func check(path: String) throws {
        var entity = entity
        for key in path.split(separator: ".").map(String.init) where !key.hasPrefix("@") {
            if let next = HistoryModel.destination(of: key, from: entity) {
                entity = next
            } else if entity.attributesByName[key] != nil {
                return
            } else if !isKnown(key) {
                throw NSError.cocoa(
                    NSPersistentStoreOperationError, "Persistent history has no key “\(key)” in \(entity.name ?? "").",
                    reason: "It has \(entity.propertiesByName.keys.sorted().joined(separator: ", ")).")
            }
        }
    }

    /// Keys of the elements of collections: a subquery's variable stands for one.
    private func isKnown(_ key: String) -> Bool {
        [HistoryModel.transaction, HistoryModel.change].contains { $0.propertiesByName[key] != nil }
    }
}

/// Looks for the key `changes`.
private struct ChangesFinder: NSPredicateValidating {
    private final class Found { var value = false }
    private let found = Found()

    var isFound: Bool { found.value }

    func visitExpressionKeyPath(_ expression: NSExpression, scope: String?, key: String?) throws {
        if key == "changes" { found.value = true }
    }

    func note(_ paths: [String]) {
        if paths.contains(where: { $0.split(separator: ".").contains("changes") }) { found.value = true }
    }
}
