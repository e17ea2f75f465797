import CoreData
import Foundation
import RandomSeeds

/// Fills a store of any model with objects: values of all types, nil among them, and members in all relationships.
struct GraphFiller {
    let context: NSManagedObjectContext
    private var random: SeededGenerator
    private var count = 0

    init(_ context: NSManagedObjectContext, seed: UInt64) {
        self.context = context
        random = SeededGenerator(seed: seed)
    }

    /// Three objects of each entity, related to each other.
    mutating func fill(_ model: NSManagedObjectModel) {
        var objects: [NSManagedObject] = []
        for entity in model.entities.sorted(by: { $0.name ?? "" < $1.name ?? "" }) where !entity.isAbstract {
            for _ in 0..<3 { objects.append(object(entity)) }
        }
        for object in objects {
            for relationship in object.entity.sortedRelationships where !relationship.isTransient {
                relate(object, relationship, objects)
            }
        }
    }

    private mutating func object(_ entity: NSEntityDescription) -> NSManagedObject {
        let object = context.insert(entity.name ?? "")
        for attribute in entity.attributesByName.values.sorted(by: { $0.name < $1.name })
        where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) {
            if attribute.isOptional, random.chance(20) {
                object.setValue(nil, forKey: attribute.name)
            } else if let value = value(of: attribute) {
                object.setValue(value, forKey: attribute.name)
            }
        }
        return object
    }

    private mutating func relate(
        _ object: NSManagedObject, _ relationship: NSRelationshipDescription, _ objects: [NSManagedObject]
    ) {
        guard let destination = relationship.destinationEntity else { return }
        let targets = objects.filter { $0.entity.isKindOf(entity: destination) }.shuffled(using: &random)
        guard relationship.isToMany else { return object.setValue(targets.first, forKey: relationship.name) }
        let free =
            relationship.inverseRelationship == nil ? targets.filter { isFree($0, relationship, objects) } : targets
        let members = Array(free.prefix(2))
        object.setValue(
            relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: relationship.name)
    }

    /// Without inverse an object is a member once only.
    private func isFree(
        _ target: NSManagedObject, _ relationship: NSRelationshipDescription, _ objects: [NSManagedObject]
    ) -> Bool {
        objects.filter { $0.entity.relationshipsByName[relationship.name] != nil }.allSatisfy { owner in
            let members = owner.value(forKey: relationship.name)
            return !((members as? NSSet)?.contains(target) ?? (members as? NSOrderedSet)?.contains(target) ?? false)
        }
    }

    private mutating func value(of attribute: NSAttributeDescription) -> Any? {
        count += 1
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return count
        case .booleanAttributeType: return Bool.random(using: &random)
        case .doubleAttributeType, .floatAttributeType: return Double(count) / 8
        case .decimalAttributeType: return NSDecimalNumber(value: count)
        case .stringAttributeType, .transformableAttributeType: return "text \(count) ü🎈" as NSString
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(count) * 1000)
        case .binaryDataAttributeType:
            let size = attribute.allowsExternalBinaryDataStorage && random.chance(50) ? 120_000 : 20
            return Data((0..<size).map { UInt8(truncatingIfNeeded: $0 + count) })
        case .UUIDAttributeType: return UUID()
        case .URIAttributeType: return URL(string: "https://example.org/\(count)")
        default: return nil
        }
    }
}
