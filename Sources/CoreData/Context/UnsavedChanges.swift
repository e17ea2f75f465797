/// What a context has changed since its last save.
struct UnsavedChanges {
    /// Every object with unsaved changes, in the order of its first change; the context keeps them alive.
    var objects: ContiguousArray<NSManagedObject> = []
    /// How many objects are inserted, updated, deleted; kept so that `hasChanges` costs nothing.
    var count = 0
    /// What the changed objects ask of the next save.
    var demands: SaveDemands = []
    /// Deleted objects that have delete rules still to run.
    var deletionsToPropagate: [NSManagedObject] = []
    /// See ``NSManagedObjectContext/detectConflicts(for:)``.
    var conflictChecks: Set<NSManagedObject> = []

    /// Forgets all changes. What the objects themselves know of theirs stays.
    mutating func reset() { self = UnsavedChanges() }
}
