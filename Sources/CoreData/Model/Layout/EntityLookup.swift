import FoundationGaps

/// The models in use, for code that asks a class and has no context.
final class EntityLookup: @unchecked Sendable {
    // Unchecked: under the lock.

    static let shared = EntityLookup()
    private let lock = NSLock()
    /// Not weak references: every object without a context retains its model, and with a weak reference to the model
    /// that would take the slow path. A model leaves when it goes.
    private var models: [(model: ObjectIdentifier, layouts: ModelLayout)] = []

    /// The layouts of the models in use, the last first.
    var layouts: [ModelLayout] { lock.withLock { models.reversed().map(\.layouts) } }

    func add(_ model: NSManagedObjectModel, _ layouts: ModelLayout) {
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
            require(
                matches.count <= 1,
                "Several entities have the class \(type): \(matches.map(\.name).joined(separator: ", ")); use init(entity:insertInto:)."
            )
            if let match = matches.first { return match.entity }
        }
        programmerError(
            "No entity has the class \(type). Load the model first, and check the entity's class and module in it (\(String(reflecting: type)))."
        )
    }
}
