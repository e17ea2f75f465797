import CoreData
import Testing

@Suite("Accessors, notices of changes and nil values that a managed object overrides are called")
struct AccessOverrideTests {
    let stack: Stack
    let context: NSManagedObjectContext
    let visitor: Visitor
    /// The same, as the framework and most apps know it.
    let object: NSManagedObject

    init() throws {
        let name = attribute("name", .stringAttributeType)
        let quiet = attribute("quiet", .stringAttributeType)
        let guests = toMany("guests")
        let guestOf = toMany("guestOf")
        let stops = toMany("stops", ordered: true)
        let stopOf = toMany("stopOf")
        let type = entity(
            "Visitor", className: "CoreDataTests.Visitor", [name, quiet, guests, guestOf, stops, stopOf])
        connect(type, guests, type, guestOf)
        connect(type, stops, type, stopOf)
        stack = try Stack(CoreDataTests.model(type))
        context = stack.context()
        visitor = Visitor(context: context)
        object = visitor
        visitor.calls = []
    }

    @Test("value(forKey:) surrounds its read with willAccessValue and didAccessValue")
    func access() {
        #expect(object.value(forKey: "name") == nil)
        #expect(visitor.calls == ["will access name", "did access name"])
    }

    @Test("primitive values and each pair of notices go to the overrides, and do their work")
    func changes() {
        let other = context.insert("Visitor")
        object.willChangeValue(forKey: "name")
        object.setPrimitiveValue("Kim", forKey: "name")
        object.didChangeValue(forKey: "name")
        #expect(object.primitiveValue(forKey: "name") as? String == "Kim")
        object.willChangeValue(forKey: "guests", withSetMutation: .union, using: [other])
        object.didChangeValue(forKey: "guests", withSetMutation: .union, using: [other])
        object.willChange(.insertion, valuesAt: [0], forKey: "stops")
        (object.primitiveValue(forKey: "stops") as? NSMutableOrderedSet)?.add(other)
        object.didChange(.insertion, valuesAt: [0], forKey: "stops")
        object.setNilValueForKey("name")
        #expect(
            visitor.calls == [
                "will change name", "set name", "did change name", "get name", "will change members of guests",
                "did change members of guests", "will change places of stops", "get stops",
                "did change places of stops", "nil name",
            ])
        #expect((other.value(forKey: "guestOf") as? NSSet)?.contains(object) == true)
        #expect((other.value(forKey: "stopOf") as? NSSet)?.contains(object) == true)
    }

    @Test("automaticallyNotifiesObservers(forKey:) decides what observers hear; an object prints its own description")
    func observing() {
        let listener = Listener()
        for key in ["name", "quiet"] { object.addObserver(listener, forKeyPath: key, options: [], context: nil) }
        object.setValue("a", forKey: "name")
        object.setValue("b", forKey: "quiet")
        #expect(listener.heard == ["name"])
        object.willChangeValue(forKey: "quiet")
        object.didChangeValue(forKey: "quiet")
        #expect(listener.heard == ["name", "quiet"])
        for key in ["name", "quiet"] { object.removeObserver(listener, forKeyPath: key) }
        #expect("\(object)" == "a visitor" && String(describing: object) == "a visitor")
    }
}

private final class Listener: NSObject, KeyValueObserver {
    var heard: [String] = []

    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        heard.append(keyPath ?? "")
    }
}

/// Notes which accessor or notice is called.
final class Visitor: NSManagedObject {
    var calls: [String] = []

    override var description: String { "a visitor" }
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "quiet" }
    override func setNilValueForKey(_ key: String) { calls.append("nil \(key)") }
    override func willAccessValue(forKey key: String?) {
        calls.append("will access \(key ?? "")")
        super.willAccessValue(forKey: key)
    }
    override func didAccessValue(forKey key: String?) {
        calls.append("did access \(key ?? "")")
        super.didAccessValue(forKey: key)
    }
    override func primitiveValue(forKey key: String) -> Any? {
        calls.append("get \(key)")
        return super.primitiveValue(forKey: key)
    }
    override func setPrimitiveValue(_ value: Any?, forKey key: String) {
        calls.append("set \(key)")
        super.setPrimitiveValue(value, forKey: key)
    }
    override func willChangeValue(forKey key: String) {
        calls.append("will change \(key)")
        super.willChangeValue(forKey: key)
    }
    override func didChangeValue(forKey key: String) {
        calls.append("did change \(key)")
        super.didChangeValue(forKey: key)
    }
    override func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        calls.append("will change members of \(inKey)")
        super.willChangeValue(forKey: inKey, withSetMutation: inMutationKind, using: inObjects)
    }
    override func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        calls.append("did change members of \(inKey)")
        super.didChangeValue(forKey: inKey, withSetMutation: inMutationKind, using: inObjects)
    }
    override func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        calls.append("will change places of \(key)")
        super.willChange(changeKind, valuesAt: indexes, forKey: key)
    }
    override func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        calls.append("did change places of \(key)")
        super.didChange(changeKind, valuesAt: indexes, forKey: key)
    }
}
