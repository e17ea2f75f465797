import FoundationGaps

/// The dictionary that a handler fills for each row. It keeps Swift values as they are: Foundation's own makes an
/// object of each key and of each value, which takes ten times as long as writing the row.
///
/// Handlers mostly set the same keys in the same order, row by row. So each key has its place for all rows, is expected
/// there, and is not hashed.
final class BatchDictionary: NSMutableDictionary {
    // Exclusive access is not checked at run time: one thread makes the rows, and no method calls foreign code while it
    // changes a property.

    /// All keys that any row had. A key that is no text has its description.
    @exclusivity(unchecked) private(set) var keys: [String] = []
    /// The values of the row by their keys' places; nil: the row has none.
    @exclusivity(unchecked) private(set) var values: [Any?] = []
    /// The place of the key that is expected next.
    @exclusivity(unchecked) private var next = 0

    required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count cnt: Int) {
        super.init(objects: objects, forKeys: keys, count: 0)
        for index in 0..<cnt { setObject(objects[index], forKey: keys[index]) }
    }

    @available(*, unavailable)
    required init?(coder aDecoder: NSCoder) { defect("The dictionary of a batch is never archived.") }

    override var count: Int { values.count { $0 != nil } }

    override func object(forKey aKey: Any) -> Any? { keys.firstIndex(of: Self.text(aKey)).flatMap { values[$0] } }

    override func keyEnumerator() -> NSEnumerator {
        NSArray(array: keys.indices.filter { values[$0] != nil }.map { keys[$0] }).objectEnumerator()
    }

    override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
        let place = place(of: Self.text(aKey.base))
        values[place] = anObject
        next = place + 1
    }

    private func place(of key: String) -> Int {
        if next < keys.count, keys[next] == key { return next }
        if let known = keys.firstIndex(of: key) { return known }
        keys.append(key)
        values.append(nil)
        return keys.count - 1
    }

    override func removeObject(forKey aKey: Any) {
        if let place = keys.firstIndex(of: Self.text(aKey)) { values[place] = nil }
    }

    override func removeAllObjects() {
        for place in values.indices { values[place] = nil }
        next = 0
    }

    private static func text(_ key: Any) -> String {
        if let text = exactly(key, String.self) { return text }
        if let key = key as? AnyHashable, let text = key.base as? String { return text }
        return "\(key)"
    }
}
