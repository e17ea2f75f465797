import Foundation

/// The array that `mutableArrayValue(forKey:)` hands out: reads and writes the owner's property.
final class KeyValueMutableArray: NSMutableArray {
    private var owner: (any KeyValueCoding)?
    private var key = ""

    convenience init(owner: any KeyValueCoding, key: String) {
        self.init()
        self.owner = owner
        self.key = key
    }

    private var current: NSMutableArray {
        guard let owner, let value = owner.value(forKey: key) else { return NSMutableArray() }
        guard let collection = value as? any KeyValueCollection else {
            KeyValueFailure.notACollection(value, key: key, of: owner)
        }
        return NSMutableArray(array: collection.keyValueMembers)
    }

    override var count: Int { current.count }
    override func object(at index: Int) -> Any { current.object(at: index) }
    override func add(_ object: Any) { change { $0.add(object) } }
    override func insert(_ object: Any, at index: Int) { change { $0.insert(object, at: index) } }
    override func removeObject(at index: Int) { change { $0.removeObject(at: index) } }
    override func removeLastObject() { change { $0.removeLastObject() } }
    override func removeAllObjects() { change { $0.removeAllObjects() } }
    override func replaceObject(at index: Int, with object: Any) {
        change { $0.replaceObject(at: index, with: object) }
    }
    override func replaceObjects(in range: NSRange, withObjectsFrom objects: [Any]) {
        change { $0.replaceObjects(in: range, withObjectsFrom: objects) }
    }

    private func change(_ body: (NSMutableArray) -> Void) {
        let changed = current
        body(changed)
        owner?.setValue(NSArray(array: Array(changed)), forKey: key)
    }
}
