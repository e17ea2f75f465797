import CoreData
import CoreDataPostgreSQL
import Foundation

/// A model of clubs whose rows are spread over nodes by `tenant`: players with subentities in an order, sponsors in a
/// many-to-many, trophies without an inverse. All nodes have the countries.
struct SpreadModel {
    /// The attribute that the rows are spread by, by entity.
    var distributions = ["Club": "tenant", "Player": "tenant", "Sponsor": "tenant", "Trophy": "tenant"]
    var type = NSAttributeType.stringAttributeType
    /// The types of the attribute in entities that have another one.
    var types: [String: NSAttributeType] = [:]
    var isTenantOptional = false
    var constraint = ["tenant", "name"]
    /// Further attributes of a club.
    var clubAttributes: [String] = []
    /// Whether players have a many-to-many with countries.
    var hasVisits = false
    /// Whether a country has a capital, which is a club.
    var hasCapitals = false

    func make() -> NSManagedObjectModel {
        let (country, club, player) = (entity("Country"), entity("Club"), entity("Player"))
        let (captain, sponsor, trophy) = (entity("Captain"), entity("Sponsor"), entity("Trophy"))
        country.properties = [attribute("name")]
        for entity in [club, player, sponsor, trophy] { entity.properties = [attribute("name"), tenant(of: entity)] }
        club.properties += clubAttributes.map { attribute($0) }
        player.properties.append(attribute("goals", .integer32AttributeType))
        captain.properties = [attribute("armband")]
        player.subentities = [captain]
        connect(club, "country", country, inverse: "clubs", toMany: false, inverseToMany: true)
        connect(player, "club", club, inverse: "players", toMany: false, inverseToMany: true, isOrdered: true)
        connect(club, "sponsors", sponsor, inverse: "clubs", toMany: true, inverseToMany: true)
        connect(player, "friends", player, inverse: "friends", toMany: true, inverseToMany: true)
        if hasVisits { connect(player, "visits", country, inverse: "visitors", toMany: true, inverseToMany: true) }
        if hasCapitals { connect(country, "capital", club, inverse: "of", toMany: false, inverseToMany: true) }
        let trophies = NSRelationshipDescription()
        (trophies.name, trophies.destinationEntity, trophies.maxCount) = ("trophies", trophy, 0)
        (trophies.isOptional, trophies.deleteRule) = (true, .nullifyDeleteRule)
        club.properties.append(trophies)
        club.uniquenessConstraints = constraint.isEmpty ? [] : [constraint]
        let model = NSManagedObjectModel()
        model.entities = [country, club, player, captain, sponsor, trophy]
        return model
    }

    private func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.userInfo = distributions[name].map { [NSPostgreSQLDistributionUserInfoKey: $0] }
        return entity
    }

    private func attribute(_ name: String, _ type: NSAttributeType = .stringAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private func tenant(of entity: NSEntityDescription) -> NSAttributeDescription {
        let tenant = attribute("tenant", types[entity.name ?? ""] ?? type)
        tenant.isOptional = isTenantOptional
        return tenant
    }

    private func connect(
        _ entity: NSEntityDescription, _ name: String, _ other: NSEntityDescription, inverse: String, toMany: Bool,
        inverseToMany: Bool, isOrdered: Bool = false
    ) {
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.destinationEntity, there.maxCount) = (name, other, toMany ? 0 : 1)
        (there.isOptional, there.deleteRule) = (true, .nullifyDeleteRule)
        entity.properties.append(there)
        guard name != inverse || entity !== other else { return there.inverseRelationship = there }
        (back.name, back.destinationEntity, back.maxCount) = (inverse, entity, inverseToMany ? 0 : 1)
        (back.isOptional, back.deleteRule, back.isOrdered) = (true, .nullifyDeleteRule, isOrdered)
        other.properties.append(back)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
    }
}
