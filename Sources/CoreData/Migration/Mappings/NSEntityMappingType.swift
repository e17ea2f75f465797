/// What a mapping does with the objects of an entity. See ``NSEntityMapping/mappingType``.
///
/// A migration manager treats all types but `.removeEntityMappingType` alike: it works off what the mapping says.
public enum NSEntityMappingType: UInt, Sendable {
    /// Nothing is said. The migration manager does what the mapping's other properties say.
    case undefinedEntityMappingType = 0
    /// A class of the app's own handles the mapping: see ``NSEntityMapping/entityMigrationPolicyClassName``.
    case customEntityMappingType = 1
    /// The destination entity is new. There is no source entity.
    case addEntityMappingType = 2
    /// The source entity is gone. Its objects are left behind.
    case removeEntityMappingType = 3
    /// The entity has not changed.
    case copyEntityMappingType = 4
    /// The entity has changed, or has another name.
    case transformEntityMappingType = 5
}
