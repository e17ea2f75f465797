import FoundationGaps

/// What is saved to an incremental store.
extension NSIncrementalStore {
    package var hasUnsavedMetadata: Bool { metadataEdits != savedMetadataEdits }

    package func allocateKeys(for entity: EntityLayout, count: Int) throws -> Int64 {
        token.references?.reserve(count, root: entity.rootNumber) ?? 1
    }

    func keys(of objects: [NSManagedObject]) throws -> [Int64] {
        let ids = try obtainPermanentIDs(for: objects)
        require(
            ids.count == objects.count,
            "\(Swift.type(of: self)) gives \(ids.count) IDs for \(objects.count) new objects; each needs one.")
        return ids.map { IncrementalAnswer.reference(of: $0, self).key }
    }

    package func reopen(at url: URL, model: StoreModel) throws {
        throw StoreClassFailure.unsupported("moved to another URL", Swift.type(of: self))
    }

    package func close() throws { ownContext = nil }

    package func save(_ changes: StoreChanges, willCommit: () throws -> Void) throws -> [RowSnapshot] {
        guard !isReadOnly else {
            throw NSError.cocoa(
                513, "The store “\(url?.lastPathComponent ?? "")” is read-only.",
                userInfo: [NSFilePathErrorKey: url?.path ?? ""])
        }
        let edits = metadataEdits
        let written: [RowSnapshot] = try asking { context in
            if changes.isEmpty {
                try willCommit()
                if hasUnsavedMetadata {
                    _ = try execute(
                        NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil), with: context)
                }
                return []
            }
            try checkVersions(of: changes)
            let request = try NSSaveChangesRequest(
                inserted: objects(of: changes.inserts, context), updated: objects(of: changes.updates, context),
                deleted: objects(of: changes.deletes, context), locked: objects(of: changes.checks, context))
            let rows = try rows(of: changes)
            try willCommit()
            _ = try execute(request, with: context)
            return rows
        }
        savedMetadataEdits = edits
        return written
    }

    private func objects(of changes: RowChanges, _ context: NSManagedObjectContext) throws -> Set<NSManagedObject> {
        Set(try (0..<changes.count).map { context.object(for: try changes($0).reference) })
    }

    /// Finds objects that another context has saved since: what the coordinator knows of them is newer.
    private func checkVersions(of changes: StoreChanges) throws {
        guard let coordinator = persistentStoreCoordinator else { throw StoreIsClosed() }
        var conflicts: [(reference: ObjectReference, kind: StoreConflicts.Kind)] = []
        for list in [changes.updates, changes.deletes, changes.checks] {
            for index in 0..<list.count {
                let change = try list(index)
                guard let seen = change.snapshot, let known = coordinator.cachedRow(for: change.reference),
                    known.version != seen.version
                else { continue }
                conflicts.append((change.reference, .row(current: known)))
            }
        }
        if !conflicts.isEmpty { throw StoreConflicts(conflicts) }
    }

    /// The rows that the save makes.
    private func rows(of changes: StoreChanges) throws -> [RowSnapshot] {
        let inserted = try (0..<changes.inserts.count).map { index in
            let change = try changes.inserts(index)
            return RowSnapshot.make(
                change.layout, key: change.reference.key, version: change.values.firstVersion, change.values, over: nil)
        }
        let updated = try (0..<changes.updates.count).map { index in
            let change = try changes.updates(index)
            let root = layouts[change.layout.rootNumber]
            let old = try change.snapshot ?? row(rootedAt: root, key: change.reference.key)?.takeRetainedValue()
            return RowSnapshot.make(
                change.layout, key: change.reference.key, version: (old?.version ?? 0) + 1, change.values, over: old)
        }
        return inserted + updated
    }
}
