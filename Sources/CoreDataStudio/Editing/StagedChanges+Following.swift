import CoreData

// The objects of the staging context follow what other programs save.

extension StagedChanges {
    /// As many rows as a statement reads at most.
    private static let part = 500

    /// Has the objects take the rows that the store has now. What is staged stays on top of them.
    ///
    /// Three kinds of objects keep the row that they have, so that the next save tells of the conflict:
    /// - those with a property that both sides changed
    /// - those with ordered members that changed here and that others put into another order
    /// - those that are not in the store any more
    ///
    /// The steps are forgotten where they would take back what others saved.
    ///
    /// - Throws: Why the store can't be read.
    func followStore() throws {
        let known = context.registeredObjects.filter { !$0.isInserted && !$0.isDeleted && !$0.isFault }
        let rows = try newRows(of: known)
        let followers = try known.filter { object in
            guard let row = rows[object.objectID] else { return false }
            return try !object.isUpdated || !object.isDisputed(by: row) && !object.isOrderDisputed(session)
        }
        isBehind = followers.count < rows.count
        guard !followers.isEmpty else { return }
        let isOvertaken = try followers.contains { object in
            try stepped.areOvertaken(object, by: rows[object.objectID] ?? [:], session)
        }
        if isOvertaken { forgetSteps() }
        try withoutUndo {
            let changes = [NSUpdatedObjectIDsKey: Set(followers.map(\.objectID))]
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
            try joinInverses(of: followers)
        }
    }

    /// Follows the store where a step has ended what kept an object from it.
    func catchUp() {
        // A store that can't be read is told by what reads it next.
        if isBehind { try? followStore() }
    }

    /// The rows that are others than objects have: the values of those that are or were changed, and of others nothing.
    private func newRows(of objects: Set<NSManagedObject>) throws -> [NSManagedObjectID: [String: Any]] {
        let versions = Dictionary(
            objects.map { ($0.objectID, $0.rowVersion) }, uniquingKeysWith: { first, _ in first })
        let changed = Set(objects.filter { $0.isUpdated || stepped.contains($0.objectID) }.map(\.objectID))
        var rows: [NSManagedObjectID: [String: Any]] = [:]
        try read(versions.keys) { object in
            let id = object.objectID
            guard let version = versions[id], version != object.rowVersion else { return }
            rows[id] = changed.contains(id) ? object.storedValues : [:]
        }
        return rows
    }

    /// Reads the rows that the store has of some objects, in a context of its own. Those that are gone are left out.
    func read(_ ids: some Sequence<NSManagedObjectID>, _ body: (NSManagedObject) -> Void) throws {
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = store.coordinator
        try reader.performAndWait {
            for (entity, ids) in Dictionary(grouping: ids, by: \.entity) {
                for start in stride(from: 0, to: ids.count, by: Self.part) {
                    let part = Array(ids[start..<min(start + Self.part, ids.count)])
                    try reader.fetch(Self.request(entity, part)).forEach(body)
                }
            }
        }
    }

    private static func request(
        _ entity: NSEntityDescription, _ ids: [NSManagedObjectID]
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
        request.includesSubentities = false
        request.returnsObjectsAsFaults = false
        return request
    }
}

extension NSManagedObject {
    /// The values of the row, with object IDs for objects: they stay when the context goes.
    fileprivate var storedValues: [String: Any] {
        committedValues(forKeys: nil).mapValues { value in
            (value as? NSManagedObject).map { $0.objectID as Any } ?? value
        }
    }

    /// Whether a property has a change here, and another value in the store's row than in the object's.
    fileprivate func isDisputed(by row: [String: Any]) -> Bool {
        let (mine, base) = (changedValues(), committedValues(forKeys: nil))
        func changed(_ values: [String: Any]) -> Set<String> {
            let properties = ShownProperty.all(of: entity).filter { property in
                let keys = property.keys
                return property.kind != .toMany && values.has(keys)
                    && !StoredValues.areEqual(values.value(at: keys), base.value(at: keys))
            }
            // A composite attribute is one value.
            return Set(properties.map { $0.keys[0] })
        }
        return !changed(mine).isDisjoint(with: changed(row))
    }
}
