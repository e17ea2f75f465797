import FoundationGaps

/// One migration: the plans of its mappings, and the stages in which they are worked off.
final class MigrationRun {
    private unowned let manager: NSMigrationManager
    /// The manager, for expressions.
    var policyManager: NSMigrationManager { manager }
    let mapping: NSMappingModel
    let plans: [EntityPlan]
    let source: MigrationStack
    let destination: MigrationStack
    private let addresses: (source: URL, destination: URL)
    private let plansByName: [String: EntityPlan]
    private let plansByMapping: [ObjectIdentifier: EntityPlan]
    /// The mapping that is worked off.
    private(set) var current: EntityPlan?
    /// Destination objects that policies have deleted, and saved as such.
    private var deleted: Set<ObjectReference> = []
    private var progress = MigrationProgress()
    /// What a method that can't throw ran into.
    private var failure: (any Error)?
    /// The objects that a trial has found to fail.
    private var failures: [any Error] = []

    /// - Throws: `NSMigrationError` (134110) for mappings that don't fit the models; `NSEntityMigrationPolicyError`
    ///   (134170) for policies that the program does not have.
    init(_ manager: NSMigrationManager, _ mapping: NSMappingModel, from source: URL, to destination: URL) throws {
        self.manager = manager
        self.mapping = mapping
        (self.source, self.destination) = manager.contexts
        addresses = (source, destination)
        let plans = try MigrationPlanner(manager).plans(of: mapping)
        self.plans = plans
        plansByName = Dictionary(uniqueKeysWithValues: plans.map { ($0.name, $0) })
        plansByMapping = Dictionary(plans.map { (ObjectIdentifier($0.mapping), $0) }) { first, _ in first }
    }

    func plan(named name: String) -> EntityPlan? { plansByName[name] }

    func plan(of mapping: NSEntityMapping) -> EntityPlan {
        guard let plan = plansByMapping[ObjectIdentifier(mapping)] ?? plansByName[mapping.name ?? ""] else {
            programmerError(
                "The entity mapping “\(mapping.name ?? "")” is none of the mapping model that is worked off.")
        }
        return plan
    }

    /// Works all mappings off, when both stores are open.
    func perform() throws {
        for plan in plans { plan.relationships.removeAll(where: leadsOutOfStore) }
        let creationOrder = RelationshipPlanner(plans, from: source.layouts, to: destination.layouts)
            .run(relatesEarly: destination.savesInBatches)
        progress.expect(try plans.map { try expectedCount($0) })
        // A policy of the app's own may fetch at any time.
        let isPlain = plans.allSatisfy(\.isPlain)
        if !isPlain { try makeLookupIndexes() }
        for plan in creationOrder { try makeInstances(plan) }
        try throwFailures()
        if isPlain { try makeLookupIndexes() }
        for plan in plans { try makeRelationships(plan) }
        try throwFailures()
        for plan in plans {
            try calling(plan) { try plan.policy.performCustomValidation(forMapping: plan.mapping, manager: manager) }
        }
        try save()
        try MigrationValidation(destination).run { try checkpoint() }
        for plan in plans { try calling(plan) { try plan.policy.end(plan.mapping, manager: manager) } }
        try save(validating: true)
    }

    private func expectedCount(_ plan: EntityPlan) throws -> Int {
        guard let entity = plan.source, !isLeftBehind(plan) else { return 0 }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
        request.includesSubentities = false
        return try asSource { try source.context.count(for: request) } * (plan.relates ? 2 : 1)
    }

    /// Whether a mapping has no objects to work off: its entity is gone, or in no store of the configuration.
    private func isLeftBehind(_ plan: EntityPlan) -> Bool {
        plan.isRemoval || plan.source.map { !source.holds($0) } ?? false
    }

    /// Whether a relationship leads to an entity of another configuration, of which the store has no objects.
    private func leadsOutOfStore(_ step: RelationshipStep) -> Bool {
        guard case .follow(let slot, _) = step.origin else { return false }
        return !source.holds(source.layouts[slot.destination])
            || !destination.holds(destination.layouts[step.slot.destination])
    }

    // MARK: Stages

    private func makeInstances(_ plan: EntityPlan) throws {
        try calling(plan) { try plan.policy.begin(plan.mapping, with: manager) }
        // A policy may have changed what the mapping says.
        if !plan.isPlain { try MigrationPlanner(manager).complete(plan, among: plans) }
        let references = isLeftBehind(plan) ? [] : try calling(plan) { try sourceReferences(plan) }
        for batch in references.batches(of: plan.batchSize) {
            let objects = try asSource { try source.context.loadRows(of: Array(batch)) }
            for object in objects {
                try collecting {
                    try calling(plan, for: object) {
                        try plan.policy.createDestinationInstances(
                            forSource: object, in: plan.mapping, manager: manager)
                    }
                }
            }
            try save()
            advance(batch.count)
        }
        try calling(plan) { try plan.policy.endInstanceCreation(forMapping: plan.mapping, manager: manager) }
        try save()
    }

