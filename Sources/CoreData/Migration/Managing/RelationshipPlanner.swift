import FoundationGaps

/// Leaves out what a migration need not do, where no code of the app can tell the difference.
///
/// Both ends of a relationship have mappings, and setting one end sets the other. A to-one can be written with the
/// object itself if its destination is there already.
struct RelationshipPlanner {
    private let plans: [EntityPlan]
    private let source: ModelLayout
    private let destination: ModelLayout

    init(_ plans: [EntityPlan], from source: ModelLayout, to destination: ModelLayout) {
        (self.plans, self.source, self.destination) = (plans, source, destination)
    }

    /// Drops the ends that follow from others, and has to-ones set when objects are made.
    ///
    /// - Parameter relatesEarly: Whether the store finds the other ends of to-ones by itself.
    /// - Returns: The plans in the order in which they make objects.
    func run(relatesEarly: Bool) -> [EntityPlan] {
        let redundant = plans.map { plan in plan.relationships.map { isRedundant($0, of: plan) } }
        for (plan, flags) in zip(plans, redundant) {
            plan.relationships = zip(plan.relationships, flags).filter { !$1 }.map(\.0)
        }
        guard relatesEarly else { return plans }
        // A policy of the app's own may rely on the order of the mappings.
        let ordered = plans.allSatisfy(\.isPlain) ? order() : plans
        takeOutEarlyOnes(ordered)
        return ordered
    }

    // MARK: One end of two

    /// Whether the step at the other end does all that a step would do.
    private func isRedundant(_ step: RelationshipStep, of plan: EntityPlan) -> Bool {
        guard plan.relatesPlainly, case .follow(let slot, let targets) = step.origin, step.slot.inverse >= 0,
            targets.allSatisfy(\.relatesPlainly)
        else { return false }
        return targets.allSatisfy { target in
            guard let other = inverse(of: step, slot, in: target, to: plan) else { return false }
            return isRedundant(step.slot, plan.place, beside: other.slot, target.place)
        }
    }

    /// The step of a target that leads back.
    private func inverse(
        of step: RelationshipStep, _ slot: PropertySlot, in target: EntityPlan, to plan: EntityPlan
    ) -> RelationshipStep? {
        target.relationships.first { other in
            guard other.slot.index == step.slot.inverse, case .follow(let back, let plans) = other.origin else {
                return false
            }
            return back.index == slot.inverse && plans.contains { $0 === plan }
        }
    }

    /// Which of two ends is left out: one without an order, of two to-manys or two to-ones the later one.
    private func isRedundant(
        _ slot: PropertySlot, _ place: Int, beside other: PropertySlot, _ otherPlace: Int
    ) -> Bool {
        switch (slot.kind, other.kind) {
        case (.orderedToMany, _): false
        case (_, .orderedToMany): true
        case (.toMany, .toOne): true
        case (.toOne, .toMany): false
        default: (place, slot.index) > (otherPlace, other.index)
        }
    }

    // MARK: To-ones of new objects

    /// Puts destinations before the objects that lead to them, as far as that goes.
    private func order() -> [EntityPlan] {
        var ordered: [EntityPlan] = []
        var entered: Set<Int> = []
        func visit(_ plan: EntityPlan) {
            guard entered.insert(plan.place).inserted else { return }
            for case .follow(_, let targets) in plan.relationships.filter(canBeEarly).map(\.origin) {
                targets.forEach(visit)
            }
            ordered.append(plan)
        }
        plans.forEach(visit)
        return ordered
    }

    private func takeOutEarlyOnes(_ ordered: [EntityPlan]) {
        var made: Set<Int> = []
        for plan in ordered {
            let isEarly = plan.relationships.map { step in
                plan.relatesPlainly && canBeEarly(step) && step.targets.allSatisfy { made.contains($0.place) }
            }
            let steps = zip(plan.relationships, isEarly)
            plan.earlyRelationships = steps.filter(\.1).map(\.0)
            plan.relationships = steps.filter { !$1 }.map(\.0)
            made.insert(plan.place)
        }
    }

    /// Whether a relationship is nothing but a value of the object's own row.
    private func canBeEarly(_ step: RelationshipStep) -> Bool {
        guard case .follow(let source, _) = step.origin, source.kind == .toOne, step.slot.kind == .toOne,
            step.slot.isStoredInRow, !step.slot.isPair
        else { return false }
        if step.slot.inverse < 0 { return true }
        let inverse = destination[step.slot.destination].slots[step.slot.inverse]
        // An end that is set by itself later must find nothing done.
        return inverse.kind == .toMany && !step.targets.contains { $0.relationships.contains { $0.slot === inverse } }
    }
}

extension RelationshipStep {
    /// The mappings that the destinations go through; none where an expression says.
    var targets: [EntityPlan] { if case .follow(_, let targets) = origin { targets } else { [] } }
}
