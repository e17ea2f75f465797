import CoreData
import Foundation
import Testing

@Suite("Batch insertions")
struct BatchInsertTests {
    private let stack: Stack

    init() throws { stack = try Stack(BatchLeague.make()) }

    // MARK: Values

    @Test("dictionaries become rows with values of all types, and with defaults for what they leave out")
    func dictionaries() throws {
        let (joined, code) = (Date(timeIntervalSinceReferenceDate: 1_000), UUID())
        let page = try #require(URL(string: "https://example.org/bird"))
        let values: [String: Any] = [
            "name": "Bird", "age": 33, "rating": 9.5, "salary": NSDecimalNumber(string: "123.45"), "joined": joined,
            "isActive": false, "code": code, "page": page, "tags": ["a", "b"] as NSArray,
            "photo": Data(repeating: 7, count: 300_000), "home": ["city": "Delft", "zip": 2611],
        ]
        try stack.work { context throws in
            let ids = try context.ids(
                NSBatchInsertRequest(
                    entityName: "Player", objects: [values, ["name": NSNull()], ["home.city": "Bonn"]]))
            #expect(ids.count == 3 && ids.allSatisfy { !$0.isTemporaryID && $0.entity.name == "Player" })
            let players = ids.map { context.object(with: $0) }
            for (key, value) in values where key != "home" && key != "tags" {
                #expect((players[0].value(forKey: key) as? NSObject)?.isEqual(value) ?? false, "\(key)")
            }
            #expect(players[0].value(forKey: "tags") as? [String] == ["a", "b"])
            #expect(players[0].value(forKeyPath: "home.city") as? String == "Delft")
            #expect(players[0].value(forKeyPath: "home.zip") as? Int == 2611)
            #expect(players[1].string("name") == nil)
            #expect(players[1].value(forKey: "age") as? Int == 20)
            #expect(players[1].value(forKey: "isActive") as? Bool == true)
            #expect(players[2].value(forKeyPath: "home.city") as? String == "Bonn")
        }
    }

    @Test("a dictionary handler is called with an empty dictionary until it returns true")
    func dictionaryHandler() throws {
        var (calls, wasEmpty) = (0, true)
        let request = NSBatchInsertRequest(entityName: "Player") { (dictionary: NSMutableDictionary) in
            wasEmpty = wasEmpty && dictionary.count == 0
            calls += 1
            dictionary["name"] = "P\(calls)"
            return calls == 1001
        }
        try stack.work { context throws in
            #expect(try context.count(request) == 1000)
            #expect(calls == 1001 && wasEmpty)
            let names = try context.all("Player", sortedBy: "age").compactMap { $0.string("name") }
            #expect(Set(names) == Set((1...1000).map { "P\($0)" }))
        }
    }

    @Test("a handler may set other keys for each row, in another order, set them again, and remove them")
    func handlerWithChangingKeys() throws {
        var row = 0
        let request = NSBatchInsertRequest(entityName: "Player") { (dictionary: NSMutableDictionary) in
            row += 1
            switch row {
            case 1:
                dictionary["name"] = "first"
                dictionary["age"] = 1
            case 2:
                dictionary["age"] = 2
                dictionary["age"] = 22
                dictionary["name"] = "second"
            case 3:
                dictionary["name"] = "third"
                dictionary["age"] = 3
                dictionary.removeObject(forKey: "age")
            case 4:
                dictionary["age"] = 4
                dictionary.removeObject(forKey: "age")
                dictionary["name"] = "fourth"
                dictionary["rating"] = 4.5
                #expect(dictionary.count == 2 && dictionary["rating"] as? Double == 4.5 && dictionary["age"] == nil)
                #expect(Set(dictionary.allKeys.map { "\($0)" }) == ["name", "rating"])
            default: return true
            }
            return false
        }
        try stack.work { context throws in
            #expect(try context.count(request) == 4)
            let rows = try context.all("Player", sortedBy: "name").map { player in
                "\(player.string("name") ?? "") \(player.value(forKey: "age") ?? "") \(player.value(forKey: "rating") ?? "")"
            }
            #expect(rows == ["first 1 ", "fourth 20 4.5", "second 22 ", "third 20 "])
        }
    }