    private func makeRelationships(_ plan: EntityPlan) throws {
        enter(plan)
        if plan.relates {
            for batch in plan.associations.destinations.indices.batches(of: plan.batchSize) {
                try makeRelationships(plan, batch)
                try save()
                advance(batch.count)
            }
        }
        try calling(plan) { try plan.policy.endRelationshipCreation(forMapping: plan.mapping, manager: manager) }
        try save()
    }

    private func makeRelationships(_ plan: EntityPlan, _ places: Range<Int>) throws {
        let table = plan.associations
        let sources = try asSource { try source.context.loadRows(of: Array(table.sources[places])) }
        try asSource { try source.context.prefetch(plan.followedToManys, of: sources) }
        let wanted = places.filter { table.isFirst($0) }.map { table.destinations[$0] }.filter { !deleted.contains($0) }
        let objects = try destination.context.loadRows(of: wanted)
        try withExtendedLifetime(sources) {
            for object in objects where !object.state.contains(.deleted) {
                try collecting {
                    try calling(plan, for: self.sources(of: object, by: plan).first) {
                        try plan.policy.createRelationships(
                            forDestination: object, in: plan.mapping, manager: manager)
                    }
                }
            }
        }
    }

    // MARK: Steps

    /// Calls a policy; what it throws becomes an error that names the mapping.
    private func calling<R>(
        _ plan: EntityPlan, for source: @autoclosure () -> NSManagedObject? = nil, _ body: () throws -> R
    ) throws -> R {
        enter(plan)
        do {
            let result = try body()
            try checkpoint()
            return result
        } catch {
            throw manager.status.cancellation ?? plan.explained(error, source()?.objectID)
        }
    }

    /// Lets a trial go on after an object that fails, to find others that do.
    private func collecting(_ body: () throws -> Void) throws {
        do { try body() } catch {
            let isObjects = manager.status.cancellation == nil && source.failure == nil && destination.failure == nil
            guard isObjects, failure == nil else { throw error }
            failures.append(error)
            if failures.count >= manager.mostFailures { try throwFailures() }
        }
    }

    private func throwFailures() throws {
        guard let first = failures.first else { return }
        guard failures.count > 1 else { throw first }
        throw NSError.cocoa(
            NSMigrationError, "\(failures.count) objects can't be migrated.",
            userInfo: [NSDetailedErrorsKey: failures])
    }

    private func enter(_ plan: EntityPlan) {
        if current === plan { return }
        current = plan
        manager.setCurrent(plan.mapping)
    }

    /// Ends the migration if it was cancelled, or if a store could not be read meanwhile.
    private func checkpoint() throws {
        if let error = manager.status.cancellation { throw error }
        if let error = source.failure { try asSource { throw error } }
        if let error = failure ?? destination.failure { throw error }
    }

    private func advance(_ count: Int) {
        if let fraction = progress.advance(count) { manager.setProgress(fraction) }
    }

    /// Writes what there is to write, so that it need not stay in memory.
    private func save(validating isValidating: Bool = false) throws {
        try settle()
        let context = destination.context
        for object in context.unsaved.objects where object.state.contains(.deleted) { deleted.insert(object.reference) }
        guard isValidating || destination.savesInBatches else { return }
        context.skipsValidation = !isValidating
        defer { context.skipsValidation = true }
        try MigrationStores.asDestination(addresses.destination, isSaving: true) { try context.save() }
        try checkpoint()
    }

    private func makeLookupIndexes() throws {
        try MigrationStores.asDestination(addresses.destination) {
            for store in destination.loadingStores { try store.makeLookupIndexes() }
        }
    }

    private func asSource<R>(_ body: () throws -> R) throws -> R {
        try MigrationStores.asSource(addresses.source, body)
    }

    // MARK: Associations

    func associate(_ source: NSManagedObject, with object: NSManagedObject, for mapping: NSEntityMapping) {
        require(
            source.contextStorage === self.source.context && object.contextStorage === destination.context,
            "associate(sourceInstance:withDestinationInstance:for:) takes an object of the source context and one of the destination context."
        )
        plan(of: mapping).pending.append((source, object))
    }

    func forgetAssociations() {
        for plan in plans {
            plan.pending = []
            plan.associations = AssociationTable()
        }
    }

