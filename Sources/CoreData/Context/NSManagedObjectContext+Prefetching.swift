import FoundationGaps

extension NSManagedObjectContext {
    /// Loads the rows at the ends of relationships along with what was fetched.
    ///
    /// - Throws: `NSPersistentStoreOperationError` for a key path that is none of the entity's relationships; what the
    ///   store reports.
    func prefetch(_ keyPaths: [String], of objects: [NSManagedObject]) throws {
        for keyPath in keyPaths {
            var level = objects
            for key in keyPath.split(separator: ".") { level = try prefetch(String(key), of: level) }
        }
    }

    private func prefetch(_ key: String, of objects: [NSManagedObject]) throws -> [NSManagedObject] {
        var references: [ObjectReference] = []
        for object in objects {
            guard let slot = object.layout.slot(named: key), slot.kind.isRelationship else {
                throw NSError.cocoa(
                    NSPersistentStoreOperationError,
                    "\"\(key)\" is no relationship of \(object.layout.name); it can't be prefetched.")
            }
            object.fireIfNeeded()
            if slot.kind.isToMany {
                references += object.members(slot)
            } else if case .reference(let reference) = object.current(slot) {
                references.append(reference)
            }
        }
        return try loadRows(of: references)
    }

    /// The objects of many references, their rows loaded together where they are not at hand.
    func loadRows(of references: [ObjectReference]) throws -> [NSManagedObject] {
        var seen: Set<ObjectReference> = []
        let unique = references.filter { seen.insert($0).inserted }
        let missing = unique.filter { !$0.isTemporary && registeredObject(for: $0)?.snapshot == nil }
        let groups = Dictionary(grouping: missing) { [$0.store, requiredCoordinator.layouts[$0.entity].rootNumber] }
        // Registered objects are held weakly: what was just loaded has to be held until the caller has it.
        var loaded: [NSManagedObject] = []
        for group in groups.values {
            loaded += register(RowBatch(try source.rows(for: group, oldestRow)), store: group[0].store)
        }
        return withExtendedLifetime(loaded) { objects(for: unique) }
    }
}
