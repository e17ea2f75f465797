import CoreData
import Foundation
import Testing

@Suite("Batch updates")
struct BatchUpdateTests {
    private let stack: Stack
    private let heat: NSManagedObjectID
    private let bulls: NSManagedObjectID

    init() throws {
        stack = try Stack(BatchLeague.make())
        (heat, bulls) = try stack.work { context throws in
            let teams = [("Heat", 3), ("Bulls", 7)].map { context.insert("Team", ["name": $0, "points": $1]) }
            for number in 1...4 {
                let values: [String: Any] = ["name": "P\(number)", "age": 20 + number, "team": teams[number % 2]]
                _ = context.insert(number == 4 ? "Captain" : "Player", values)
            }
            try context.save()
            return (teams[0].objectID, teams[1].objectID)
        }
    }

    private func ages(_ context: NSManagedObjectContext) throws -> [Int?] {
        try context.all("Player", sortedBy: "name").map { $0.value(forKey: "age") as? Int }
    }

    // MARK: Which rows

    @Test("all rows change, those of subentities too")
    func all() throws {
        try stack.work { context throws in
            #expect(try context.count(NSManagedObjectContext.update("Player", ["age": 30])) == 4)
            #expect(try ages(context) == [30, 30, 30, 30])
        }
    }

    @Test("without subentities their rows stay")
    func withoutSubentities() throws {
        try stack.work { context throws in
            let request = NSManagedObjectContext.update("Player", ["age": 30])
            request.includesSubentities = false
            #expect(try context.ids(request).count == 3)
            #expect(try ages(context) == [30, 30, 30, 24])
        }
    }

    @Test(
        "a predicate chooses rows, also over relationships",
        arguments: [
            ("age > 22", [21, 22, 30, 30]), ("team.name == 'Heat'", [21, 30, 23, 30]),
            ("team.points > 5 AND name != 'P1'", [21, 22, 30, 24]), ("contracts.@count == 0", [30, 30, 30, 30]),
            ("ANY team.players.age == 24", [21, 30, 23, 30]), ("FALSEPREDICATE", [21, 22, 23, 24]),
        ] as [(String, [Int])])
    func predicate(_ format: String, _ expected: [Int]) throws {
        try stack.work { context throws in
            let request = NSManagedObjectContext.update("Player", ["age": 30], format)
            #expect(try context.count(request) == expected.filter { $0 == 30 }.count)
            #expect(try ages(context) == expected)
        }
    }

    // MARK: Which values

    @Test("an expression sees the row's own values, and those of rows that it leads to")
    func expressions() throws {
        try stack.work { context throws in
            _ = try context.execute(
                NSManagedObjectContext.update(
                    "Player",
                    [
                        "age": NSExpression(format: "age * 2"), "rating": NSExpression(format: "age / 2.0"),
                        "home.zip": NSExpression(format: "team.points + 1"),
                    ]))
            #expect(try ages(context) == [42, 44, 46, 48])
            let players = try context.all("Player", sortedBy: "name")
            #expect(players.map { $0.value(forKey: "rating") as? Double } == [10.5, 11, 11.5, 12])
            #expect(players.map { $0.value(forKeyPath: "home.zip") as? Int } == [8, 4, 8, 4])
        }
    }

    @Test("a property is named by its description, too, and nil is NSNull")
    func descriptions() throws {
        try stack.work { context throws in
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Player"])
            let name = try #require(entity.attributesByName["name"])
            let request = NSBatchUpdateRequest(entity: entity)
            request.propertiesToUpdate = [name: NSNull(), "home": ["city": "Rome"], "tags": ["x"] as NSArray]
            _ = try context.execute(request)
            for player in try context.all("Player") {
                #expect(player.string("name") == nil && player.value(forKey: "tags") as? [String] == ["x"])
                #expect(player.value(forKeyPath: "home.city") as? String == "Rome")
            }
        }
    }

    @Test("a to-one relationship takes an object's ID, or nil")
    func toOne() throws {
        try stack.work { context throws in
            _ = try context.execute(NSManagedObjectContext.update("Player", ["team": bulls], "team.name == 'Heat'"))
            #expect(context.object(with: heat).names("players") == [])
            #expect(context.object(with: bulls).names("players") == ["P1", "P2", "P3", "P4"])
            _ = try context.execute(NSManagedObjectContext.update("Player", ["team": NSNull()]))
            context.refreshAllObjects()
            #expect(context.object(with: bulls).names("players") == [])
        }
    }