    /// Gives associated objects their permanent keys, by which they are known from now on.
    func settle() throws {
        for plan in plans where !plan.pending.isEmpty {
            let pending = plan.pending.filter {
                $0.destination.contextStorage === destination.context && !$0.destination.state.contains(.deleted)
            }
            plan.pending = []
            try destination.context.assignPermanentIDs(for: pending.map(\.destination))
            for (source, object) in pending {
                plan.associations.add(
                    source.reference, sourceRoot: source.table.pointee.rootNumber, object.reference,
                    destinationRoot: object.table.pointee.rootNumber)
                relateEarly(object, madeOf: source, by: plan)
            }
        }
    }

    /// The destination objects that were made of a source object.
    func destinations(of object: NSManagedObject, by plans: [EntityPlan]) -> [NSManagedObject] {
        destinations(of: object.reference, root: object.table.pointee.rootNumber, by: plans)
    }

    /// The first destination object that was made of a source object, and was not deleted.
    func firstDestination(of reference: ObjectReference, root: Int32, by plans: [EntityPlan]) -> ObjectReference? {
        for plan in plans {
            let table = plan.associations
            guard let first = table.firstDestination(of: reference, root: root) else { continue }
            if !deleted.contains(first) { return first }
            if let other = table.destinations(of: reference, root: root).first(where: { !deleted.contains($0) }) {
                return other
            }
        }
        return nil
    }

    func destinations(of reference: ObjectReference, root: Int32, by plans: [EntityPlan]) -> [NSManagedObject] {
        noting { try settle() }
        return existing(plans.flatMap { $0.associations.destinations(of: reference, root: root) })
    }

    func sources(of object: NSManagedObject, by plan: EntityPlan) -> [NSManagedObject] {
        noting { try settle() }
        let references = plan.associations.sources(of: object.reference, root: object.table.pointee.rootNumber)
        return references.map { source.context.object(for: $0) }
    }

    func destinationInstances(_ name: String, of sources: [NSManagedObject]?) -> [NSManagedObject] {
        let plan = requiredPlan(name)
        if let sources { return sources.flatMap { destinations(of: $0, by: [plan]) } }
        noting { try settle() }
        return existing(Array(plan.associations.uniqueDestinations))
    }

    func sourceInstances(_ name: String, of destinations: [NSManagedObject]?) -> [NSManagedObject] {
        let plan = requiredPlan(name)
        if let destinations { return destinations.flatMap { sources(of: $0, by: plan) } }
        noting { try settle() }
        return source.context.objects(for: plan.associations.uniqueSources)
    }

    private func requiredPlan(_ name: String) -> EntityPlan {
        guard let plan = plan(named: name) else {
            programmerError(
                "The mapping model has no entity mapping named “\(name)”; it has \(plans.map(\.name).joined(separator: ", "))."
            )
        }
        return plan
    }

    /// The objects of references, but for those that were deleted.
    private func existing(_ references: [ObjectReference]) -> [NSManagedObject] {
        let known = deleted.isEmpty ? references : references.filter { !deleted.contains($0) }
        return destination.context.objects(for: known).filter { !$0.state.contains(.deleted) }
    }

    private func noting(_ body: () throws -> Void) {
        do { try body() } catch { failure = failure ?? error }
    }
}

extension EntityPlan {
    /// The to-many relationships of source objects that are read for each of them.
    fileprivate var followedToManys: [String] {
        relationships.compactMap { step in
            guard case .follow(let slot, _) = step.origin, slot.kind.isToMany else { return nil }
            return slot.name
        }
    }

    /// An error with the mapping, and with the object, that it came from.
    fileprivate func explained(_ error: any Error, _ object: NSManagedObjectID?) -> any Error {
        let known = error as NSError
        let own = [
            NSEntityMigrationPolicyError, NSMigrationManagerSourceStoreError, NSMigrationManagerDestinationStoreError,
            NSMigrationError, NSMigrationConstraintViolationError,
        ]
        if known.domain == NSCocoaErrorDomain, own.contains(known.code) { return error }
        return NSError.cocoa(
            NSEntityMigrationPolicyError,
            "The migration of \(mapping.sourceEntityName ?? mapping.destinationEntityName ?? name) failed in the mapping “\(name)”.",
            reason: (error as? PredicateEvaluationError)?.message ?? known.localizedDescription,
            userInfo: [
                NSUnderlyingErrorKey: known, "entityMapping": name,
                "policy": mapping.entityMigrationPolicyClassName ?? "NSEntityMigrationPolicy",
            ].merging(object.map { ["sourceObject": $0] } ?? [:]) { first, _ in first })
    }
}

extension RandomAccessCollection where Index == Int {
    /// Successive parts of at most so many elements.
    fileprivate func batches(of size: Int) -> [SubSequence] {
        stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
    }
}
