import CoreData
import RandomSeeds

/// A model made by chance, in a form from which a real one can be made as often as needed.
struct RandomModel {
    struct Relationship {
        let owner: String
        let name: String
        let destination: String
        var isToMany: Bool
        var isOrdered = false
        var inverse: String?
        var cascades = false
    }

    struct Entity {
        let name: String
        let parent: String?
        let isAbstract: Bool
        let attributes: [(name: String, type: NSAttributeType)]
    }

    private(set) var entities: [Entity] = []
    private(set) var relationships: [Relationship] = []

    static let types: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
        .doubleAttributeType,
        .floatAttributeType, .decimalAttributeType, .stringAttributeType, .dateAttributeType, .binaryDataAttributeType,
        .UUIDAttributeType, .URIAttributeType,
    ]

    init(using random: inout SeededGenerator) {
        let count = Int.random(in: 1...5, using: &random)
        for index in 0..<count {
            let parent = index > 0 && random.chance(40) ? entities.randomElement(using: &random)?.name : nil
            let attributes = (0..<Int.random(in: 1...5, using: &random)).map { number in
                // The same name in sibling entities, and in other cases, is what naming columns is about.
                (
                    "\(random.chance(30) ? "shared" : "value")\(parent == nil ? "" : name(index).lowercased())\(number)",
                    Self.types.randomElement(using: &random) ?? .stringAttributeType
                )
            }
            entities.append(
                Entity(
                    name: name(index), parent: parent, isAbstract: index > 0 && parent == nil && random.chance(10),
                    attributes: attributes))
        }
        for index in 0..<Int.random(in: 0...6, using: &random) { addRelationship(index, &random) }
    }

    private func name(_ index: Int) -> String { ["Team", "player", "Coach", "arena", "League"][index] }

    private mutating func addRelationship(_ index: Int, _ random: inout SeededGenerator) {
        guard let a = entities.randomElement(using: &random)?.name, let b = entities.randomElement(using: &random)?.name
        else { return }
        var there = Relationship(owner: a, name: "to\(index)", destination: b, isToMany: random.chance(60))
        there.isOrdered = there.isToMany && random.chance(30)
        if a == b, random.chance(30) {
            there.isOrdered = false
            there.inverse = there.name
            relationships.append(there)
            return
        }
        guard random.chance(85) else {
            if there.isToMany { there.isOrdered = false }
            relationships.append(there)
            return
        }
        var back = Relationship(owner: b, name: "from\(index)", destination: a, isToMany: random.chance(50))
        back.isOrdered = back.isToMany && random.chance(30)
        there.inverse = back.name
        back.inverse = there.name
        there.cascades = random.chance(15)
        relationships += [there, back]
    }

    // MARK: Inheritance

    func entity(_ name: String) -> Entity { entities.first { $0.name == name }! }

    func ancestors(_ name: String) -> [String] { sequence(first: name) { entity($0).parent }.map { $0 } }

    /// All attributes and relationships of an entity, inherited ones included.
    func attributes(_ name: String) -> [(name: String, type: NSAttributeType)] {
        ancestors(name).flatMap { entity($0).attributes }
    }

    func relationships(_ name: String) -> [Relationship] {
        let owners = Set(ancestors(name))
        return relationships.filter { owners.contains($0.owner) }
    }

    func isKind(_ name: String, of other: String) -> Bool { ancestors(name).contains(other) }

    func relationship(_ owner: String, _ name: String) -> Relationship? {
        relationships(owner).first { $0.name == name }
    }

    var concrete: [String] { entities.filter { !$0.isAbstract }.map(\.name) }

    // MARK: The real thing

    func makeModel() -> NSManagedObjectModel {
        var made: [String: NSEntityDescription] = [:]
        for description in entities {
            made[description.name] = CoreDataTests.entity(
                description.name, abstract: description.isAbstract,
                description.attributes.map { attribute($0.name, $0.type) }
                    + relationships.filter { $0.owner == description.name }.map(real))
        }
        for description in entities {
            made[description.name]!.subentities = entities.filter { $0.parent == description.name }.map {
                made[$0.name]!
            }
        }
        let model = NSManagedObjectModel()
        model.entities = entities.map { made[$0.name]! }
        for relationship in relationships {
            let side = made[relationship.owner]!.relationshipsByName[relationship.name]!
            side.destinationEntity = made[relationship.destination]
            if let inverse = relationship.inverse {
                side.inverseRelationship = made[relationship.destination]!.relationshipsByName[inverse]
            }
        }
        return model
    }

    private func real(_ relationship: Relationship) -> NSRelationshipDescription {
        let rule: NSDeleteRule = relationship.cascades ? .cascadeDeleteRule : .nullifyDeleteRule
        return relationship.isToMany
            ? toMany(relationship.name, ordered: relationship.isOrdered, rule: rule)
            : toOne(relationship.name, rule: rule)
    }
}
