import CoreData

/// A collection of the service, with what its clients read and write of an entity.
///
/// Everything else comes from the model: types, rules, relationships.
struct Resource: Sendable, Hashable {
    /// The first part of its paths.
    let name: String
    let entityName: String
    /// The attributes by which a list is sorted. Each has a value in every object. The `id` comes last, so that no two
    /// objects are equal in this order.
    let order: [String]
    /// The attributes that clients read and write.
    let attributes: [String]
    /// The to-one relationships that clients read and write.
    let toOnes: [String]
    /// The to-many relationships that clients read and write.
    let toManys: [String]
    /// The to-many relationships that only a single object shows: a client changes them from the other side.
    let members: [String]

    static let teams = Resource(
        name: "teams", entityName: "Team", order: ["name"], attributes: ["name", "uniformColor"], toOnes: ["coach"],
        toManys: [], members: ["players"])

    static let players = Resource(
        name: "players", entityName: "Player", order: ["lastName", "firstName"],
        attributes: ["firstName", "lastName", "email", "salary", "dateOfBirth"], toOnes: ["team"],
        toManys: ["favourites"], members: [])

    static let coaches = Resource(
        name: "coaches", entityName: "Coach", order: ["name"], attributes: ["name", "seasons", "dateOfBirth"],
        toOnes: ["team"], toManys: ["favourites"], members: [])

    static let all = [teams, players, coaches]

    /// The resource of an object's entity.
    static func named(_ entityName: String?) -> Resource? { all.first { $0.entityName == entityName } }

    /// Everything that a client may set.
    var writableKeys: [String] { attributes + toOnes + toManys }

    func path(_ id: UUID) -> String { "/\(name)/\(id.uuidString.lowercased())" }

    /// The word for one object, in sentences.
    var singular: String { entityName.lowercased() }

    func fetchRequest() -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
        // One request for each relationship, instead of one for each object.
        request.relationshipKeyPathsForPrefetching = toOnes + toManys
        return request
    }

    /// The object of a path.
    ///
    /// - Throws: ``Problem`` 404 for an id that no object has.
    func find(_ id: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        let request = fetchRequest()
        guard let uuid = UUID(uuidString: id) else { throw Problem.missing(self, id) }
        request.predicate = NSPredicate(format: "id == %@", uuid as NSUUID)
        guard let object = try context.fetch(request).first else { throw Problem.missing(self, id) }
        return object
    }
}

extension NSManagedObject {
    /// The attribute by which clients name an object. Unlike an object ID, it stays when the store moves.
    var publicID: UUID? { value(forKey: "id") as? UUID }
}
