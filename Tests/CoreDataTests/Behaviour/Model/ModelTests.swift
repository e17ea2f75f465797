import CoreData
import Foundation
import Testing

@Suite("Models")
struct ModelTests {
    @Test("Entities are found by name and know their model")
    func entities() {
        let league = ModelLeague()
        #expect(Set(league.model.entitiesByName.keys) == ["Person", "Player", "Coach", "Team"])
        #expect(league.team.managedObjectModel === league.model)
        league.model.entities.removeAll { $0 === league.coach }
        #expect(league.model.entitiesByName["Coach"] == nil)
    }

    @Test("An entity that is put into another model leaves the first")
    func movingEntities() {
        let league = ModelLeague()
        let other = NSManagedObjectModel()
        other.entities = [league.team]
        #expect(league.model.entitiesByName["Team"] == nil && league.team.managedObjectModel === other)
    }

    @Test("A configuration is a subset of the entities; the default one has all")
    func configurations() {
        let league = ModelLeague()
        #expect(league.model.configurations.isEmpty)
        league.model.setEntities([league.team], forConfigurationName: "Public")
        league.model.setEntities([league.person, league.player], forConfigurationName: "Private")
        #expect(league.model.configurations == ["Private", "Public"])
        #expect(league.model.entities(forConfigurationName: "Public")?.map(\.name) == ["Team"])
        #expect(league.model.entities(forConfigurationName: nil)?.count == 4)
        #expect(league.model.entities(forConfigurationName: "Nowhere") == nil)
        league.model.entities.removeAll { $0 === league.player }
        #expect(league.model.entities(forConfigurationName: "Private")?.map(\.name) == ["Person"])
    }

    @Test("A template is stored, and copied with its variables bound")
    func templates() throws {
        let league = ModelLeague()
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Team")
        template.predicate = NSPredicate(format: "uniformColor == $COLOR AND ANY players.lastName BEGINSWITH $LETTER")
        template.fetchLimit = 7
        league.model.setFetchRequestTemplate(template, forName: "Teams")
        #expect(league.model.fetchRequestTemplate(forName: "Teams") === template)
        #expect(league.model.fetchRequestTemplate(forName: "Others") == nil)
        #expect(Array(league.model.fetchRequestTemplatesByName.keys) == ["Teams"])

        let request = try #require(
            league.model.fetchRequestFromTemplate(
                withName: "Teams", substitutionVariables: ["COLOR": "Green", "LETTER": "W"]))
        #expect(request !== template && request.fetchLimit == 7 && request.entityName == "Team")
        #expect(
            request.predicate == NSPredicate(format: "uniformColor == 'Green' AND ANY players.lastName BEGINSWITH 'W'"))
        #expect(
            template.predicate
                == NSPredicate(format: "uniformColor == $COLOR AND ANY players.lastName BEGINSWITH $LETTER"))
        #expect(league.model.fetchRequestFromTemplate(withName: "Others", substitutionVariables: [:]) == nil)
        league.model.setFetchRequestTemplate(nil, forName: "Teams")
        #expect(league.model.fetchRequestTemplatesByName.isEmpty)
    }

    @Test("The iterator of a subquery in a template needs no value")
    func subqueryVariable() throws {
        let league = ModelLeague()
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Team")
        template.predicate = NSPredicate(format: "SUBQUERY(players, $p, $p.lastName == $NAME).@count > 0")
        league.model.setFetchRequestTemplate(template, forName: "Teams")
        let request = try #require(
            league.model.fetchRequestFromTemplate(withName: "Teams", substitutionVariables: ["NAME": "Bird"]))
        #expect(request.predicate == NSPredicate(format: "SUBQUERY(players, $p, $p.lastName == 'Bird').@count > 0"))
    }

    @Test("A copy of a model holds copies that refer to each other")
    func copying() throws {
        let league = ModelLeague()
        league.model.setEntities([league.team], forConfigurationName: "Public")
        league.model.versionIdentifiers = ["1.0"]
        league.model.localizationDictionary = ["Entity/Team": "Mannschaft"]
        let template = NSFetchRequest<any NSFetchRequestResult>()
        template.entity = league.team
        league.model.setFetchRequestTemplate(template, forName: "All")
        let byName = NSFetchIndexElementDescription(
            property: league.team.propertiesByName["name"]!, collationType: .binary)
        league.team.indexes = [NSFetchIndexDescription(name: "byName", elements: [byName])]

        let copy = try #require(league.model.copy() as? NSManagedObjectModel)
        let team = try #require(copy.entitiesByName["Team"])
        let player = try #require(copy.entitiesByName["Player"])
        #expect(team !== league.team && team.managedObjectModel === copy)
        let players = try #require(team.relationshipsByName["players"])
        #expect(players.destinationEntity === player)
        #expect(players.inverseRelationship === player.relationshipsByName["team"])
        #expect(player.superentity === copy.entitiesByName["Person"])
        #expect(copy.entities(forConfigurationName: "Public")?.first === team)
        #expect(copy.fetchRequestTemplate(forName: "All")?.entity === team)
        #expect(team.indexes.first?.elements.first?.property === team.propertiesByName["name"])
        #expect(copy.versionIdentifiers == ["1.0"] && copy.localizationDictionary == ["Entity/Team": "Mannschaft"])
        #expect(copy.entityVersionHashesByName == league.model.entityVersionHashesByName)
    }
}

