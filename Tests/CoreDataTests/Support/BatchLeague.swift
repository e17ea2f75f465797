import CoreData

/// A league with every kind of relationship that a batch has to look after.
enum BatchLeague {
    static func make() -> NSManagedObjectModel {
        let team = entity("Team", [])
        let player = entity(
            "Player",
            [
                attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType, default: 20),
                attribute("rating", .doubleAttributeType), attribute("salary", .decimalAttributeType),
                attribute("joined", .dateAttributeType), attribute("isActive", .booleanAttributeType, default: true),
                attribute("code", .UUIDAttributeType), attribute("page", .URIAttributeType),
                attribute("tags", .transformableAttributeType), externalData("photo"),
                composite(
                    "home", [attribute("city", .stringAttributeType), attribute("zip", .integer32AttributeType)]),
                attribute("mood", .stringAttributeType, transient: true),
            ], subentities: [entity("Captain", [attribute("speeches", .integer32AttributeType)])])
        let contract = entity("Contract", [attribute("number", .integer64AttributeType)])
        let ground = entity("Ground", [attribute("name", .stringAttributeType)])
        let note = entity("Note", [attribute("text", .stringAttributeType)])
        let page = entity("Page", [attribute("text", .stringAttributeType)])
        let sponsor = entity("Sponsor", [attribute("name", .stringAttributeType)])
        let title = attribute("title", .stringAttributeType)
        let upper = NSDerivedAttributeDescription()
        upper.name = "upper"
        upper.attributeType = .stringAttributeType
        upper.isOptional = true
        upper.derivationExpression = NSExpression(format: "uppercase:(title)")
        team.properties = [
            attribute("name", .stringAttributeType), attribute("color", .stringAttributeType, default: "white"),
            attribute("points", .integer32AttributeType), title, upper,
        ]
        team.uniquenessConstraints = [["name"]]
        join(team, toMany("players"), player, toOne("team"))
        join(player, toMany("contracts", rule: .denyDeleteRule), contract, toOne("player"))
        join(team, toOne("ground"), ground, toOne("team", optional: false))
        join(team, toMany("notes", rule: .cascadeDeleteRule), note, toOne("team"))
        join(note, toMany("pages", ordered: true, rule: .cascadeDeleteRule), page, toOne("note"))
        join(team, toMany("sponsors"), sponsor, toMany("teams"))
        return model(team, player, player.subentities[0], contract, ground, note, page, sponsor)
    }

    private static func join(
        _ a: NSEntityDescription, _ aSide: NSRelationshipDescription, _ b: NSEntityDescription,
        _ bSide: NSRelationshipDescription
    ) {
        connect(a, aSide, b, bSide)
        a.properties.append(aSide)
        b.properties.append(bSide)
    }
}

extension NSManagedObjectContext {
    /// Executes a batch insertion.
    func ids(_ request: NSBatchInsertRequest) throws -> [NSManagedObjectID] {
        request.resultType = .objectIDs
        return (try execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID] ?? []
    }

    func count(_ request: NSBatchInsertRequest) throws -> Int? {
        request.resultType = .count
        return (try execute(request) as? NSBatchInsertResult)?.result as? Int
    }

    func count(_ request: NSBatchUpdateRequest) throws -> Int? {
        request.resultType = .updatedObjectsCountResultType
        return (try execute(request) as? NSBatchUpdateResult)?.result as? Int
    }

    func ids(_ request: NSBatchUpdateRequest) throws -> [NSManagedObjectID] {
        request.resultType = .updatedObjectIDsResultType
        return (try execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] ?? []
    }

    func ids(_ request: NSBatchDeleteRequest) throws -> [NSManagedObjectID] {
        request.resultType = .resultTypeObjectIDs
        return (try execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
    }

    func count(_ entity: String, _ format: String? = nil) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        return try count(for: request)
    }

    /// A batch update of all of an entity's rows, or of those that a predicate finds.
    static func update(_ entity: String, _ values: [AnyHashable: Any], _ format: String? = nil) -> NSBatchUpdateRequest
    {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.propertiesToUpdate = values
        request.predicate = format.map { NSPredicate(format: $0) }
        return request
    }

    /// A batch deletion of all of an entity's rows, or of those that a predicate finds.
    static func deletion(_ entity: String, _ format: String? = nil) -> NSBatchDeleteRequest {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        return NSBatchDeleteRequest(fetchRequest: request)
    }
}

/// A value that a batch can't set a property to, and the code of the error.
struct BadBatchValue: @unchecked Sendable, CustomStringConvertible {
    // Unchecked: the values are immutable.

    let key: String
    let value: Any
    let code: Int

    init(_ key: String, _ value: Any, _ code: Int) { (self.key, self.value, self.code) = (key, value, code) }

    var description: String { "\(key) = \(value)" }
}
