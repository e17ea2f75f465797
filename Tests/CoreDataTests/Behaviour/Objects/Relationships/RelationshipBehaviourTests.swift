import CoreData
import Testing

/// Relationships: what is left of section 4 of the behaviour that users rely on, beside `RelationshipTests`.
@Suite("Relationships behave as at Apple")
struct RelationshipBehaviourTests {
    @Test("the other side of a change is changed too, and validated at save")
    func inverseIsValidated() throws {
        try Stack(LeagueModel.make(players: 0...2)).work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            for name in ["Wade", "Allen"] { _ = context.insert("Player", ["name": name, "team": heat]) }
            let bosh = context.insert("Player", ["name": "Bosh"])
            try context.save()
            #expect(!heat.hasChanges)
            bosh.setValue(heat, forKey: "team")
            #expect(heat.isUpdated && heat.changedValues().keys.sorted() == ["players"])
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSValidationRelationshipExceedsMaximumCountError)
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === heat)
        }
    }

    @Test("without an inverse nothing happens on the other side, and a deleted destination leaves a fault to nothing")
    func withoutInverse() throws {
        let department = toOne("department", optional: false, rule: .denyDeleteRule)
        let office = entity("Department", [attribute("name", .stringAttributeType)])
        department.destinationEntity = office
        let stack = try Stack(model(office, entity("Employee", [attribute("name", .stringAttributeType), department])))
        try stack.work { context throws in
            let sales = context.insert("Department", ["name": "Sales"])
            let anna = context.insert("Employee", ["name": "Anna", "department": sales])
            try context.save()
            context.delete(sales)
            context.processPendingChanges()
            #expect(!anna.hasChanges)
            try context.save()
            context.refresh(anna, mergeChanges: false)
            let left = try #require(anna.object("department"))
            #expect(left.isFault)
            #expect(thrown { _ = try context.existingObject(with: left.objectID) }?.code == 133000)
            #expect(left.string("name") == nil)
        }
    }

    @Test("delete rules run when pending changes are processed, or only at the save if the context wants it so")
    func endOfEvent() throws {
        for atEndOfEvent in [true, false] {
            try Stack(LeagueModel.make()).work { context throws in
                context.propagatesDeletesAtEndOfEvent = atEndOfEvent
                let heat = context.insert("Team", ["name": "Heat"])
                let wade = context.insert("Player", ["name": "Wade", "team": heat])
                try context.save()
                context.delete(heat)
                #expect(!wade.isDeleted)
                context.processPendingChanges()
                #expect(wade.isDeleted == atEndOfEvent)
                try context.save()
                #expect(try context.all("Player").isEmpty)
            }
        }
    }

    @Test("cascades in a circle come to an end")
    func circle() throws {
        let (next, previous) = (toOne("next", rule: .cascadeDeleteRule), toOne("previous", rule: .cascadeDeleteRule))
        let ring = entity("Ring", [attribute("name", .stringAttributeType), next, previous])
        connect(ring, next, ring, previous)
        try Stack(model(ring)).work { context throws in
            let rings = (0..<5).map { context.insert("Ring", ["name": "\($0)"]) }
            for (index, ring) in rings.enumerated() { ring.setValue(rings[(index + 1) % 5], forKey: "next") }
            try context.save()
            context.delete(rings[2])
            try context.save()
            #expect(try context.all("Ring").isEmpty)
        }
    }

    @Test("an object with several denied relationships names each of them")
    func denials() throws {
        let rules = ["players", "fans"].map { toMany($0, rule: .denyDeleteRule) }
        let inverses = [toOne("team"), toOne("favourite")]
        let team = entity("Team", rules)
        let person = entity("Person", inverses)
        for index in 0...1 { connect(team, rules[index], person, inverses[index]) }
        try Stack(model(team, person)).work { context throws in
            let heat = context.insert("Team")
            _ = context.insert("Person", ["team": heat, "favourite": heat])
            try context.save()
            context.delete(heat)
            let error = try #require(thrown { try context.save() })
            let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
            #expect(details.map(\.code) == [1600, 1600])
            #expect(
                details.compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }.sorted() == ["fans", "players"])
        }
    }

    @Test("a model may ask for more members than it allows; then no save with members succeeds")
    func minimumAboveMaximum() throws {
        let (players, team) = (toMany("players"), toOne("team"))
        (players.minCount, players.maxCount) = (5, 2)
        let teams = entity("Team", [players])
        let player = entity("Player", [team])
        connect(teams, players, player, team)
        try Stack(model(teams, player)).work { context throws in
            let heat = context.insert("Team")
            try context.save()
            for _ in 0..<6 {
                _ = context.insert("Player", ["team": heat])
                let code = thrown { try context.save() }?.code
                #expect([1580, 1590].contains(code))
            }
        }
    }

    @Test("a required to-one without value fails with 1570 and says so")
    func requiredToOne() throws {
        let (players, team) = (toMany("players"), toOne("team", optional: false))
        let teams = entity("Team", [attribute("name", .stringAttributeType), players])
        let person = entity("Player", [attribute("name", .stringAttributeType), team])
        connect(teams, players, person, team)
        try Stack(model(teams, person)).work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let wade = context.insert("Player", ["name": "Wade", "team": heat])
            try context.save()
            wade.setValue(nil, forKey: "team")
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            #expect(error.localizedDescription == "team is a required value.")
        }
    }

    @Test("changing a mutable set of a relationship while it is enumerated traps")
    func changingWhileEnumerating() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { context, player in
                let team = context.insert("Team", ["name": "Heat", "players": NSSet(object: player)])
                for _ in team.mutableSetValue(forKey: "players") { _ = context.insert("Player", ["team": team]) }
            }
        }
        #expect(words(result).contains("was changed while it was enumerated"))
    }

    @Test("a set of 100,000 members is counted, gains one and loses one without its members' rows")
    func manyMembers() throws {
        let stack = try Stack(LeagueModel.make())
        let id = try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            for _ in 0..<100_000 { _ = context.insert("Player", ["name": "x", "team": team]) }
            try context.save()
            return team.objectID
        }
        try stack.work { context throws in
            let team = context.object(with: id)
            let players = team.mutableSetValue(forKey: "players")
            #expect(players.count == 100_000)
            #expect(context.registeredObjects == [team], "no member was made")
            let one = try #require(try context.all("Player", "name == 'x'").first)
            players.remove(one)
            let new = context.insert("Player", ["name": "new"])
            players.add(new)
            #expect(players.count == 100_000 && players.contains(new) && !players.contains(one))
            try context.save()
        }
        try stack.reopened { context throws in
            #expect(context.object(with: id).objectIDs(forRelationshipNamed: "players").count == 100_000)
        }
    }

    @Test("objects of two contexts can't be related")
    func twoContexts() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSavedPlayer { context, player in
                let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                other.persistentStoreCoordinator = context.persistentStoreCoordinator
                player.setValue(other.performAndWait { other.insert("Team", ["name": "Heat"]) }, forKey: "team")
            }
        }
        #expect(
            words(result).contains(
                "Illegal attempt to establish a relationship 'team' between objects in different contexts"))
    }

    @Test("relating an object without a context to an inserted one inserts it")
    func insertingByRelating() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let entities = try #require(context.persistentStoreCoordinator).managedObjectModel.entitiesByName
            let heat = context.insert("Team", ["name": "Heat"])
            let wade = NSManagedObject(entity: try #require(entities["Player"]), insertInto: nil)
            wade.setValue("Wade", forKey: "name")
            #expect(wade.managedObjectContext == nil && context.insertedObjects == [heat])
            wade.setValue(heat, forKey: "team")
            #expect(wade.managedObjectContext === context && context.insertedObjects == [heat, wade])
            let bosh = NSManagedObject(entity: try #require(entities["Player"]), insertInto: nil)
            bosh.setValue("Bosh", forKey: "name")
            heat.mutableSetValue(forKey: "players").add(bosh)
            #expect(bosh.managedObjectContext === context, "from the other side, too")
            try context.save()
            #expect(try context.all("Team").first?.names("players") == ["Bosh", "Wade"])
        }
    }
}
