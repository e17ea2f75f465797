import CoreData

/// Short spellings for models made in code.
func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
}

func entity(
    _ name: String, abstract: Bool = false, className: String? = nil, _ properties: [NSPropertyDescription],
    subentities: [NSEntityDescription] = []
) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.isAbstract = abstract
    if let className { entity.managedObjectClassName = className }
    entity.properties = properties
    entity.subentities = subentities
    return entity
}

func attribute(
    _ name: String, _ type: NSAttributeType, optional: Bool = true, default value: Any? = nil, transient: Bool = false
) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = optional
    attribute.defaultValue = value
    attribute.isTransient = transient
    return attribute
}

/// An attribute of others.
func composite(_ name: String, optional: Bool = true, _ elements: [NSAttributeDescription])
    -> NSCompositeAttributeDescription
{
    let composite = NSCompositeAttributeDescription()
    composite.name = name
    composite.isOptional = optional
    composite.elements = elements
    return composite
}

/// Data that lies in a file of its own when it is large.
func externalData(_ name: String) -> NSAttributeDescription {
    let data = attribute(name, .binaryDataAttributeType)
    data.allowsExternalBinaryDataStorage = true
    return data
}

func toOne(_ name: String, optional: Bool = true, rule: NSDeleteRule = .nullifyDeleteRule) -> NSRelationshipDescription
{
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.maxCount = 1
    relationship.isOptional = optional
    relationship.deleteRule = rule
    return relationship
}

func toMany(
    _ name: String, _ counts: ClosedRange<Int>? = nil, optional: Bool = true, ordered: Bool = false,
    rule: NSDeleteRule = .nullifyDeleteRule
) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.minCount = counts?.lowerBound ?? 0
    relationship.maxCount = counts?.upperBound ?? 0
    relationship.isOptional = optional
    relationship.isOrdered = ordered
    relationship.deleteRule = rule
    return relationship
}

/// Joins two relationships as inverses of each other.
func connect(
    _ a: NSEntityDescription, _ aSide: NSRelationshipDescription, _ b: NSEntityDescription,
    _ bSide: NSRelationshipDescription
) {
    aSide.destinationEntity = b
    bSide.destinationEntity = a
    aSide.inverseRelationship = bSide
    bSide.inverseRelationship = aSide
}