    @Test("large external data is replaced, and its file goes")
    func externalData() throws {
        let id = try stack.saved("Player", ["photo": Data(repeating: 1, count: 200_000)])
        let files = stack.folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
        try stack.work { context throws in
            let photo = Data(repeating: 2, count: 150_000)
            _ = try context.execute(NSManagedObjectContext.update("Player", ["photo": photo]))
            #expect(context.object(with: id).value(forKey: "photo") as? Data == photo)
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).isEmpty)
        }
    }

    @Test("derived attributes follow")
    func derived() throws {
        try stack.work { context throws in
            _ = try context.execute(NSManagedObjectContext.update("Team", ["title": "cup"]))
            #expect(try context.all("Team").map { $0.string("upper") } == ["CUP", "CUP"])
        }
    }

    // MARK: Other contexts

    @Test("a fault that fires later has the new values, and an object that has fired keeps its own until it is merged")
    func contexts() throws {
        let viewer = stack.context()
        try viewer.performAndWait {
            let players = try viewer.all("Player", sortedBy: "name")
            let fired = players[0]
            #expect(fired.value(forKey: "age") as? Int == 21)
            viewer.refresh(players[1], mergeChanges: false)
            let ids = try stack.work { try $0.ids(NSManagedObjectContext.update("Player", ["age": 30])) }
            #expect(fired.value(forKey: "age") as? Int == 21)
            #expect(players[1].value(forKey: "age") as? Int == 30)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [viewer])
            #expect(try ages(viewer) == [30, 30, 30, 30])
            #expect(fired.value(forKey: "age") as? Int == 30)
        }
    }

    @Test("an object with unsaved changes of the old version has a conflict")
    func conflict() throws {
        try stack.work { context throws in
            let player = try context.all("Player", "name == 'P1'")[0]
            player.setValue("Q", forKey: "name")
            _ = try stack.work { try $0.execute(NSManagedObjectContext.update("Player", ["age": 30])) }
            #expect(thrown { try context.save() }?.code == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(player.string("name") == "Q" && player.value(forKey: "age") as? Int == 30)
        }
    }

    @Test("a context that is pinned to a query generation sees the rows as they were")
    func generation() throws {
        try stack.work { pinned throws in
            try pinned.setQueryGenerationFrom(.current)
            #expect(try ages(pinned) == [21, 22, 23, 24])
            _ = try stack.work { try $0.execute(NSManagedObjectContext.update("Player", ["age": 30])) }
            pinned.refreshAllObjects()
            #expect(try ages(pinned) == [21, 22, 23, 24])
            try pinned.setQueryGenerationFrom(.current)
            #expect(try ages(pinned) == [30, 30, 30, 30])
        }
    }

    // MARK: Failures

    @Test(
        "what an update can't set is an error, and nothing changes",
        arguments: [
            BadBatchValue("unknown", 1, NSPersistentStoreOperationError),
            BadBatchValue("mood", "x", NSPersistentStoreOperationError),
            BadBatchValue("contracts", NSSet(), NSPersistentStoreOperationError),
            BadBatchValue("age", "x", NSManagedObjectValidationError),
            BadBatchValue("age", 1_000_000, NSManagedObjectValidationError),
            BadBatchValue("team", 5, NSManagedObjectValidationError),
            BadBatchValue("name", NSExpression(format: "age"), NSPersistentStoreUnsupportedRequestTypeError),
            BadBatchValue("age", NSExpression(format: "contracts"), NSPersistentStoreUnsupportedRequestTypeError),
            BadBatchValue("age", NSExpression(format: "nothing + 1"), NSPersistentStoreUnsupportedRequestTypeError),
            BadBatchValue("team", NSExpression(format: "team"), NSPersistentStoreUnsupportedRequestTypeError),
        ])
    func badValues(_ bad: BadBatchValue) throws {
        try stack.work { context throws in
            let error = thrown {
                _ = try context.execute(NSManagedObjectContext.update("Player", [bad.key: bad.value]))
            }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == bad.code, "\(String(describing: error))")
            #expect(try ages(context) == [21, 22, 23, 24])
        }
    }

    @Test("an update of nothing is an error")
    func nothing() throws {
        stack.work { context in
            let error = thrown { _ = try context.execute(NSBatchUpdateRequest(entityName: "Player")) }
            #expect(error?.code == NSPersistentStoreOperationError)
        }
    }

    @Test("the result is true, IDs, or a number, and a copy is the same")
    func results() throws {
        try stack.work { context throws in
            let request = NSManagedObjectContext.update("Player", ["age": 5], "age > 21")
            let result = try #require(try context.execute(request) as? NSBatchUpdateResult)
            #expect(result.result as? Bool == true && result.resultType == .statusOnlyResultType)
            #expect(request.entity.name == "Player" && request.requestType == .batchUpdateRequestType)
            let copy = try #require(request.copy() as? NSBatchUpdateRequest)
            #expect(copy.predicate == request.predicate && copy.propertiesToUpdate?.count == 1)
            #expect(NSBatchUpdateRequestResultType.updatedObjectsCountResultType.rawValue == 2)
        }
    }
}
