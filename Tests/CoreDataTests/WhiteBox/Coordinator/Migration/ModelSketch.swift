import CoreData
import Foundation
import RandomSeeds

/// A model as a value. Each element has a number that it keeps through all versions, whatever it is called.
struct ModelSketch {
    struct Attribute {
        let id: Int
        var name: String
        var type: NSAttributeType
        var isOptional = true
        var hasDefault = false
        var isExternal = false
    }

    struct Relationship {
        let id: Int
        var name: String
        /// The number of an entity.
        var destination: Int
        /// The number of a relationship.
        var inverse: Int?
        var isToMany: Bool
        var isOrdered = false
    }

    struct Entity {
        let id: Int
        var name: String
        var parent: Int?
        var isAbstract = false
        var attributes: [Attribute] = []
        var relationships: [Relationship] = []
    }

    var entities: [Entity] = []
    private var last = 0

    mutating func newID() -> Int {
        last += 1
        return last
    }

    subscript(id: Int) -> Entity {
        get { entities[place(id)] }
        set { entities[place(id)] = newValue }
    }

    func has(_ id: Int) -> Bool { entities.contains { $0.id == id } }

    private func place(_ id: Int) -> Int { entities.firstIndex { $0.id == id }! }

    // MARK: Hierarchies

    func children(_ id: Int) -> [Entity] { entities.filter { $0.parent == id } }

    /// The entity and its ancestors.
    func line(_ id: Int) -> [Entity] { Array(sequence(first: self[id]) { $0.parent.map { self[$0] } }) }

    func isKind(_ id: Int, of other: Int) -> Bool { line(id).contains { $0.id == other } }

    func attributes(_ id: Int) -> [Attribute] { line(id).flatMap(\.attributes) }

    func relationships(_ id: Int) -> [Relationship] { line(id).flatMap(\.relationships) }

    /// The entities with objects that a relationship may lead to.
    func concrete(below id: Int) -> [Int] { entities.filter { !$0.isAbstract && isKind($0.id, of: id) }.map(\.id) }

    /// Where a relationship is declared.
    func owner(ofRelationship id: Int) -> Int? { entities.first { $0.relationships.contains { $0.id == id } }?.id }

    func relationship(_ id: Int) -> Relationship? { entities.lazy.flatMap(\.relationships).first { $0.id == id } }

    func attribute(_ id: Int) -> Attribute? { entities.lazy.flatMap(\.attributes).first { $0.id == id } }

    mutating func change(_ id: Int, _ change: (inout Relationship) -> Void) {
        for entity in entities.indices {
            for place in entities[entity].relationships.indices
            where entities[entity].relationships[place].id == id {
                change(&entities[entity].relationships[place])
            }
        }
    }

    mutating func changeAttribute(_ id: Int, _ change: (inout Attribute) -> Void) {
        for entity in entities.indices {
            for place in entities[entity].attributes.indices where entities[entity].attributes[place].id == id {
                change(&entities[entity].attributes[place])
            }
        }
    }

    mutating func remove(relationship id: Int) {
        for place in entities.indices { entities[place].relationships.removeAll { $0.id == id } }
    }

    // MARK: The model

    /// The model, with renaming identifiers for what has another name in a former version.
    func model(after former: ModelSketch? = nil) -> NSManagedObjectModel {
        var made: [Int: NSEntityDescription] = [:]
        var relationships: [Int: NSRelationshipDescription] = [:]
        for entity in entities {
            let description = NSEntityDescription()
            description.name = entity.name
            description.isAbstract = entity.isAbstract
            if let former, former.has(entity.id) { description.renamingIdentifier = former[entity.id].name }
            description.properties = entity.attributes.map { $0.description(former?.attribute($0.id)?.name) }
            made[entity.id] = description
        }
        for entity in entities {
            for relationship in entity.relationships {
                let description = NSRelationshipDescription()
                description.name = relationship.name
                description.destinationEntity = made[relationship.destination]
                description.maxCount = relationship.isToMany ? 0 : 1
                description.isOrdered = relationship.isOrdered
                if let name = former?.relationship(relationship.id)?.name { description.renamingIdentifier = name }
                made[entity.id]?.properties.append(description)
                relationships[relationship.id] = description
            }
            if let parent = entity.parent, let child = made[entity.id] { made[parent]?.subentities.append(child) }
        }
        for relationship in entities.flatMap(\.relationships) {
            relationships[relationship.id]?.inverseRelationship = relationship.inverse.flatMap { relationships[$0] }
        }
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { made[$0.id] }
        return model
    }
}

extension ModelSketch.Attribute {
    fileprivate func description(_ former: String?) -> NSAttributeDescription {
        let description = NSAttributeDescription()
        description.name = name
        description.attributeType = type
        description.isOptional = isOptional
        description.defaultValue = hasDefault ? defaultValue : nil
        description.allowsExternalBinaryDataStorage = isExternal
        if let former { description.renamingIdentifier = former }
        return description
    }

    var defaultValue: NSObject {
        switch type {
        case .stringAttributeType: "default \(id)" as NSString
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: Double(id)) as NSDate
        case .binaryDataAttributeType: Data([1, UInt8(id % 256)]) as NSData
        case .UUIDAttributeType: UUID(uuidString: "00000000-0000-0000-0000-0000000000FF")! as NSUUID
        case .URIAttributeType: URL(string: "https://example.com/\(id)")! as NSURL
        case .decimalAttributeType: NSDecimalNumber(value: id)
        case .booleanAttributeType: NSNumber(value: true)
        default: NSNumber(value: id % 100)
        }
    }

    func randomValue(using random: inout SeededGenerator) -> NSObject? {
        if isOptional, random.chance(30) { return nil }
        let number = Int.random(in: -9999...9999, using: &random)
        switch type {
        case .stringAttributeType: return "text '\(number)" as NSString
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: Double(number) / 8) as NSDate
        case .binaryDataAttributeType:
            let count = isExternal && random.chance(20) ? 110_000 : 9
            return Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* number) }) as NSData
        case .UUIDAttributeType:
            return UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", abs(number)))! as NSUUID
        case .URIAttributeType: return URL(string: "file:///\(number)")! as NSURL
        case .decimalAttributeType: return NSDecimalNumber(string: "\(number).25")
        case .booleanAttributeType: return NSNumber(value: number > 0)
        case .doubleAttributeType, .floatAttributeType: return NSNumber(value: Double(number) / 4)
        default: return NSNumber(value: number)
        }
    }

    static let types: [NSAttributeType] = [
        .stringAttributeType, .stringAttributeType, .integer16AttributeType, .integer32AttributeType,
        .integer64AttributeType, .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
        .booleanAttributeType, .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType, .URIAttributeType,
    ]
}
