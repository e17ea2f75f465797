import CoreData
import Foundation

/// A store of teams and players, with a model that has rules.
///
/// A team's name is unique, and its players go with it. A player's name is required and kept in history, the age is
/// from 16 to 60, and a player with a contract can't be deleted.
struct LeagueStore {
    let folder: TemporaryFolder
    private let options: [AnyHashable: Any]
    var url: URL { folder.url.appendingPathComponent("League.sqlite") }
    var path: String { url.path }

    /// - Parameter history: Whether changes are recorded.
    init(history: Bool = false) throws {
        folder = try TemporaryFolder()
        options = history ? [NSPersistentHistoryTrackingKey: NSNumber(value: true)] : [:]
        try use { _ in }
    }

    /// Opens the store, and works in a context.
    func use<Result>(author: String? = nil, _ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = author
        let result = try context.performAndWait { try body(context) }
        try coordinator.remove(store)
        return result
    }

    /// Makes two teams with two players each, and a player without a team.
    func fill(author: String? = nil) throws {
        try use(author: author) { context throws in
            var names = ["Bird", "Parish", "Jordan", "Pippen"].makeIterator()
            for name in ["Celtics", "Bulls"] {
                let team = context.insert("Team", ["name": name])
                for _ in 1...2 {
                    let values: [String: Any] = ["name": names.next() ?? "", "age": 30, "team": team]
                    _ = context.insert("Player", values)
                }
            }
            _ = context.insert("Player", ["name": "Russell", "age": 60])
            try context.save()
        }
    }

    /// All files of the folder, with their bytes.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            files[name] = try Data(contentsOf: folder.url.appendingPathComponent(name))
        }
        return files
    }

    /// What `coredata query` prints of an entity as tab-separated lines, without the header.
    func lines(_ entity: String, _ columns: String, sort: String = "name") throws -> [String] {
        let run = try Command(["query", path, entity, "--columns", columns, "--sort", sort, "--format", "tsv"])
        return run.output.split(separator: "\n").dropFirst().map(String.init)
    }

    // MARK: The model

    static func model() -> NSManagedObjectModel {
        let (team, player, contract) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (team.name, player.name, contract.name) = ("Team", "Player", "Contract")
        team.properties = [
            attribute("name", .stringAttributeType), attribute("founded", .dateAttributeType),
            attribute("budget", .decimalAttributeType, standard: NSDecimalNumber(string: "10.5")),
        ]
        team.uniquenessConstraints = [["name"]]
        let name = attribute("name", .stringAttributeType, isOptional: false)
        name.preservesValueInHistoryOnDeletion = true
        let age = attribute("age", .integer16AttributeType, standard: NSNumber(value: 20))
        age.setValidationPredicates(
            [NSPredicate(format: "SELF >= 16"), NSPredicate(format: "SELF <= 60")],
            withValidationWarnings: ["too young", "too old"])
        player.properties = [
            name, age, address(), attribute("isActive", .booleanAttributeType),
            attribute("height", .doubleAttributeType),
            attribute("score", .floatAttributeType), attribute("points", .integer64AttributeType),
            attribute("number", .integer32AttributeType), attribute("salary", .decimalAttributeType),
            attribute("born", .dateAttributeType), attribute("photo", .binaryDataAttributeType),
            attribute("code", .UUIDAttributeType), attribute("site", .URIAttributeType),
            attribute("extras", .transformableAttributeType),
        ]
        relate(team, "players", toMany: true, rule: .cascadeDeleteRule, player, "team", rule: .nullifyDeleteRule)
        relate(player, "contracts", toMany: true, rule: .denyDeleteRule, contract, "player", rule: .nullifyDeleteRule)
        let model = NSManagedObjectModel()
        model.entities = [team, player, contract]
        return model
    }

    private static func address() -> NSCompositeAttributeDescription {
        let address = NSCompositeAttributeDescription()
        (address.name, address.isOptional) = ("address", true)
        address.elements = [attribute("city", .stringAttributeType), attribute("zip", .integer32AttributeType)]
        return address
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, isOptional: Bool = true, standard: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, isOptional)
        attribute.defaultValue = standard
        return attribute
    }

    private static func relate(
        _ one: NSEntityDescription, _ name: String, toMany: Bool, rule: NSDeleteRule,
        _ other: NSEntityDescription, _ inverse: String, rule inverseRule: NSDeleteRule
    ) {
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.destinationEntity, there.deleteRule, there.isOptional) = (name, other, rule, true)
        (back.name, back.destinationEntity, back.deleteRule, back.isOptional) = (inverse, one, inverseRule, true)
        (there.maxCount, back.maxCount) = (toMany ? 0 : 1, 1)
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
        one.properties.append(there)
        other.properties.append(back)
    }
}

extension NSManagedObjectContext {
    /// A new object with these values.
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    /// The object of an entity with this name.
    func object(_ entity: String, _ name: String) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        return try fetch(request).first
    }
}
