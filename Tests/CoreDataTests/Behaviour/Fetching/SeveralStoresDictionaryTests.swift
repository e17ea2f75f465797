import CoreData
import Foundation
import Testing

/// Dictionaries of several stores are those that one store would give that had all objects.
@Suite("Dictionaries from several stores")
struct SeveralStoresDictionaryTests {
    private static let ages = [7, 3, 9, nil, 3, 0, 9, 12, 7, 5, nil, 4]

    /// Players in so many stores, in turn.
    private func work(_ count: Int, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let stack = try Stack(LeagueModel.make())
        for number in 1..<count {
            try stack.coordinator.addPersistentStore(
                ofType: testedStoreType, configurationName: nil,
                at: stack.place("Store\(number).sqlite"))
        }
        let stores = stack.coordinator.persistentStores
        try stack.work { context throws in
            for (index, age) in Self.ages.enumerated() {
                let player = context.insert("Player", ["name": ["Ann", "bob", "Cleo", "\u{e4}nn"][index % 4]])
                player.setValue(age, forKey: "age")
                player.setValue(NSDecimalNumber(string: "\(index).25"), forKey: "salary")
                context.assign(player, to: stores[index % count])
            }
            try context.save()
        }
        try stack.work(body)
    }

    private func expression(_ name: String, _ format: String) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(format: format)
        return description
    }

    private func request(_ properties: [Any], _ sortKeys: String...) -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Player")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        request.sortDescriptors = sortKeys.map {
            NSSortDescriptor(key: $0.trimmingCharacters(in: ["-"]), ascending: !$0.hasPrefix("-"))
        }
        return request
    }

    /// Rows in an order that is decided, as text.
    private func rows(_ request: NSFetchRequest<NSDictionary>, _ context: NSManagedObjectContext) throws -> [String] {
        try context.fetch(request).map { row in
            let keys = row.allKeys.compactMap { $0 as? String }.sorted()
            return keys.map { "\($0)=\(row[$0] ?? "")" }.joined(separator: " ")
        }
    }

    private func expectSame(
        _ what: String, _ request: NSFetchRequest<NSDictionary>,
        change: (NSFetchRequest<NSDictionary>) -> Void = { _ in }
    ) throws {
        change(request)
        let isOrdered = !(request.sortDescriptors ?? []).isEmpty
        var expected: [String] = []
        try work(1) { expected = try rows(request, $0) }
        #expect(!expected.isEmpty, "\(what)")
        for count in [2, 3] {
            try work(count) { context throws in
                let found = try rows(request, context)
                #expect(isOrdered ? found == expected : found.sorted() == expected.sorted(), "\(what), \(count) stores")
            }
        }
    }

    @Test("rows are in order over all stores, also by what is no column, and limit and offset count all")
    func order() throws {
        try expectSame("all", request(["name", "age"]))
        try expectSame("constants", request([expression("one", "1")]))
        try expectSame("sorted", request(["name", "age", "salary"], "age", "salary"))
        try expectSame("by another", request(["name"], "-salary"))
        try expectSame("window", request(["name", "age"], "name", "salary")) {
            ($0.fetchLimit, $0.fetchOffset) = (5, 3)
        }
        try expectSame("behind", request(["name"], "salary")) { $0.fetchOffset = 9 }
        let localized = request(["name"])
        localized.sortDescriptors = [
            NSSortDescriptor(
                key: "name", ascending: true, selector: Selector("localizedCaseInsensitiveCompare:")),
            NSSortDescriptor(key: "salary", ascending: true),
        ]
        try expectSame("localized", localized)
    }

    @Test("equal rows of several stores come once where they are to be distinct")
    func distinct() throws {
        try expectSame("distinct", request(["age"], "age")) { $0.returnsDistinctResults = true }
        try expectSame("unordered", request(["age", "name"])) { $0.returnsDistinctResults = true }
        try expectSame("window", request(["age"], "-age")) {
            ($0.returnsDistinctResults, $0.fetchLimit, $0.fetchOffset) = (true, 3, 1)
        }
    }

    @Test("sums, counts, means, least and greatest values are those of all rows, and so is what is computed of them")
    func aggregates() throws {
        let all = [
            expression("n", "count(SELF)"), expression("ages", "count(age)"), expression("sum", "sum(age)"),
            expression("mean", "average(age)"), expression("least", "min(age)"), expression("most", "@max.age"),
            expression("wages", "sum(salary)"), expression("span", "max(age) - min(age)"),
            expression("per", "sum(age) / count(age)"), expression("first", "min(name)"),
        ]
        try expectSame("aggregates", request(all))
        try expectSame("distinct values", request(all + [expression("kinds", "count(@distinctUnionOfObjects.age)")]))
        try expectSame("of none", request(all)) { $0.predicate = NSPredicate(format: "age > 1000") }
    }

    @Test("groups are those of all rows, with their conditions and order")
    func groups() throws {
        let columns: [Any] = ["name", expression("n", "count(SELF)"), expression("mean", "average(age)")]
        try expectSame("groups", request(columns, "name")) { $0.propertiesToGroupBy = ["name"] }
        try expectSame("two", request(columns + ["age"], "age", "name")) { $0.propertiesToGroupBy = ["name", "age"] }
        try expectSame("condition", request(columns, "-mean", "name")) {
            $0.propertiesToGroupBy = ["name"]
            $0.havingPredicate = NSPredicate(format: "count(age) > 2 AND $mean < 8")
        }
        try expectSame("window", request(columns, "-n", "name")) {
            $0.propertiesToGroupBy = ["name"]
            $0.fetchLimit = 2
        }
        try expectSame("kinds", request(["name", expression("k", "count(@distinctUnionOfObjects.age)")], "-k", "name"))
        {
            $0.propertiesToGroupBy = ["name"]
            $0.havingPredicate = NSPredicate(format: "name != 'bob'")
        }
    }

    @Test("objects of several stores stay apart, whatever their keys")
    func objects() throws {
        try work(3) { context throws in
            let players = try context.all("Player", sortedBy: "salary")
            let teams = context.persistentStoreCoordinator?.persistentStores.map { store in
                let team = context.insert("Team", ["name": "Heat"])
                context.assign(team, to: store)
                return team
            }
            for (index, player) in players.enumerated() { player.setValue(teams?[index % 3], forKey: "team") }
            try context.save()
            let ids = request([expression("id", "SELF")], "salary")
            #expect(try context.fetch(ids).map { $0["id"] as? NSManagedObjectID } == players.map(\.objectID))
            let byTeam = request(["team", expression("n", "count(SELF)")])
            byTeam.propertiesToGroupBy = ["team"]
            for isDistinct in [false, true] {
                byTeam.returnsDistinctResults = isDistinct
                let rows = try context.fetch(byTeam)
                #expect(Set(rows.map { $0["team"] as? NSManagedObjectID }) == Set(teams?.map(\.objectID) ?? []))
                #expect(rows.allSatisfy { $0["n"] as? Int == 4 })
            }
            let names = request(["team.name", expression("teams", "count(@distinctUnionOfObjects.team)")])
            names.propertiesToGroupBy = ["team.name"]
            #expect(try context.fetch(names).map { $0["teams"] as? Int } == [3])
        }
    }

    @Test("dictionaries are read from files that lie beside their stores, and by children and generations")
    func otherWays() throws {
        let photo = attribute("photo", .binaryDataAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        let stack = try Stack(model(entity("Page", [photo, attribute("number", .integer16AttributeType)])))
        let second = try stack.coordinator.addPersistentStore(
            ofType: testedStoreType, configurationName: nil, at: stack.place("Second.sqlite"))
        try stack.work { context throws in
            for number in 0..<4 {
                let page = context.insert("Page", ["number": number])
                page.setValue(Data(repeating: UInt8(number), count: number * 100_000), forKey: "photo")
                if number % 2 == 1 { context.assign(page, to: second) }
            }
            try context.save()
            let request = NSFetchRequest<NSDictionary>(entityName: "Page")
            request.resultType = .dictionaryResultType
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            func expectAll(_ context: NSManagedObjectContext) throws {
                let counts = try context.fetch(request).map { ($0["photo"] as? Data)?.count }
                #expect(counts == [0, 100_000, 200_000, 300_000])
            }
            try expectAll(context)
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait { try expectAll(child) }
            try context.setQueryGenerationFrom(.current)
            try expectAll(context)
            try stack.work { other throws in
                try other.all("Page").forEach(other.delete)
                try other.save()
            }
            try expectAll(context)
        }
    }
}
