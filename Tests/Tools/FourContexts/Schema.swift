import CoreData

/// The model under test, in plain words: the oracle reads these, and the real model is made of them.
struct Relation: Hashable {
    enum Rule { case nullify, cascade, deny }

    let owner: String
    let name: String
    let destination: String
    let inverse: String
    let isToMany: Bool
    var isOrdered = false
    var rule = Rule.nullify

    /// Whether both ends are to-one.
    var isPair: Bool { !isToMany && !Schema.inverse(of: self).isToMany }

    var key: RelationKey { RelationKey(owner: owner, name: name) }
}

struct RelationKey: Hashable {
    let owner: String
    let name: String
}

/// Teams, players, matches and sponsors: every pair of kinds of relationships, every delete rule.
enum Schema {
    static let entities = ["Team", "Player", "Match", "Sponsor"]
    static let attributes = ["name", "number"]

    static let relations: [Relation] = [
        // To-one and to-one.
        Relation(owner: "Team", name: "captain", destination: "Player", inverse: "captainOf", isToMany: false),
        Relation(owner: "Player", name: "captainOf", destination: "Team", inverse: "captain", isToMany: false),
        // To-many and to-one.
        Relation(owner: "Team", name: "players", destination: "Player", inverse: "team", isToMany: true),
        Relation(owner: "Player", name: "team", destination: "Team", inverse: "players", isToMany: false),
        // Ordered, and the members go with their owner.
        Relation(
            owner: "Team", name: "matches", destination: "Match", inverse: "team", isToMany: true, isOrdered: true,
            rule: .cascade),
        Relation(owner: "Match", name: "team", destination: "Team", inverse: "matches", isToMany: false),
        // Many to many, ordered on one side.
        Relation(
            owner: "Team", name: "lineup", destination: "Player", inverse: "lineups", isToMany: true, isOrdered: true),
        Relation(owner: "Player", name: "lineups", destination: "Team", inverse: "lineup", isToMany: true),
        // Many to many; a sponsor with teams can't be deleted.
        Relation(owner: "Team", name: "sponsors", destination: "Sponsor", inverse: "teams", isToMany: true),
        Relation(
            owner: "Sponsor", name: "teams", destination: "Team", inverse: "sponsors", isToMany: true, rule: .deny),
        // Its own inverse.
        Relation(owner: "Player", name: "friends", destination: "Player", inverse: "friends", isToMany: true),
    ]

    /// In the order in which delete rules run.
    private static let byOwner = Dictionary(grouping: relations.sorted { $0.name < $1.name }, by: \.owner)
    private static let byKey = Dictionary(relations.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })

    static func relations(of entity: String) -> [Relation] { byOwner[entity] ?? [] }

    static func relation(_ owner: String, _ name: String) -> Relation {
        guard let relation = byKey[RelationKey(owner: owner, name: name)] else { fatalError("no \(owner).\(name)") }
        return relation
    }

    static func inverse(of relation: Relation) -> Relation { self.relation(relation.destination, relation.inverse) }

    // MARK: The real thing

    static func makeModel() -> NSManagedObjectModel {
        var made: [String: NSEntityDescription] = [:]
        for name in entities {
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties =
                [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)]
                + relations(of: name).map(real)
            made[name] = entity
        }
        for relation in relations {
            let side = made[relation.owner]?.relationshipsByName[relation.name]
            side?.destinationEntity = made[relation.destination]
            side?.inverseRelationship = made[relation.destination]?.relationshipsByName[relation.inverse]
        }
        let model = NSManagedObjectModel()
        model.entities = entities.compactMap { made[$0] }
        return model
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func real(_ relation: Relation) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = relation.name
        relationship.isOptional = true
        relationship.maxCount = relation.isToMany ? 0 : 1
        relationship.isOrdered = relation.isOrdered
        relationship.deleteRule =
            switch relation.rule {
            case .nullify: .nullifyDeleteRule
            case .cascade: .cascadeDeleteRule
            case .deny: .denyDeleteRule
            }
        return relationship
    }
}
