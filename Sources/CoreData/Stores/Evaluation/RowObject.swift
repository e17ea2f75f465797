import FoundationGaps

/// An object of a store as predicates, sort descriptors and expressions see it: its row, and no managed object.
final class RowObject: NSObject, KeyValueCoding {
    let reference: ObjectReference
    let row: RowSnapshot
    let graph: RowGraph

    init(_ row: RowSnapshot, in graph: RowGraph) {
        self.row = row
        self.graph = graph
        reference = ObjectReference(key: row.key, entity: row.layout.number, store: graph.token.number)
    }

    var layout: EntityLayout { row.layout }

    var objectID: NSManagedObjectID {
        NSManagedObjectID(reference, entity: layout.entity, token: graph.token)
    }

    override func isEqual(_ other: Any?) -> Bool {
        guard let other = other as? RowObject else { return false }
        return other.reference.key == reference.key && other.reference.store == reference.store
            && other.layout.rootNumber == layout.rootNumber
    }

    override var hash: Int { Int(truncatingIfNeeded: reference.key) }

    // MARK: Key-value coding, for key paths with operators

    /// What a key means. A read that fails gives nil, and the graph keeps the error: see ``RowGraph/failure``.
    func value(forKey key: String) -> Any? { graph.valueOrFailure { try graph.value(of: self, [key]) } }

    func setValue(_ value: Any?, forKey key: String) {
        defect("A row of \(layout.name) is read only; \"\(key)\" can't be set.")
    }
}

// Predicates know objects by their IDs: a row's object, a managed object and an ID of the same object are the same to
// them.
extension RowObject: PredicateIdentity {
    var predicateIdentity: AnyObject { objectID }
    var isPredicateIdentityTemporary: Bool { false }
}

extension RowObject: SortableObject {
    func sortValue(at path: PredicateKeyPath) -> PredicateValue {
        PredicateValue(graph.valueOrFailure { try graph.value(of: self, at: path) ?? .null })
    }
}
