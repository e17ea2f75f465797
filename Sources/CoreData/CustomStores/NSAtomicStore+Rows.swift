import FoundationGaps

/// The rows that the framework reads of an atomic store, and saves to it.
extension NSAtomicStore: AtomicObjectStore, IdentifyingStore {
    package var layouts: ModelLayout {
        guard let openedModel else { programmerError("\(self) was not opened by a coordinator.") }
        return openedModel.layouts
    }

    package func reader() throws -> AtomicReader {
        if nodes.hasUnread { try writeLock.withLock { try readNodes() } }
        return AtomicReader(content: nodes.content, layouts: layouts, token: token) { [unowned self] in
            objectID(at: $0)
        }
    }

    /// Makes rows of nodes that were added since.
    func readNodes() throws {
        let unread = nodes.takeUnread()
        if unread.isEmpty { return }
        var content = nodes.content
        do { try NodeReader(layouts, path: url?.path ?? "").read(unread, into: &content) } catch {
            nodes.add(Set(unread))
            throw error
        }
        nodes.content = content
    }

    package var hasUnsavedMetadata: Bool { metadataEdits != savedMetadataEdits }

    package func allocateKeys(for entity: EntityLayout, count: Int) throws -> Int64 {
        token.references?.reserve(count, root: entity.rootNumber) ?? 1
    }

    func keys(of objects: [NSManagedObject]) throws -> [Int64] {
        objects.map { objectID(for: $0.entity, withReferenceObject: newReferenceObject(for: $0)).reference.key }
    }

    package func reopen(at url: URL, model: StoreModel) throws {
        throw StoreClassFailure.unsupported("moved to another URL", Swift.type(of: self))
    }

    package func close() throws {}

    package func save(_ changes: StoreChanges, willCommit: () throws -> Void) throws -> [RowSnapshot] {
        guard !isReadOnly else {
            throw NSError.cocoa(
                513, "The store “\(url?.lastPathComponent ?? "")” is read-only.",
                userInfo: [NSFilePathErrorKey: url?.path ?? ""])
        }
        if changes.isEmpty, !hasUnsavedMetadata {
            try willCommit()
            return []
        }
        try readNodes()
        var next = nodes.content
        let rows = try next.write(changes, RowDerivations(layouts))
        let edits = metadataEdits
        let update = NodeUpdate(self)
        do {
            try update.run(changes)
            try willCommit()
            try save()
        } catch {
            update.takeBack()
            throw error
        }
        nodes.content = next
        savedMetadataEdits = edits
        return rows
    }
}
