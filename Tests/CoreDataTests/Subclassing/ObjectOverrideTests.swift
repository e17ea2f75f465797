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
        stack = try Stack(CoreDataTests.model(pretender, other))
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
