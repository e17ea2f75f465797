import CoreData
import Foundation
import StoreBrowsing

/// The changes of a store that are not saved. There is one context for all windows.
final class StagedChanges: @unchecked Sendable {
    // Unchecked: used on its context's queue only.

    let store: LiveStore
    /// The staging context, with what finds objects in it.
    let session: QuerySession
    /// Rises with each change.
    private(set) var revision = 0
    let undoManager = UndoManager()
    /// What objects that were new are called since they are saved. A window may ask by the old identifier until it is
    /// told the other one.
    private var identifiers: [String: String] = [:]
    /// Where the copy of the store is that was made before the first save; nil before, and `.some(nil)` for a database.
    var backup: String??
    /// What an earlier run left, until the person decides about it.
    var recovery: StagedEntry?
    /// Whether an object has another row than the store: see ``followStore()``.
    var isBehind = false
    /// What the steps have changed: see ``followStore()``.
    private(set) var stepped = SteppedProperties()
    /// What the windows were shown of conflicts, until all is saved or given up.
    var shownConflicts = ShownConflicts()
    /// What the journal can't be written for; told once, for the work itself can go on.
    var journalFailure: String?
    /// The large values of the last journal.
    var keptLarge: [String: StagedSnapshot.LargeValue] = [:]

    init(_ store: LiveStore) {
        self.store = store
        session = QuerySession(store, in: store.context)
        // One request is one step.
        undoManager.groupsByEvent = false
        context.undoManager = undoManager
        context.transactionAuthor = "coredata studio"
    }

    var context: NSManagedObjectContext { session.context }

    /// Works with the changes on their queue.
    func work<Result: Sendable>(_ body: @escaping @Sendable (StagedChanges) throws -> Result) async throws -> Result {
        try await context.perform { [self] in
            // The session makes any error one of the store. What is wrong with an edit stays what it is.
            let result = try session.perform { _ -> Swift.Result<Result, StudioError> in
                do { return .success(try body(self)) } catch let error as StudioError { return .failure(error) }
            }
            return try result.get()
        }
    }

    // MARK: Steps

    /// Carries out an action as one step to undo.
    ///
    /// - Returns: The objects that it made.
    /// - Throws: `ToolFailure`, `invalidEdit`; nothing is changed then.
    func apply(_ action: StoreAction) throws -> [NSManagedObject] {
        let step = try action.step(in: self)
        return record(action.title, step)
    }

    /// Makes changes that are one step to undo.
    func record<Result>(_ title: String, _ step: () -> Result) -> Result {
        context.processPendingChanges()
        undoManager.beginUndoGrouping()
        let result = step()
        context.processPendingChanges()
        undoManager.setActionName(title)
        undoManager.endUndoGrouping()
        stepped.note(context.updatedObjects)
        revision += 1
        return result
    }

    /// Makes changes that can't be undone.
    func withoutUndo<Result>(_ body: () throws -> Result) rethrows -> Result {
        context.processPendingChanges()
        undoManager.disableUndoRegistration()
        defer {
            context.processPendingChanges()
            undoManager.enableUndoRegistration()
        }
        return try body()
    }

    /// Takes the last step back.
    func undo() {
        guard undoManager.canUndo else { return }
        context.undo()
        revision += 1
        catchUp()
    }

    /// Makes the last step that was taken back again.
    func redo() {
        guard undoManager.canRedo else { return }
        context.redo()
        revision += 1
        catchUp()
    }

    /// Gives up all changes.
    func discard() {
        context.rollback()
        shownConflicts = ShownConflicts()
        forgetSteps()
        catchUp()
    }

    /// Forgets the steps: what they would take back is saved, or gone.
    func forgetSteps() {
        undoManager.removeAllActions()
        stepped = SteppedProperties()
        revision += 1
    }

    // MARK: Objects

    /// What an object is called now.
    func current(_ identifier: String) -> String { identifiers[identifier] ?? identifier }

    /// Takes the identifiers that new objects have got.
    func rename(_ new: [String: String]) { identifiers.merge(new) { $1 } }

    /// The object with an identifier, one that is not saved included.
    ///
    /// - Throws: `ToolFailure` where there is none.
    func object(_ identifier: String) throws -> NSManagedObject {
        let object = try staged(identifier) ?? session.object(current(identifier))
        guard !object.isInserted, !object.isDeleted, object.changedValues().isEmpty else { return object }
        // The windows show the row that the store has now. This one may be older: others can have saved since.
        withoutUndo { context.refresh(object, mergeChanges: true) }
        return try session.object(current(identifier))
    }

    /// The object with an identifier, if it has changes.
    func staged(_ identifier: String) -> NSManagedObject? {
        if let id = try? session.objectID(identifier) {
            guard let object = context.registeredObject(for: id), object.isStaged else { return nil }
            return object
        }
        return context.insertedObjects.first { $0.objectID.shortIdentifier == identifier }
    }

    /// The objects with identifiers, each once.
    func objects(_ identifiers: [String]) throws -> [NSManagedObject] {
        var seen = Set<NSManagedObject>()
        return try identifiers.map(object).filter { seen.insert($0).inserted }
    }
}

extension NSManagedObject {
    /// Whether the object has changes that are not saved.
    var isStaged: Bool { isInserted || isUpdated || isDeleted }
}
