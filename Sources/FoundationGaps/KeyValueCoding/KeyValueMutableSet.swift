import Foundation

/// The set that `mutableSetValue(forKey:)` hands out: reads and writes the owner's property.
///
/// Don't cast it to a Swift `Set`: Foundation's bridge on Linux looks into its own storage instead of asking, and finds
/// nothing. `allObjects`, iteration, `contains` and every changing method ask.
final class KeyValueMutableSet: NSMutableSet {
    private var owner: (any KeyValueCoding)?
    private var key = ""

    convenience init(owner: any KeyValueCoding, key: String) {
        self.init()
        self.owner = owner
        self.key = key
    }

    /// The property's members, copied.
    private var current: NSMutableSet {
        guard let owner, let value = owner.value(forKey: key) else { return NSMutableSet() }
        guard let collection = value as? any KeyValueCollection else {
            KeyValueFailure.notACollection(value, key: key, of: owner)
        }
        return NSMutableSet(array: collection.keyValueMembers)
    }

    override var count: Int { current.count }
    override func member(_ object: Any) -> Any? { current.member(object) }
    override func objectEnumerator() -> NSEnumerator { current.objectEnumerator() }
    override func add(_ object: Any) { change { $0.add(object) } }
    override func remove(_ object: Any) { change { $0.remove(object) } }
    override func removeAllObjects() { change { $0.removeAllObjects() } }

    private func change(_ body: (NSMutableSet) -> Void) {
        let changed = current
        body(changed)
        owner?.setValue(NSSet(set: changed), forKey: key)
    }
}
