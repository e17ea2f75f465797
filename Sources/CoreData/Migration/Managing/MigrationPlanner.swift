import FoundationGaps

/// Finds out what the mappings of a model mean in the two models of a migration, and refuses what means nothing.
struct MigrationPlanner {
    private let manager: NSMigrationManager
    private let source: ModelLayout
    private let destination: ModelLayout

    init(_ manager: NSMigrationManager) {
        self.manager = manager
        (source, destination) = (manager.contexts.source.layouts, manager.contexts.destination.layouts)
    }

    /// The plans of all mappings.
    ///
    /// - Throws: `NSMigrationError` (134110) for what the models don't have; `NSEntityMigrationPolicyError` (134170)
    ///   for policies that the program does not have.
    func plans(of model: NSMappingModel) throws -> [EntityPlan] {
        let mappings: [NSEntityMapping] = model.entityMappings
        var names: Set<String> = []
        for mapping in mappings {
            guard let name = mapping.name, !name.isEmpty else {
                throw failure("An entity mapping has no name: \(mapping).")
            }
            guard names.insert(name).inserted else {
                throw failure("Two entity mappings have the name “\(name)”.")
            }
        }
        let plans = try mappings.enumerated().map { try plan(of: $1, place: $0) }
        for plan in plans { try complete(plan, among: plans) }
        return plans
    }

    private func plan(of mapping: NSEntityMapping, place: Int) throws -> EntityPlan {
        let name = mapping.name ?? ""
        let type = try MigrationPolicies.shared.type(named: mapping.entityMigrationPolicyClassName, of: name)
        return EntityPlan(
            mapping, type.make(true),
            try layout(mapping.sourceEntityName, mapping.sourceEntityVersionHash, source, "source", of: name),
            try layout(
                mapping.destinationEntityName, mapping.destinationEntityVersionHash, destination, "destination",
                of: name),
            place: place)
    }

    private func layout(
        _ entity: String?, _ hash: Data?, _ layouts: ModelLayout, _ side: String, of mapping: String
    ) throws -> EntityLayout? {
        guard let entity else { return nil }
        guard let layout = layouts.layout(named: entity) else {
            throw failure("The mapping “\(mapping)” names the entity \(entity), which the \(side) model does not have.")
        }
        guard hash == nil || hash == layout.entity.versionHash else {
            throw failure(
                "The mapping “\(mapping)” was made for another version of the entity \(entity) of the \(side) model.")
        }
        return layout
    }

    /// Works out how the properties of a mapping's objects get their values. A policy may have changed the mapping.
    func complete(_ plan: EntityPlan, among plans: [EntityPlan]) throws {
        guard let destination = plan.destination, !plan.isRemoval else { return }
        plan.attributes = try (plan.mapping.attributeMappings ?? []).compactMap { mapping in
            try mapping.valueExpression.flatMap { expression in
                let slot = try slot(mapping, of: destination, plan)
                guard slot.kind.isAttribute else { throw wrongKind(mapping, "attribute", plan) }
                return try attribute(mapping, slot, expression, plan)
            }
        }
        plan.relationships = try (plan.mapping.relationshipMappings ?? []).compactMap { mapping in
            try mapping.valueExpression.flatMap { expression in
                let slot = try slot(mapping, of: destination, plan)
                guard slot.kind.isRelationship else { throw wrongKind(mapping, "relationship", plan) }
                try check(expression, mapping, plan)
                let origin = follow(expression, slot, plan, plans) ?? .expression(expression)
                return RelationshipStep(mapping: mapping, slot: slot, origin: origin)
            }
        }
    }

    private func slot(_ mapping: NSPropertyMapping, of layout: EntityLayout, _ plan: EntityPlan) throws -> PropertySlot
    {
        guard let name = mapping.name else {
            throw failure("A property mapping of “\(plan.name)” has no name.")
        }
        guard let slot = layout.slot(named: name) else {
            throw failure("The mapping “\(plan.name)” sets \(name), which the entity \(layout.name) does not have.")
        }
        return slot
    }

    // MARK: Attributes

