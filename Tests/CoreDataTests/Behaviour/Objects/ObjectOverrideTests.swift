import CoreData
import Foundation
import Testing

@Suite("What a subclass of NSManagedObject overrides is called")
struct ObjectOverrideTests {
    let stack: Stack
    let context: NSManagedObjectContext

    init() throws {
        let name = attribute("name", .stringAttributeType)
        let friends = toMany("friends")
        let friendOf = toMany("friendOf")
        let pretender = entity("Pretender", className: "CoreDataTests.Pretender", [name, friends, friendOf])
        connect(pretender, friends, pretender, friendOf)
        let other = entity("Other", className: "CoreDataTests.Plain", [attribute("name", .stringAttributeType)])
        let courier = entity("Courier", className: "CoreDataTests.Courier", [attribute("name", .stringAttributeType)])
        stack = try Stack(CoreDataTests.model(pretender, other, courier))
        context = stack.context()
    }

    @Test("state, values and relationships say what the subclass says, read as the superclass's")
    func state() {
        let object: NSManagedObject = Pretender(context: context)
        let plain = Plain(context: context)
        Pretender.stand = Pretender.Stand(context: context, id: plain.objectID, entity: plain.entity)
        #expect(object.isInserted == false && object.isUpdated && object.isDeleted && object.isFault)
        #expect(object.hasChanges == false && object.hasPersistentChangedValues && object.faultingState == 7)
        #expect(object.objectID == plain.objectID && object.entity === plain.entity)
        #expect(object.managedObjectContext == nil)
        #expect(object.changedValues()["changed"] as? Bool == true)
        #expect(object.changedValuesForCurrentEvent()["event"] as? Bool == true)
        #expect(object.committedValues(forKeys: nil)["committed"] as? Bool == true)
        #expect(object.hasFault(forRelationshipNamed: "friends"))
        #expect(object.objectIDs(forRelationshipNamed: "friends") == [plain.objectID])
        Pretender.stand = nil
    }

    @Test("key paths, collections and observers of an object go through the subclass's overrides")
    func keyValueCoding() throws {
        let courier = Courier(context: context)
        let object: NSManagedObject = courier
        let observer = Silent()
        object.setValue("Kim", forKeyPath: "name")
        #expect(object.value(forKeyPath: "name") as? String == "Kim!")
        #expect(object.dictionaryWithValues(forKeys: ["name"])["name"] as? String == "Kim")
        object.setValuesForKeys(["name": "Lee"])
        var value: AnyObject? = NSString(string: "Max")
        try object.validateValue(&value, forKeyPath: "name")
        #expect(object.mutableSetValue(forKey: "stops").count == 0)
        #expect(object.mutableOrderedSetValue(forKey: "stops").count == 0)
        #expect(object.mutableArrayValue(forKey: "stops").count == 0)
        object.addObserver(observer, forKeyPath: "name", options: [], context: nil)
        object.removeObserver(observer, forKeyPath: "name")
        object.removeObserver(observer, forKeyPath: "name", context: nil)
        #expect(
            courier.calls == [
                "set path", "path", "dictionary", "set dictionary", "validate path", "set", "ordered set", "array",
                "add observer",
                "remove observer", "remove observer in context",
            ])
    }

    @Test("the framework goes by what an object is, whatever a subclass says")
    func saving() throws {
        let object = Pretender(context: context)
        object.setValue("Larry", forKey: "name")
        try context.save()
        #expect(try stack.work { try $0.all("Pretender", "name == 'Larry'").count } == 1)
        #expect(context.insertedObjects.isEmpty && !context.hasChanges)
    }

    @Test("class func entity() decides what init(context:), init() and fetchRequest() are about")
    func entityOfTheClass() throws {
        let made = Chooser(context: context)
        #expect(made.entity.name == "Pretender" && made.isInserted)
        #expect(Chooser().entity.name == "Pretender" && Chooser().managedObjectContext == nil)
        #expect(Chooser.fetchRequest().entityName == "Pretender")
        let type: NSManagedObject.Type = Chooser.self
        #expect(type.entity().name == "Pretender")
    }

    @Test("class func fetchRequest() can be overridden, and overloaded with a type of its own")
    func requests() {
        let type: NSManagedObject.Type = Requester.self
        #expect(type.fetchRequest().fetchLimit == 3)
        let typed: NSFetchRequest<Plain> = Plain.fetchRequest()
        #expect(typed.fetchLimit == 4)
    }
}

