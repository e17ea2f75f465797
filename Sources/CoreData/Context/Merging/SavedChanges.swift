/// What a save did, as other contexts of the same coordinator, or of the same stores, need to know it.
struct SavedChanges: Sendable {
    var inserted: [ObjectReference] = []
    var updated: [ObjectReference] = []
    var deleted: [ObjectReference] = []
    /// Whether the context forgot everything, or everything may be stale.
    var isEverything = false

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && !isEverything }
}
