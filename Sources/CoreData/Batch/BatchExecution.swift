import FoundationGaps

/// A batch request on its way from a context to the stores.
///
/// A child's request goes to the stores, too: no parent has a part in it.
struct BatchExecution {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator

    init(in context: NSManagedObjectContext) {
        context.checkQueue()
        self.context = context
        coordinator = context.requiredCoordinator
    }

    /// Runs a batch in one store.
    func run(_ batch: StoreBatch, in store: NSPersistentStore) throws -> StoreBatchResult {
        let result = try Activity.saves.measured { try coordinator.run(batch, in: store, from: context.changeOrigin) }
        Activity.rowsWritten.note(result.count)
        return result
    }

    func ids(_ references: [ObjectReference]) -> [NSManagedObjectID] {
        references.compactMap { context.objectID(for: $0) }
    }

    /// A fetch that says which rows of an entity a batch is about.
    func fetch(_ request: AnyFetchRequest, _ layout: EntityLayout) -> StoreFetch {
        var fetch = StoreFetch(entity: layout, output: .references)
        fetch.includesSubentities = request.includesSubentities
        fetch.predicate = request.predicate
        fetch.sortDescriptors = request.sortDescriptors ?? []
        (fetch.limit, fetch.offset) = (request.fetchLimit, request.fetchOffset)
        return fetch
    }

    func layout(named name: String) throws -> EntityLayout {
        try coordinator.layout(of: NSFetchRequest<any NSFetchRequestResult>(entityName: name))
    }
}

extension NSBatchUpdateRequest: ExecutableRequest {
    package func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let execution = BatchExecution(in: context)
        let layout = try execution.layout(named: entityName)
        resolve(layout.entity)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entityName)
        (request.predicate, request.includesSubentities) = (predicate, includesSubentities)
        let fetch = execution.fetch(request, layout)
        var (count, references) = (0, [ObjectReference]())
        for store in try execution.coordinator.stores(for: layout, among: affectedStores) {
            let values = BatchValues(layout: layout, coordinator: execution.coordinator, store: store)
            let update = StoreBatchUpdate(
                fetch: fetch, settings: try settings(values),
                wantsReferences: resultType == .updatedObjectIDsResultType)
            let result = try execution.run(.update(update), in: store)
            count += result.count
            references += result.references
        }
        let result = NSBatchUpdateResult()
        result.resultType = resultType
        switch resultType {
        case .statusOnlyResultType: result.result = true
        case .updatedObjectIDsResultType: result.result = execution.ids(references)
        case .updatedObjectsCountResultType: result.result = count
        }
        return result
    }

    private func settings(_ values: BatchValues) throws -> [BatchSetting] {
        guard let properties = propertiesToUpdate, !properties.isEmpty else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "The batch update of \(entityName) changes nothing; set propertiesToUpdate.")
        }
        return try properties.flatMap { try settings($0.base, $1, values) }.sorted { $0.slot.index < $1.slot.index }
    }

    private func settings(_ property: Any, _ value: Any, _ values: BatchValues) throws -> [BatchSetting] {
        guard let name = (property as? NSPropertyDescription)?.name ?? property as? String else {
            throw BatchFailure.property(
                "\(property)", values.layout, "it is neither a property's name nor a property description")
        }
        let slot = try values.slot(name)
        guard slot.kind == .composite else { return [try setting(slot, value, values)] }
        guard let elements = value is NSNull ? [:] : value as? [String: Any] else {
            throw BatchFailure.value(value, slot, values.layout)
        }
        return try slot.elements.map { index in
            let element = values.layout.slots[index]
            return try setting(element, elements.value(path: element.pathBelow(slot)) ?? NSNull(), values)
        }
    }

    private func setting(_ slot: PropertySlot, _ value: Any, _ values: BatchValues) throws -> BatchSetting {
        if let expression = value as? NSExpression { return BatchSetting(slot: slot, value: .expression(expression)) }
        _ = try values.stored(value, slot)
        return BatchSetting(slot: slot, value: .constant(value is NSNull ? nil : value))
    }
}

