import CoreData
import Foundation
import Testing

@Suite("Descriptions of entities and properties")
struct ModelDescriptionTests {
    @Test("New descriptions have the documented defaults")
    func defaults() {
        let attribute = NSAttributeDescription()
        #expect(attribute.isOptional && !attribute.isTransient && attribute.attributeType == .undefinedAttributeType)
        #expect(attribute.defaultValue == nil && attribute.validationPredicates.isEmpty)
        let relationship = NSRelationshipDescription()
        #expect(relationship.deleteRule == .nullifyDeleteRule && !relationship.isOrdered && relationship.minCount == 0)
        let entity = NSEntityDescription()
        #expect(entity.managedObjectClassName == "NSManagedObject" && !entity.isAbstract && entity.superentity == nil)
        #expect(NSCompositeAttributeDescription().attributeType == .compositeAttributeType)
        #expect(NSFetchedPropertyDescription().fetchRequest == nil)
        #expect(NSFetchIndexDescription(name: "byName", elements: nil).elements.isEmpty)
    }

    @Test("Attribute types have Apple's numbers, and both spellings agree")
    func attributeTypes() {
        let numbers: [(NSAttributeDescription.AttributeType, UInt)] = [
            (.undefined, 0), (.integer16, 100), (.integer32, 200), (.integer64, 300), (.decimal, 400), (.double, 500),
            (.float, 600), (.string, 700), (.boolean, 800), (.date, 900), (.binaryData, 1000), (.uuid, 1100),
            (.uri, 1200), (.transformable, 1800), (.objectID, 2000), (.composite, 2100),
        ]
        for (type, number) in numbers {
            #expect(type.rawValue.rawValue == number)
            let attribute = NSAttributeDescription()
            attribute.type = type
            #expect(attribute.attributeType == NSAttributeType(rawValue: number))
        }
    }

    @Test("The class of values follows from the type; a transformable's can be set")
    func valueClasses() {
        let attribute = NSAttributeDescription()
        attribute.type = .date
        #expect(attribute.attributeValueClassName == "NSDate")
        attribute.type = .decimal
        #expect(attribute.attributeValueClassName == "NSDecimalNumber")
        attribute.type = .transformable
        #expect(attribute.attributeValueClassName == nil)
        attribute.attributeValueClassName = "UIColor"
        #expect(attribute.attributeValueClassName == "UIColor")
    }

    @Test("A relationship is to-many unless its greatest count is 1; zero is no bound")
    func toMany() {
        let relationship = NSRelationshipDescription()
        for (count, isToMany) in [(1, false), (0, true), (2, true), (-1, true), (10000, true)] {
            relationship.maxCount = count
            #expect(relationship.isToMany == isToMany)
        }
    }

    @Test("A least count above the greatest is accepted")
    func impossibleCounts() {
        let relationship = NSRelationshipDescription()
        relationship.minCount = 40
        relationship.maxCount = 3
        #expect(relationship.minCount == 40 && relationship.maxCount == 3)
    }

    @Test("The renaming identifier is the name unless it is set")
    func renaming() {
        let attribute = NSAttributeDescription()
        attribute.name = "title"
        #expect(attribute.renamingIdentifier == "title")
        attribute.renamingIdentifier = "heading"
        attribute.name = "caption"
        #expect(attribute.renamingIdentifier == "heading")
        let entity = NSEntityDescription()
        entity.name = "Book"
        #expect(entity.renamingIdentifier == "Book")
    }

    @Test("Validation predicates come with their warnings")
    func validation() {
        let attribute = NSAttributeDescription()
        attribute.setValidationPredicates(
            [NSPredicate(format: "SELF > 3"), NSPredicate(format: "SELF < 9")],
            withValidationWarnings: ["small", "1610"])
        #expect(attribute.validationPredicates.map(\.predicateFormat) == ["SELF > 3", "SELF < 9"])
        #expect(attribute.validationWarnings as? [String] == ["small", "1610"])
        attribute.setValidationPredicates(nil, withValidationWarnings: nil)
        #expect(attribute.validationPredicates.isEmpty)
    }

    @Test("Subentities inherit properties and know their line")
    func inheritance() {
        let league = ModelLeague()
        #expect(Set(league.player.propertiesByName.keys) == ["dateOfBirth", "shoeSize", "lastName", "team"])
        #expect(Set(league.player.attributesByName.keys) == ["dateOfBirth", "shoeSize", "lastName"])
        #expect(Set(league.player.relationshipsByName.keys) == ["team"])
        #expect(league.player.properties.map(\.name) == ["dateOfBirth", "shoeSize", "lastName", "team"])
        #expect(league.player.propertiesByName["dateOfBirth"]?.entity === league.person)
        #expect(league.player.superentity === league.person)
        #expect(Set(league.person.subentitiesByName.keys) == ["Player", "Coach"])
        #expect(league.player.isKindOf(entity: league.person) && league.player.isKindOf(entity: league.player))
        #expect(!league.person.isKindOf(entity: league.player) && !league.player.isKindOf(entity: league.coach))
    }

