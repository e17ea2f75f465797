import Foundation
import Testing

@testable import CoreData

/// Fetch indexes are made and used: what SQLite says of a fetch's plan, and what that means in words.
@Suite("Fetch indexes")
struct FetchIndexTests {
    private func model() -> NSManagedObjectModel {
        let place = entity(
            "Place",
            [
                attribute("name", .stringAttributeType), attribute("kind", .integer32AttributeType),
                attribute("visits", .integer64AttributeType), attribute("isOpen", .booleanAttributeType),
                attribute("latitude", .doubleAttributeType), attribute("longitude", .doubleAttributeType),
                attribute("note", .stringAttributeType),
            ])
        let harbour = entity("Harbour", [attribute("depth", .doubleAttributeType)])
        place.subentities = [harbour]
        index("byKind", on: place, [("kind", true), ("visits", false)])
        index("byName", on: place, [("name", true)])
        index("open", on: place, [("visits", true)], "isOpen == YES")
        index("byPlace", on: place, [("latitude", true), ("longitude", true)], type: .rTree)
        let twice = NSExpressionDescription()
        twice.name = "score"
        twice.expression = NSExpression(format: "visits * 2 + kind")
        twice.expressionResultType = .integer64AttributeType
        let score = NSFetchIndexElementDescription(property: twice, collationType: .binary)
        place.indexes.append(NSFetchIndexDescription(name: "byScore", elements: [score]))
        return CoreDataTests.model(place, harbour)
    }

    private func index(
        _ name: String, on entity: NSEntityDescription, _ elements: [(String, Bool)], _ part: String? = nil,
        type: NSFetchIndexElementType = .binary
    ) {
        let descriptions = elements.compactMap { property, isAscending in
            entity.propertiesByName[property].map { property in
                let element = NSFetchIndexElementDescription(property: property, collationType: type)
                element.isAscending = isAscending
                return element
            }
        }
        let index = NSFetchIndexDescription(name: name, elements: descriptions)
        index.partialIndexPredicate = part.map { NSPredicate(format: $0) }
        entity.indexes.append(index)
    }

    /// 300 places on a grid, a third of them harbours.
    private func places(_ body: (NSManagedObjectContext) throws -> Void) throws {
        try Stack(model()).work { context throws in
            for number in 0..<300 {
                _ = context.insert(
                    number % 3 == 0 ? "Harbour" : "Place",
                    [
                        "name": "Place \(number)", "kind": number % 5, "visits": number, "isOpen": number % 50 == 0,
                        "latitude": Double(number % 20) + 0.1, "longitude": Double(number / 20) + 0.1,
                    ])
            }
            _ = context.insert("Place", ["name": "Nowhere"])
            try context.save()
            try body(context)
        }
    }

    private func request(
        _ format: String?, _ sort: NSSortDescriptor..., entity: String = "Place"
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = sort
        return request
    }

    @Test("a compound index answers equality and order, in its direction and against it")
    func compound() throws {
        try places { context throws in
            for isAscending in [true, false] {
                let plan = try context.explain(
                    request("kind == 3", NSSortDescriptor(key: "visits", ascending: isAscending)))[0].plan
                #expect(plan == ["SEARCH t0 USING INDEX Z_Place_byKind (ZKIND=?)"])
            }
            let mixed = request(
                nil, NSSortDescriptor(key: "kind", ascending: true), NSSortDescriptor(key: "visits", ascending: false))
            #expect(try context.explain(mixed)[0].plan == ["SCAN t0 USING INDEX Z_Place_byKind"])
        }
    }

    @Test("a partial index answers what its predicate covers")
    func partial() throws {
        try places { context throws in
            let open = request("isOpen == YES AND visits > 40")
            #expect(try context.explain(open)[0].plan == ["SEARCH t0 USING INDEX Z_Place_open (ZVISITS>?)"])
            #expect(try context.fetch(open).count == 5)
            let all = try context.explain(request("visits > 40"))[0]
            #expect(!all.plan.joined().contains("Z_Place_open"))
        }
    }

