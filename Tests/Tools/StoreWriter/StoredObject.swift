import CoreData
import Foundation
import StoreBrowsing

/// An object as the store has it: values as texts, and objects by their identifiers.
struct StoredObject: Codable {
    let id: String
    let entity: String
    var values: [String: String] = [:]
    var links: [String: String] = [:]
    var members: [String: [String]] = [:]

    init(_ object: NSManagedObject) {
        id = object.objectID.shortIdentifier
        entity = object.entity.name ?? ""
        for attribute in object.entity.attributesByName.values {
            let value = object.value(forKey: attribute.name)
            if let composite = attribute as? NSCompositeAttributeDescription {
                let elements = value as? [String: Any] ?? [:]
                for element in composite.elements {
                    values["\(attribute.name).\(element.name)"] =
                        Self.text(elements[element.name], element.attributeType)
                }
            } else {
                values[attribute.name] = Self.text(value, attribute.attributeType)
            }
        }
        for relationship in object.entity.relationshipsByName.values { add(relationship, of: object) }
    }

    private mutating func add(_ relationship: NSRelationshipDescription, of object: NSManagedObject) {
        let name = relationship.name
        switch object.value(forKey: name) {
        case let other as NSManagedObject: links[name] = other.objectID.shortIdentifier
        case let ordered as NSOrderedSet:
            members[name] = ordered.array.compactMap { ($0 as? NSManagedObject)?.objectID.shortIdentifier }
        case let set as NSSet:
            members[name] = set.allObjects.compactMap { ($0 as? NSManagedObject)?.objectID.shortIdentifier }.sorted()
        default: break
        }
    }

    private static func text(_ value: Any?, _ type: NSAttributeType) -> String? {
        switch value {
        case nil: nil
        case let text as String: text
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: data.base64EncodedString()
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let decimal as NSDecimalNumber: decimal.stringValue
        case let number as NSNumber: text(number, type)
        case let value?: "\(value)"
        }
    }

    private static func text(_ number: NSNumber, _ type: NSAttributeType) -> String {
        switch type {
        case .booleanAttributeType: number.boolValue ? "true" : "false"
        case .floatAttributeType: "\(number.floatValue)"
        case .doubleAttributeType: "\(number.doubleValue)"
        default: number.stringValue
        }
    }
}
