import FoundationGaps

/// The dictionary that a handler fills for each row. It keeps Swift values as they are: Foundation's own makes an
/// object of each key and of each value, which takes ten times as long as writing the row.
final class BatchDictionary: NSMutableDictionary {
    /// The values of the row. A key that is no text has its description.
    private(set) var values: [String: Any] = [:]

    required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count cnt: Int) {
        super.init(objects: objects, forKeys: keys, count: 0)
        for index in 0..<cnt { setObject(objects[index], forKey: keys[index]) }
    }

    @available(*, unavailable)
    required init?(coder aDecoder: NSCoder) { defect("The dictionary of a batch is never archived.") }

    override var count: Int { values.count }

    override func object(forKey aKey: Any) -> Any? { values[Self.text(aKey)] }

    override func keyEnumerator() -> NSEnumerator { NSArray(array: Array(values.keys)).objectEnumerator() }

    override func setObject(_ anObject: Any, forKey aKey: AnyHashable) { values[Self.text(aKey.base)] = anObject }

    override func removeObject(forKey aKey: Any) { values[Self.text(aKey)] = nil }

    override func removeAllObjects() { values.removeAll(keepingCapacity: true) }

    private static func text(_ key: Any) -> String {
        if let text = key as? String { return text }
        if let key = key as? AnyHashable, let text = key.base as? String { return text }
        return "\(key)"
    }
}
