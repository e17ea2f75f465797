import CoreData
import Foundation
import Testing

/// What a fetch request can ask for, beside predicate and order.
@Suite("Options of fetch requests")
struct FetchOptionTests {
    /// A person, two players and a coach; the players' names are the same.
    private func work(_ body: (NSManagedObjectContext) throws -> Void) throws {
        let person = entity(
            "Person",
            [
                attribute("name", .stringAttributeType), attribute("age", .integer16AttributeType),
                attribute("born", .dateAttributeType), attribute("isActive", .booleanAttributeType),
                attribute("weight", .floatAttributeType), attribute("wage", .decimalAttributeType),
                attribute("key", .UUIDAttributeType),
            ])
        let player = entity("Player", [attribute("number", .integer32AttributeType)])
        let coach = entity("Coach", [])
        person.subentities = [player, coach]
        try Stack(model(person, player, coach)).work { context throws in
            _ = context.insert("Person", ["name": "Pat", "age": 50, "isActive": true])
            _ = context.insert(
                "Player",
                [
                    "name": "Lee", "age": 20, "number": 7, "weight": Float(80.5),
                    "wage": NSDecimalNumber(string: "0.1"),
                    "born": Date(timeIntervalSinceReferenceDate: 5), "key": UUID(),
                ])
            _ = context.insert("Player", ["name": "Lee", "age": 30, "number": 9])
            _ = context.insert("Coach", ["name": "Sam", "age": 40])
            try context.save()
            try body(context)
        }
    }

