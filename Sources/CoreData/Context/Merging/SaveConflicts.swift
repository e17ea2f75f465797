import FoundationGaps

/// The conflicts of one save as users see them.
struct SaveConflicts {
    private(set) var rows: [NSMergeConflict] = []
    private(set) var constraints: [NSConstraintConflict] = []
    /// Whether there is nothing to resolve. The objects whose rows are gone only had a related object removed from
    /// them.
    ///
    /// An object that was removed from them, or was deleted, had a relationship to a missing row. If another context
    /// deleted the rows meanwhile, it also changed the objects that led to them. Those are in conflict then.
    let areHarmless: Bool

    init(rows: [NSMergeConflict] = [], constraints: [NSConstraintConflict] = [], areHarmless: Bool = false) {
        self.rows = rows
        self.constraints = constraints
        self.areHarmless = areHarmless
    }

    /// What `NSMergePolicy.resolve(mergeConflicts:)` is asked.
    var list: [Any] { rows + constraints }

    /// The error that a save throws: 133020 for rows, 133021 for constraints, the conflicts in its `userInfo`.
    var error: NSError {
        guard let first = constraints.first, rows.isEmpty else {
            return .cocoa(
                NSManagedObjectMergeError,
                "Could not merge changes: \(rows.count) objects changed in the store meanwhile.",
                userInfo: ["conflictList": list])
        }
        let values = first.constraint.map { "\($0) = \(first.constraintValues[$0] ?? "nil")" }.joined(separator: ", ")
        return .cocoa(
            NSManagedObjectConstraintMergeError,
            "An object with \(values) exists already; \(first.constraint.joined(separator: ", ")) must be unique.",
            userInfo: ["conflictList": list])
    }
}

/// The conflicts of one save, told while its new objects go by the references that the store was given.
struct LocatedConflicts {
    fileprivate var rows: [(object: NSManagedObject, current: RowSnapshot?)] = []
    fileprivate var violations: [ConstraintViolation] = []

    fileprivate var areHarmless: Bool {
        violations.isEmpty && rows.allSatisfy { $0.current == nil && $0.object.onlyForgotMembers }
    }
}

/// Objects that a constraint refused for the sake of one other.
private struct ConstraintViolation {
    let constraint: [String]
    let other: NSManagedObject?
    let otherWasRegistered: Bool
    var objects: [NSManagedObject]
}

extension NSManagedObjectContext {
    /// The objects that a store's conflicts are about.
    func locate(_ conflicts: StoreConflicts) -> LocatedConflicts {
        var located = LocatedConflicts()
        var places: [ViolationKey: Int] = [:]
        for (reference, kind) in conflicts.conflicts {
            let object = object(for: reference)
            switch kind {
            case .row(let current): located.rows.append((object, current))
            case .constraint(let properties, let other):
                let key = ViolationKey(constraint: properties, other: other, alone: other == nil ? reference : nil)
                if let place = places[key] {
                    located.violations[place].objects.append(object)
                } else {
                    places[key] = located.violations.count
                    located.violations.append(violation(of: properties, object, other))
                }
            }
        }
        return located
    }

    private func violation(
        of constraint: [String], _ object: NSManagedObject, _ other: ObjectReference?
    ) -> ConstraintViolation {
        let wasRegistered = other.map { registeredObject(for: $0) != nil } ?? false
        return ConstraintViolation(
            constraint: constraint, other: other.map { self.object(for: $0) }, otherWasRegistered: wasRegistered,
            objects: [object])
    }

    /// The conflicts as users see them, when all objects go by their own references again.
    func describe(_ located: LocatedConflicts) -> SaveConflicts {
        // Describing an object finds it gone.
        let areHarmless = located.areHarmless
        return SaveConflicts(
            rows: located.rows.map { object, current in
                NSMergeConflict(object, row: current, isKnown: isKnown(object.reference, current))
            },
            constraints: located.violations.map(describe), areHarmless: areHarmless)
    }

    /// Whether the coordinator has the row already, or knows that it is gone: a context of the coordinator wrote it.
    private func isKnown(_ reference: ObjectReference, _ current: RowSnapshot?) -> Bool {
        guard let current else { return requiredCoordinator.cachedRow(for: reference) == nil }
        return requiredCoordinator.cachedRow(for: reference)?.version == current.version
    }

    private func describe(_ violation: ConstraintViolation) -> NSConstraintConflict {
        guard let other = violation.other, !other.isNew, !other.hasChangedValue(of: violation.constraint) else {
            // Another object of the same save: none of them is stored with these values.
            let all = (violation.other.map { [$0] } ?? []) + violation.objects
            let places = Dictionary(
                unsaved.objects.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first }
            )
            let sorted = all.sorted { places[ObjectIdentifier($0)] ?? -1 < places[ObjectIdentifier($1)] ?? -1 }
            return NSConstraintConflict(violation.constraint, nil, wasRegistered: false, sorted)
        }
        return NSConstraintConflict(
            violation.constraint, other, wasRegistered: violation.otherWasRegistered, violation.objects)
    }
}

/// What makes violations one: the constraint, and the row that has the values already.
private struct ViolationKey: Hashable {
    let constraint: [String]
    let other: ObjectReference?
    let alone: ObjectReference?
}

extension NSManagedObject {
    /// Whether nothing is known of the object but the members that it is to forget.
    var onlyForgotMembers: Bool {
        guard snapshot == nil, state.contains(.updated), let record else { return false }
        return layout.slots.allSatisfy { slot in
            guard slot.kind.isToMany else { return record.isUnset(slot.index) }
            return record.cache(slot.index, as: ToManyState.self)?.added.isEmpty ?? true
        }
    }

    /// Whether this context changed any of the properties since the object was loaded.
    fileprivate func hasChangedValue(of keys: [String]) -> Bool {
        guard let record else { return false }
        return keys.contains { key in
            guard let slot = layout.slot(named: key) else { return false }
            return !record.isUnset(slot.index) && !isUnchanged(slot, record[slot.index])
        }
    }
}
