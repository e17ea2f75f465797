import FoundationGaps

// What NSEntityMigrationPolicy does with a mapping.

extension MigrationRun {
    /// See ``NSEntityMigrationPolicy/createDestinationInstances(forSource:in:manager:)``.
    func makeInstance(of source: NSManagedObject, _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws
    {
        let plan = plan(of: mapping)
        guard let layout = plan.destination else { return }
        guard !layout.isAbstract else {
            throw NSError.cocoa(
                NSEntityMigrationPolicyError,
                "The mapping “\(plan.name)” makes objects of the abstract entity \(layout.name).",
                reason: "Name a subentity as the destination, or a migration policy that makes the objects.")
        }
        let object = NSManagedObject(entity: layout.entity, insertInto: destination.context)
        source.fireIfNeeded()
        for step in plan.attributes {
            switch step.origin {
            case .copy(let slot): copy(source.current(slot), by: step, to: object)
            case .expression(let expression):
                let value = try value(of: expression, step.mapping, source, object, plan, policy)
                if value == nil, step.keepsDefault { continue }
                try object.setMigrated(value, step.slot)
            }
        }
        associate(source, with: object, for: mapping)
    }

    private func copy(_ value: Slot, by step: AttributeStep, to object: NSManagedObject) {
        if value.isNull, step.keepsDefault { return }
        object.write(step.slot, value)
    }

    /// Sets the to-one relationships of a new object to objects that are there already.
    func relateEarly(_ object: NSManagedObject, madeOf source: NSManagedObject, by plan: EntityPlan) {
        guard !plan.earlyRelationships.isEmpty, plan.fits(source, object) else { return }
        source.fireIfNeeded()
        for step in plan.earlyRelationships {
            guard case .follow(let slot, let targets) = step.origin,
                case .reference(let reference) = source.current(slot)
            else { continue }
            let root = self.source.rootNumber(of: reference)
            guard let destination = firstDestination(of: reference, root: root, by: targets) else { continue }
            object.write(step.slot, .reference(destination))
        }
    }

    /// See ``NSEntityMigrationPolicy/createRelationships(forDestination:in:manager:)``.
    func relate(_ object: NSManagedObject, _ mapping: NSEntityMapping, _ policy: NSEntityMigrationPolicy) throws {
        let plan = plan(of: mapping)
        guard !plan.relationships.isEmpty, let source = sources(of: object, by: plan).first else { return }
        guard plan.fits(source, object) else {
            throw PredicateEvaluationError(
                "an object of \(object.layout.name) made of one of \(source.layout.name) has no such relationships; override createRelationships"
            )
        }
        for step in plan.relationships {
            switch step.origin {
            case .follow(let slot, let targets):
                object.setRelated(followed(source, slot, targets), step.slot)
            case .expression(let expression):
                let value = try value(of: expression, step.mapping, source, object, plan, policy)
                object.setRelated(try related(objects(in: value), step.slot, plan), step.slot)
            }
        }
    }

    /// What the destinations of a source object have become.
    private func followed(_ source: NSManagedObject, _ slot: PropertySlot, _ targets: [EntityPlan]) -> [NSManagedObject]
    {
        let root = self.source.layouts[slot.destination].rootNumber
        guard slot.kind == .toOne else {
            return source.members(slot).flatMap { destinations(of: $0, root: root, by: targets) }
        }
        source.fireIfNeeded()
        guard case .reference(let reference) = source.current(slot) else { return [] }
        return destinations(of: reference, root: root, by: targets)
    }

    /// Refuses objects that a relationship can't lead to.
    private func related(_ objects: [NSManagedObject], _ slot: PropertySlot, _ plan: EntityPlan) throws
        -> [NSManagedObject]
    {
        let wanted = destination.layouts[slot.destination]
        for object in objects where object.contextStorage !== destination.context || !object.layout.isKind(of: wanted) {
            throw PredicateEvaluationError(
                "the value of \(slot.name) must be objects of \(wanted.name) in the destination context, and one is of \(object.layout.name)"
            )
        }
        return objects
    }

    private func value(
        of expression: NSExpression, _ mapping: NSPropertyMapping, _ source: NSManagedObject,
        _ object: NSManagedObject, _ plan: EntityPlan, _ policy: NSEntityMigrationPolicy
    ) throws -> Any? {
        let variables = plan.variables(for: source, object, mapping, policy, policyManager)
        let scope = EvaluationScope(object: source, variables: variables, reader: SlotReader.shared)
        do {
            return try expression.value(in: scope).boxed
        } catch let error as PredicateEvaluationError {
            throw PredicateEvaluationError("\(mapping.name ?? ""): \(error.message)")
        }
    }

    // MARK: Source objects

    /// The objects that a mapping is for.
    func sourceReferences(_ plan: EntityPlan) throws -> [ObjectReference] {
        guard let expression = plan.mapping.sourceExpression else {
            guard let entity = plan.source else { return [] }
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            return try references(of: request)
        }
        let scope = EvaluationScope(
            object: nil,
            variables: [
                NSMigrationManagerKey: policyManager, NSMigrationEntityMappingKey: plan.mapping,
                NSMigrationEntityPolicyKey: plan.policy,
            ])
        if case .fetch(let request, let context, false) = expression.node,
            let fetch = try request.value(in: scope).boxed as? AnyFetchRequest,
            try context.value(in: scope).boxed as AnyObject === source.context
        {
            return try references(of: fetch)
        }
        return try objects(in: expression.value(in: scope).boxed).map { object in
            guard object.contextStorage === source.context else {
                throw PredicateEvaluationError("the source expression must give objects of the source context")
            }
            return object.reference
        }
    }

    private func references(of request: AnyFetchRequest) throws -> [ObjectReference] {
        try ContextFetch(request, in: source.context).references()
    }
}

extension EntityPlan {
    /// Whether two objects are of the mapping's entities: a policy may associate any.
    fileprivate func fits(_ source: NSManagedObject, _ object: NSManagedObject) -> Bool {
        guard let wanted = self.source, let destination else { return false }
        return source.layout.isKind(of: wanted) && object.layout.isKind(of: destination)
    }
}

extension NSManagedObject {
    /// Sets an attribute to the value of an expression.
    ///
    /// - Throws: `PredicateEvaluationError` for a value that the attribute can't have.
    fileprivate func setMigrated(_ value: Any?, _ slot: PropertySlot) throws {
        if let value, let problem = slot.problem(with: value) {
            throw PredicateEvaluationError("\(slot.name) of \(layout.name) can't be \(value): \(problem)")
        }
        setBoxedValue(value, slot)
    }

