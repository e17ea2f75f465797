/// Objects that are held weakly, and forgotten some time after they go.
struct WeakObjects<Object: AnyObject> {
    private struct Weak { weak var object: Object? }
    private var all: [Weak] = []
    /// How many there may be before those that have gone are looked for.
    private var limit = 16

    var objects: some Sequence<Object> { all.lazy.compactMap(\.object) }

    mutating func add(_ object: Object) {
        if all.count == limit {
            all.removeAll { $0.object == nil }
            limit = max(16, all.count * 2)
        }
        all.append(Weak(object: object))
    }

    mutating func forget() { all = [] }
}