extension NSBatchDeleteRequest: ExecutableRequest {
    package func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let execution = BatchExecution(in: context)
        var (count, references) = (0, [ObjectReference]())
        for fetch in try fetches(execution) {
            for store in try execution.coordinator.stores(for: fetch.entity, among: affectedStores) {
                let deletion = StoreBatchDeletion(fetch: fetch, wantsReferences: resultType == .resultTypeObjectIDs)
                let result = try execution.run(.delete(deletion), in: store)
                count += result.count
                references += result.references
            }
        }
        let result = NSBatchDeleteResult()
        result.resultType = resultType
        switch resultType {
        case .resultTypeStatusOnly: result.result = true
        case .resultTypeObjectIDs: result.result = execution.ids(references)
        case .resultTypeCount: result.result = count
        }
        return result
    }

    /// What to delete: for object IDs a fetch for each entity tree.
    private func fetches(_ execution: BatchExecution) throws -> [StoreFetch] {
        guard let objectIDs else { return [execution.fetch(fetch, try execution.coordinator.layout(of: fetch))] }
        let layouts = execution.coordinator.layouts
        let trees = Dictionary(grouping: objectIDs.filter { !$0.isTemporaryID }) {
            layouts.rootNumber(of: execution.coordinator.reference(of: $0).entity)
        }
        return trees.sorted { $0.key < $1.key }.map { root, ids in
            var fetch = StoreFetch(entity: layouts[root], output: .references)
            fetch.predicate = NSPredicate(format: "SELF IN %@", ids)
            return fetch
        }
    }
}

extension NSBatchInsertRequest: ExecutableRequest {
    package func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let execution = BatchExecution(in: context)
        let layout = try execution.layout(named: entityName)
        require(
            !layout.isAbstract,
            "Can't insert rows of the abstract entity \(layout.name) by a batch; insert rows of one of its subentities."
        )
        entity = layout.entity
        let stores = try execution.coordinator.stores(for: layout, among: affectedStores)
        guard let store = stores.first(where: { !$0.isReadOnly }) ?? stores.first else {
            throw NSError.cocoa(
                NSPersistentStoreOperationError,
                "No store holds \(layout.name), among those that the request names; add one, or set affectedStores.")
        }
        let conflict = StoreBatchInsertion.Conflict(context.conflictPolicy.mergeType)
        let values = BatchValues(layout: layout, coordinator: execution.coordinator, store: store)
        let insertion = StoreBatchInsertion(
            entity: layout, conflict: conflict, wantsReferences: resultType == .objectIDs,
            next: rows(values, conflict))
        let done = try execution.run(.insert(insertion), in: store)
        let result = NSBatchInsertResult()
        result.resultType = resultType
        switch resultType {
        case .statusOnly: result.result = true
        case .objectIDs: result.result = execution.ids(done.references)
        case .count: result.result = done.count
        }
        return result
    }

    /// What gives the rows one by one.
    private func rows(
        _ values: BatchValues, _ conflict: StoreBatchInsertion.Conflict
    ) -> () throws -> BatchRow? {
        if let rowHandler {
            let builder = BatchRowBuilder(values, conflict)
            return {
                builder.begin()
                return try rowHandler(builder) ? nil : try builder.row()
            }
        }
        let rows = BatchRows(values, conflict)
        if let managedObjectHandler { return { try Self.next(managedObjectHandler, rows, values.layout) } }
        if let dictionaryHandler {
            let dictionary = BatchDictionary()
            return {
                dictionary.removeAllObjects()
                return dictionaryHandler(dictionary) ? nil : try rows.row(of: dictionary)
            }
        }
        var rest = (objectsToInsert ?? []).makeIterator()
        return { try rest.next().map { try rows.row(of: $0) } }
    }

    private static func next(
        _ handler: (NSManagedObject) -> Bool, _ rows: BatchRows, _ layout: EntityLayout
    ) throws -> BatchRow? {
        let object = layout.managedClass.make(layout.entity)
        return handler(object) ? nil : try rows.row(of: object)
    }
}

extension StoreBatchInsertion.Conflict {
    fileprivate init(_ policy: NSMergePolicyType) {
        self =
            switch policy {
            case .errorMergePolicyType: .isAnError
            case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .keepsTheOldRow
            case .mergeByPropertyObjectTrumpMergePolicyType: .setsGivenValues
            case .overwriteMergePolicyType: .setsAllValues
            }
    }
}
