import CoreData
import Foundation
import StoreBrowsing

/// How many members the to-many relationships of some objects have: counted by the store, no member is read.
struct MemberCounts {
    private var counts: [NSManagedObjectID: [String: Int]] = [:]

    init(
        _ relationships: [ShownProperty], of entity: NSEntityDescription, _ ids: [NSManagedObjectID],
        _ session: QuerySession
    ) throws {
        guard !relationships.isEmpty, !ids.isEmpty else { return }
        let request = NSFetchRequest<NSDictionary>(entityName: entity.name ?? "")
        request.resultType = .dictionaryResultType
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [ids])
        let owner = NSExpressionDescription()
        owner.name = "owner"
        owner.expression = .expressionForEvaluatedObject()
        owner.expressionResultType = .objectIDAttributeType
        let numbers = relationships.enumerated().map { index, relationship in
            let number = NSExpressionDescription()
            number.name = "count\(index)"
            number.expression = NSExpression(forKeyPath: "\(relationship.path).@count")
            number.expressionResultType = .integer64AttributeType
            return number
        }
        request.propertiesToFetch = [owner] + numbers
        for row in try session.context.fetch(request) {
            guard let id = row["owner"] as? NSManagedObjectID else { continue }
            for (index, relationship) in relationships.enumerated() {
                counts[id, default: [:]][relationship.path] = (row["count\(index)"] as? NSNumber)?.intValue
            }
        }
    }

    func count(_ relationship: String, _ owner: NSManagedObjectID) -> Int { counts[owner]?[relationship] ?? 0 }
}
