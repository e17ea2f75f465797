import FoundationGaps

extension AtomicContent {
    /// The changed rows that have the values of another row in a uniqueness constraint.
    ///
    /// Of changed rows with the same values the first one keeps them, if no other row has them.
    func constraintConflicts(of changes: [RowChange]) -> [Conflict] {
        var constraints: [Int32: [UniquenessConstraint]] = [:]
        var groups: [(constraint: UniquenessConstraint, changes: [RowChange])] = []
        for change in changes {
            let all = constraints[change.layout.number] ?? change.layout.allConstraints
            constraints[change.layout.number] = all
            for constraint in all {
                if let place = groups.firstIndex(where: { $0.constraint.isSame(as: constraint) }) {
                    groups[place].changes.append(change)
                } else {
                    groups.append((constraint, [change]))
                }
            }
        }
        return groups.flatMap { conflicts(in: $0.constraint, of: $0.changes) }
    }

    private func conflicts(in constraint: UniquenessConstraint, of changes: [RowChange]) -> [Conflict] {
        var changed: Set<Int64> = []
        var wanted: Set<[ConstraintValue]> = []
        for change in changes {
            changed.insert(change.reference.key)
            if let values = values(of: change, constraint) { wanted.insert(values) }
        }
        var owners: [[ConstraintValue]: RowSnapshot] = [:]
        for row in trees[constraint.layout.rootNumber]?.rows ?? [] where !changed.contains(row.key) {
            if let values = constraint.values(of: row), wanted.contains(values) { owners[values] = row }
        }
        var conflicts: [Conflict] = []
        for change in changes {
            guard let values = values(of: change, constraint) else { continue }
            guard let owner = owners[values] else {
                owners[values] = self[root: change.layout.rootNumber, key: change.reference.key]
                continue
            }
            let other = ObjectReference(key: owner.key, entity: owner.layout.number, store: change.reference.store)
            conflicts.append((change.reference, .constraint(properties: constraint.names, other: other)))
        }
        return conflicts
    }

    private func values(of change: RowChange, _ constraint: UniquenessConstraint) -> [ConstraintValue]? {
        self[root: change.layout.rootNumber, key: change.reference.key].flatMap { constraint.values(of: $0) }
    }
}

/// A uniqueness constraint of an entity, which holds for its subentities, too.
private struct UniquenessConstraint {
    let layout: EntityLayout
    let names: [String]
    let slots: [PropertySlot]

    func isSame(as other: UniquenessConstraint) -> Bool { layout === other.layout && names == other.names }

    /// A row's values; nil for a row of another entity, and for one with a null among them.
    func values(of row: RowSnapshot) -> [ConstraintValue]? {
        guard row.layout.isKind(of: layout) else { return nil }
        var values: [ConstraintValue] = []
        for slot in slots {
            guard let value = ConstraintValue(row.value(of: slot, store: AtomicContent.ownStore)) else { return nil }
            values.append(value)
        }
        return values
    }
}

/// A value that a constraint compares.
private enum ConstraintValue: Hashable {
    case int(Int64), double(Double), text([UInt8]), data(Data), uuid(UUID), key(Int64), object(NSObject)

    /// Nil for null.
    init?(_ slot: Slot) {
        switch slot {
        case .null, .unset: return nil
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .text(Array(value.utf8))
        case .data(let value): self = .data(value)
        case .uuid(let value): self = .uuid(value)
        case .reference(let value): self = .key(value.key)
        case .object(let value):
            guard let value = value as? NSObject else { return nil }
            self = .object(value)
        }
    }
}

extension EntityLayout {
    /// The constraints of the entity and of those above it.
    fileprivate var allConstraints: [UniquenessConstraint] {
        var all: [UniquenessConstraint] = []
        var owner: EntityLayout? = self
        while let layout = owner {
            all += layout.ownUniquenessConstraints.map { names in
                UniquenessConstraint(layout: layout, names: names, slots: names.compactMap { layout.slot(named: $0) })
            }
            owner = layout.parent
        }
        return all
    }
}
