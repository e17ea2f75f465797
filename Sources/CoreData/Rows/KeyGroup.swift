/// A store and an entity tree: where keys are unique.
struct KeyGroup: Hashable {
    let store: Int32
    let root: Int32
}
