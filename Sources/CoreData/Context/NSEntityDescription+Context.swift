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
            preconditionFailure(
                "The model has no entity named \"\(entityName)\"; it has \(layouts.layouts.map(\.name).joined(separator: ", "))."
            )
        }
        precondition(
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

extension NSManagedObject {
}

/// The models in use, for code that asks a class and has no context.
final class EntityLookup: @unchecked Sendable {
    // Unchecked: under the lock.

    static let shared = EntityLookup()
    private let lock = NSLock()
    /// Not weak references: every object without a context retains its model, and with a weak reference to the model that
    /// would take the slow path. A model leaves when it goes.
    private var models: [(model: ObjectIdentifier, layouts: ModelLayout)] = []

    /// The layouts of the models in use, the last first.
    var layouts: [ModelLayout] { lock.withLock { models.reversed().map(\.layouts) } }

    func enter(_ model: NSManagedObjectModel, _ layouts: ModelLayout) {
        let id = ObjectIdentifier(model)
        lock.withLock {
            models.removeAll { $0.model == id }
            models.append((id, layouts))
        }
    }

    func leave(_ model: NSManagedObjectModel) {
        let id = ObjectIdentifier(model)
        lock.withLock { models.removeAll { $0.model == id } }
    }

    static func entity(for type: NSManagedObject.Type, in candidates: [ModelLayout]) -> NSEntityDescription {
        for layouts in candidates {
            let matches = layouts.entities(of: type)
            precondition(
                matches.count <= 1,
                "Several entities have the class \(type): \(matches.map(\.name).joined(separator: ", ")); use init(entity:insertInto:)."
            )
            if let match = matches.first { return match.entity }
        }
        preconditionFailure(
            "No entity has the class \(type). Load the model first, and check the entity's class and module in it (\(String(reflecting: type)))."
        )
    }
}
