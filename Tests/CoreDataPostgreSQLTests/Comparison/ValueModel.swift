import CoreData

/// A model with attributes of all types, and relationships of all kinds.
enum ValueModel {
    static func make() -> NSManagedObjectModel {
        let item = NSEntityDescription()
        item.name = "Item"
        item.properties = attributes.map { name, type in attribute(name, type) }
        let tag = NSEntityDescription()
        tag.name = "Tag"
        tag.properties = [
            attribute("name", .stringAttributeType), attribute("weight", .integer32AttributeType),
            attribute("cost", .decimalAttributeType), attribute("date", .dateAttributeType),
        ]
        relate(item, "parent", one: true, item, "children", one: false)
        relate(item, "tags", one: false, tag, "items", one: false)
        relate(item, "mainTag", one: true, tag, "mainItems", one: false)
        item.indexes = [
            index("bySum", "small * 2 + 1", item), index("byHalf", "real / 2", item),
            index("byPrice", "price - 1", item),
            partial("recent", "date", "date > CAST(10, 'NSDate') AND flag == YES AND price < 2.5", item),
        ]
        let model = NSManagedObjectModel()
        model.entities = [item, tag]
        return model
    }

    static let attributes: KeyValuePairs<String, NSAttributeType> = [
        "small": .integer16AttributeType, "medium": .integer32AttributeType, "large": .integer64AttributeType,
        "flag": .booleanAttributeType, "real": .doubleAttributeType, "single": .floatAttributeType,
        "price": .decimalAttributeType, "date": .dateAttributeType, "until": .dateAttributeType,
        "name": .stringAttributeType, "note": .stringAttributeType, "key": .UUIDAttributeType,
        "page": .URIAttributeType, "bytes": .binaryDataAttributeType,
    ]

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private static func relate(
        _ source: NSEntityDescription, _ name: String, one: Bool, _ destination: NSEntityDescription,
        _ inverseName: String, one inverseOne: Bool
    ) {
        let (relationship, inverse) = (NSRelationshipDescription(), NSRelationshipDescription())
        (relationship.name, relationship.destinationEntity) = (name, destination)
        (inverse.name, inverse.destinationEntity) = (inverseName, source)
        relationship.maxCount = one ? 1 : 0
        inverse.maxCount = inverseOne ? 1 : 0
        (relationship.inverseRelationship, inverse.inverseRelationship) = (inverse, relationship)
        (relationship.isOptional, inverse.isOptional) = (true, true)
        source.properties.append(relationship)
        destination.properties.append(inverse)
    }

    private static func index(
        _ name: String, _ format: String, _ entity: NSEntityDescription
    ) -> NSFetchIndexDescription {
        let value = NSExpressionDescription()
        value.name = name
        value.expression = NSExpression(format: format)
        value.expressionResultType = .doubleAttributeType
        let element = NSFetchIndexElementDescription(property: value, collationType: .binary)
        return NSFetchIndexDescription(name: name, elements: [element])
    }

    private static func partial(
        _ name: String, _ property: String, _ format: String, _ entity: NSEntityDescription
    ) -> NSFetchIndexDescription {
        let element = NSFetchIndexElementDescription(
            property: entity.propertiesByName[property]!, collationType: .binary)
        let index = NSFetchIndexDescription(name: name, elements: [element])
        index.partialIndexPredicate = NSPredicate(format: format)
        return index
    }
}
