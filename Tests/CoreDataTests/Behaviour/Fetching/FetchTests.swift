import CoreData
import Testing

@Suite("Fetching")
struct FetchTests {
    /// A league of three teams with nine players, ages 20 to 28.
    private func league() throws -> Stack {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let teams = ["Bulls", "Heat", "Nets"].map { context.insert("Team", ["name": $0]) }
            for index in 0..<9 {
                _ = context.insert("Player", ["name": "P\(index)", "age": 20 + index, "team": teams[index % 3]])
            }
            try context.save()
        }
        return stack
    }

    @Test("predicate, sort, limit and offset are applied in this order")
    func window() throws {
        try league().work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.predicate = NSPredicate(format: "age >= %d", 22)
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
            request.fetchOffset = 1
            request.fetchLimit = 3
            #expect(try context.fetch(request).map { $0.string("name") } == ["P7", "P6", "P5"])
            #expect(try context.count(for: request) == 3)
        }
    }

    @Test("several sort descriptors apply in their order, across relationships too")
    func sorting() throws {
        try league().work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.sortDescriptors = [
                NSSortDescriptor(key: "team.name", ascending: false), NSSortDescriptor(key: "age", ascending: true),
            ]
            #expect(
                try context.fetch(request).map { $0.string("name") } == [
                    "P2", "P5", "P8", "P1", "P4", "P7", "P0", "P3", "P6",
                ])
        }
    }

    @Test("objects are sorted by their IDs in both directions", arguments: [true, false])
    func sortingByID(ascending: Bool) throws {
        try league().work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: ascending)]
            let names = try context.fetch(request).map { $0.string("name") }
            #expect(Set(names).count == 9)
            request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: !ascending)]
            #expect(try context.fetch(request).map { $0.string("name") } == names.reversed())
            // Within what is filtered, and beside a change that is not saved.
            request.predicate = NSPredicate(format: "age > 22")
            try context.all("Player", sortedBy: "age")[0].setValue(99, forKey: "age")
            #expect(
                try context.fetch(request).map { $0.string("name") }
                    == names.reversed().filter { !["P1", "P2"].contains($0) })
        }
    }

    @Test("objects are sorted by a to-one as by the ID of its object, beside unsaved changes, too")
    func sortingByObject() throws {
        try league().work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.sortDescriptors = [
                NSSortDescriptor(key: "team", ascending: false), NSSortDescriptor(key: "objectID", ascending: true),
            ]
            let players = try context.fetch(request)
            let teams = players.compactMap { ($0.value(forKey: "team") as? NSManagedObject)?.objectID }
            #expect(Set(teams).count > 1)
            request.sortDescriptors?[0] = NSSortDescriptor(key: "team.objectID", ascending: false)
            #expect(try context.fetch(request) == players)
            request.sortDescriptors?[0] = NSSortDescriptor(key: "team", ascending: false)
            players[0].setValue(99, forKey: "age")
            #expect(try context.fetch(request) == players)
        }
    }

    @Test("a fetch sees unsaved inserts, updates and deletes, sorted in place and inside the window")
    func pendingChanges() throws {
        try league().work { context throws in
            let players = try context.all("Player", sortedBy: "age")
            players[0].setValue(99, forKey: "age")
            context.delete(players[1])
            _ = context.insert("Player", ["name": "New", "age": 23])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.predicate = NSPredicate(format: "age > 21")
            request.sortDescriptors = [
                NSSortDescriptor(key: "age", ascending: true), NSSortDescriptor(key: "name", ascending: true),
            ]
            #expect(
                try context.fetch(request).map { $0.string("name") } == [
                    "P2", "New", "P3", "P4", "P5", "P6", "P7", "P8", "P0",
                ])
            #expect(try context.count(for: request) == 9)
            request.fetchLimit = 2
            #expect(try context.fetch(request).map { $0.string("name") } == ["P2", "New"])
            request.includesPendingChanges = false
            #expect(try context.count(for: request) == 2)
        }
    }

    @Test("IDs, counts and dictionaries are results too; dictionaries see the store only")
    func resultTypes() throws {
        try league().work { context throws in
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
            ids.resultType = .managedObjectIDResultType
            ids.predicate = NSPredicate(format: "age == 20")
            let found = try context.fetch(ids)
            #expect(found.count == 1)
            #expect(try context.existingObject(with: found[0]).string("name") == "P0")

            let counts = NSFetchRequest<NSNumber>(entityName: "Player")
            counts.resultType = .countResultType
            #expect(try context.fetch(counts) == [9])

            let average = NSExpressionDescription()
            average.name = "averageAge"
            average.expression = NSExpression(forFunction: "average:", arguments: [NSExpression(forKeyPath: "age")])
            average.expressionResultType = .doubleAttributeType
            let groups = NSFetchRequest<NSDictionary>(entityName: "Player")
            groups.resultType = .dictionaryResultType
            groups.propertiesToFetch = ["team.name", average]
            groups.propertiesToGroupBy = ["team.name"]
            groups.sortDescriptors = [NSSortDescriptor(key: "team.name", ascending: true)]
            _ = context.insert("Player", ["name": "New", "age": 90])
            let rows = try context.fetch(groups)
            #expect(rows.compactMap { $0["team.name"] as? String } == ["Bulls", "Heat", "Nets"])
            #expect(rows.compactMap { $0["averageAge"] as? Double } == [23, 24, 25])
        }
    }

    @Test("objects, IDs and collections of them are compared in predicates")
    func objectsInPredicates() throws {
        try league().work { context throws in
            let heat = try #require(try context.all("Team", "name == 'Heat'").first)
            func names(_ predicate: NSPredicate) throws -> [String?] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
                request.predicate = predicate
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                return try context.fetch(request).map { $0.string("name") }
            }
            #expect(try names(NSPredicate(format: "team == %@", heat)) == ["P1", "P4", "P7"])
            #expect(try names(NSPredicate(format: "team == %@", heat.objectID)) == ["P1", "P4", "P7"])
            #expect(try names(NSPredicate(format: "team IN %@ AND age > 25", [heat])) == ["P7"])
            let some = try context.all("Player", "age < 22")
            #expect(try names(NSPredicate(format: "SELF IN %@", some)) == ["P0", "P1"])
            #expect(try context.all("Team", "ANY players.age == 28").map { $0.string("name") } == ["Nets"])
            #expect(
                try context.all("Team", "SUBQUERY(players, $p, $p.age > 25).@count > 0", sortedBy: "name").count == 3)
            #expect(try context.all("Team", "players.@count == 3").count == 3)
            #expect(try context.all("Team", "players.@max.age > 27").map { $0.string("name") } == ["Nets"])
        }
    }

    @Test("the same comparisons hold among unsaved changes")
    func objectsInPredicatesWithPendingChanges() throws {
        try league().work { context throws in
            let heat = try #require(try context.all("Team", "name == 'Heat'").first)
            let jazz = context.insert("Team", ["name": "Jazz"])
            let rookie = context.insert("Player", ["name": "Rookie", "age": 19, "team": heat])
            try #require(try context.all("Player", "name == 'P0'").first).setValue(heat, forKey: "team")
            try #require(try context.all("Player", "name == 'P1'").first).setValue(jazz, forKey: "team")
            func names(_ entity: String, _ format: String, _ arguments: Any...) throws -> [String?] {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = NSPredicate(format: format, argumentArray: arguments)
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                return try context.fetch(request).map { $0.string("name") }
            }
            let ofHeat = ["P0", "P4", "P7", "Rookie"]
            #expect(try names("Player", "team == %@", heat) == ofHeat)
            #expect(try names("Player", "team == %@", heat.objectID) == ofHeat)
            #expect(try names("Player", "team.objectID == %@", heat.objectID) == ofHeat)
            #expect(try names("Player", "team IN %@", [heat.objectID]) == ofHeat)
            #expect(try names("Player", "team == %@", jazz) == ["P1"])
            #expect(try names("Player", "team == %@", jazz.objectID) == ["P1"])
            #expect(try names("Player", "SELF == %@", rookie.objectID) == ["Rookie"])
            let some = try context.all("Player", "age < 22")
            #expect(try names("Player", "SELF IN %@", some) == ["P0", "P1", "Rookie"])
            #expect(try names("Player", "SELF IN %@", some.map(\.objectID)) == ["P0", "P1", "Rookie"])
            #expect(try names("Player", "NOT SELF IN %@ AND age < 24", some) == ["P2", "P3"])
            #expect(try names("Team", "%@ IN players", rookie.objectID) == ["Heat"])
            #expect(try names("Team", "ANY players.age < 20") == ["Heat"])
            #expect(try names("Team", "ANY players.age > 3") == ["Bulls", "Heat", "Jazz", "Nets"])
            #expect(try names("Player", "team.name == 'Jazz' AND age == 21") == ["P1"])
            // An object of another context is the same one.
            let elsewhere = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            elsewhere.persistentStoreCoordinator = context.persistentStoreCoordinator
            let other = elsewhere.performAndWait { elsewhere.object(with: heat.objectID) }
            #expect(try names("Player", "team == %@", other) == ofHeat)
        }
    }

    @Test("a comparison that only memory can't make is an error of the fetch, not the end of the program")
    func incomparable() throws {
        try league().work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.predicate = NSPredicate(format: "name > 5")
            #expect(try context.fetch(request).count == 9)
            _ = context.insert("Player", ["name": "New"])
            let error = try #require(thrown { _ = try context.fetch(request) })
            #expect(error.localizedDescription.contains("name"))
            #expect(thrown { _ = try context.count(for: request) } != nil)
        }
    }

    @Test("a request of the base type yields objects, IDs, dictionaries and counts as they come")
    func untypedRequests() throws {
        try league().work { context throws in
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Player")
            request.predicate = NSPredicate(format: "age > 25")
            let objects: [any NSFetchRequestResult] = try context.fetch(request)
            #expect(objects.count == 3 && objects.allSatisfy { $0 is NSManagedObject })
            #expect((objects as? [NSManagedObject])?.count == 3)
            #expect(try context.count(for: request) == 3)
            request.resultType = .managedObjectIDResultType
            #expect(try context.fetch(request).allSatisfy { $0 is NSManagedObjectID })
            request.resultType = .dictionaryResultType
            #expect((try context.fetch(request) as? [[String: Any]])?.compactMap { $0["age"] as? Int }.max() == 28)
            request.resultType = .countResultType
            let counted: Any? = try context.fetch(request).first
            #expect(counted as? Int == 3)
        }
    }

    @Test("execute() runs in the context of the block that it is called in, the inner one of several")
    func execute() async throws {
        let stack = try league()
        let request = { @Sendable () -> NSFetchRequest<NSManagedObject> in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.predicate = NSPredicate(format: "age == 20")
            return request
        }
        #expect(thrown { _ = try request().execute() }?.localizedDescription.contains("perform") == true)
        let (outer, inner) = (stack.context(), stack.context())
        try outer.performAndWait { () throws in
            #expect(try request().execute().first?.managedObjectContext === outer)
            try inner.performAndWait { () throws in
                #expect(try request().execute().first?.managedObjectContext === inner)
            }
            #expect(try request().execute().first?.managedObjectContext === outer)
        }
        let isFound = try await inner.perform { try request().execute().first?.managedObjectContext === inner }
        #expect(isFound)
        #expect(thrown { _ = try request().execute() } != nil)
        await MainActor.run {
            let views = [1, 2].map { _ in NSManagedObjectContext(.mainQueue) }
            views.forEach { $0.persistentStoreCoordinator = stack.coordinator }
            views[0].performAndWait {
                views[1].performAndWait {
                    #expect((try? request().execute())?.first?.managedObjectContext === views[1])
                }
                #expect((try? request().execute())?.first?.managedObjectContext === views[0])
            }
        }
    }

    @Test("prefetched relationships are no faults, and returnsObjectsAsFaults = false loads values")
    func prefetching() throws {
        try league().work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
            request.relationshipKeyPathsForPrefetching = ["players"]
            request.returnsObjectsAsFaults = false
            let teams = try context.fetch(request)
            #expect(teams.allSatisfy { !$0.isFault && !$0.hasFault(forRelationshipNamed: "players") })
        }
    }

    @Test("without property values every object is a fault that loads when it is read")
    func withoutValues() throws {
        try league().work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.includesPropertyValues = false
            let players = try context.fetch(request)
            #expect(players.count == 9 && players.allSatisfy(\.isFault))
            #expect(Set(players.compactMap { $0.string("name") }).count == 9)
        }
    }

    @Test("a template is fetched by its name, its variables bound")
    func templates() throws {
        let model = LeagueModel.make()
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Player")
        template.entity = model.entitiesByName["Player"]
        template.predicate = NSPredicate(format: "age > $LIMIT")
        model.setFetchRequestTemplate(template, forName: "Older")
        let stack = try Stack(model)
        try stack.work { context throws in
            for age in [20, 30, 40] { _ = context.insert("Player", ["name": "\(age)", "age": age]) }
            try context.save()
            let request = try #require(
                model.fetchRequestFromTemplate(withName: "Older", substitutionVariables: ["LIMIT": 25]))
            #expect(try context.fetch(request).count == 2)
        }
    }

    @Test("a fetched property is found when it is read, kept until the object is refreshed")
    func fetchedProperties() throws {
        let model = LeagueModel.make()
        let player = try #require(model.entitiesByName["Player"])
        let property = NSFetchedPropertyDescription()
        property.name = "wPlayers"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Player")
        request.entity = player
        request.predicate = NSPredicate(format: "name BEGINSWITH 'W' AND team == $FETCH_SOURCE")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        property.fetchRequest = request
        let team = try #require(model.entitiesByName["Team"])
        team.properties += [property]
        let stack = try Stack(model)
        try stack.work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            for name in ["Warner", "Wade", "Bosh"] { _ = context.insert("Player", ["name": name, "team": heat]) }
            _ = context.insert("Player", ["name": "West"])
            try context.save()
            func found() -> [String?] {
                (heat.value(forKey: "wPlayers") as? [NSManagedObject] ?? []).map { $0.string("name") }
            }
            #expect(found() == ["Wade", "Warner"])
            _ = context.insert("Player", ["name": "Webb", "team": heat])
            try context.save()
            #expect(found() == ["Wade", "Warner"], "kept")
            context.refresh(heat, mergeChanges: false)
            #expect(found() == ["Wade", "Warner", "Webb"])
        }
    }

    @Test("a predicate with unsaved objects finds them before they are saved and after")
    func unsavedObjectsInPredicates() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let players = ["Wade", "Bosh"].map { context.insert("Player", ["name": $0]) }
            let stranger = context.insert("Player", ["name": "Bird"])
            let lists = [players, Set(players), NSSet(array: players), players + [NSNull()]] as [Any]
            let member = lists.map { NSPredicate(format: "SELF IN %@", argumentArray: [$0]) }
            let list = NSPredicate(format: "SELF IN %@", argumentArray: [[[players[0]], [stranger]]])
            func check(_ when: String) throws {
                for (index, predicate) in member.enumerated() {
                    #expect(players.allSatisfy { predicate.evaluate(with: $0) }, "list \(index) \(when)")
                    #expect(!predicate.evaluate(with: stranger), "list \(index) \(when)")
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
                    request.predicate = predicate
                    #expect(try Set(context.fetch(request)) == Set(players), "list \(index) \(when)")
                }
                #expect(list.evaluate(with: [players[0]]) && !list.evaluate(with: [players[1]]), "\(when)")
            }
            try check("before")
            try context.save()
            try check("after")
        }
    }

    @Test("what SQL can't answer is an error that names the part, not a crash")
    func unanswerable() throws {
        try league().work { context throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
            request.predicate = NSPredicate { _, _ in true }
            #expect(thrown { _ = try context.fetch(request) }?.domain == NSCocoaErrorDomain)
            request.predicate = NSPredicate(format: "mood == 'glad'")
            #expect(thrown { _ = try context.fetch(request) }?.localizedDescription.contains("mood") == true)
            request.predicate = NSPredicate(format: "shoeSize == 44")
            #expect(thrown { _ = try context.fetch(request) }?.localizedDescription.contains("shoeSize") == true)
        }
    }
}
