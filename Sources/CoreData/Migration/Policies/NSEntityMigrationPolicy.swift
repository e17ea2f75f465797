import FoundationGaps

/// Carries an entity mapping out: makes destination objects, relates them, and checks them.
///
/// Subclass it for what value expressions can't say, and name the class in
/// ``NSEntityMapping/entityMigrationPolicyClassName``:
///
/// ```swift
/// final class PlayerPolicy: NSEntityMigrationPolicy {
///     override func createDestinationInstances(
///         forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
///     ) throws {
///         try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
///         let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
///         let name = sInstance.value(forKey: "name") as? String ?? ""
///         made.first?.setValue(name.split(separator: " ").last.map(String.init), forKey: "lastName")
///     }
/// }
/// ```
///
/// A migration has three stages, each over all mappings in their order:
///
/// | stage | what is called for a mapping |
/// |---|---|
/// | objects | `begin`, `createDestinationInstances` for each source object, `endInstanceCreation` |
/// | relationships | `createRelationships` for each destination object, `endRelationshipCreation` |
/// | validation | `performCustomValidation`; the objects are validated; `end` |
///
/// One instance of the class serves a mapping through all stages. All calls come on the thread that migrates. All
/// objects are plain `NSManagedObject` instances, as at Apple: use key-value coding. In an SQLite store they are saved
/// in batches: keep object IDs in the policy, and no objects. What a method throws ends the migration.
///
/// Value expressions call a method of the policy by `FUNCTION($entityPolicy, "initialsOf:", $source.name)`. The plug-in
/// generates what that needs for each method with up to four arguments. Without the plug-in, register the name with
/// `NSPredicate.registerFunction(named:_:)`.
open class NSEntityMigrationPolicy: NSObject {
    /// Makes a policy. A migration manager calls it, once for each mapping of the class.
    public override init() { super.init() }

    /// ``init()`` of the very class, for ``make()``.
    convenience init(_coreDataPolicy: Bool) { self.init() }

    /// Called first for a mapping. Does nothing unless overridden.
    ///
    /// Override it to prepare what the policy needs.
    ///
    /// - Throws: An error ends the migration.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes the destination objects of a source object, with their attributes, and associates them.
    ///
    /// The method of this class makes one object, if the mapping has a destination entity, and sets the attributes that
    /// the mapping has expressions for. An override may make none or several; it calls
    /// ``NSMigrationManager/associate(sourceInstance:withDestinationInstance:for:)`` for each object whose
    /// relationships are to be made.
    ///
    /// - Parameters:
    ///   - sInstance: An object of the manager's source context.
    ///   - mapping: The mapping that is worked off.
    ///   - manager: The manager, which has the destination context.
    /// - Throws: `NSEntityMigrationPolicyError` (134170) for an expression without a value, or a value that the
    ///   attribute can't have.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try manager.requiredRun.makeInstance(of: sInstance, mapping, self)
    }

    /// Called when the objects of a mapping are made. Does nothing unless overridden.
    ///
    /// Override it to join or delete objects that have been made.
    ///
    /// - Throws: An error ends the migration.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of a destination object.
    ///
    /// The method of this class sets the relationships that the mapping has expressions for. The other ends follow.
    ///
    /// - Parameters:
    ///   - dInstance: An object that was associated for the mapping.
    ///   - mapping: The mapping that is worked off.
    ///   - manager: The manager, which knows what other objects have become.
    /// - Throws: `NSEntityMigrationPolicyError` (134170) for an expression without a value, or a value that the
    ///   relationship can't have.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try manager.requiredRun.relate(dInstance, mapping, self)
    }

    /// Called when the relationships of a mapping are made. Does nothing unless overridden.
    ///
    /// - Throws: An error ends the migration.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Checks what a mapping has made. Does nothing unless overridden.
    ///
    /// It is called before the framework validates the objects. Fetch what you want to check from the manager's
    /// destination context.
    ///
    /// - Throws: An error ends the migration.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Called last for a mapping, when all objects are valid. Does nothing unless overridden.
    ///
    /// Override it to clean up. The destination file comes to its place after the last call.
    ///
    /// - Throws: An error ends the migration.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
}

extension NSEntityMigrationPolicy: MessageReceiver {
    package func function(named name: String) -> (([Any?]) throws -> Any?)? {
        guard let function = MigrationPolicies.shared.function(name, of: type(of: self)) else { return nil }
        return { try function(self, PolicyArguments(name, $0)) }
    }

    /// `init(_coreDataPolicy:)` of the very class that it is called on.
    ///
    /// A metatype value can only call `required` initialisers, and requiring one would break the policies of existing
    /// apps. The convenience initialiser's allocating entry does what is wanted, so it is reached by its symbol.
    @_silgen_name("$s8CoreData23NSEntityMigrationPolicyC05_corebE0ACSb_tcfC")
    static func make(_ unused: Bool) -> NSEntityMigrationPolicy
}
