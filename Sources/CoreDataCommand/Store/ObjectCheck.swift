import CoreData
import StoreBrowsing
import StoreInspection

/// Verifies the objects of a store in a database against its model.
///
/// The database itself keeps types, keys, uniqueness and most references. What is left are references that lead
/// nowhere, and what the model asks of values and of the number of members.
final class ObjectCheck {
    private let store: OpenedStore
    private let mostAlike: Int
    private var findings: [StoreFinding] = []
    private var counts: [Place: Int] = [:]
    /// How many objects are validated at once.
    private static let size = 256

    private struct Place: Hashable {
        let kind: StoreFinding.Kind
        let entity: String
        let property: String?
    }

    /// - Parameter mostAlike: How many findings of one kind about one property are listed; of more there is only the
    ///   number.
    init(_ store: OpenedStore, mostAlike: Int) { (self.store, self.mostAlike) = (store, mostAlike) }

    /// Looks at all objects, and returns what is wrong.
    ///
    /// - Parameter progress: Told how many objects are done, and how many there are.
    func run(progress: (_ done: Int, _ total: Int) -> Void) throws -> [StoreFinding] {
        let session = try QuerySession(store)
        let records = try ObjectRecords(store, renderer: ValueRenderer())
        let names = try store.requiredModel().entitiesByName.filter { !$0.isAbstract }.map(\.name)
        let total = try names.reduce(0) { try $0 + store.rowCount(of: $1) }
        var done = 0
        records.foundMissing = { [unowned self] missing in
            add(
                StoreFinding(
                    .danglingReference, entity: missing.entity, key: missing.key, property: missing.property,
                    "The destination, \(missing.destination) with key \(missing.destinationKey), is missing."))
        }
        for name in names {
            try records.forEachRecord(of: name) { _ in
                done += 1
                progress(done, 2 * total)
            }
            try validate(name, session) { count in
                done += count
                progress(done, 2 * total)
            }
        }
        summarize()
        return findings
    }

    // MARK: Validation

    private func validate(_ entity: String, _ session: QuerySession, _ told: (Int) -> Void) throws {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        (request.resultType, request.includesSubentities) = (.managedObjectIDResultType, false)
        var rest = try session.perform { try $0.fetch(request) }[...]
        while !rest.isEmpty {
            let ids = Array(rest.prefix(Self.size))
            rest = rest.dropFirst(ids.count)
            try session.perform { context in
                let objects = NSFetchRequest<NSManagedObject>(entityName: entity)
                objects.predicate = NSPredicate(format: "SELF IN %@", ids)
                objects.includesSubentities = false
                for object in try context.fetch(objects) { validate(object) }
                context.reset()
            }
            told(ids.count)
        }
    }

    private func validate(_ object: NSManagedObject) {
        do { try object.validateForUpdate() } catch {
            let error = error as NSError
            let all = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            for error in all {
                let key = Int64(object.objectID.uriRepresentation().lastPathComponent.dropFirst())
                add(
                    StoreFinding(
                        Self.kind(of: error.code), entity: object.entity.name, key: key,
                        property: error.userInfo[NSValidationKeyErrorKey] as? String, error.localizedDescription))
            }
        }
    }

    private static func kind(of code: Int) -> StoreFinding.Kind {
        switch code {
        case NSValidationMissingMandatoryPropertyError: .requiredValue
        case NSValidationRelationshipLacksMinimumCountError, NSValidationRelationshipExceedsMaximumCountError:
            .memberCount
        default: .validationRule
        }
    }

    // MARK: Findings

    private func add(_ finding: StoreFinding) {
        let place = Place(kind: finding.kind, entity: finding.entity ?? "", property: finding.property)
        counts[place, default: 0] += 1
        if counts[place, default: 0] <= mostAlike { findings.append(finding) }
    }

    /// Tells of what is not listed.
    private func summarize() {
        let more = counts.filter { $0.value > mostAlike }.sorted {
            ($0.key.entity, $0.key.property ?? "") < ($1.key.entity, $1.key.property ?? "")
        }
        for (place, count) in more {
            findings.append(
                StoreFinding(
                    place.kind, entity: place.entity, property: place.property,
                    "There are \(count - mostAlike) more findings like these."))
        }
    }
}
