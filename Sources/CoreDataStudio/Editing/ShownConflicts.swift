import CoreData

/// The rows that conflicts have shown to the windows.
///
/// An answer is about the values that a window was shown. If others save the row again before the answer comes, the
/// answer does not count: `mine` would overwrite a value that no window has shown. The conflict is shown again.
struct ShownConflicts {
    /// The versions of the rows, by window and object; 0 for a row that is gone.
    private var versions: [String: [NSManagedObjectID: Int]] = [:]

    /// Notes the row that a conflict shows to a window.
    mutating func note(_ id: NSManagedObjectID, _ version: Int, in window: String) {
        versions[window, default: [:]][id] = version
    }

    /// Whether a window was shown a row that the store still has.
    ///
    /// - Parameter version: The version that the store has; 0 for a row that is gone.
    func isShown(_ id: NSManagedObjectID, _ version: Int, in window: String) -> Bool {
        versions[window]?[id] == version
    }
}

extension StagedChanges {
    /// The choices about rows that are as the window was shown them.
    ///
    /// - Throws: `ToolFailure` for an object that is not there; why the store can't be read.
    func validChoices(_ answer: ConflictChoices, in window: String) throws -> ConflictChoices.ByObject {
        let choices = answer.choices ?? [:]
        if choices.isEmpty { return [:] }
        let ids = try choices.keys.reduce(into: [:]) { $0[$1] = try object($1).objectID }
        var versions: [NSManagedObjectID: Int] = [:]
        try read(ids.values) { versions[$0.objectID] = $0.rowVersion }
        return choices.filter { name, _ in
            ids[name].map { shownConflicts.isShown($0, versions[$0] ?? 0, in: window) } ?? false
        }
    }

    /// Has an object take the row that was read last, under its changes. A newer one is a conflict for the save.
    func takeReadRow(_ object: NSManagedObject) {
        let interval = context.stalenessInterval
        context.stalenessInterval = -1
        defer { context.stalenessInterval = interval }
        context.refresh(object, mergeChanges: true)
    }
}
