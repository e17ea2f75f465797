import CoreData
import Foundation
import Testing

/// Migrations that the framework works out by itself: relationships.
@Suite struct LightweightRelationshipTests {
    /// Two entities with names, which these relationships join.
    private func club(
        _ a: NSRelationshipDescription, _ b: NSRelationshipDescription?, first: String = "Team",
        second: String = "Player"
    ) -> NSManagedObjectModel {
        let one = entity(first, [attribute("name", .stringAttributeType), a])
        let other = entity(second, [attribute("name", .stringAttributeType)])
        if let b {
            other.properties.append(b)
            connect(one, a, other, b)
        } else {
            a.destinationEntity = other
        }
        return model(one, other)
    }

    /// Two teams with the players 1 to 4 and 5, and the player 6 without a team.
    private func filled(_ model: NSManagedObjectModel, by relationship: String = "team") throws -> MigratedStore {
        try MigratedStore(model) { context throws in
            let teams = ["A", "B"].map { context.insert("Team", ["name": $0]) }
            for number in 1...6 {
                let player = context.insert("Player", ["name": "\(number)"])
                if number < 6 { player.relate(relationship, to: teams[number / 5]) }
            }
        }
    }

    private func names(_ object: NSManagedObject, _ key: String) -> [String] {
        (object.value(forKey: key) as? NSOrderedSet)?.compactMap { ($0 as? NSManagedObject)?.string("name") }
            ?? object.names(key)
    }

