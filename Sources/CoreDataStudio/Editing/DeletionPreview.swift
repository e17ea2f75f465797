import CoreData
import StoreBrowsing

/// What a deletion would do, found in a child context that is thrown away.
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
        let trial = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        trial.parent = changes.context
        let ids = objects.map(\.objectID)
        let (deleted, changed, refusals) = try trial.performAndWait {
            for id in ids { trial.delete(try trial.existingObject(with: id)) }
            trial.processPendingChanges()
            return (
                Self.counts(trial.deletedObjects), Self.counts(trial.updatedObjects),
                trial.deletedObjects.lazy.compactMap(Self.refusal).prefix(Self.mostRefusals)
            )
        }
        (self.deleted, self.changed, self.refusals) = (deleted, changed, refusals.sorted())
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
