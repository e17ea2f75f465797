import CoreData
import StoreBrowsing

/// What a deletion would do, found in a context that is thrown away.
///
/// Changes that are not saved count. Where an object is to be deleted already, they no longer have it: then the preview
/// is of what the store has now, what other programs added since included.
struct DeletionPreview {
    /// How many objects would be deleted, by entity; those that delete rules add included.
    let deleted: [String: Int]
    /// How many objects would lose a relationship, by entity.
    let changed: [String: Int]
    /// Why the model forbids it, a sentence each.
    let refusals: [String]

    private static let mostRefusals = 20

    /// - Throws: `ToolFailure` where an object can't be read.
    init(of objects: [NSManagedObject], _ changes: StagedChanges) throws {
        let ids = objects.map(\.objectID)
        if objects.contains(where: \.isDeleted) {
            self = try QuerySession(changes.store).perform { try DeletionPreview(of: ids, in: $0) }
        } else {
            let trial = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            trial.parent = changes.context
            self = try trial.performAndWait { try DeletionPreview(of: ids, in: trial) }
        }
    }

    /// Deletes the objects in a context, on its queue.
    private init(of ids: [NSManagedObjectID], in trial: NSManagedObjectContext) throws {
        for id in ids { trial.delete(try trial.existingObject(with: id)) }
        trial.processPendingChanges()
        deleted = Self.counts(trial.deletedObjects)
        changed = Self.counts(trial.updatedObjects)
        refusals = trial.deletedObjects.lazy.compactMap(Self.refusal).prefix(Self.mostRefusals).sorted()
    }

    private static func counts(_ objects: Set<NSManagedObject>) -> [String: Int] {
        objects.reduce(into: [:]) { $0[$1.entity.name ?? "", default: 0] += 1 }
    }

    private static func refusal(_ object: NSManagedObject) -> String? {
        do {
            try object.validateForDelete()
            return nil
        } catch {
            return "\(object.objectID.shortIdentifier): \(ToolFailure(error).message)"
        }
    }

    var json: JSON {
        [
            "deleted": .object(deleted.mapValues(JSON.integer)), "changed": .object(changed.mapValues(JSON.integer)),
            "refusals": .array(refusals.map(JSON.text)),
        ]
    }
}
