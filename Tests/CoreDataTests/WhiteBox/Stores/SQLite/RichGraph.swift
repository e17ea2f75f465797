import CoreData
import Foundation
import RandomSeeds

/// Fills a store with objects of any model, and edits them, by chance.
struct RichGraph {
    private let context: NSManagedObjectContext
    private var objects: [NSManagedObject] = []
    private var mark: Int64 = 0
    private var random: SeededGenerator

    init(_ context: NSManagedObjectContext, _ random: SeededGenerator) {
        self.context = context
        self.random = random
    }

    mutating func run(_ model: NSManagedObjectModel, saves: Int) throws {
        let concrete = model.entities.filter { !$0.isAbstract }.sorted { $0.name ?? "" < $1.name ?? "" }
        for _ in 0..<saves {
            for _ in 0..<Int.random(in: 3...9, using: &random) { insert(concrete.randomElement(using: &random)!) }
            for _ in 0..<20 {
                guard let object = objects.randomElement(using: &random) else { continue }
                random.chance(10) ? delete(object) : edit(object)
            }
            try context.save()
        }
    }

    private mutating func insert(_ entity: NSEntityDescription) {
        let object = context.insert(entity.name ?? "")
        mark += 1
        object.setValue(mark, forKey: "mark")
        for attribute in attributes(of: entity) where random.chance(80) { set(attribute, of: object) }
        objects.append(object)
    }

    private func attributes(of entity: NSEntityDescription) -> [NSAttributeDescription] {
        entity.attributesByName.values.filter { !($0 is NSDerivedAttributeDescription) && $0.name != "mark" }
            .sorted { $0.name < $1.name }
    }

    private mutating func edit(_ object: NSManagedObject) {
        let relationships = object.entity.relationshipsByName.values.sorted { $0.name < $1.name }
        if let relationship = relationships.randomElement(using: &random), random.chance(75) {
            relate(object, relationship)
        } else if let attribute = attributes(of: object.entity).randomElement(using: &random) {
            set(attribute, of: object)
        }
    }

    // MARK: Values

    private mutating func set(_ attribute: NSAttributeDescription, of object: NSManagedObject) {
        object.setValue(random.chance(15) ? nil : value(of: attribute), forKey: attribute.name)
    }

    private mutating func value(of attribute: NSAttributeDescription) -> Any {
        if let composite = attribute as? NSCompositeAttributeDescription {
            return Dictionary(uniqueKeysWithValues: composite.elements.map { ($0.name, value(of: $0)) })
        }
        switch attribute.attributeType {
        case .transformableAttributeType: return "word \(random.next())"
        case .binaryDataAttributeType where attribute.allowsExternalBinaryDataStorage && random.chance(20):
            return Data(repeating: UInt8.random(in: 0...255, using: &random), count: 150_000)
        default: return RandomValue.make(attribute.attributeType, using: &random)
        }
    }

    // MARK: Relationships

    private mutating func relate(_ object: NSManagedObject, _ relationship: NSRelationshipDescription) {
        guard let destination = relationship.destinationEntity else { return }
        let fitting = objects.filter { $0 !== object && $0.entity.isKindOf(entity: destination) }
            .shuffled(using: &random)
        guard relationship.isToMany else {
            return object.setValue(random.chance(20) ? nil : fitting.first, forKey: relationship.name)
        }
        let members = Array(fitting.prefix(Int.random(in: 0...4, using: &random)))
        guard relationship.isOrdered else {
            return object.setValue(NSSet(array: members), forKey: relationship.name)
        }
        let ordered = object.mutableOrderedSetValue(forKey: relationship.name)
        if random.chance(40) {
            object.setValue(NSOrderedSet(array: members), forKey: relationship.name)
        } else if let new = fitting.first(where: { !ordered.contains($0) }) {
            ordered.insert(new, at: Int.random(in: 0...ordered.count, using: &random))
        } else if ordered.count > 1 {
            ordered.moveObjects(at: [0], to: ordered.count - 1)
        }
    }

    /// Deletes an object; what points to it without an inverse is cleared by hand: the deletion does not do it.
    private mutating func delete(_ object: NSManagedObject) {
        context.delete(object)
        context.processPendingChanges()
        // What was never saved leaves its context at once.
        let gone = objects.filter { $0.isDeleted || $0.managedObjectContext == nil }
        objects.removeAll { gone.contains($0) }
        for other in objects {
            for relationship in other.entity.relationshipsByName.values where relationship.inverseRelationship == nil {
                guard relationship.isToMany else {
                    if let target = other.object(relationship.name), gone.contains(target) {
                        other.setValue(nil, forKey: relationship.name)
                    }
                    continue
                }
                let members = other.mutableSetValue(forKey: relationship.name)
                gone.forEach { members.remove($0) }
            }
        }
    }
}
