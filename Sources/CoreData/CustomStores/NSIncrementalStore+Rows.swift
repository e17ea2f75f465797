import FoundationGaps

/// The rows that the framework reads of an incremental store.
extension NSIncrementalStore: IdentifyingStore, ObservingStore {
    package var layouts: ModelLayout {
        guard let openedModel else { programmerError("\(self) was not opened by a coordinator.") }
        return openedModel.layouts
    }

    /// Runs `body` alone, with the context that asks.
    func asking<R>(_ body: (NSManagedObjectContext) throws -> R) throws -> R {
        try writeLock.withLock {
            if let context = CallingContext.current as? NSManagedObjectContext { return try body(context) }
            let context = try contextOfOwn()
            return try context.performAndWait { try body(context) }
        }
    }

    private func contextOfOwn() throws -> NSManagedObjectContext {
        if let ownContext { return ownContext }
        guard let coordinator = persistentStoreCoordinator else { throw StoreIsClosed() }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        ownContext = context
        return context
    }

    func didRegister(_ ids: [NSManagedObjectID]) {
        writeLock.withLock { managedObjectContextDidRegisterObjects(with: ids) }
    }

    func didUnregister(_ ids: [NSManagedObjectID]) {
        writeLock.withLock { managedObjectContextDidUnregisterObjects(with: ids) }
    }

    // MARK: Fetching

    package func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult {
        try asking { context in
            let answer = IncrementalAnswer(
                try execute(fetch.storeRequest(of: self), with: context), self, fetch.entity)
            switch fetch.output {
            case .references: return .references(answer.references)
            case .rows, .parts: return .rows(RowBatch(try answer.references.compactMap { try row(of: $0, context) }))
            case .count: return .count(answer.count)
            case .dictionaries: return .dictionaries(answer.dictionaries)
            }
        }
    }

    package func externalData(_ raw: Data) throws -> Data? { InlineData.data(raw) }

    // MARK: Values

    // The row is retained once for the caller.
    package func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>? {
        try asking { context in
            guard let id = objectID(of: key, root: root) else { return nil }
            return try row(of: id.reference, context).map { .passRetained($0) }
        }
    }

    package func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        try keys.compactMap { try row(rootedAt: root, key: $0)?.takeRetainedValue() }
    }

    package func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot] {
        try rows(rootedAt: layouts[part.entity.rootNumber], keys: keys)
    }

    /// - Returns: Nil for an object that does not exist any longer.
    private func row(of reference: ObjectReference, _ context: NSManagedObjectContext) throws -> RowSnapshot? {
        let layout = layouts[reference.entity]
        let id = NSManagedObjectID(reference, entity: layout.entity, token: token)
        do {
            let node = try newValuesForObject(with: id, with: context)
            return try IncrementalRow(self, layout, context).row(of: node, id)
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectReferentialIntegrityError
        {
            return nil
        }
    }

    // MARK: Relationships

    package func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        try asking { try members(of: source, slot, $0) }
    }

    package func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers {
        let members = StoreMembers()
        try asking { context in
            for source in sources {
                guard let id = objectID(of: source, root: layouts[layout.rootNumber]) else { continue }
                for member in try self.members(of: id.reference, slot, context) { members.append(member, of: source) }
            }
        }
        return members
    }

    private func members(
        of source: ObjectReference, _ slot: PropertySlot, _ context: NSManagedObjectContext
    ) throws -> [ObjectReference] {
        guard let relationship = slot.relationship else { return [] }
        let id = NSManagedObjectID(source, entity: layouts[source.entity].entity, token: token)
        let value = try newValue(forRelationship: relationship, forObjectWith: id, with: context)
        if value is NSNull { return [] }
        guard let elements = StoreCollection.elements(of: value) else {
            programmerError(
                "\(Swift.type(of: self)) gives \(Swift.type(of: value)) for the to-many \(slot.name); it must be an array or a set of object IDs."
            )
        }
        let members = elements.map { IncrementalAnswer.reference(of: $0, self) }
        return slot.kind == .orderedToMany ? members : members.sorted { $0.key < $1.key }
    }
}

extension StoreFetch {
    /// The fetch as a store of an app's class is asked.
    fileprivate func storeRequest(of store: NSPersistentStore) -> NSFetchRequest<any NSFetchRequestResult> {
        let copy: NSFetchRequest<any NSFetchRequestResult> =
            request.map { NSFetchRequest(copying: $0) } ?? NSFetchRequest(entityName: entity.name)
        let wanted = request?.resultType
        copy.entity = entity.entity
        copy.includesSubentities = includesSubentities
        copy.predicate = predicate
        copy.sortDescriptors = sortDescriptors.isEmpty ? nil : sortDescriptors
        (copy.fetchLimit, copy.fetchOffset) = (limit, offset)
        copy.affectedStores = [store]
        switch output {
        case .count: copy.resultType = .countResultType
        case .dictionaries: copy.resultType = .dictionaryResultType
        case .references where wanted == .managedObjectIDResultType: copy.resultType = .managedObjectIDResultType
        case .references, .rows, .parts: copy.resultType = .managedObjectResultType
        }
        return copy
    }
}
