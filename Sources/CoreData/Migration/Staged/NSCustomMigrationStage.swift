/// A step from one version of a model to the next, with code of the app's before and after it.
///
/// ```swift
/// let stage = NSCustomMigrationStage(migratingFrom: v2, to: v3)
/// stage.willMigrateHandler = { manager, _ in
///     guard let context = manager.container?.newBackgroundContext() else { return }
///     try context.performAndWait {
///         let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
///         for player in try context.fetch(request) { player.setValue("unknown", forKey: "position") }
///         try context.save()
///     }
/// }
/// ```
///
/// Between the handlers Core Data infers the migration. A change that it can't infer is split in two: a version that
/// has the old and the new form, and one without the old form.
open class NSCustomMigrationStage: NSMigrationStage {
    /// The version that the stage begins with.
    open var currentModel: NSManagedObjectModelReference { models.current }

    /// The version that the stage leads to.
    open var nextModel: NSManagedObjectModelReference { models.next }

    /// Called before the store is migrated: the manager's container has it open with ``currentModel``.
    ///
    /// An error ends the migration, and opening the store throws `NSMigrationError` (134110). What the handler has
    /// saved stays saved.
    open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

    /// Called when the store is migrated: the manager's container has it open with ``nextModel``.
    ///
    /// An error ends the migration as in ``willMigrateHandler``. The store has the version ``nextModel`` then, and the
    /// handler is not called again.
    open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

    private let models: (current: NSManagedObjectModelReference, next: NSManagedObjectModelReference)

    /// Makes a stage between two versions.
    ///
    /// The models are looked for when a store needs the stage.
    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        models = (currentModel, nextModel)
        super.init()
    }
}