    @Test func relationshipsAreRenamed() throws {
        let store = try filled(club(toMany("players"), toOne("team")))
        let new = club(toMany("squad").renamed(from: "players"), toOne("side").renamed(from: "team"))
        try store.use(new) { context throws in
            #expect(
                try context.all("Team", sortedBy: "name").map { names($0, "squad") } == [["1", "2", "3", "4"], ["5"]])
            #expect(try context.all("Player", "side == nil").compactMap { $0.string("name") } == ["6"])
        }
    }

    @Test func aToOneBecomesAToMany() throws {
        for isOrdered in [false, true] {
            let store = try filled(club(toMany("players"), toOne("team")))
            try store.use(club(toMany("players"), toMany("team", ordered: isOrdered))) { context throws in
                let teams = try context.all("Team", sortedBy: "name")
                #expect(teams.map { names($0, "players") } == [["1", "2", "3", "4"], ["5"]])
                let player = try #require(try context.all("Player", "name == '1'").first)
                #expect(names(player, "team") == ["A"])
                player.setValue(isOrdered ? NSOrderedSet(array: teams) : NSSet(array: teams), forKey: "team")
                try context.save()
                context.reset()
                let again = try #require(try context.all("Player", "name == '1'").first)
                #expect(names(again, "team") == ["A", "B"])
            }
        }
    }

    @Test func aOneToOneBecomesAOneToMany() throws {
        let store = try MigratedStore(club(toOne("captain"), toOne("team"))) { context throws in
            for name in ["A", "B"] {
                context.insert("Team", ["name": name]).relate(
                    "captain", to: context.insert("Player", ["name": name + "1"]))
            }
        }
        try store.use(club(toMany("captain"), toOne("team"))) { context throws in
            #expect(try context.all("Team", sortedBy: "name").map { names($0, "captain") } == [["A1"], ["B1"]])
        }
    }

    @Test func anOrderComesAndGoes() throws {
        let store = try filled(club(toMany("players"), toOne("team")))
        try store.use(club(toMany("players", ordered: true), toOne("team"))) { context throws in
            let team = try #require(try context.all("Team", "name == 'A'").first)
            #expect(names(team, "players") == ["1", "2", "3", "4"])
            let players = team.mutableOrderedSetValue(forKey: "players")
            players.moveObjects(at: IndexSet(integer: 3), to: 0)
            try context.save()
        }
        // A rename keeps the order.
        try store.use(club(toMany("squad", ordered: true).renamed(from: "players"), toOne("team"))) { context throws in
            let team = try #require(try context.all("Team", "name == 'A'").first)
            #expect(names(team, "squad") == ["4", "1", "2", "3"])
        }
        try store.use(club(toMany("squad"), toOne("team"))) { context throws in
            let team = try #require(try context.all("Team", "name == 'A'").first)
            #expect(team.names("squad") == ["1", "2", "3", "4"])
        }
    }

    @Test func aManyToManyIsRenamedAndOrderedAnew() throws {
        let store = try MigratedStore(club(toMany("players", ordered: true), toMany("teams"))) { context throws in
            let players = (1...3).map { context.insert("Player", ["name": "\($0)"]) }
            for (name, members) in [("A", [2, 0]), ("B", [0, 1, 2])] {
                context.insert("Team", ["name": name])
                    .setValue(NSOrderedSet(array: members.map { players[$0] }), forKey: "players")
            }
        }
        let renamed = club(
            toMany("squad", ordered: true).renamed(from: "players"), toMany("clubs").renamed(from: "teams"))
        try store.use(renamed) { context throws in
            #expect(
                try context.all("Team", sortedBy: "name").map { names($0, "squad") } == [["3", "1"], ["1", "2", "3"]])
            #expect(
                try context.all("Player", sortedBy: "name").map { names($0, "clubs") } == [
                    ["A", "B"], ["B"], ["A", "B"],
                ])
        }
        try store.use(club(toMany("squad"), toMany("clubs", ordered: true))) { context throws in
            #expect(
                try context.all("Team", sortedBy: "name").map { $0.names("squad") } == [["1", "3"], ["1", "2", "3"]])
            #expect(
                try context.all("Player", sortedBy: "name").map { names($0, "clubs") } == [
                    ["A", "B"], ["B"], ["A", "B"],
                ])
        }
    }

    @Test func anInverseComesAndGoes() throws {
        let alone = { club(toMany("players"), nil) }
        let store = try MigratedStore(alone()) { context throws in
            let players = (1...3).map { context.insert("Player", ["name": "\($0)"]) }
            context.insert("Team", ["name": "A"]).setValue(NSSet(array: Array(players[..<2])), forKey: "players")
        }
        try store.use(club(toMany("players"), toOne("team"))) { context throws in
            #expect(
                try context.all("Player", sortedBy: "name").map { $0.object("team")?.string("name") } == [
                    "A", "A", nil,
                ])
            #expect(try context.all("Team").map { names($0, "players") } == [["1", "2"]])
        }
        try store.use(alone()) { context throws in
            #expect(try context.all("Team").map { names($0, "players") } == [["1", "2"]])
        }
        try store.use(club(toMany("players"), toMany("teams"))) { context throws in
            #expect(try context.all("Player", sortedBy: "name").map { names($0, "teams") } == [["A"], ["A"], []])
        }
    }

    @Test func twoRelationshipsBecomeInversesWhereTheyAgree() throws {
        func apart(_ isApart: Bool) -> NSManagedObjectModel {
            let model = club(toMany("players"), toOne("team"))
            guard isApart, let players = model.entitiesByName["Team"]?.relationshipsByName["players"] else {
                return model
            }
            players.inverseRelationship?.inverseRelationship = nil
            players.inverseRelationship = nil
            return model
        }
        for agrees in [true, false] {
            let store = try MigratedStore(apart(true)) { context in
                let (team, player) = (context.insert("Team", ["name": "A"]), context.insert("Player", ["name": "1"]))
                team.relate("players", to: player)
                if agrees { player.relate("team", to: team) }
            }
            let error = thrown {
                try store.use(apart(false)) { context throws in
                    #expect(try context.all("Team").map { names($0, "players") } == [["1"]])
                    #expect(try context.all("Player").map { $0.object("team")?.string("name") } == ["A"])
                }
            }
            #expect(error?.code == (agrees ? nil : NSMigrationError))
        }
    }

    @Test func aRelationshipToANewEntityIsEmpty() throws {
        let store = try filled(club(toMany("players"), toOne("team")))
        try store.use(club(toMany("players"), toOne("team"), second: "Member")) { context throws in
            #expect(try context.all("Team", sortedBy: "name").map { names($0, "players") } == [[], []])
        }
    }

    @Test func aMemberOfSeveralCanNotBecomeAMemberOfOne() throws {
        let store = try MigratedStore(club(toMany("players"), toMany("teams"))) { context throws in
            let player = context.insert("Player", ["name": "1"])
            for name in ["A", "B"] { context.insert("Team", ["name": name]).relate("players", to: player) }
        }
        let error = try #require(thrown { try store.use(club(toMany("players"), nil)) { _ in } })
        #expect(error.code == NSMigrationError && error.userInfo["property"] as? String == "players")
        let toOne = try #require(
            thrown { try store.use(club(toMany("players"), CoreDataTests.toOne("teams"))) { _ in } })
        #expect(toOne.code == NSMigrationMissingMappingModelError)
        try store.use(club(toMany("players"), toMany("teams"))) { context throws in
            #expect(try context.all("Team", sortedBy: "name").map { names($0, "players") } == [["1"], ["1"]])
        }
    }

    @Test func numbersOfEntitiesChangeInAllTables() throws {
        let store = try filled(club(toMany("players"), toMany("team")))
        let new = club(toMany("players"), toMany("team"))
        new.entities.append(entity("Arena", [attribute("name", .stringAttributeType)]))
        new.entities.append(entity("Quarter", [attribute("name", .stringAttributeType)]))
        try store.use(new) { context throws in
            #expect(
                try context.all("Team", sortedBy: "name").map { names($0, "players") } == [
                    ["1", "2", "3", "4"], ["5"],
                ])
            let arena = context.insert("Arena")
            try context.obtainPermanentIDs(for: [arena])
            #expect(arena.objectID.uriRepresentation().lastPathComponent == "p1")
            _ = context.insert("Player")
            try context.save()
            #expect(try context.all("Player").count == 7)
        }
    }

    @Test func objectsOfARemovedEntityAreGoneAndNothingLeadsToThem() throws {
        func model(_ hasGuest: Bool) -> NSManagedObjectModel {
            let (host, hosted) = (toOne("host"), toMany("hosted"))
            let (person, party) = (
                entity("Person", [attribute("name", .stringAttributeType), hosted]), entity("Party", [host])
            )
            let member = entity("Member", [])
            person.subentities = hasGuest ? [member, entity("Guest", [])] : [member]
            connect(party, host, person, hosted)
            let model = NSManagedObjectModel()
            model.entities = [person, party] + person.subentities
            return model
        }
        let store = try MigratedStore(model(true)) { context throws in
            for name in ["Person", "Member", "Guest"] {
                context.insert("Party").relate("host", to: context.insert(name, ["name": name]))
            }
        }
        try store.use(model(false)) { context throws in
            #expect(try context.all("Party").map { $0.object("host")?.entity.name } == ["Person", "Member", nil])
            #expect(try context.all("Person", sortedBy: "name").map { $0.string("name") } == ["Member", "Person"])
        }
    }
}
