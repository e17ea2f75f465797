import FoundationGaps

/// One entity mapping of a migration that runs: what it means in the two models, and what it has made.
final class EntityPlan {
    let mapping: NSEntityMapping
    let policy: NSEntityMigrationPolicy
    let source: EntityLayout?
    let destination: EntityLayout?
    /// The place among the migration's mappings.
    let place: Int
    var attributes: [AttributeStep] = []
    var relationships: [RelationshipStep] = []
    /// To-ones that are set when an object is made: their destinations are there by then.
    var earlyRelationships: [RelationshipStep] = []
    var associations = AssociationTable()
    /// Associations with objects that have no permanent keys as yet.
    var pending: [(source: NSManagedObject, destination: NSManagedObject)] = []
    /// Whether relationships are what the mapping says, and nothing else.
    let relatesPlainly: Bool
    /// What variables stood for in the value expression before: making a dictionary takes longer than most expressions.
    private var variables: [String: Any] = [:]

    init(
        _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy, _ source: EntityLayout?,
        _ destination: EntityLayout?, place: Int
    ) {
        self.mapping = mapping
        self.policy = policy
        self.source = source
        self.destination = destination
        self.place = place
        relatesPlainly = !PolicyOverrides.relates(type(of: policy))
    }

    var name: String { mapping.name ?? "" }

    /// Whether the policy does what the mapping says and nothing else.
    var isPlain: Bool { type(of: policy) == NSEntityMigrationPolicy.self }

    /// Whether source objects are left behind.
    var isRemoval: Bool { mapping.mappingType == .removeEntityMappingType }

    /// Whether objects have to be looked at to make relationships.
    var relates: Bool { !relatesPlainly || !relationships.isEmpty }

    /// What variables stand for in a value expression of the mapping.
    func variables(
        for source: NSManagedObject, _ object: NSManagedObject, _ property: NSPropertyMapping,
        _ policy: NSEntityMigrationPolicy, _ manager: NSMigrationManager
    ) -> [String: Any] {
        if variables.isEmpty {
            variables = [NSMigrationManagerKey: manager, NSMigrationEntityMappingKey: mapping]
        }
        variables[NSMigrationSourceObjectKey] = source
        variables[NSMigrationDestinationObjectKey] = object
        variables[NSMigrationPropertyMappingKey] = property
        variables[NSMigrationEntityPolicyKey] = policy
        return variables
    }

    /// How many objects are worked off between two saves: few where some may be large.
    var batchSize: Int {
        let slots = (source?.slots ?? []) + (destination?.slots ?? [])
        return slots.contains { $0.kind == .binary || $0.kind == .transformable } ? 50 : 1000
    }
}

/// How an attribute of a destination object gets its value.
struct AttributeStep {
    enum Origin {
        /// The value of a source attribute as it is stored.
        case copy(PropertySlot)
        case expression(NSExpression)
    }

    let mapping: NSPropertyMapping
    let slot: PropertySlot
    let origin: Origin
    /// Whether nil leaves the attribute at its default: it is required, and the value is merely copied.
    let keepsDefault: Bool
}

/// How a relationship of a destination object gets its value.
struct RelationshipStep {
    enum Origin {
        /// What the destinations of a source relationship have become by some mappings.
        case follow(PropertySlot, [EntityPlan])
        case expression(NSExpression)
    }

    let mapping: NSPropertyMapping
    let slot: PropertySlot
    let origin: Origin
}