    @Test("an index over an expression answers a comparison of it, and its order")
    func expression() throws {
        try places { context throws in
            let request = request("visits * 2 + kind > 590")
            #expect(
                try context.explain(request)[0].plan == ["SEARCH t0 USING INDEX Z_Place_byScore (<expr>>?)"])
            let wanted = (0..<300).filter { $0 * 2 + $0 % 5 > 590 }.map { "Place \($0)" }
            #expect(try Set(context.fetch(request).compactMap { $0.string("name") }) == Set(wanted))
            let other = try context.explain(self.request("visits * 3 + kind > 590"))[0]
            #expect(!other.plan.joined().contains("byScore"))
        }
    }

    @Test("an index over the entity and an attribute answers a fetch of one entity")
    func ofEntity() throws {
        let model = model()
        let place = try #require(model.entitiesByName["Place"])
        let number = NSExpressionDescription()
        number.name = "number"
        number.expression = NSExpression(forKeyPath: "entity")
        let visits = try #require(place.propertiesByName["visits"])
        let elements = [number, visits].map { NSFetchIndexElementDescription(property: $0, collationType: .binary) }
        place.indexes.append(NSFetchIndexDescription(name: "byEntity", elements: elements))
        try Stack(model).work { context throws in
            for number in 0..<10 { _ = context.insert(number < 5 ? "Harbour" : "Place", ["visits": number]) }
            try context.save()
            let request = request("visits > 3", entity: "Harbour")
            #expect(
                try context.explain(request)[0].plan
                    == ["SEARCH t0 USING INDEX Z_Place_byEntity (Z_ENT=? AND ZVISITS>?)"])
            #expect(try context.fetch(request).count == 1)
        }
    }

    @Test("a spatial index narrows what lies in a rectangle, and every comparison of numbers still decides by itself")
    func spatial() throws {
        try places { context throws in
            let inside = "latitude BETWEEN {3.0999999, 5.1} AND longitude >= 2 AND longitude < 4.1"
            for format in [inside, inside + " AND kind == 4", "visits < 200 AND (\(inside))"] {
                let explanation = try context.explain(request(format))[0]
                #expect(explanation.text.contains("t0.Z_PK IN (SELECT t1.Z_PK FROM Z_RT_Place_byPlace t1"))
                #expect(explanation.plan.contains { $0.contains("VIRTUAL TABLE INDEX") })
                let found = try context.fetch(request(format)).map(\.objectID)
                let predicate = NSPredicate(format: format)
                let wanted = try context.fetch(request(nil)).filter { predicate.evaluate(with: $0) }.map(\.objectID)
                #expect(Set(found) == Set(wanted) && !found.isEmpty, "\(format)")
            }
            #expect(try context.fetch(request(inside, entity: "Harbour")).allSatisfy { $0.entity.name == "Harbour" })
            // A side that is open, an OR, or nil: nothing that a rectangle could say.
            for format in ["latitude > 3", "latitude == 3 OR longitude BETWEEN {1, 2}", "latitude == nil"] {
                #expect(!(try context.explain(request(format))[0].text.contains("Z_RT")), "\(format)")
            }
            let nowhere = try #require(try context.fetch(request("name == 'Nowhere'")).first)
            #expect(try context.fetch(request("latitude BETWEEN {-1, 1}")).contains(nowhere) == false)
            nowhere.setValue(4.5, forKey: "latitude")
            nowhere.setValue(77, forKey: "longitude")
            try context.save()
            #expect(try context.fetch(request("latitude BETWEEN {4.5, 4.5} AND longitude > 70")) == [nowhere])
        }
    }

    @Test("indexed:by: names an index that there must be, and means its first argument")
    func named() throws {
        try places { context throws in
            let request = request("indexed:by:(latitude, 'byPlace') BETWEEN {3, 3.5} AND longitude BETWEEN {0, 1}")
            #expect(try context.explain(request)[0].text.contains("Z_RT_Place_byPlace"))
            #expect(try context.fetch(request).count == 1)
            _ = context.insert("Place", ["latitude": 3.2, "longitude": 0.5])
            #expect(try context.fetch(request).count == 2, "in memory too")
            let missing = thrown { _ = try context.fetch(self.request("indexed:by:(latitude, 'other') > 3")) }
            #expect(missing?.localizedDescription.contains("byKind, byName, byPlace, byScore, open") == true)
        }
    }

    @Test("a store without the model's spatial index is searched without it")
    func missingSpatialIndex() throws {
        let stack = try Stack(model())
        try stack.work { context throws in
            _ = context.insert("Place", ["latitude": 1.5, "longitude": 1])
            try context.save()
        }
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        do {
            let connection = try SQLiteConnection(path: stack.storeURL.path, access: .readWrite)
            for kind in ["INSERT", "UPDATE", "DELETE"] {
                try connection.execute("DROP TRIGGER IF EXISTS Z_RT_Place_byPlace_\(kind)")
            }
            try connection.execute("DROP TABLE Z_RT_Place_byPlace")
            connection.close()
        }
        try stack.reopened { context throws in
            #expect(try context.fetch(request("latitude BETWEEN {1, 2}")).count == 1)
        }
    }

    // MARK: In words

    private func words(
        _ context: NSManagedObjectContext, _ format: String?, _ sort: NSSortDescriptor..., entity: String = "Place"
    ) throws -> [String] {
        let request = request(format, entity: entity)
        request.sortDescriptors = sort
        return try context.explain(request)[0].sentences
    }

    @Test("a scan is told, with the fetch index that would spare it")
    func advice() throws {
        try places { context throws in
            #expect(try words(context, nil) == ["Reads the whole table ZPLACE, as it is asked for all of Place."])
            #expect(try words(context, "name == 'x'") == ["Finds Place by the index Z_Place_byName (ZNAME=?)."])
            let scan = "Looks at every row of the table ZPLACE to find objects of Place."
            #expect(
                try words(context, "note == 'x' AND longitude > 3", NSSortDescriptor(key: "name", ascending: true)) == [
                    "Walks through all of Place in the order of the index Z_Place_byName.",
                    "A fetch index of Place over note, longitude would help.",
                ])
            #expect(
                try words(context, "note BEGINSWITH 'x'") == [
                    scan, "A fetch index of Place over note would help.",
                ])
            #expect(
                try words(context, "note == 'x' OR longitude IN {3, 4}") == [
                    scan, "A fetch index of Place over note would help.",
                    "A fetch index of Place over longitude would help.",
                ])
            #expect(
                try words(context, nil, NSSortDescriptor(key: "note", ascending: false)) == [
                    "Reads the whole table ZPLACE, as it is asked for all of Place.", "Sorts what it found.",
                    "A fetch index of Place over note would help.",
                ])
        }
    }

    @Test("what no index can answer is told with what can be done")
    func obstacles() throws {
        try places { context throws in
            let folded = try words(context, "note ==[cd] 'x'")
            #expect(folded.count == 2 && folded[1].contains("canonical:(note)"))
            #expect(try words(context, "note CONTAINS 'x'").last?.contains("CONTAINS") == true)
            #expect(try words(context, "note LIKE '*x'").last?.contains("wildcard") == true)
            #expect(try words(context, "note != 'x'").last?.contains("not equal") == true)
            #expect(try words(context, "visits + 1 > 3").last?.contains("that very expression") == true)
            #expect(try words(context, "uppercase(note) == 'X'").last?.contains("derived attribute") == true)
        }
    }

    @Test("a subentity's objects are told apart from the rows of their table")
    func subentities() throws {
        try places { context throws in
            #expect(
                try words(context, "depth > 3", entity: "Harbour") == [
                    "Looks at every object of Harbour, found among others of its table by the index ZPLACE_Z_ENT_INDEX.",
                    "A fetch index of Harbour over depth would help.",
                ])
        }
    }

    @Test("an index of the model that the store was made without is named")
    func missingIndex() throws {
        let stack = try Stack(model())
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        do {
            let connection = try SQLiteConnection(path: stack.storeURL.path, access: .readWrite)
            try connection.execute("DROP INDEX Z_Place_byName")
            connection.close()
        }
        try stack.reopened { context throws in
            #expect(
                try words(context, "name == 'x'").last
                    == "The model has the index byName of Place over name, but the store was made without it.")
        }
    }

    @Test("plans of older libraries are read alike")
    func plans() {
        #expect(SQLitePlanStep("SCAN TABLE ZTEAM AS t0") == .scan(alias: "t0", index: nil))
        #expect(SQLitePlanStep("SCAN t0 USING COVERING INDEX I") == .scan(alias: "t0", index: "I"))
        #expect(
            SQLitePlanStep("SEARCH TABLE ZTEAM AS t1 USING INDEX I (ZNAME>? AND ZNAME<?)")
                == .search(alias: "t1", index: "I", terms: "ZNAME>? AND ZNAME<?"))
        #expect(
            SQLitePlanStep("SEARCH t1 USING AUTOMATIC COVERING INDEX (ZTEAM=?)")
                == .automaticIndex(alias: "t1", terms: "ZTEAM=?"))
        #expect(
            SQLitePlanStep("SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?)")
                == .search(alias: "t1", index: nil, terms: ""))
        #expect(SQLitePlanStep("USE TEMP B-TREE FOR LAST TERM OF ORDER BY") == .temporaryTable("ORDER BY"))
        #expect(SQLitePlanStep("CORRELATED SCALAR SUBQUERY 1") == .other)
    }
}