    private func request(_ entity: String) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
        return request
    }

    private func dictionaries(_ entity: String, _ properties: [Any]?) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        return request
    }

    @Test("subentities take part unless they are not to, in the store and among unsaved changes")
    func subentities() throws {
        try work { context throws in
            let plain = request("Person")
            plain.includesSubentities = false
            for count in [1, 2] {
                #expect(try context.fetch(plain).count == count)
                #expect(try context.count(for: plain) == count)
                #expect(try context.fetch(request("Person")).count == 3 + count)
                #expect(try context.fetch(request("Player")).allSatisfy { $0.entity.name == "Player" })
                if count == 1 { _ = context.insert("Person", ["name": "New", "age": 1]) }
            }
            _ = context.insert("Coach", ["name": "New", "age": 2])
            #expect(try context.count(for: plain) == 2)
        }
    }

    @Test("entities are compared, in the store and among unsaved changes")
    func entities() throws {
        try work { context throws in
            let player = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Player"])
            for count in [2, 3] {
                for predicate in [
                    NSPredicate(format: "entity == %@", player), NSPredicate(format: "entity.name == 'Player'"),
                    NSPredicate(format: "entity IN %@", [player]),
                ] {
                    let request = request("Person")
                    request.predicate = predicate
                    #expect(try context.fetch(request).count == count, "\(predicate)")
                }
                _ = context.insert("Player", ["name": "New"])
                _ = context.insert("Coach", ["name": "New"])
            }
        }
    }

    @Test("faults have their rows at hand or not, as asked for, and are none where values are wanted")
    func faults() throws {
        try work { context throws in
            context.reset()
            let request = request("Person")
            #expect(try context.fetch(request).allSatisfy(\.isFault))
            context.reset()
            request.returnsObjectsAsFaults = false
            let objects = try context.fetch(request)
            #expect(objects.allSatisfy { !$0.isFault })
            context.reset()
            request.includesPropertyValues = false
            request.returnsObjectsAsFaults = true
            #expect(try context.fetch(request).map { $0.string("name") } == ["Lee", "Lee", "Sam", "Pat"])
        }
    }

    @Test("dictionaries have values of the attributes' types, and nothing for nil")
    func typedDictionaries() throws {
        try work { context throws in
            let request = dictionaries("Player", nil)
            request.predicate = NSPredicate(format: "number == 7")
            let row = try #require(try context.fetch(request).first as? [String: Any])
            #expect(row["name"] as? String == "Lee" && row["age"] as? Int16 == 20 && row["number"] as? Int32 == 7)
            #expect(row["weight"] as? Float == 80.5 && row["born"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
            #expect((row["wage"] as? NSDecimalNumber)?.stringValue == "0.1" && row["key"] is UUID)
            #expect(row["isActive"] == nil)
            let ids = dictionaries("Player", ["objectID"])
            #expect(try context.fetch(ids).allSatisfy { $0["objectID"] is NSManagedObjectID })
        }
    }

    @Test("equal dictionaries come once where distinct ones are asked for, in order and by parts")
    func distinct() throws {
        try work { context throws in
            let request = dictionaries("Person", ["name"])
            request.returnsDistinctResults = true
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            #expect(try context.fetch(request).compactMap { $0["name"] as? String } == ["Sam", "Pat", "Lee"])
            request.fetchLimit = 1
            request.fetchOffset = 1
            #expect(try context.fetch(request).compactMap { $0["name"] as? String } == ["Pat"])
        }
    }

    @Test("an expression description without an expression stands for the property of its name")
    func namedDescriptions() throws {
        try work { context throws in
            func column(_ name: String, _ type: NSAttributeType = .undefinedAttributeType) -> NSExpressionDescription {
                let description = NSExpressionDescription()
                description.name = name
                description.expressionResultType = type
                return description
            }
            let request = dictionaries("Player", [column("name"), column("age", .integer64AttributeType)])
            request.predicate = NSPredicate(format: "number == 7")
            let row = try #require(try context.fetch(request).first as? [String: Any])
            #expect(row["name"] as? String == "Lee" && row["age"] as? Int64 == 20)
            request.propertiesToFetch = [column("name")]
            request.propertiesToGroupBy = [column("name")]
            request.predicate = nil
            #expect(try context.fetch(request).count == Set(try context.fetch(request).map(\.description)).count)
            let error = #expect(throws: NSError.self) {
                try context.fetch(dictionaries("Player", [column("nothing")]))
            }
            #expect(error?.code == NSPersistentStoreOperationError)
            #expect(error?.localizedDescription.contains("\"nothing\" has no expression") == true)
        }
    }

    @Test("expressions, aggregates, groups and conditions on groups")
    func groups() throws {
        try work { context throws in
            func column(_ name: String, _ format: String, _ type: NSAttributeType) -> NSExpressionDescription {
                let description = NSExpressionDescription()
                description.name = name
                description.expression = NSExpression(format: format)
                description.expressionResultType = type
                return description
            }
            let request = dictionaries(
                "Person",
                [
                    "name", column("oldest", "max:(age)", .integer16AttributeType),
                    column("total", "sum:(age)", .integer64AttributeType),
                ])
            request.propertiesToGroupBy = ["name"]
            request.havingPredicate = NSPredicate(format: "max:(age) >= 30 AND $total > 40")
            request.sortDescriptors = [NSSortDescriptor(key: "oldest", ascending: false)]
            let rows = try context.fetch(request)
            #expect(rows.compactMap { $0["name"] as? String } == ["Pat", "Lee"])
            #expect(rows.compactMap { $0["total"] as? Int64 } == [50, 50])
            let plain = dictionaries("Player", [column("next", "age + 1", .integer32AttributeType)])
            plain.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            #expect(try context.fetch(plain).compactMap { $0["next"] as? Int32 } == [21, 31])
        }
    }

    @Test(
        "objects that are loaded take the store's values where they are to be refreshed, and keep what was changed here"
    )
    func refreshing() throws {
        try work { context throws in
            let request = request("Person")
            let objects = try context.fetch(request)
            #expect(objects[0].string("name") == "Lee")
            objects[1].setValue("Mine", forKey: "name")
            let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            other.persistentStoreCoordinator = context.persistentStoreCoordinator
            try other.performAndWait { () throws in
                for object in try other.fetch(request) { object.setValue("Theirs", forKey: "name") }
                try other.save()
            }
            #expect(try context.fetch(request).map { $0.string("name") }.prefix(2) == ["Lee", "Mine"])
            request.shouldRefreshRefetchedObjects = true
            #expect(try context.fetch(request).map { $0.string("name") }.prefix(2) == ["Theirs", "Mine"])
        }
    }

    @Test("transient keys, blocks and sort keys that no table has are errors that name the part")
    func unanswerable() throws {
        try work { context throws in
            let sorted = request("Person")
            sorted.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }]
            let error = thrown { _ = try context.fetch(sorted) }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
            #expect(error?.localizedDescription.contains("comparator block") == true)
            let block = request("Person")
            block.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSPredicate(format: "age > 3"), NSPredicate { _, _ in true },
            ])
            #expect(thrown { _ = try context.fetch(block) }?.localizedDescription.contains("block") == true)
            #expect(thrown { _ = try context.results(of: block) }?.localizedDescription.contains("block") == true)
            #expect(thrown { _ = try context.count(for: block) }?.localizedDescription.contains("block") == true)
            let column = dictionaries("Person", ["shoe"])
            #expect(thrown { _ = try context.fetch(column) }?.localizedDescription.contains("shoe") == true)
        }
    }
}
