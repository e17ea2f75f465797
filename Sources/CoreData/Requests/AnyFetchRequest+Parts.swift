import FoundationGaps

extension AnyFetchRequest {
    /// What ``propertiesToFetch`` has a fetch for objects read of each row; nil: all of it.
    ///
    /// - Throws: `NSPersistentStoreOperationError` naming what is no attribute or to-one relationship of the entity.
    func part(for layout: EntityLayout) throws -> RowPart? {
        let slots = try Set((propertiesToFetch ?? []).flatMap { try storedSlots(of: $0, layout) })
        // Objects with their values at hand, and those that are to have new ones, need all of them.
        guard !slots.isEmpty, includesPropertyValues, returnsObjectsAsFaults, !shouldRefreshRefetchedObjects else {
            return nil
        }
        let entities = includesSubentities ? layout.selfAndDescendants : [layout]
        if entities.allSatisfy({ $0.slots.allSatisfy { !$0.isStoredInRow || slots.contains($0.index) } }) { return nil }
        return RowPart(entity: layout, slots: slots.sorted())
    }

    /// The slots in which a row has a property; a composite attribute's are those of its elements.
    private func storedSlots(of property: Any, _ layout: EntityLayout) throws -> [Int] {
        guard !(property is NSExpressionDescription),
            let name = (property as? NSPropertyDescription)?.name ?? property as? String
        else {
            throw Self.unfit("\((property as? NSPropertyDescription)?.name ?? "\(property)") is an expression", layout)
        }
        guard let slot = layout.slot(named: name) else {
            throw Self.unfit("\"\(name)\" is none of its properties", layout)
        }
        if slot.kind == .composite, !slot.isTransient { return slot.elements }
        guard slot.isStoredInRow else {
            throw Self.unfit("\"\(name)\" is \(slot.isTransient ? "transient" : "to-many or fetched")", layout)
        }
        return [slot.index]
    }

    private static func unfit(_ reason: String, _ layout: EntityLayout) -> NSError {
        .cocoa(
            NSPersistentStoreOperationError,
            "Objects of \(layout.name) are fetched with stored attributes and to-one relationships: \(reason); leave it out of propertiesToFetch, or fetch dictionaries."
        )
    }
}
