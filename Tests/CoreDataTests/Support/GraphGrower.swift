import CoreData
import Foundation
import RandomSeeds

/// Grows valid objects in any model: required values and required relationships are filled.
final class GraphGrower {
    let context: NSManagedObjectContext
    private var random: SeededGenerator
    private var count = 0

    init(_ context: NSManagedObjectContext, seed: UInt64) {
        self.context = context
        random = SeededGenerator(seed: seed)
    }

    /// A new object with values for all attributes.
    ///
    /// - Parameter related: The relationship through which the caller relates the object, which needs no filling.
    func grow(_ entity: NSEntityDescription, relatedBy related: NSRelationshipDescription? = nil) -> NSManagedObject {
        let entity = concrete(entity)
        let object = context.insert(entity.name ?? "")
        for attribute in entity.attributesByName.values where !attribute.isTransient {
            if let value = value(of: attribute) { object.setValue(value, forKey: attribute.name) }
        }
        for relationship in entity.sortedRelationships where !relationship.isOptional {
            if relationship.name == related?.name { continue }
            relate(object, relationship, count: max(relationship.minCount, 1))
        }
        return object
    }

    /// Gives an object new members.
    ///
    /// - Returns: The members, in their order.
    @discardableResult
    func relate(_ object: NSManagedObject, _ relationship: NSRelationshipDescription, count: Int) -> [NSManagedObject] {
        guard let destination = relationship.destinationEntity else { return [] }
        let members = (0..<count).map { _ in grow(destination, relatedBy: relationship.inverseRelationship) }
        if !relationship.isToMany {
            object.setValue(members.first, forKey: relationship.name)
        } else if relationship.isOrdered {
            object.mutableOrderedSetValue(forKey: relationship.name).addObjects(from: members)
        } else {
            for member in members { object.mutableSetValue(forKey: relationship.name).add(member) }
        }
        return members
    }

    /// The entity, or one below it that can be instantiated.
    private func concrete(_ entity: NSEntityDescription) -> NSEntityDescription {
        entity.isAbstract ? entity.subentities.map(concrete).first { !$0.isAbstract } ?? entity : entity
    }

    private func value(of attribute: NSAttributeDescription) -> Any? {
        count += 1
        switch attribute.attributeType {
        case .integer16AttributeType: return Int16.random(in: 0 ... .max, using: &random)
        case .integer32AttributeType: return Int32.random(in: 0 ... .max, using: &random)
        case .integer64AttributeType: return Int64.random(in: 0 ... .max, using: &random)
        case .booleanAttributeType: return Bool.random(using: &random)
        case .doubleAttributeType: return Double.random(in: 0...1e9, using: &random)
        case .floatAttributeType: return Float.random(in: 0...1e6, using: &random)
        case .decimalAttributeType: return NSDecimalNumber(value: Int32.random(in: 0 ... .max, using: &random))
        case .stringAttributeType: return "text \(count) ü🎈"
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: .random(in: 0...1e9, using: &random))
        case .binaryDataAttributeType: return Data((0..<Int.random(in: 0...99, using: &random)).map { UInt8($0) })
        case .UUIDAttributeType: return UUID()
        case .URIAttributeType: return URL(string: "https://example.org/\(count)")
        default: return nil
        }
    }
}

extension NSEntityDescription {
    /// The relationships, in an order that does not change from run to run.
    var sortedRelationships: [NSRelationshipDescription] {
        relationshipsByName.values.sorted { $0.name < $1.name }
    }
}
