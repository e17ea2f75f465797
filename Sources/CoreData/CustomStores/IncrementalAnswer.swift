import FoundationGaps

/// What an incremental store's class returned for a fetch.
struct IncrementalAnswer {
    private let value: Any
    private let store: NSIncrementalStore
    private let entity: EntityLayout

    init(_ value: Any, _ store: NSIncrementalStore, _ entity: EntityLayout) {
        (self.value, self.store, self.entity) = (value, store, entity)
    }

    /// The references of objects, or of IDs.
    var references: [ObjectReference] {
        elements("managed objects or object IDs").map { Self.reference(of: $0, store) }
    }

    var count: Int {
        if let number = value as? NSNumber { return number.intValue }
        guard let number = elements("a number").first as? NSNumber else { refuse("a number") }
        return number.intValue
    }

    var dictionaries: [NSDictionary] {
        elements("dictionaries").map { element in
            if let dictionary = element as? NSDictionary { return dictionary }
            guard let dictionary = element as? [String: Any] else { refuse("dictionaries") }
            return NSDictionary(objects: Array(dictionary.values), forKeys: dictionary.keys.map { $0 as NSString })
        }
    }

    /// The reference of a managed object, or of an ID, of a store.
    static func reference(of element: Any, _ store: NSIncrementalStore) -> ObjectReference {
        let id = (element as? NSManagedObject)?.objectID ?? element as? NSManagedObjectID
        guard let id, id.token === store.token else {
            programmerError(
                "\(Swift.type(of: store)) gives \(element), which is no managed object or ID of this store; make IDs by newObjectID(for:referenceObject:)."
            )
        }
        return id.reference
    }

    private func elements(_ wanted: String) -> [Any] {
        guard let array = value as? [Any] else { refuse(wanted) }
        return array
    }

    private func refuse(_ wanted: String) -> Never {
        programmerError(
            "\(Swift.type(of: store)) returns \(Swift.type(of: value)) for a fetch of \(entity.name); it must be an array of \(wanted)."
        )
    }
}
