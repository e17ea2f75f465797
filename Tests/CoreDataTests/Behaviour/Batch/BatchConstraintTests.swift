import CoreData
import Foundation
import Testing

/// What each merge policy makes of rows with values of a uniqueness constraint that another row has.
@Suite("Batches and uniqueness constraints")
struct BatchConstraintTests {
    private let stack: Stack
    private let heat: NSManagedObjectID

    init() throws {
        stack = try Stack(BatchLeague.make())
        heat = try stack.saved("Team", ["name": "Heat", "color": "black", "points": 3])
    }

    private func insert(
        _ rows: [[String: Any]], _ policy: NSMergePolicy, expect values: [String: [NSObject?]]
    ) throws {
        try stack.work { context throws in
            context.mergePolicy = policy
            _ = try context.execute(NSBatchInsertRequest(entityName: "Team", objects: rows))
            let teams = try context.all("Team", sortedBy: "name")
            #expect(teams.first { $0.string("name") == "Heat" }?.objectID == heat)
            for (key, expected) in values {
                #expect(teams.map { $0.value(forKey: key) as? NSObject } == expected, "\(key)")
            }
        }
    }

    private let rows: [[String: Any]] = [["name": "Bulls"], ["name": "Heat", "points": 5]]

    @Test("the error policy fails the request with 133021, and nothing is inserted")
    func error() throws {
        try stack.work { context throws in
            let request = NSBatchInsertRequest(entityName: "Team", objects: rows)
            let error = try #require(thrown { _ = try context.execute(request) })
            #expect(error.code == NSManagedObjectConstraintMergeError)
            #expect(error.localizedDescription.contains("Team") && error.localizedDescription.contains("name"))
            #expect(try context.count("Team") == 1)
        }
    }

    @Test("store trump and rollback leave the new row out")
    func storeTrump() throws {
        let values: [String: [NSObject?]] = [
            "color": ["white", "black"] as [NSString], "points": [nil, 3] as [NSNumber?],
        ]
        for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .rollback] {
            try insert(rows, policy, expect: values)
            try stack.work { context throws in
                _ = try context.execute(NSManagedObjectContext.deletion("Team", "name == 'Bulls'"))
            }
        }
    }

    @Test("object trump sets what the dictionary has, and keeps the row's other values")
    func objectTrump() throws {
        try insert(
            rows, .mergeByPropertyObjectTrump,
            expect: ["color": ["white", "black"] as [NSString], "points": [nil, 5] as [NSNumber?]])
    }

    @Test("object trump sets all attributes where rows come as objects")
    func objectTrumpWithObjects() throws {
        try stack.work { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            var isDone = false
            let request = NSBatchInsertRequest(entityName: "Team") { (object: NSManagedObject) in
                object.setValue("Heat", forKey: "name")
                defer { isDone = true }
                return isDone
            }
            #expect(try context.ids(request) == [heat])
            let team = context.object(with: heat)
            #expect(team.string("color") == "white" && team.value(forKey: "points") == nil)
        }
    }

    @Test("overwrite sets all attributes, defaults included")
    func overwrite() throws {
        try insert(
            rows, .overwrite, expect: ["color": ["white", "white"] as [NSString], "points": [nil, 5] as [NSNumber?]])
    }

    @Test("rows of one request with the same unique values are settled as with a stored row")
    func withinARequest() throws {
        let twins: [[String: Any]] = [["name": "Jazz", "points": 1], ["name": "Jazz", "color": "red"]]
        try stack.work { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let ids = try context.ids(NSBatchInsertRequest(entityName: "Team", objects: twins))
            #expect(ids.count == 2 && Set(ids).count == 1)
            let jazz = context.object(with: ids[0])
            #expect(jazz.value(forKey: "points") as? Int == 1 && jazz.string("color") == "red")
        }
    }

    @Test("an update that would make two rows the same fails with 133021, and changes nothing")
    func update() throws {
        _ = try stack.saved("Team", ["name": "Bulls"])
        try stack.work { context throws in
            let request = NSManagedObjectContext.update("Team", ["name": "Same"])
            #expect(thrown { _ = try context.execute(request) }?.code == NSManagedObjectConstraintMergeError)
            #expect(try context.count("Team", "name == 'Same'") == 0)
        }
    }
}
