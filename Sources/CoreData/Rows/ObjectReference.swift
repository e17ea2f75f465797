import FoundationGaps

/// Which object is meant: a store, an entity and a key, in sixteen bytes and without an object of its own.
///
/// References are what rows, change records and to-many relationships hold of other objects. They never keep anything
/// alive, so the graph of objects has no retain cycles; a context turns a reference into its one object when asked.
package struct ObjectReference: Hashable, Sendable {
    /// The key within the root entity's table: positive once the store has handed one out, negative for an object
    /// that has not been saved.
    package var key: Int64
    /// The number of the exact entity in the model's ``ModelLayout``.
    package var entity: Int32
    /// The number that the coordinator gave the store; an unsaved object has none (``unassignedStore``).
    package var store: Int32

    package static let unassignedStore: Int32 = -1

    package init(key: Int64, entity: Int32, store: Int32) {
        self.key = key
        self.entity = entity
        self.store = store
    }

    package var isTemporary: Bool { key < 0 }

    /// Keys are unique per entity tree, whatever number of a subentity the reference carries.
    package static func == (a: ObjectReference, b: ObjectReference) -> Bool {
        a.key == b.key && a.store == b.store && a.entity == b.entity
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(entity)
    }
}
