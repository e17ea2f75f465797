import CoreData
import Foundation

/// A model of people with photos. A player is a person, too, with a scan; a team has players.
struct LargeModel {
    /// The photo's name; nil for a model without.
    var photo: String? = "photo"
    var former: String?
    var isExternal = true
    var hasScans = true
    /// The user info of a person, and of its photo.
    var tables: [String: String] = [:]

    func make() -> NSManagedObjectModel {
        let (person, player, team) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (person.name, player.name, team.name) = ("Person", "Player", "Team")
        person.properties = [attribute("name", .stringAttributeType), attribute("age", .integer32AttributeType)]
        if let photo {
            let data = attribute(photo, .binaryDataAttributeType)
            (data.allowsExternalBinaryDataStorage, data.renamingIdentifier) = (isExternal, former)
            person.properties.append(data)
        }
        if hasScans {
            let scan = attribute("scan", .transformableAttributeType)
            scan.allowsExternalBinaryDataStorage = true
            player.properties = [scan]
        }
        person.userInfo = tables
        person.subentities = tables.isEmpty ? [player] : []
        team.properties = [attribute("name", .stringAttributeType)]
        connect(person, team)
        let model = NSManagedObjectModel()
        model.entities = tables.isEmpty ? [person, player, team] : [person]
        return model
    }

    private func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
    }

    private func connect(_ person: NSEntityDescription, _ team: NSEntityDescription) {
        guard tables.isEmpty else { return }
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.destinationEntity, there.maxCount, there.isOptional) = ("team", team, 1, true)
        (back.name, back.destinationEntity, back.isOptional) = ("people", person, true)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        (there.deleteRule, back.deleteRule) = (.nullifyDeleteRule, .cascadeDeleteRule)
        person.properties.append(there)
        team.properties.append(back)
    }

    /// Data that are no others of the same size.
    static func photo(_ number: UInt8, _ count: Int = 200_000) -> Data { Data(repeating: number, count: count) }
}

extension NSManagedObject {
    var photo: Data? { value(forKey: "photo") as? Data }
}

extension NamedStore {
    /// Replaces a photo as another program does, which knows nothing of the framework.
    func replacePhoto(_ name: String, _ number: UInt8, _ count: Int = 200_000) throws {
        let byte = String(number, radix: 16)
        let bytes = "decode(repeat('\(byte.count < 2 ? "0" + byte : byte)', \(count)), 'hex')"
        try run("UPDATE \"Person\" SET \"photo\" = \(bytes), \"_version\" = \"_version\" + 1 WHERE name = '\(name)'")
    }

    /// A context that has seen nothing.
    func reading(_ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let context = try open(model)
        try context.performAndWait { try body(context) }
    }

    func columns(of table: String) throws -> [String?] {
        try run(
            "SELECT attname::text FROM pg_attribute WHERE attrelid = '\"\(table)\"'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY 1"
        )
    }
}
