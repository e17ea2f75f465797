import FoundationGaps

extension NSManagedObject {
    /// Checks every property of an object that is to be saved.
    ///
    /// - Throws: The only error, or all as `NSValidationMultipleErrorsError`.
    func validateProperties() throws {
        let layout = layout
        let slots =
            layout.overrides.contains(.validateValue)
            ? layout.slots.filter { $0.kind != .fetched } : layout.checkedSlots
        if slots.isEmpty { return }
        var errors: [any Error] = []
        for slot in slots {
            do {
                try validateAtSave(slot)
            } catch {
                errors.append(error)
            }
        }
        try NSError.throwValidation(errors)
    }

    /// Checks one value against the model.
    func validate(_ value: Any?, _ slot: PropertySlot) throws {
        let value = value is NSNull ? nil : value
        if slot.kind.isToMany {
            // Counting loads the members, so it is done only where the model asks for it. That a relationship is
            // required does not ask for it: its value, the set, is there, and may be empty unless there is a minimum
            // count.
            guard slot.hasCountLimits else { return }
            return try validateCount((value as? NSSet)?.count ?? (value as? NSOrderedSet)?.count ?? 0, slot)
        }
        guard let value else {
            if slot.isOptional { return }
            throw validationError(
                NSValidationMissingMandatoryPropertyError, slot, nil,
                ValidationText("%1$@ is a required value.", .property(slot)))
        }
        try validate(value, against: slot.property.validationPredicates, slot)
    }

    /// Checks a property at save, through `validateValue(_:forKey:)` where the class may have a say.
    private func validateAtSave(_ slot: PropertySlot) throws {
        guard layout.overrides.contains(.validateValue) else {
            return isPlainlyValid(slot) ? () : try validate(boxedValue(slot), slot)
        }
        var value = boxedValue(slot) as AnyObject?
        let before = value
        try validateValue(&value, forKey: slot.name)
        if value !== before { setBoxedValue(value, slot) }
    }

    /// Whether the model asks nothing that the value does not obviously fulfil: the usual case, decided without a box.
    private func isPlainlyValid(_ slot: PropertySlot) -> Bool {
        if slot.kind.isToMany { return !slot.hasCountLimits }
        if slot.hasPredicates { return false }
        return slot.isOptional || !current(slot).isNull
    }

    /// What is wrong with relationships that lead to objects which this context deletes, and which the save would
    /// write.
    ///
    /// Delete rules run once: objects that are related to the deleted object by then forget it. They do not reach
    ///
    /// - objects that are related to it afterwards;
    /// - objects that were related before by a relationship without inverse, or with the rule No Action. Such
    ///   relationships may stay as they are stored, but no new ones may be saved.
    var danglingRelationships: [NSError] {
        guard !state.contains(.deleted), let record else { return [] }
        let toOnes = layout.toOneSlots.compactMap { slot -> NSError? in
            guard !slot.isTransient, case .reference(let destination) = record[slot.index],
                isRelatedLate(slot) || !isUnchanged(slot, record[slot.index])
            else { return nil }
            return dangling(slot, [destination])
        }
        let toManys = layout.toManySlots.compactMap { slot -> NSError? in
            // The rows of members that have one owner are written, or deleted, themselves.
            guard !slot.isTransient, inverse(of: slot)?.kind.isToMany ?? true,
                let members = record.cache(slot.index, as: ToManyState.self)
            else { return nil }
            return dangling(
                slot, isRelatedLate(slot) ? self.members(slot) : members.added.filter { !members.removed.contains($0) })
        }
        return toOnes + toManys
    }

    /// Whether the object may have been related again to one that had made it forget this relationship.
    private func isRelatedLate(_ slot: PropertySlot) -> Bool {
        guard state.contains(.relatedLate), let rule = inverse(of: slot)?.deleteRule else { return false }
        return rule == .nullifyDeleteRule || rule == .cascadeDeleteRule
    }

    private func dangling(_ slot: PropertySlot, _ destinations: [ObjectReference]) -> NSError? {
        // Of those that others deleted, and that were found gone, the comparison with the store's rows tells.
        let deleted = destinations.compactMap { contextStorage?.registeredObject(for: $0) }.filter {
            $0.state.contains(.deleted) && !$0.state.contains(.inaccessible)
        }
        if deleted.isEmpty { return nil }
        let text = ValidationText("%1$@ leads to an object that is deleted.", .property(slot))
        return validationError(NSManagedObjectValidationError, slot, boxedValue(slot), text, affected: deleted)
    }

    private func validateCount(_ count: Int, _ slot: PropertySlot) throws {
        guard let relationship = slot.relationship else { return }
        if count == 0, slot.isOptional { return }
        if count < relationship.minCount {
            throw validationError(
                NSValidationRelationshipLacksMinimumCountError, slot, boxedValue(slot),
                ValidationText(
                    "Too few items in %1$@: %2$@ of at least %3$@.", .property(slot), .plain("\(count)"),
                    .plain("\(relationship.minCount)")))
        }
        if relationship.maxCount > 0, count > relationship.maxCount {
            throw validationError(
                NSValidationRelationshipExceedsMaximumCountError, slot, boxedValue(slot),
                ValidationText(
                    "Too many items in %1$@: %2$@ of at most %3$@.", .property(slot), .plain("\(count)"),
                    .plain("\(relationship.maxCount)")))
        }
    }

    private func validate(_ value: Any, against predicates: [NSPredicate], _ slot: PropertySlot) throws {
        for (index, predicate) in predicates.enumerated() where !predicate.evaluate(with: value) {
            let warnings = slot.property.validationWarnings
            let warning = index < warnings.count ? warnings[index] : nil
            let (code, text) = ValidationFailure(predicate: predicate, warning: warning).told(of: slot)
            throw validationError(code, slot, value, text, predicate: predicate)
        }
    }

    /// An error about one property, with everything that a user interface wants to know.
    func validationError(
        _ code: Int, _ slot: PropertySlot, _ value: Any?, _ text: ValidationText, predicate: NSPredicate? = nil,
        affected: [NSManagedObject]? = nil
    ) -> NSError {
        var info: [String: Any] = [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: slot.name]
        info[NSValidationValueErrorKey] = value
        info[NSValidationPredicateErrorKey] = predicate
        info[NSAffectedObjectsErrorKey] = affected
        let reason = ValidationText("The value of \"%1$@\" of %2$@ is not valid.", .property(slot), .entity)
        return .cocoa(
            code, text.localized(for: layout), reason: reason.localized(for: layout), userInfo: info)
    }
}

extension NSError {
    /// Throws the only error as itself, and several as one `NSValidationMultipleErrorsError`.
    static func throwValidation(_ errors: [any Error]) throws {
        if errors.isEmpty { return }
        // An error of the app's own stays what it is: as an `NSError` it could not be cast back.
        if errors.count == 1, !(type(of: errors[0]) is NSError.Type) { throw errors[0] }
        let flat = errors.map { $0 as NSError }.flatMap { error -> [NSError] in
            error.domain == NSCocoaErrorDomain && error.code == NSValidationMultipleErrorsError
                ? error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error] : [error]
        }
        if flat.count == 1 { throw flat[0] }
        let text = ValidationText(
            "Multiple validation errors occurred: %1$@",
            .plain(flat.map(\.localizedDescription).joined(separator: " ")))
        let object = flat.lazy.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject }.first
        throw NSError.cocoa(
            NSValidationMultipleErrorsError, object.map { text.localized(for: $0.layout) } ?? text.english,
            userInfo: [NSDetailedErrorsKey: flat])
    }
}