    /// Sets a relationship: the first object if it is to-one.
    fileprivate func setRelated(_ objects: [NSManagedObject], _ slot: PropertySlot) {
        if slot.kind == .toOne { setDestination(objects.first, slot) } else { setMembers(objects, slot) }
    }
}

extension PropertySlot {
    /// Why an attribute can't have a value; nil if it can.
    fileprivate func problem(with value: Any) -> String? {
        switch kind {
        case .int16: number(value, Int64(Int16.min)...Int64(Int16.max))
        case .int32: number(value, Int64(Int32.min)...Int64(Int32.max))
        case .int64: number(value, .min ... .max)
        case .boolean, .double, .float: value is NSNumber ? nil : mismatch(value)
        case .decimal: value is NSNumber || value is Decimal ? nil : mismatch(value)
        case .string: value is String ? nil : mismatch(value)
        case .date: value is Date ? nil : mismatch(value)
        case .binary: value is Data ? nil : mismatch(value)
        case .uuid: value is UUID ? nil : mismatch(value)
        case .uri: value is URL ? nil : mismatch(value)
        case .objectID: value is NSManagedObjectID ? nil : mismatch(value)
        case .composite: value is [String: Any] ? nil : mismatch(value)
        case .transformable, .undefined, .toOne, .toMany, .orderedToMany, .fetched: nil
        }
    }

    private func number(_ value: Any, _ range: ClosedRange<Int64>) -> String? {
        guard let given = value as? NSNumber else { return mismatch(value) }
        let number = given.int64Value
        guard range.contains(number), abs(given.doubleValue - Double(number)) < 1 else {
            return "it does not fit an attribute of the type \(kind)"
        }
        return nil
    }

    private func mismatch(_ value: Any) -> String {
        "its type is \(type(of: value)), and the attribute's \(className)"
    }
}
