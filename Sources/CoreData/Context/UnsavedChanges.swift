/// What a context has changed since its last save.
struct UnsavedChanges<Object: AnyObject & Hashable> {
    /// Every object with unsaved changes, in the order of its first change; the context keeps them alive.
    var objects: ContiguousArray<Object> = []
    /// How many objects are inserted, updated, deleted; kept so that `hasChanges` costs nothing.
    var count = 0
    /// What the changed objects ask of the next save.
    var requirements: SaveRequirements = []
    /// Deleted objects whose delete rules have not run.
    var deletionsToPropagate: [Object] = []
    /// See ``NSManagedObjectContext/detectConflicts(for:)``.
    var conflictChecks: Set<Object> = []

    /// Forgets all changes. What the objects themselves know of theirs stays.
    mutating func reset() { self = UnsavedChanges() }
}
