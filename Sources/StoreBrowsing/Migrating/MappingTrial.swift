import CoreData
import Foundation
import FoundationGaps
import ModelArchive
import StoreInspection

/// What a migration by a mapping model does to a copy of a store: how many objects are read, made and lost, and what
/// stands against it. The store itself is only read.
///
/// ```swift
/// let trial = try MappingTrial(migrator, compiled, MigrationControl())
/// for step in trial.steps { print(step.name, step.read, step.made) }
/// ```
package struct MappingTrial: Sendable {
    /// What an entity mapping does.
    package struct Step: Sendable, Hashable {
        package var name: String
        package var source: String?
        package var destination: String?
        /// The objects of the source entity, and those of them that the mapping reads.
        package var total: Int
        package var read: Int
        /// The objects that it makes.
        package var made: Int
    }

    /// What stands against the migration.
    package struct Failure: Sendable, Hashable {
        package var message: String
        /// The object that it is about: of the old store where a mapping failed, of the new one where it is not valid.
        package var object: String?
        package var property: String?
        package var mapping: String?
    }

    /// More failures are not looked for.
    package static let mostFailures = 100

    package private(set) var steps: [Step] = []
    /// What changes and what is lost.
    package private(set) var lines: [MigrationPreview.Line] = []
    package private(set) var failures: [Failure] = []
    /// The objects of the new store, by entity; none where something stands against the migration.
    package private(set) var result: [(entity: String, count: Int)] = []

    /// - Throws: What the store reports, or 134120 where the trial was ended.
    package init(_ migrator: StoreMigrator, _ mapping: CompiledMapping, _ control: MigrationControl) throws {
        let copy = try ScratchCopy(ofFile: migrator.url)
        defer { withExtendedLifetime(copy) {} }
        let trial = migrator.moved(to: copy.url)
        try control.check()
        try trial.reading(with: migrator.source) { context in
            try context.performAndWait {
                steps = try mapping.entityMappings.map { try Self.step($0, context) }
                lines = try MappingPreview(mapping, trial, ContextRows(context)).lines
                lines += try Self.leftOut(mapping, trial, context)
            }
        }
        try control.check()
        if let refusal = StoreMigrator.refusal(of: mapping) {
            failures = Self.failures(refusal)
            return
        }
        try run(trial, mapping, control)
    }

    private mutating func run(
        _ trial: StoreMigrator, _ mapping: CompiledMapping, _ control: MigrationControl
    ) throws {
        do {
            try trial.migrate(by: NSMappingModel(mapping), mostFailures: Self.mostFailures, watch: control.watch)
        } catch {
            try control.check()
            failures = Self.failures(error as NSError)
            return
        }
        let entities = trial.destination.entities.filter { !$0.isAbstract }.compactMap(\.name).sorted()
        result = try trial.reading(with: trial.destination) { context in
            try context.performAndWait { try entities.map { ($0, try Self.count($0, nil, context)) } }
        }
    }

    // MARK: Counting

    private static func step(
        _ mapping: CompiledMapping.EntityMapping, _ context: NSManagedObjectContext
    ) throws -> Step {
        var step = Step(
            name: mapping.name, source: mapping.sourceEntityName, destination: mapping.destinationEntityName, total: 0,
            read: 0, made: 0)
        guard let entity = mapping.sourceEntityName, isStored(entity, context) else { return step }
        step.total = try count(entity, nil, context)
        step.read = try mapping.filter.map { try count(entity, $0, context) } ?? step.total
        step.made = mapping.destinationEntityName == nil || mapping.type == .remove ? 0 : step.read
        return step
    }

    private static func isStored(_ entity: String, _ context: NSManagedObjectContext) -> Bool {
        let model = context.persistentStoreCoordinator?.managedObjectModel
        return model?.entitiesByName[entity].map { !$0.isAbstract } ?? false
    }

    private static func count(
        _ entity: String, _ predicate: NSPredicate?, _ context: NSManagedObjectContext
    ) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = false
        request.predicate = predicate
        return try context.count(for: request)
    }

    /// Objects that the filters of all mappings of their entity leave out.
    private static func leftOut(
        _ mapping: CompiledMapping, _ migrator: StoreMigrator, _ context: NSManagedObjectContext
    ) throws -> [MigrationPreview.Line] {
        let groups = Dictionary(grouping: mapping.entityMappings) { $0.sourceEntityName ?? "" }
        return try groups.sorted { $0.key < $1.key }.compactMap { entity, mappings in
            let filters = try mappings.map { try $0.filter }
            guard isStored(entity, context), !filters.contains(nil) else { return nil }
            let read = NSCompoundPredicate(orPredicateWithSubpredicates: filters.compactMap { $0 })
            let (total, kept) = (try count(entity, nil, context), try count(entity, read, context))
            guard total > kept else { return nil }
            let (lost, all) = (RowCounter.text(Int64(total - kept)), RowCounter.text(Int64(total)))
            return MigrationPreview.Line(
                kind: .loss, entity: entity, property: nil,
                message: "the filters leave out \(lost) of \(all) \(total == 1 ? "row" : "rows")",
                rows: Int64(total - kept), total: Int64(total))
        }
    }

    // MARK: Failures

    private static func failures(_ error: NSError) -> [Failure] {
        let all = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        return all.map { error in
            let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
            let source = error.userInfo["sourceObject"] as? NSManagedObjectID
            return Failure(
                message: ToolFailure(error).message, object: (object?.objectID ?? source)?.shortIdentifier,
                property: error.userInfo[NSValidationKeyErrorKey] as? String,
                mapping: error.userInfo["entityMapping"] as? String)
        }
    }
}

extension CompiledMapping.EntityMapping {
    /// The predicate that source objects must fulfil; nil for all.
    fileprivate var filter: NSPredicate? {
        get throws {
            guard let sourceExpression,
                case .fetch(let request, _, _) = try NSExpression.parse(sourceExpression).node,
                case .message(_, _, let arguments) = request.node, arguments.count == 2,
                case .constant(let format, _) = arguments[1].node, let format = format as? String,
                format != "TRUEPREDICATE", !format.isEmpty
            else { return nil }
            return try NSPredicate.parse(format)
        }
    }
}
