import CoreData

/// People and their teams: subentities in one table, every kind of relationship and attribute.
package enum SQLTestModel {
    /// The model, kept for its layouts.
    nonisolated(unsafe) package static let model = makeModel()
    package static let layouts = model.seal()
    package static let schema = SQLSchema.derived(from: layouts)
    /// The store's number in the references of tests.
    package static let store: Int32 = 7

    package static func layout(_ name: String) -> EntityLayout {
        layouts.layout(named: name) ?? layouts.layouts[0]
    }

    private static func makeModel() -> NSManagedObjectModel {
        let person = entity("Person", people)
        let coach = entity("Coach", [])
        let player = entity("Player", players)
        let team = entity("Team", teams)
        person.subentities = [coach, player]
        relate(person, "boss", one: true, person, "reports", one: false)
        relate(player, "team", one: true, team, "players", one: false)
        relate(coach, "favourites", one: false, player, "fans", one: false)
        let model = NSManagedObjectModel()
        model.entities = [person, coach, player, team]
        return model
    }

    private static var people: [NSPropertyDescription] {
        [
            attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType),
            attribute("active", .booleanAttributeType), attribute("born", .dateAttributeType),
        ]
    }

    private static var players: [NSPropertyDescription] {
        let nickname = attribute("nickname", .stringAttributeType)
        nickname.isTransient = true
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let tint = attribute("tint", .transformableAttributeType)
        tint.valueTransformerName = SQLTintTransformer.name
        return [
            attribute("salary", .doubleAttributeType), attribute("price", .decimalAttributeType),
            attribute("key", .UUIDAttributeType), attribute("page", .URIAttributeType),
            attribute("rating", .floatAttributeType), attribute("shirt", .binaryDataAttributeType), nickname, photo,
            tint,
        ]
    }

    private static var teams: [NSPropertyDescription] {
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.elements = [attribute("street", .stringAttributeType), attribute("zip", .integer32AttributeType)]
        return [
            attribute("name", .stringAttributeType), attribute("city", .stringAttributeType),
            attribute("rank", .integer32AttributeType), address,
        ]
    }

    private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        return attribute
    }

    private static func relate(
        _ source: NSEntityDescription, _ name: String, one: Bool, _ destination: NSEntityDescription,
        _ inverseName: String, one inverseOne: Bool
    ) {
        let relationship = NSRelationshipDescription()
        let inverse = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = one ? 1 : 0
        relationship.inverseRelationship = inverse
        inverse.name = inverseName
        inverse.destinationEntity = source
        inverse.maxCount = inverseOne ? 1 : 0
        inverse.inverseRelationship = relationship
        source.properties.append(relationship)
        destination.properties.append(inverse)
    }
}

/// Stores a tint as its UTF-8 text, backwards.
package final class SQLTintTransformer: ValueTransformer {
    package static let name = "SQLTintTransformer"

    package override func transformedValue(_ value: Any?) -> Any? {
        (value as? String).map { Data($0.utf8.reversed()) }
    }

    package override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0.reversed(), as: UTF8.self) }
    }

    package static func register() {
        ValueTransformer.setValueTransformer(SQLTintTransformer(), forName: NSValueTransformerName(name))
    }
}
