import CoreData
import Testing

@Suite("How long models live")
struct ModelLifeTests {
    /// A server that opens store after store would fill its memory otherwise.
    @Test("a model goes with its last coordinator and object, with its entities, parents and relationships among them")
    func modelsGo() throws {
        weak var model: NSManagedObjectModel?
        weak var child: NSEntityDescription?
        weak var relationship: NSPropertyDescription?
        do {
            let stack = try Stack(Self.family())
            model = stack.coordinator.managedObjectModel
            child = model?.entitiesByName["Child"]
            relationship = child?.relationshipsByName["friends"]
            try stack.work { context throws in
                let object = context.insert("Child", ["name": "A"])
                object.setValue(NSSet(object: context.insert("Parent", ["name": "B"])), forKey: "friends")
                try context.save()
            }
            #expect(model != nil && child != nil && relationship != nil)
        }
        #expect(model == nil && child == nil && relationship == nil)
    }

    /// Its objects would take a model that is no longer in memory.
    @Test("an entity that outlives its model makes no objects")
    func outliving() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            func entity() -> NSEntityDescription? {
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelLifeTests.family())
                return coordinator.managedObjectModel.entitiesByName["Parent"]
            }
            let parent = try #require(entity())
            _ = NSManagedObject(entity: parent, insertInto: nil)
        }
        expectMessage(result, "The entity Parent belongs to no model", "keep the model")
    }

    fileprivate static func family() -> NSManagedObjectModel {
        let parent = NSEntityDescription()
        parent.name = "Parent"
        let child = NSEntityDescription()
        child.name = "Child"
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        let (friends, friendsOf) = (NSRelationshipDescription(), NSRelationshipDescription())
        for (relationship, name, destination) in [(friends, "friends", parent), (friendsOf, "friendsOf", child)] {
            relationship.name = name
            relationship.destinationEntity = destination
        }
        friends.inverseRelationship = friendsOf
        friendsOf.inverseRelationship = friends
        parent.properties = [name, friendsOf]
        child.properties = [friends]
        parent.subentities = [child]
        let model = NSManagedObjectModel()
        model.entities = [parent, child]
        return model
    }
}
