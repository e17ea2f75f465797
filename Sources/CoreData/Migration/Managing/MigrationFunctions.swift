import FoundationGaps

/// What `FUNCTION($manager, "name:", …)` means: the names that compiled mapping models call.
enum MigrationFunctions {
    static let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    static let byRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    static let sourcesByMapping = "sourceInstancesForEntityMappingNamed:destinationInstances:"
    static let request = "fetchRequestForSourceEntityNamed:predicateString:"

    /// The mappings that the destinations of a source relationship go through.
    static func plans(
        ofDestinationsOf relationship: PropertySlot, _ source: ModelLayout, among plans: [EntityPlan]
    ) -> [EntityPlan] {
        let entity = source[relationship.destination]
        return plans.filter { plan in
            guard let other = plan.source, !plan.isRemoval, plan.destination != nil else { return false }
            return other.isKind(of: entity) || entity.isKind(of: other)
        }
    }
}

extension NSMigrationManager: MessageReceiver {
    package func function(named name: String) -> (([Any?]) throws -> Any?)? {
        let run = requiredRun
        switch name {
        case MigrationFunctions.byMapping: return { try run.destinations(named: $0[0], of: $0[1]) }
        case MigrationFunctions.byRelationship: return { try run.destinations(ofRelationship: $0[0], of: $0[1]) }
        case MigrationFunctions.sourcesByMapping: return { try run.sources(named: $0[0], of: $0[1]) }
        case MigrationFunctions.request: return { try run.fetchRequest(entity: $0[0], predicate: $0[1]) }
        default: return nil
        }
    }
}

extension MigrationRun {
    fileprivate func destinations(named name: Any?, of sources: Any?) throws -> [NSManagedObject] {
        let plan = try plan(named: name)
        return try objects(in: sources).flatMap { destinations(of: $0, by: [plan]) }
    }

    fileprivate func destinations(ofRelationship name: Any?, of sources: Any?) throws -> [NSManagedObject] {
        guard let key = name as? String, let slot = current?.source?.slot(named: key), slot.kind.isRelationship else {
            throw PredicateEvaluationError("the source entity has no relationship \(name ?? "nil")")
        }
        let targets = MigrationFunctions.plans(ofDestinationsOf: slot, source.layouts, among: plans)
        return try objects(in: sources).flatMap { destinations(of: $0, by: targets) }
    }

    fileprivate func sources(named name: Any?, of destinations: Any?) throws -> [NSManagedObject] {
        let plan = try plan(named: name)
        return try objects(in: destinations).flatMap { sources(of: $0, by: plan) }
    }

    private func plan(named name: Any?) throws -> EntityPlan {
        guard let text = name as? String, let plan = plan(named: text) else {
            throw PredicateEvaluationError("the mapping model has no entity mapping named \(name ?? "nil")")
        }
        return plan
    }

    /// The objects of an argument: one, a collection, or none.
    func objects(in value: Any?) throws -> [NSManagedObject] {
        switch value {
        case nil, is NSNull: return []
        case let object as NSManagedObject: return [object]
        default: break
        }
        guard case .collection(let collection) = PredicateValue(value) else {
            throw PredicateEvaluationError("managed objects are needed here, not \(value.map { "\($0)" } ?? "nil")")
        }
        return try collection.elements.map { element in
            guard let object = element as? NSManagedObject else {
                throw PredicateEvaluationError("managed objects are needed here, not \(element)")
            }
            return object
        }
    }

    fileprivate func fetchRequest(entity name: Any?, predicate format: Any?) throws -> AnyFetchRequest {
        guard let name = name as? String, source.layouts.layout(named: name) != nil else {
            throw PredicateEvaluationError("the source model has no entity \(name ?? "nil")")
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        // Objects of subentities have mappings of their own.
        request.includesSubentities = false
        if let format = format as? String, format != "TRUEPREDICATE", !format.isEmpty {
            request.predicate = try NSPredicate.parse(format)
        }
        return request
    }
}
