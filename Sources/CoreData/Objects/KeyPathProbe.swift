import FoundationGaps

/// Finds the names of the properties that a Swift key path goes through, for sort descriptors and predicates.
///
/// Swift on Linux knows no names for computed properties. So the key path is evaluated on an object made for the
/// purpose, a *probe*. Its accessors write down their keys and answer with samples; a to-one relationship answers with
/// a probe of its destination's class. The names are those of the path if each key was asked of what the key before it
/// gave, and the last answer came out unchanged: a property that computes something of its own is no path through the
/// model. All is done twice, with different samples, so that a computation does not pass by coincidence.
final class KeyPathProbe: @unchecked Sendable {
    // Unchecked: the names are under the lock; key paths are immutable, and so is the sealed model.

    static let shared = KeyPathProbe()

    private let lock = NSLock()
    private var names: [AnyKeyPath: String] = [:]

    /// The key path as key-value coding writes it; nil if it does not start from a managed object, or computes.
    func name(of keyPath: AnyKeyPath) -> String? {
        guard let root = type(of: keyPath).rootType as? NSManagedObject.Type else { return nil }
        if let known = lock.withLock({ names[keyPath] }) { return known }
        // Evaluated outside the lock: an accessor is the app's code. What is not found may be later, with another
        // model.
        guard let name = path(keyPath, root, .first), name == path(keyPath, root, .second) else { return nil }
        lock.withLock { names[keyPath] = name }
        return name
    }

    private func path(_ keyPath: AnyKeyPath, _ root: NSManagedObject.Type, _ samples: ProbeSamples) -> String? {
        let trace = ProbeTrace(samples)
        let probe = makeProbe(of: root)
        return ProbeTrace.$current.withValue(trace) {
            let result = probe[keyPath: keyPath] as Any?
            return trace.path(from: probe, to: result, of: type(of: keyPath).valueType)
        }
    }

    // MARK: Probes

    func makeProbe(of type: NSManagedObject.Type) -> NSManagedObject {
        let probe = type.make(entity)
        // An initialiser may have set values; they would hide the samples.
        probe.record = nil
        return probe
    }

    /// The entity of all probes. Its one slot has a name that no property has. It stands for all properties.
    private let entity = NSEntityDescription()
    /// Keeps the entity.
    private let model = NSManagedObjectModel()

    private init() {
        let attribute = NSAttributeDescription()
        attribute.name = " "
        attribute.isTransient = true
        entity.name = "Probe"
        entity.properties = [attribute]
        model.entities = [entity]
        model.seal()
        entity.layout.stateOfNewObjects = [.ownsModel, .realized, .probing]
    }
}
