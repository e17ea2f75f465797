import FoundationGaps

extension NSEntityDescription {
    /// See ``entity(forEntityName:in:)``.
    class func named(forEntityName entityName: String, in context: NSManagedObjectContext)
        -> NSEntityDescription?
    {
        context.requiredCoordinator.layouts.layout(named: entityName)?.entity
    }

    /// See ``insertNewObject(forEntityName:into:)``.
    class func insertNew(forEntityName entityName: String, into context: NSManagedObjectContext)
        -> NSManagedObject
    {
        let layouts = context.requiredCoordinator.layouts
        guard let layout = layouts.layout(named: entityName) else {
            programmerError(
                "The model has no entity named \"\(entityName)\"; it has \(layouts.layouts.map(\.name).joined(separator: ", ")). Correct the name."
            )
        }
        require(
            !layout.isAbstract,
            "Can't insert an object of the abstract entity \(entityName); insert one of its subentities.")
        let object = layout.makeObject()
        if context.isSubclassed { context.insert(object) } else { context.insertNew(object) }
        return object
    }
}

extension NSManagedObjectContext {
    /// The entity of this context's model that a class stands for; traps where there is none, or more than one.
    func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
        if let lastEntity, lastEntity.type == ObjectIdentifier(type) { return lastEntity.entity }
        if ClassOverrides.hasOwnEntity(type) { return type.entity() }
        let entity = EntityLookup.entity(for: type, in: [requiredCoordinator.layouts])
        lastEntity = (ObjectIdentifier(type), entity)
        return entity
    }
}
