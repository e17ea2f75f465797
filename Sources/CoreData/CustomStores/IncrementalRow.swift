import FoundationGaps

/// Makes rows of an incremental store's nodes.
struct IncrementalRow {
    private let store: NSIncrementalStore
    private let layout: EntityLayout
    private let context: NSManagedObjectContext

    init(_ store: NSIncrementalStore, _ layout: EntityLayout, _ context: NSManagedObjectContext) {
        (self.store, self.layout, self.context) = (store, layout, context)
    }

    /// - Throws: 259 for a value that is none of its property.
    func row(of node: NSIncrementalStoreNode, _ id: NSManagedObjectID) throws -> RowSnapshot {
        let values = ChangeRecord.make(slotCount: layout.slots.count)
        for slot in layout.slots where slot.isStoredInRow {
            values[slot.index] = slot.kind == .toOne ? try destination(slot, node, id) : try value(slot, node)
        }
        return .make(layout, key: id.reference.key, version: Int64(clamping: node.version), values, over: nil)
    }

    private func value(_ slot: PropertySlot, _ node: NSIncrementalStoreNode) throws -> Slot {
        let value = Self.value(slot, node)
        guard let stored = try slot.stored(value) else { throw damage(value, slot) }
        return stored
    }

    /// The elements of composite attributes are in dictionaries.
    private static func value(_ slot: PropertySlot, _ node: NSIncrementalStoreNode) -> Any? {
        guard slot.name.contains(".") else { return node.value(for: slot.property) }
        let path = slot.name.split(separator: ".").map(String.init)
        let composite = node.objectID.entity.propertiesByName[path[0]]
        return path.dropFirst().reduce(composite.flatMap { node.value(for: $0) }) { ($0 as? [String: Any])?[$1] }
    }

    private func destination(_ slot: PropertySlot, _ node: NSIncrementalStoreNode, _ id: NSManagedObjectID) throws
        -> Slot
    {
        guard let relationship = slot.relationship else { return .null }
        let value =
            try node.value(for: slot.property)
            ?? store.newValue(forRelationship: relationship, forObjectWith: id, with: context)
        if value is NSNull { return .null }
        return .reference(IncrementalAnswer.reference(of: value, store))
    }

    private func damage(_ value: Any?, _ slot: PropertySlot) -> NSError {
        .cocoa(
            CocoaError.Code.fileReadCorruptFile.rawValue, "The store has a value that does not fit its model.",
            reason: "\(layout.name).\(slot.name) is \(slot.kind) and can't be “\(value ?? "nil")” "
                + "(\(value.map { "\(Swift.type(of: $0))" } ?? "nil")).",
            userInfo: [NSFilePathErrorKey: store.url?.path ?? ""])
    }
}
