import FoundationGaps
import ModelFormat

/// Looks for what can't be made of a store's objects by itself.
struct InferenceCheck {
    private(set) var obstacles: [InferenceObstacle] = []
    let entities: [InferredEntity]
    private let bySource: [Int32: InferredEntity]
    private let byDestination: [Int32: InferredEntity]

    init(_ entities: [InferredEntity]) {
        self.entities = entities
        bySource = Dictionary(
            uniqueKeysWithValues: entities.compactMap { pair in pair.source.map { ($0.number, pair) } })
        byDestination = Dictionary(
            uniqueKeysWithValues: entities.compactMap { pair in pair.destination.map { ($0.number, pair) } })
        checkHierarchies()
        for entity in entities {
            guard let source = entity.source, let destination = entity.destination, !source.isAbstract else { continue }
            if destination.isAbstract {
                report(destination, nil, "now abstract, its objects would have no entity", .any(entity: source.number))
            }
            for property in entity.properties { check(property, source, destination) }
            for attribute in entity.reshaped { report(attribute, destination) }
        }
    }

    private mutating func report(_ attribute: ReshapedAttribute, _ entity: EntityLayout) {
        let top = attribute.part.path.prefix { $0 != "." }
        let owner = entity.slot(named: String(top)).map { entity.owner(of: $0) } ?? entity
        add(InferenceObstacle(owner.name, attribute.part.path, attribute.reason))
    }

    private mutating func report(
        _ entity: EntityLayout, _ property: PropertySlot?, _ reason: String, _ rows: InferenceObstacle.Rows? = nil
    ) {
        let owner = property.map { entity.owner(of: $0) } ?? entity
        add(InferenceObstacle(owner.name, property?.name, reason, rows: rows))
    }

    private mutating func add(_ obstacle: InferenceObstacle) {
        if !obstacles.contains(obstacle) { obstacles.append(obstacle) }
    }

    /// What an entity of the old model has become.
    private func heir(of source: EntityLayout) -> EntityLayout? { bySource[source.number]?.destination }

    /// The entities with rows that an entity of the old model and those below it have become, each with its heir.
    private func heirs(below source: EntityLayout) -> [(source: EntityLayout, heir: EntityLayout)] {
        source.selfAndDescendants.filter { !$0.isAbstract }.compactMap { old in heir(of: old).map { (old, $0) } }
    }

    // MARK: Hierarchies

    /// Keys are distinct in one hierarchy only: two can't become one.
    private mutating func checkHierarchies() {
        var roots: [Int32: EntityLayout] = [:]
        for entity in entities {
            guard let source = entity.source, let destination = entity.destination, !source.isAbstract else { continue }
            guard let first = roots[destination.rootNumber] else {
                roots[destination.rootNumber] = source
                continue
            }
            if first.rootNumber == source.rootNumber { continue }
            report(
                destination, nil,
                "two hierarchies can't become one, and \(source.name) had no ancestor in common with \(first.name)")
        }
    }

    // MARK: Properties

    private mutating func check(_ property: InferredProperty, _ source: EntityLayout, _ destination: EntityLayout) {
        let slot = property.destination
        if slot.isDerived { return }
        if let former = property.source, slot.kind.isAttribute { checkType(slot, destination, former, source) }
        if let former = property.source, slot.kind.isRelationship {
            checkRelationship(slot, destination, former, source)
        }
        checkRequired(property, destination)
    }

    private mutating func checkType(
        _ slot: PropertySlot, _ destination: EntityLayout, _ former: PropertySlot, _ source: EntityLayout
    ) {
        let change = "\(former.typeName) became \(slot.typeName)"
        switch former.kind.conversion(to: slot.kind) {
        case .always: return
        case .ifItFits:
            report(
                destination, slot, "\(change), which can't hold all numbers",
                .unfit(entity: source.number, slot: former.index, type: slot.kind))
        case .never: report(destination, slot, "\(change), which values do not become by themselves")
        }
    }

