import CoreData
import StoreBrowsing

/// A property as the page shows it. Elements of composite attributes are properties of their own: `address.city`.
struct ShownProperty {
    enum Kind: String, Sendable {
        case attribute, toOne, toMany
    }

    let path: String
    let kind: Kind
    let attribute: NSAttributeDescription?
    let relationship: NSRelationshipDescription?

    /// What a store has of an entity's properties: attributes, then relationships, each in the order of the model.
    static func all(of entity: NSEntityDescription) -> [ShownProperty] {
        let stored = entity.properties.filter { !$0.isTransient }
        let attributes = stored.compactMap { $0 as? NSAttributeDescription }.flatMap { all(of: $0, at: $0.name) }
        let relationships = stored.compactMap { $0 as? NSRelationshipDescription }
            .filter { $0.destinationEntity != nil }
            .map {
                ShownProperty(path: $0.name, kind: $0.isToMany ? .toMany : .toOne, attribute: nil, relationship: $0)
            }
        return attributes + relationships
    }

    private static func all(of attribute: NSAttributeDescription, at path: String) -> [ShownProperty] {
        guard let composite = attribute as? NSCompositeAttributeDescription else {
            return [ShownProperty(path: path, kind: .attribute, attribute: attribute, relationship: nil)]
        }
        return composite.elements.flatMap { all(of: $0, at: "\(path).\($0.name)") }
    }

    var json: JSON {
        var members: [String: JSON] = ["name": .text(path), "kind": .text(kind.rawValue)]
        if let attribute {
            members["type"] = .text(attribute.attributeType.title)
            members["isOptional"] = .bool(attribute.isOptional)
            members["isDerived"] = .bool(attribute is NSDerivedAttributeDescription)
        }
        if let relationship {
            members["isOptional"] = .bool(relationship.isOptional)
            members["isOrdered"] = .bool(relationship.isOrdered)
            members["destination"] = .optional(relationship.destinationEntity?.name)
            members["inverse"] = .optional(relationship.inverseRelationship?.name)
        }
        return .object(members)
    }
}

extension NSAttributeType {
    /// The name of the type, as in the records of a model.
    var title: String {
        switch self {
        case .integer16AttributeType: "integer16"
        case .integer32AttributeType: "integer32"
        case .integer64AttributeType: "integer64"
        case .decimalAttributeType: "decimal"
        case .doubleAttributeType: "double"
        case .floatAttributeType: "float"
        case .stringAttributeType: "string"
        case .booleanAttributeType: "boolean"
        case .dateAttributeType: "date"
        case .binaryDataAttributeType: "binary"
        case .UUIDAttributeType: "uuid"
        case .URIAttributeType: "uri"
        case .transformableAttributeType: "transformable"
        case .objectIDAttributeType: "objectID"
        case .compositeAttributeType: "composite"
        default: "undefined"
        }
    }
}