final class Plain: NSManagedObject {
    class func fetchRequest() -> NSFetchRequest<Plain> {
        let request = NSFetchRequest<Plain>(entityName: "Other")
        request.fetchLimit = 4
        return request
    }
}

final class Requester: NSManagedObject {
    override class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Other")
        request.fetchLimit = 3
        return request
    }
}

/// No entity has this class; it says which one it is for.
final class Chooser: NSManagedObject {
    override class func entity() -> NSEntityDescription { Pretender.entity() }
}

/// Notes what of key-value coding and observing is called.
final class Courier: NSManagedObject {
    var calls: [String] = []

    override func setValue(_ value: Any?, forKeyPath keyPath: String) {
        calls.append("set path")
        super.setValue(value, forKeyPath: keyPath)
    }
    override func value(forKeyPath keyPath: String) -> Any? {
        calls.append("path")
        return (super.value(forKeyPath: keyPath) as? String).map { $0 + "!" }
    }
    override func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        calls.append("dictionary")
        return super.dictionaryWithValues(forKeys: keys)
    }
    override func setValuesForKeys(_ keyedValues: [String: Any]) {
        calls.append("set dictionary")
        super.setValuesForKeys(keyedValues)
    }
    override func validateValue(
        _ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKeyPath inKeyPath: String
    ) throws {
        calls.append("validate path")
        try super.validateValue(ioValue, forKeyPath: inKeyPath)
    }
    override func mutableSetValue(forKey key: String) -> NSMutableSet {
        calls.append("set")
        return NSMutableSet()
    }
    override func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        calls.append("ordered set")
        return NSMutableOrderedSet()
    }
    override func mutableArrayValue(forKey key: String) -> NSMutableArray {
        calls.append("array")
        return NSMutableArray()
    }
    override func addObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
        context: UnsafeMutableRawPointer?
    ) {
        calls.append("add observer")
        super.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    }
    override func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
        calls.append("remove observer")
        super.removeObserver(observer, forKeyPath: keyPath)
    }
    override func removeObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        calls.append("remove observer in context")
        super.removeObserver(observer, forKeyPath: keyPath, context: context)
    }
}

private final class Silent: NSObject, KeyValueObserver {
    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {}
}

/// Says something else than what it is, of all that Apple's headers leave open.
final class Pretender: NSManagedObject {
    struct Stand {
        let context: NSManagedObjectContext
        let id: NSManagedObjectID
        let entity: NSEntityDescription
    }

    /// Used by one test.
    nonisolated(unsafe) static var stand: Stand?

    override var isInserted: Bool { false }
    override var isUpdated: Bool { true }
    override var isDeleted: Bool { true }
    override var isFault: Bool { true }
    override var hasChanges: Bool { false }
    override var hasPersistentChangedValues: Bool { true }
    override var faultingState: Int { 7 }
    override var managedObjectContext: NSManagedObjectContext? { nil }
    override var objectID: NSManagedObjectID { Self.stand?.id ?? super.objectID }
    override var entity: NSEntityDescription { Self.stand?.entity ?? super.entity }
    override func changedValues() -> [String: Any] { ["changed": true] }
    override func changedValuesForCurrentEvent() -> [String: Any] { ["event": true] }
    override func committedValues(forKeys keys: [String]?) -> [String: Any] { ["committed": true] }
    override func hasFault(forRelationshipNamed key: String) -> Bool { true }
    override func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { [objectID] }
}