    @Test("an object handler is called with objects that have the defaults until it returns true")
    func objectHandler() throws {
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Captain") { (object: NSManagedObject) in
            number += 1
            #expect(object.entity.name == "Captain" && object.value(forKey: "age") as? Int == 20)
            #expect(object.managedObjectContext == nil && object.string("name") == nil)
            object.setValue("C\(number)", forKey: "name")
            object.setValue(["n\(number)"] as NSArray, forKey: "tags")
            object.setValue(number, forKey: "speeches")
            return number == 4
        }
        try stack.work { context throws in
            let captains = try context.ids(request).map { context.object(with: $0) }
            #expect(captains.map { $0.string("name") } == ["C1", "C2", "C3"])
            #expect(captains.map { $0.value(forKey: "tags") as? [String] } == [["n1"], ["n2"], ["n3"]])
            #expect(captains.map { $0.value(forKey: "speeches") as? Int } == [1, 2, 3])
            #expect(try context.count("Player") == 3)
        }
    }

    @Test("derived attributes are computed")
    func derived() throws {
        try stack.work { context throws in
            let ids = try context.ids(
                NSBatchInsertRequest(entityName: "Team", objects: [["name": "A", "title": "first"]]))
            #expect(context.object(with: ids[0]).string("upper") == "FIRST")
        }
    }

    @Test("a to-one relationship takes an object or its ID")
    func toOne() throws {
        let team = try stack.saved("Team", ["name": "Heat"])
        try stack.work { context throws in
            let object = context.object(with: team)
            let rows: [[String: Any]] = [
                ["name": "A", "team": team], ["name": "B", "team": object], ["team": NSNull()],
            ]
            #expect(try context.count(NSBatchInsertRequest(entityName: "Player", objects: rows)) == 3)
            #expect(object.names("players") == ["A", "B"])
        }
    }

    // MARK: Keys

    @Test("keys go on where a save left them, and a save goes on where a batch left them")
    func keys() throws {
        let before = try stack.saved("Player")
        let ids = try stack.work { context throws in
            try context.ids(NSBatchInsertRequest(entityName: "Player", objects: (1...200).map { ["name": "P\($0)"] }))
        }
        let after = try stack.saved("Captain")
        let keys = ([before] + ids + [after]).map { $0.uriRepresentation().lastPathComponent }
        #expect(Set(keys).count == 202)
        try stack.reopened { context throws in #expect(try context.count("Player") == 202) }
    }

    // MARK: Failures

    @Test(
        "what a row can't hold fails the request, and nothing is inserted",
        arguments: [
            BadBatchValue("age", "x", NSManagedObjectValidationError),
            BadBatchValue("age", 40_000, NSManagedObjectValidationError),
            BadBatchValue("name", 5, NSManagedObjectValidationError),
            BadBatchValue("unknown", 1, NSPersistentStoreOperationError),
            BadBatchValue("contracts", NSSet(), NSPersistentStoreOperationError),
            BadBatchValue("mood", "x", NSPersistentStoreOperationError),
            BadBatchValue("team", "Heat", NSManagedObjectValidationError),
            BadBatchValue("home", 5, NSManagedObjectValidationError),
        ])
    func badValues(_ bad: BadBatchValue) throws {
        try stack.work { context throws in
            let error = thrown {
                _ = try context.execute(
                    NSBatchInsertRequest(entityName: "Player", objects: [["name": "A"], [bad.key: bad.value]]))
            }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == bad.code)
            #expect(error?.localizedDescription.contains(bad.key) ?? false)
            #expect(try context.count("Player") == 0)
            #expect(try context.count(NSBatchInsertRequest(entityName: "Player", objects: [["name": "A"]])) == 1)
        }
    }

    @Test("a derived attribute can't be given, nor a relationship that is to-one at both ends")
    func notForBatches() throws {
        let ground = try stack.work { context throws in
            let ground = context.insert("Ground")
            ground.setValue(context.insert("Team"), forKey: "team")
            try context.save()
            return ground.objectID
        }
        try stack.work { context throws in
            for row in [["upper": "X"], ["ground": ground]] as [[String: Any]] {
                let error = thrown { _ = try context.execute(NSBatchInsertRequest(entityName: "Team", objects: [row])) }
                #expect(error?.code == NSPersistentStoreOperationError)
            }
        }
    }

    @Test("an object that its handler relates to another one fails the request")
    func relatedObject() throws {
        try stack.work { context throws in
            let entities = context.persistentStoreCoordinator?.managedObjectModel.entitiesByName
            let team = try #require(entities?["Team"])
            let request = NSBatchInsertRequest(entityName: "Player") { (object: NSManagedObject) in
                object.setValue(NSManagedObject(entity: team, insertInto: nil), forKey: "team")
                return false
            }
            #expect(thrown { _ = try context.execute(request) }?.code == NSPersistentStoreOperationError)
            #expect(try context.count("Player") == 0)
        }
    }

    @Test("a read-only store refuses a batch with 513")
    func readOnly() throws {
        let store = try #require(stack.coordinator.persistentStores.first)
        store.isReadOnly = true
        stack.work { context in
            let request = NSBatchInsertRequest(entityName: "Player", objects: [["name": "A"]])
            #expect(thrown { _ = try context.execute(request) }?.code == CocoaError.fileWriteNoPermission.rawValue)
        }
    }

    @Test("a store of another type refuses a batch with 134091")
    func otherStores() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BatchLeague.make())
        let url = stack.folder.appendingPathComponent("Store.xml")
        try coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            let request = NSBatchInsertRequest(entityName: "Player", objects: [["name": "A"]])
            let error = thrown { _ = try context.execute(request) }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        }
    }

    // MARK: The request

    @Test("the result is true, IDs, or a number")
    func results() throws {
        try stack.work { context throws in
            let request = NSBatchInsertRequest(entityName: "Player", objects: [["name": "A"]])
            let result = try #require(try context.execute(request) as? NSBatchInsertResult)
            #expect(result.result as? Bool == true && result.resultType == .statusOnly)
            #expect(try context.count(request) == 1)
            #expect(try context.ids(request).count == 1)
            #expect(request.entity?.name == "Player" && request.requestType == .batchInsertRequestType)
            #expect(NSBatchInsertRequestResultType.count.rawValue == 2)
        }
    }

    @Test("a copy has the same rows")
    func copies() throws {
        let request = NSBatchInsertRequest(entityName: "Player", objects: [["name": "A"]])
        request.resultType = .count
        let copy = try #require(request.copy() as? NSBatchInsertRequest)
        #expect(copy.resultType == .count && copy.entityName == "Player" && copy.objectsToInsert?.count == 1)
    }

    @Test("a child context's request goes to the store")
    func child() throws {
        try stack.work { parent throws in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            try child.performAndWait {
                _ = try child.execute(NSBatchInsertRequest(entityName: "Player", objects: [["name": "A"]]))
                #expect(try child.count("Player") == 1)
            }
        }
    }
}
