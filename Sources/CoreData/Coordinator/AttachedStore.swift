/// A store that a coordinator has, with its number.
///
/// Readers keep this object, and not the store. Weak references lead to the store, so counting references to it takes
/// several times as long.
final class AttachedStore {
    let store: any ObjectStore
    let number: Int32

    init(_ store: any ObjectStore, _ number: Int32) { (self.store, self.number) = (store, number) }

    /// Whether metadata were set that are not saved yet, and can be.
    var wantsMetadataSaved: Bool { store.hasUnsavedMetadata && !store.isReadOnly }
}
