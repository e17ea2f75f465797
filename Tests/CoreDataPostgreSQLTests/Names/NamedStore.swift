import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

/// A database of a test, and stores in it.
struct NamedStore {
    let url: URL

    init(url: URL) { self.url = url }

    init(on server: PostgreSQLServer? = nil) throws {
        url = try #require(URL(string: try (server ?? .shared).newDatabase()))
    }

    func open(_ model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .postgreSQL, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Runs statements, and gives the first column of the last one's rows.
    @discardableResult
    func run(_ statements: String...) throws -> [String?] {
        let connection = try PostgreSQLConnection(url.absoluteString)
        defer { connection.close() }
        var found: [String?] = []
        for statement in statements {
            let result = try connection.execute(statement)
            found = try (0..<result.rowCount).map { try result.string($0, 0) }
        }
        return found
    }

    /// The error of what has to fail.
    func error(_ body: () throws -> Void) -> NSError? {
        do { try body() } catch { return error as NSError }
        return nil
    }
}

/// A model of bands and albums, whose user info a test sets.
struct NamedModel {
    var tables: [String: String] = [:]
    var columns: [String: String] = [:]
    var keys: [String: String] = [:]
    var versions: [String: String] = [:]
    /// Further attributes of an album.
    var attributes: [(name: String, type: NSAttributeType)] = []

    func make() -> NSManagedObjectModel {
        let (band, album, label) = (entity("Band"), entity("Album"), entity("Label"))
        band.properties = [attribute("Band", "name", .stringAttributeType)]
        album.properties =
            [attribute("Album", "title", .stringAttributeType), attribute("Album", "year", .integer32AttributeType)]
            + attributes.map { attribute("Album", $0.name, $0.type) }
        label.properties = [attribute("Label", "name", .stringAttributeType)]
        connect(album, "band", toMany: false, band, "albums", toMany: true)
        connect(band, "labels", toMany: true, label, "bands", toMany: true)
        let model = NSManagedObjectModel()
        model.entities = [band, album, label]
        return model
    }

    private func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.userInfo = info(name)
        return entity
    }

    private func info(_ path: String) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [:]
        info[NSPostgreSQLTableUserInfoKey] = tables[path]
        info[NSPostgreSQLColumnUserInfoKey] = columns[path]
        info[NSPostgreSQLKeyUserInfoKey] = keys[path]
        info[NSPostgreSQLVersionUserInfoKey] = versions[path]
        return info
    }

    private func attribute(_ entity: String, _ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        attribute.userInfo = info("\(entity).\(name)")
        return attribute
    }

    private func connect(
        _ entity: NSEntityDescription, _ name: String, toMany: Bool, _ other: NSEntityDescription, _ inverse: String,
        toMany inverseToMany: Bool
    ) {
        let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (there.name, there.destinationEntity, there.maxCount) = (name, other, toMany ? 0 : 1)
        (back.name, back.destinationEntity, back.maxCount) = (inverse, entity, inverseToMany ? 0 : 1)
        for (side, owner) in [(there, entity), (back, other)] {
            side.isOptional = true
            side.deleteRule = .nullifyDeleteRule
            side.userInfo = info("\(owner.name ?? "").\(side.name)")
            owner.properties.append(side)
        }
        (there.inverseRelationship, back.inverseRelationship) = (back, there)
    }
}

extension NSManagedObjectContext {
    func insert(_ entity: String, _ values: [String: Any?]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func all(_ entity: String, _ format: String = "TRUEPREDICATE", sorted key: String? = nil) throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return try fetch(request)
    }
}
