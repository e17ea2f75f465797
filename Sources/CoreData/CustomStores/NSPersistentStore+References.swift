import FoundationGaps

/// The IDs of objects that a store of an app's class identifies in a way of its own.
extension NSPersistentStore {
    /// Has the store's IDs go by reference objects.
    func prepareToken() {
        token.references = ReferenceTable()
        token.identifier = UUID().uuidString
        // IDs are made before the coordinator takes the store.
        token.assignNumber()
    }

    private var references: ReferenceTable {
        guard let references = token.references else {
            programmerError("\(Swift.type(of: self)) is no store of an app's class.")
        }
        return references
    }

    func namedObjectID(for entity: NSEntityDescription, _ data: Any) -> NSManagedObjectID {
        guard let layout = layout(of: entity) else {
            programmerError("The store's model has no entity \"\(entity.name ?? "")\".")
        }
        return NSManagedObjectID(
            ObjectReference(key: references.key(of: data, layout), entity: layout.number, store: token.number),
            entity: layout.entity, token: token)
    }

    func referenceData(of id: NSManagedObjectID) -> Any {
        // A store that takes the place of another one has its IDs, and its token a moment later.
        guard let data = references.data(of: id.reference.key, root: id.entity.layout.rootNumber) else {
            programmerError("\(id) is not the ID of an object of the store \(identifier ?? "").")
        }
        return data
    }

    /// The exact ID of the object with a key.
    func objectID(of key: Int64, root: EntityLayout) -> NSManagedObjectID? {
        guard let number = references.entity(of: key, root: root.number) else { return nil }
        return NSManagedObjectID(
            ObjectReference(key: key, entity: number, store: token.number), entity: root.model[number].entity,
            token: token)
    }

    /// The layout of an entity in the coordinator's model, of which the entity may be a copy.
    private func layout(of entity: NSEntityDescription) -> EntityLayout? {
        let layouts = persistentStoreCoordinator?.layouts
        if let own = entity.layout, layouts == nil || own.model === layouts { return own }
        return entity.name.flatMap { layouts?.layout(named: $0) }
    }
}

extension StoreModel {
    /// The coordinator that opens the store.
    var openingCoordinator: NSPersistentStoreCoordinator? { coordinator as? NSPersistentStoreCoordinator }
}