@Suite("A model that a coordinator uses is immutable")
struct ModelImmutabilityTests {
    @Test("Setters of the model, its entities, properties, indexes and requests stop the program")
    func immutable() async {
        let model = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            _ = NSPersistentStoreCoordinator(managedObjectModel: league.model)
            league.model.entities = []
        }
        expectMessage(model, "can't modify an immutable model")
        let entity = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            _ = NSPersistentStoreCoordinator(managedObjectModel: league.model)
            league.team.isAbstract = true
        }
        expectMessage(entity, "can't modify an immutable model", "Team")
        let property = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            _ = NSPersistentStoreCoordinator(managedObjectModel: league.model)
            league.players.maxCount = 3
        }
        expectMessage(property, "can't modify an immutable model", "Team.players")
        let adding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            _ = NSPersistentStoreCoordinator(managedObjectModel: league.model)
            league.team.properties.append(league.attribute("more", .string))
        }
        expectMessage(adding, "can't modify an immutable model", "Team")
        let template = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            league.model.setFetchRequestTemplate(
                NSFetchRequest<any NSFetchRequestResult>(entityName: "Team"), forName: "T")
            _ = NSPersistentStoreCoordinator(managedObjectModel: league.model)
            league.model.fetchRequestTemplate(forName: "T")?.fetchLimit = 1
        }
        expectMessage(template, "can't be changed")
    }

    @Test("It still gives tables by name, and a copy that can be changed")
    func stillUsable() throws {
        let league = ModelLeague()
        _ = NSPersistentStoreCoordinator(managedObjectModel: league.model)
        #expect(league.player.propertiesByName.count == 4 && league.player.attributesByName.count == 3)
        let copy = try #require(league.model.copy() as? NSManagedObjectModel)
        copy.entitiesByName["Team"]?.isAbstract = true
        #expect(copy.entitiesByName["Team"]?.isAbstract == true && !league.team.isAbstract)
    }

    @Test("Two coordinators may use one model")
    func twoCoordinators() {
        let league = ModelLeague()
        let first = NSPersistentStoreCoordinator(managedObjectModel: league.model)
        let second = NSPersistentStoreCoordinator(managedObjectModel: league.model)
        #expect(first.managedObjectModel === second.managedObjectModel)
    }

    @Test("Default values take the class of their type when the model is first used")
    func canonicalDefaults() throws {
        let league = ModelLeague()
        let values: [(NSAttributeDescription.AttributeType, Any)] = [
            (.integer16, 3), (.integer64, NSNumber(value: 4)), (.double, 1.5), (.boolean, true),
            (.decimal, Decimal(string: "0.1")!), (.string, "x"), (.date, Date(timeIntervalSinceReferenceDate: 5)),
        ]
        league.coach.properties = values.enumerated().map { index, pair in
            let attribute = league.attribute("a\(index)", pair.0)
            attribute.defaultValue = pair.1
            return attribute
        }
        _ = NSPersistentStoreCoordinator(managedObjectModel: league.model)
        let defaults = league.coach.attributesByName.mapValues(\.defaultValue)
        #expect((defaults["a0"] as? NSNumber)?.intValue == 3)
        #expect((defaults["a2"] as? NSNumber)?.doubleValue == 1.5)
        #expect((defaults["a3"] as? NSNumber)?.boolValue == true)
        #expect((defaults["a4"] as? NSDecimalNumber) == NSDecimalNumber(string: "0.1"))
        #expect(defaults["a5"] as? String == "x")
        #expect(defaults["a6"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
    }
}

