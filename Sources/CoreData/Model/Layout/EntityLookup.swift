import CSwiftRuntime
import FoundationGaps

/// The models in use, for code that asks a class and has no context.
final class EntityLookup: @unchecked Sendable {
    // Unchecked: under the lock.

    static let shared = EntityLookup()
    private let lock = NSLock()
    /// Nothing keeps the models. A model that goes leaves, under the lock, before its memory is freed.
    ///
    /// Not weak references: every object without a context retains its model, and with a weak reference to the model
    /// that would take the slow path.
    private var models: [(model: Unmanaged<NSManagedObjectModel>, layouts: ModelLayout)] = []

    /// Calls `body` with the layouts of the models in use, the last first. The models are kept meanwhile: another
    /// thread may let go of one, and with it the entities that its layouts name.
    func reading<R>(_ body: ([ModelLayout]) throws -> R) rethrows -> R {
        let kept = lock.withLock {
            models.reversed().compactMap { model, layouts in
                coredata_try_retain(model.toOpaque()).map { _ in (model: model.takeRetainedValue(), layouts: layouts) }
            }
        }
        return try withExtendedLifetime(kept) { try body(kept.map(\.layouts)) }
    }

    func add(_ model: NSManagedObjectModel, _ layouts: ModelLayout) {
        lock.withLock {
            models.removeAll { $0.model.toOpaque() == Unmanaged.passUnretained(model).toOpaque() }
            models.append((.passUnretained(model), layouts))
        }
    }

    func leave(_ model: NSManagedObjectModel) {
        lock.withLock { models.removeAll { $0.model.toOpaque() == Unmanaged.passUnretained(model).toOpaque() } }
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
