import FoundationGaps

extension NSManagedObject {
    /// The objects that a fetched property finds: fetched when first asked for, then kept until the object is
    /// refreshed.
    ///
    /// `$FETCH_SOURCE` in the predicate is this object, `$FETCHED_PROPERTY` the property's description.
    func fetchedObjects(_ slot: PropertySlot) -> [NSManagedObject] {
        if let cached = record?.cache(slot.index, as: ValueBox.self), let objects = cached.value as? [NSManagedObject] {
            return objects
        }
        guard let context = contextStorage, let property = slot.property as? NSFetchedPropertyDescription,
            let template = property.fetchRequest
        else { return [] }
        fireIfNeeded()
        let request = NSFetchRequest<NSManagedObject>(copying: template)
        request.resultType = .managedObjectResultType
        request.predicate = template.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
        ])
        do {
            let objects = try context.fetch(request)
            mutableRecord.setCache(slot.index, ValueBox(objects))
            return objects
        } catch {
            programmerError(
                "The fetched property \"\(slot.name)\" of \(layout.name) can't be evaluated: \(error). Correct its request in the model."
            )
        }
    }
}
