import FoundationGaps

/// What becomes of the objects of one entity in a migration.
///
/// ```swift
/// let players = NSEntityMapping()
/// players.name = "PlayerToAthlete"
/// players.mappingType = .transformEntityMappingType
/// players.sourceEntityName = "Player"
/// players.destinationEntityName = "Athlete"
/// let name = NSPropertyMapping()
/// name.name = "name"
/// name.valueExpression = NSExpression(format: "$source.lastName")
/// players.attributeMappings = [name]
/// let model = NSMappingModel()
/// model.entityMappings = [players]
/// ```
///
/// Several mappings may have the same source entity: each of them makes objects of it. An entity without a mapping is
/// left behind.
open class NSEntityMapping: NSObject {
    /// The name by which expressions refer to the mapping: `PlayerToAthlete`.
    ///
    /// Each mapping of a model needs a name of its own. A migration with a mapping of no name throws `NSMigrationError`
    /// (134110).
    open var name: String! = ""

    /// The kind of mapping. The default is `.undefinedEntityMappingType`.
    ///
    /// With `.removeEntityMappingType` the mapping's objects are left behind. All other kinds are worked off alike.
    open var mappingType = NSEntityMappingType.undefinedEntityMappingType

    /// The name of the entity in the source model; nil for an entity that is new.
    ///
    /// Objects of its subentities are not the mapping's, unless its ``sourceExpression`` fetches them.
    open var sourceEntityName: String?

    /// The version hash of the source entity; nil fits every version.
    ///
    /// ``NSMappingModel/init(from:forSourceModel:destinationModel:)`` finds a mapping model by the hashes of all its
    /// mappings.
    open var sourceEntityVersionHash: Data?

    /// The name of the entity in the destination model; nil for an entity that is gone.
    ///
    /// The entity may be abstract only if a policy of the app's own makes the objects.
    open var destinationEntityName: String?

    /// The version hash of the destination entity; nil fits every version.
    ///
    /// See ``sourceEntityVersionHash``.
    open var destinationEntityVersionHash: Data?

    /// What makes up the attributes of a destination object.
    ///
    /// Attributes without a mapping have their default values.
    open var attributeMappings: [NSPropertyMapping]?

    /// What makes up the relationships of a destination object.
    ///
    /// They are worked off when all mappings have made their objects.
    open var relationshipMappings: [NSPropertyMapping]?

    /// The expression that gives the source objects; nil stands for all objects of the source entity.
    ///
    /// Compiled mapping models have `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:",
    /// "Player", "salary > 0"), $manager.sourceContext, NO)`. The results of such a fetch are read in batches. Results
    /// of any other expression are in memory together.
    open var sourceExpression: NSExpression?

    /// Entries for the app's own use. A policy may read them. A compiled mapping model keeps those that a property list
    /// can hold.
    open var userInfo: [AnyHashable: Any]?

    /// The name of the class that carries the mapping out, such as `League.PlayerPolicy`; nil for
    /// ``NSEntityMigrationPolicy``.
    ///
    /// The module's name may be left out. A migration with a class that the program does not have throws
    /// `NSEntityMigrationPolicyError` (134170).
    open var entityMigrationPolicyClassName: String?

    /// Makes a mapping of no entities. Set its ``name``, and one or both entities.
    public override init() { super.init() }

    /// The name and the entities, for a log.
    open override var description: String {
        "<NSEntityMapping> (name: \(name ?? ""), \(sourceEntityName ?? "nil") to \(destinationEntityName ?? "nil"))"
    }
}
