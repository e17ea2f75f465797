import CoreData
import Foundation
import Testing

@Suite("Models, entities and properties are equal by what they say")
struct ModelEqualityTests {
    private func load() throws -> NSManagedObjectModel {
        try #require(
            NSManagedObjectModel(contentsOf: ModelSamples.document("SwiftGen-SwiftGen-Model/Model.xcdatamodeld")))
    }

    private func copy(_ model: NSManagedObjectModel) throws -> NSManagedObjectModel {
        try #require(model.copy() as? NSManagedObjectModel)
    }

    @Test("two loads of one file are equal, and so are a copy, their entities and their properties")
    func equal() throws {
        let model = try load()
        for other in [try load(), try copy(model)] {
            #expect(model == other && model.hash == other.hash && model !== other)
            for entity in model.entities {
                let twin = try #require(other.entitiesByName[entity.name ?? ""])
                #expect(entity == twin && entity.hash == twin.hash && Set([entity]).contains(twin))
                for property in entity.properties {
                    let same = try #require(twin.propertiesByName[property.name])
                    #expect(property == same && property.hash == same.hash)
                }
            }
        }
        _ = NSPersistentStoreCoordinator(managedObjectModel: model)
        #expect(try model == load())
    }

    @Test("a property's copy, which is in no entity, is equal to it")
    func propertyCopy() throws {
        for property in try load().entities.flatMap(\.properties) {
            let copy = try #require(property.copy() as? NSPropertyDescription)
            #expect(copy == property && property == copy)
        }
    }

    @Test("whatever differs makes models unequal")
    func different() throws {
        let changes: [(NSManagedObjectModel) throws -> Void] = [
            { $0.entitiesByName["MainEntity"]?.name = "Other" },
            { $0.entitiesByName["MainEntity"]?.userInfo = ["a": "b"] },
            { $0.entitiesByName["MainEntity"]?.attributesByName["int32"]?.isOptional.toggle() },
            { $0.entitiesByName["MainEntity"]?.attributesByName["int32"]?.defaultValue = 99 },
            { $0.entitiesByName["MainEntity"]?.relationshipsByName["oneToMany"]?.deleteRule = .denyDeleteRule },
            { $0.entitiesByName["NewEntity"]?.uniquenessConstraints = [] },
            { $0.versionIdentifiers = ["other"] },
            { $0.setFetchRequestTemplate(nil, forName: "ObjectFetchRequest") },
            { $0.setEntities([], forConfigurationName: "Custom") },
        ]
        for (number, change) in changes.enumerated() {
            let model = try load()
            try change(model)
            #expect(try model != load(), "change \(number)")
        }
        let entities = try load().entitiesByName
        #expect(entities["MainEntity"] != entities["NewEntity"])
    }

    @Test("properties of one name in two entities are not equal")
    func sameNames() {
        let (first, second) = (attribute("name", .stringAttributeType), attribute("name", .stringAttributeType))
        #expect(first == second)
        let model = model(entity("First", [first]), entity("Second", [second]))
        #expect(first != second)
        withExtendedLifetime(model) {}
    }

    @Test("the user info of a model in use can be set")
    func userInfo() throws {
        let model = LeagueModel.make()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let team = try #require(model.entitiesByName["Team"])
        team.userInfo = ["seen": true]
        team.attributesByName["name"]?.userInfo = ["label": "Name"]
        team.relationshipsByName["players"]?.userInfo = nil
        #expect(team.userInfo?["seen"] as? Bool == true)
        #expect(team.attributesByName["name"]?.userInfo?["label"] as? String == "Name")
        withExtendedLifetime(coordinator) {}
    }

    @Test("entities and properties that are in no model have the version hash that they have in one")
    func hashes() throws {
        let name = attribute("name", .stringAttributeType)
        #expect(name.versionHash.count == 32)
        let child = entity("Child", [attribute("age", .integer16AttributeType)])
        let parent = entity("Parent", [name], subentities: [child])
        let (own, inherited, property) = (parent.versionHash, child.versionHash, name.versionHash)
        let model = model(parent, child)
        #expect(model.entityVersionHashesByName == ["Parent": own, "Child": inherited])
        #expect(name.versionHash == property && own != inherited)
    }
}
