/// A store that a coordinator has, with its number.
///
/// Who reads keeps this one, and not the store: weak references lead to that, and to count references to it takes several times as long.
final class ServedStore {
    let store: any ObjectStore
    let number: Int32

    init(_ store: any ObjectStore, _ number: Int32) { (self.store, self.number) = (store, number) }
}