    private mutating func checkRequired(_ property: InferredProperty, _ destination: EntityLayout) {
        let slot = property.destination
        // A required to-many may be empty.
        guard !slot.isOptional, !slot.kind.isToMany, !slot.hasDefault, property.source?.isOptional ?? true else {
            return
        }
        let change = property.source == nil ? "new, required" : "now required"
        report(
            destination, slot, change + (slot.kind == .toOne ? "" : ", no default"),
            .lacking(entity: destination.number, slot: slot.index))
    }
}

// MARK: - Relationships

extension InferenceCheck {
    private mutating func checkRelationship(
        _ slot: PropertySlot, _ destination: EntityLayout, _ former: PropertySlot, _ source: EntityLayout
    ) {
        if former.kind.isToMany, slot.kind == .toOne {
            return report(
                destination, slot, "to-many became to-one, and one of several members would have to be chosen")
        }
        guard checkTargets(slot, destination, former, source) else { return }
        checkInverse(slot, destination, former, source)
        checkMembership(slot, destination, former, source)
    }

    /// - Returns: Whether there may be targets that fit. Those of an entity that is gone are gone.
    private mutating func checkTargets(
        _ slot: PropertySlot, _ destination: EntityLayout, _ former: PropertySlot, _ source: EntityLayout
    ) -> Bool {
        let (target, formerTarget) = (destination.model[slot.destination], source.model[former.destination])
        let heirs = heirs(below: formerTarget)
        let misfits = heirs.filter { !$0.heir.isKind(of: target) }
        for misfit in misfits {
            report(
                destination, slot, "objects of the entity \(misfit.heir.name) can't be its destinations any longer",
                .leading(entity: source.owner(of: former).number, slot: former.index, target: misfit.source.number))
        }
        return misfits.count < heirs.count
    }

    /// The pairs of two relationships that were not each other's inverse may contradict each other.
    private mutating func checkInverse(
        _ slot: PropertySlot, _ destination: EntityLayout, _ former: PropertySlot, _ source: EntityLayout
    ) {
        guard slot.inverse >= 0 else { return }
        for (old, heir) in heirs(below: source.model[former.destination]) {
            guard heir.isKind(of: destination.model[slot.destination]),
                let inverse = byDestination[heir.number]?.property(to: heir.slots[slot.inverse])?.source,
                inverse.index != former.inverse
            else { continue }
            return report(
                destination, slot, "its inverse \(heir.slots[slot.inverse].name) was none before",
                .disagreeing(
                    entity: source.owner(of: former).number, slot: former.index,
                    inverseEntity: old.owner(of: inverse).number, inverseSlot: inverse.index))
        }
    }

    /// A to-many without inverse, or with a to-one as its inverse, shares no member; a one-to-one no destination.
    private mutating func checkMembership(
        _ slot: PropertySlot, _ destination: EntityLayout, _ former: PropertySlot, _ source: EntityLayout
    ) {
        let inverse = slot.inverse < 0 ? nil : destination.model[slot.destination].slots[slot.inverse].kind
        guard inverse == .toOne || slot.kind.isToMany && inverse == nil else { return }
        let formerTarget = source.model[former.destination]
        let wasShared =
            former.inverse < 0 ? former.kind == .toOne : formerTarget.slots[former.inverse].kind.isToMany
        guard wasShared else { return }
        let change =
            slot.kind.isToMany ? "an object can be a member once only" : "an object can be the destination of one only"
        report(
            destination, slot, "\(change), and may have been the destination of several",
            .sharing(entity: source.owner(of: former).number, slot: former.index))
    }
}

extension EntityLayout {
    /// The entity that declares a property: this one or an ancestor.
    package func owner(of slot: PropertySlot) -> EntityLayout {
        var owner = self
        while let parent = owner.parent, slot.index < parent.slots.count { owner = parent }
        return owner
    }
}

extension PropertySlot {
    /// The type of an attribute, as documents name it.
    fileprivate var typeName: String { attribute.map { Model.AttributeType($0.attributeType).documentName } ?? "" }
}