    private func attribute(
        _ mapping: NSPropertyMapping, _ slot: PropertySlot, _ expression: NSExpression, _ plan: EntityPlan
    ) throws -> AttributeStep? {
        // The store computes it.
        if slot.property is NSDerivedAttributeDescription { return nil }
        try check(expression, mapping, plan)
        let copied = copied(expression, plan)
        let origin =
            copied.flatMap { $0.canBeCopied(to: slot) ? .copy($0) : nil } ?? AttributeStep.Origin.expression(expression)
        return AttributeStep(
            mapping: mapping, slot: slot, origin: origin, keepsDefault: copied != nil && !slot.isOptional)
    }

    /// The source attribute that an expression merely names: `$source.name`.
    private func copied(_ expression: NSExpression, _ plan: EntityPlan) -> PropertySlot? {
        guard let key = expression.sourceKey, let slot = plan.source?.slot(named: key), slot.kind.isAttribute else {
            return nil
        }
        return slot
    }

    // MARK: Relationships

    /// What destinations of a source relationship have become, where an expression says that and nothing else.
    private func follow(
        _ expression: NSExpression, _ slot: PropertySlot, _ plan: EntityPlan, _ plans: [EntityPlan]
    ) -> RelationshipStep.Origin? {
        guard case .message(let receiver, let selector, let arguments) = expression.node,
            receiver.variableName == NSMigrationManagerKey, arguments.count == 2,
            let key = arguments[1].sourceKey, let source = plan.source?.slot(named: key), source.kind.isRelationship,
            case .constant(let name as String, _) = arguments[0].node
        else { return nil }
        let targets: [EntityPlan]
        switch selector {
        case MigrationFunctions.byMapping: targets = plans.filter { $0.name == name }
        case MigrationFunctions.byRelationship:
            guard let named = plan.source?.slot(named: name), named.kind.isRelationship else { return nil }
            targets = MigrationFunctions.plans(ofDestinationsOf: named, self.source, among: plans)
        default: return nil
        }
        let wanted = destination[slot.destination]
        let fit = targets.allSatisfy { $0.destination.map { $0.isKind(of: wanted) } ?? false }
        return fit && !targets.isEmpty ? .follow(source, targets) : nil
    }

    // MARK: Errors

    /// Refuses an expression with a key path that the source entity does not have: key-value coding would trap.
    private func check(_ expression: NSExpression, _ mapping: NSPropertyMapping, _ plan: EntityPlan) throws {
        guard let unknown = ExpressionCheck(plan, source, destination).problem(in: expression) else { return }
        throw failure(
            "The mapping of \(mapping.name ?? "") in “\(plan.name)” has the expression “\(expression)”: \(unknown).")
    }

    private func wrongKind(_ mapping: NSPropertyMapping, _ kind: String, _ plan: EntityPlan) -> NSError {
        failure("The mapping “\(plan.name)” lists \(mapping.name ?? "") as an \(kind), which it is not.")
    }

    private func failure(_ sentence: String) -> NSError {
        NSError.cocoa(NSMigrationError, "The mapping model does not fit the models.", reason: sentence)
    }
}

extension PropertySlot {
    /// Whether values can be taken over as they are held.
    fileprivate func canBeCopied(to other: PropertySlot) -> Bool {
        switch (kind, other.kind) {
        case (.transformable, .transformable):
            return !isTransient && !other.isTransient
                && attribute?.valueTransformerName == other.attribute?.valueTransformerName
        case (.composite, _), (.undefined, _), (.objectID, _): return false
        case (.int16, .int32), (.int16, .int64), (.int32, .int64), (.float, .double): return true
        default: return kind == other.kind
        }
    }
}

extension NSExpression {
    /// The name of the variable that an expression is.
    var variableName: String? { if case .variable(let name) = node { name } else { nil } }

    /// The key in `$source.key`. Elements of composite attributes have dots in theirs.
    var sourceKey: String? {
        guard case .keyPath(let operand, let path) = node, operand.variableName == NSMigrationSourceObjectKey else {
            return nil
        }
        return path.keys.joined(separator: ".")
    }
}