@Suite("Misuse of a model stops the program with a sentence that names the fix")
struct ModelMisuseTests {
    @Test("Two entities, or two properties, of the same name")
    func duplicates() async {
        let entities = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            let second = NSEntityDescription()
            second.name = "Team"
            league.model.entities.append(second)
        }
        expectMessage(entities, "two entities named \"Team\"")
        let properties = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            league.team.properties.append(league.attribute("name", .string))
        }
        expectMessage(properties, "two properties named \"name\"")
    }

    @Test("A property in two entities")
    func sharedProperty() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            league.coach.properties = [league.players]
        }
        expectMessage(result, "Team.players", "copy()")
    }

    @Test("A property or an entity that is nowhere")
    func homeless() async {
        let property = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ModelLeague().attribute("name", .string).entity
        }
        expectMessage(property, "\"name\" is in no entity")
        let entity = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSEntityDescription().managedObjectModel
        }
        expectMessage(entity, "is in no model")
    }

    @Test("A circle of parents")
    func circle() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            league.player.subentities = [league.person]
        }
        expectMessage(result, "can't become a subentity")
    }

    @Test("A relationship without destination, found when a coordinator takes the model")
    func noDestination() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            league.players.destinationEntity = nil
            _ = NSPersistentStoreCoordinator(managedObjectModel: league.model)
        }
        expectMessage(result, "Team.players needs a destination entity")
    }

    @Test("A default value of another type, found when a coordinator takes the model")
    func wrongDefault() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            league.person.attributesByName["shoeSize"]?.defaultValue = "large"
            _ = NSPersistentStoreCoordinator(managedObjectModel: league.model)
        }
        expectMessage(result, "Unacceptable default value", "Person.shoeSize", "NSNumber", "String")
    }

    @Test("A template's variable without a value")
    func unboundVariable() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let league = ModelLeague()
            let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Team")
            template.predicate = NSPredicate(format: "uniformColor == $COLOR")
            league.model.setFetchRequestTemplate(template, forName: "GreenTeams")
            _ = league.model.fetchRequestFromTemplate(withName: "GreenTeams", substitutionVariables: ["SIZE": 1])
        }
        expectMessage(result, "GreenTeams", "$COLOR")
    }

    @Test("Predicates without as many warnings")
    func missingWarnings() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            NSAttributeDescription().setValidationPredicates([NSPredicate(value: true)], withValidationWarnings: [])
        }
        expectMessage(result, "one warning for each predicate")
    }

    @Test("Two versions of an entity can't be merged")
    func mergeConflict() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (first, second) = (ModelLeague(), ModelLeague())
            second.team.properties.append(second.attribute("city", .string))
            _ = NSManagedObjectModel(byMerging: [first.model, second.model])
        }
        expectMessage(result, "two different entities named 'Team'")
    }
}