    @Test("Properties of a subentity can be appended; inherited ones do not become its own")
    func appending() {
        let league = ModelLeague()
        league.player.properties.append(league.attribute("number", .integer16))
        #expect(league.player.properties.map(\.name) == ["dateOfBirth", "shoeSize", "lastName", "team", "number"])
        #expect(league.person.properties.map(\.name) == ["dateOfBirth", "shoeSize"])
        #expect(league.person.properties.allSatisfy { $0.entity === league.person })
    }

    @Test("An entity taken into another parent leaves the first")
    func reparenting() {
        let league = ModelLeague()
        league.team.subentities = [league.coach]
        #expect(league.coach.superentity === league.team)
        #expect(league.person.subentities.map(\.name) == ["Player"])
        league.team.subentities = []
        #expect(league.coach.superentity == nil)
    }

    @Test("Relationships are found by destination, also those to a parent of it")
    func relationshipsForDestination() {
        let league = ModelLeague()
        let fans = NSRelationshipDescription()
        fans.name = "fans"
        fans.destinationEntity = league.person
        league.team.properties.append(fans)
        #expect(league.team.relationships(forDestination: league.player).map(\.name) == ["players", "fans"])
        #expect(league.team.relationships(forDestination: league.coach).map(\.name) == ["fans"])
        #expect(league.team.relationships(forDestination: league.team).isEmpty)
    }

    @Test("An index knows its entity, an element its property")
    func indexes() {
        let league = ModelLeague()
        let name = league.team.propertiesByName["name"]!
        let element = NSFetchIndexElementDescription(property: name, collationType: .binary)
        let index = NSFetchIndexDescription(name: "byName", elements: [element])
        #expect(index.entity == nil && element.indexDescription === index && element.isAscending)
        league.team.indexes = [index]
        #expect(index.entity === league.team && element.propertyName == "name" && element.property === name)
        league.team.indexes = []
        #expect(index.entity == nil)
    }

    @Test("A copy of an entity has copies of its properties and is free")
    func copying() throws {
        let league = ModelLeague()
        let copy = try #require(league.team.copy() as? NSEntityDescription)
        #expect(copy.name == "Team" && copy.properties.map(\.name) == ["name", "uniformColor", "players"])
        #expect(copy.propertiesByName["name"] !== league.team.propertiesByName["name"])
        #expect(copy.relationshipsByName["players"]?.destinationEntity === league.player)
        #expect(copy.relationshipsByName["players"]?.deleteRule == .cascadeDeleteRule)
        #expect(copy.uniquenessConstraints as? [[String]] == [["name"]])
    }

    @Test("Copies keep everything that a property says, and the property's class")
    func copyingProperties() throws {
        let derived = NSDerivedAttributeDescription()
        derived.name = "count"
        derived.type = .integer64
        derived.derivationExpression = NSExpression(format: "players.@count")
        derived.userInfo = ["key": "value"]
        derived.versionHashModifier = "1"
        derived.preservesValueInHistoryOnDeletion = true
        let copy = try #require(derived.copy() as? NSDerivedAttributeDescription)
        #expect(copy.name == "count" && copy.type == .integer64 && copy.preservesValueInHistoryOnDeletion)
        #expect(copy.derivationExpression == derived.derivationExpression)
        #expect(copy.userInfo?["key"] as? String == "value" && copy.versionHashModifier == "1")

        let composite = NSCompositeAttributeDescription()
        composite.elements = [ModelLeague().attribute("x", .double)]
        let second = try #require(composite.copy() as? NSCompositeAttributeDescription)
        #expect(second.elements.map(\.name) == ["x"] && second.elements[0] !== composite.elements[0])
    }

    @Test("Descriptions know no owner once it is gone")
    func lifetimes() {
        let attribute = NSAttributeDescription()
        attribute.name = "name"
        let child = NSEntityDescription()
        weak var gone: NSEntityDescription?
        do {
            let entity = NSEntityDescription()
            entity.properties = [attribute]
            entity.subentities = [child]
            gone = entity
            #expect(child.superentity === entity)
        }
        #expect(gone == nil && child.superentity == nil)
        let other = NSEntityDescription()
        other.properties = [attribute]
        #expect(attribute.entity === other)
    }

    @Test("A model and its entities are released together")
    func noLeak() {
        weak var model: NSManagedObjectModel?
        weak var entity: NSEntityDescription?
        do {
            let league = ModelLeague()
            model = league.model
            entity = league.person
            #expect(model != nil && entity != nil)
        }
        #expect(model == nil && entity == nil)
    }
}
