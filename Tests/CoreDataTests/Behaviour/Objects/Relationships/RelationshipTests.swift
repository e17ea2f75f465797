import CoreData
import Testing

@Suite("Relationships")
struct RelationshipTests {
    @Test("setting one side sets the other, and moving an object takes it from its old owner")
    func inverses() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let bulls = context.insert("Team", ["name": "Bulls"])
            let wade = context.insert("Player", ["name": "Wade", "team": heat])
            #expect(heat.names("players") == ["Wade"])
            bulls.mutableSetValue(forKey: "players").add(wade)
            #expect(wade.object("team") === bulls)
            #expect(heat.names("players").isEmpty && bulls.names("players") == ["Wade"])
            try context.save()
            wade.setValue(nil, forKey: "team")
            #expect(bulls.names("players").isEmpty)
            heat.setValue(NSSet(object: wade), forKey: "players")
            #expect(wade.object("team") === heat)
            try context.save()
        }
        try stack.reopened { context throws in
            #expect(try context.all("Team", sortedBy: "name").map { $0.names("players") } == [[], ["Wade"]])
        }
    }

    @Test("the members of a relationship come with their rows: none is asked for by itself when it is looked at")
    func membersWithRows() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            for number in 0..<20 { _ = context.insert("Player", ["name": "Player \(number)", "team": heat]) }
            try context.save()
        }
        try stack.reopened { context throws in
            let heat = try context.all("Team")[0]
            let players = (heat.value(forKey: "players") as? NSSet)?.allObjects.compactMap { $0 as? NSManagedObject }
            #expect(players?.count == 20 && players?.allSatisfy(\.isFault) ?? false)
            // Objects that have their rows do not see what is written now.
            try stack.work { other throws in
                for player in try other.all("Player") { player.setValue("renamed", forKey: "name") }
                try other.save()
            }
            #expect(players?.allSatisfy { $0.string("name") != "renamed" } ?? false)
        }
    }

    @Test("one-to-one: the destination's old partner is let go")
    func oneToOne() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let bulls = context.insert("Team", ["name": "Bulls"])
            let wade = context.insert("Player", ["name": "Wade"])
            let rose = context.insert("Player", ["name": "Rose"])
            heat.setValue(wade, forKey: "captain")
            bulls.setValue(rose, forKey: "captain")
            try context.save()
            bulls.setValue(wade, forKey: "captain")
            #expect(heat.object("captain") == nil && rose.object("captainOf") == nil)
            #expect(wade.object("captainOf") === bulls)
            try context.save()
        }
        try stack.reopened { context throws in
            let players = try context.all("Player", sortedBy: "name")
            #expect(players.map { $0.object("captainOf")?.string("name") } == [nil, "Bulls"])
        }
    }

    @Test("many-to-many holds from both sides, through saves")
    func manyToMany() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let teams = ["Heat", "Bulls", "Nets"].map { context.insert("Team", ["name": $0]) }
            let ann = context.insert("Player", ["name": "Ann", "favourites": NSSet(array: teams)])
            let bob = context.insert("Player", ["name": "Bob"])
            teams[0].mutableSetValue(forKey: "fans").add(bob)
            try context.save()
            #expect(ann.names("favourites") == ["Bulls", "Heat", "Nets"])
            teams[1].mutableSetValue(forKey: "fans").remove(ann)
            #expect(ann.names("favourites") == ["Heat", "Nets"])
            try context.save()
        }
        try stack.reopened { context throws in
            #expect(
                try context.all("Team", sortedBy: "name").map { $0.names("fans") } == [[], ["Ann", "Bob"], ["Ann"]])
        }
    }

    @Test("a relationship that is its own inverse holds both ways")
    func cousins() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let ann = context.insert("Player", ["name": "Ann"])
            let bob = context.insert("Player", ["name": "Bob"])
            let cid = context.insert("Player", ["name": "Cid"])
            ann.setValue(NSSet(array: [bob, cid]), forKey: "cousins")
            #expect(bob.names("cousins") == ["Ann"])
            try context.save()
            bob.setValue(NSSet(), forKey: "cousins")
            #expect(ann.names("cousins") == ["Cid"])
            try context.save()
        }
        try stack.reopened { context throws in
            #expect(try context.all("Player", sortedBy: "name").map { $0.names("cousins") } == [["Cid"], [], ["Ann"]])
        }
    }

    @Test("an ordered relationship keeps its order through inserting, moving, removing and saving")
    func ordered() throws {
        let stack = try Stack(LeagueModel.make())
        func bench(_ team: NSManagedObject) -> [String] {
            (team.value(forKey: "bench") as? NSOrderedSet)?.array.compactMap {
                ($0 as? NSManagedObject)?.string("name")
            } ?? []
        }
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let players = ["A", "B", "C", "D"].map { context.insert("Player", ["name": $0]) }
            team.setValue(NSOrderedSet(array: [players[3], players[0], players[1]]), forKey: "bench")
            try context.save()
            #expect(bench(team) == ["D", "A", "B"])
            let proxy = team.mutableOrderedSetValue(forKey: "bench")
            proxy.insert(players[2], at: 1)
            #expect(players[2].object("benchOf") === team)
            try context.save()
            #expect(bench(team) == ["D", "C", "A", "B"])
            proxy.removeObject(at: 0)
            players[3].setValue(team, forKey: "benchOf")
            try context.save()
        }
        try stack.reopened { context throws in
            #expect(bench(try #require(try context.all("Team").first)) == ["C", "A", "B", "D"])
        }
    }

    @Test("cascade deletes the members, nullify clears them, deny forbids with 1600, no action leaves them")
    func deleteRules() throws {
        for (rule, players, team) in [
            (NSDeleteRule.cascadeDeleteRule, 0, 0), (.nullifyDeleteRule, 1, 0), (.noActionDeleteRule, 1, 0),
            (.denyDeleteRule, 1, 1),
        ] {
            let stack = try Stack(LeagueModel.make(teamRule: rule))
            try stack.work { context throws in
                let heat = context.insert("Team", ["name": "Heat"])
                _ = context.insert("Player", ["name": "Wade", "team": heat])
                try context.save()
                context.delete(heat)
                let error = thrown { try context.save() }
                #expect((error?.code == NSValidationRelationshipDeniedDeleteError) == (rule == .denyDeleteRule))
                if error != nil { context.rollback() }
            }
            try stack.reopened { context throws in
                let left = try context.all("Player")
                #expect(left.count == players)
                #expect(try context.all("Team").count == team)
                if rule == .nullifyDeleteRule { #expect(left.first?.object("team") == nil) }
                if rule == .noActionDeleteRule {
                    #expect(left.first?.object("team")?.isFault == true, "a fault to nothing")
                }
            }
        }
    }

    @Test("deleting a member of a denying relationship first lets the owner go")
    func denyAfterMembersAreDeleted() throws {
        let stack = try Stack(LeagueModel.make(teamRule: .denyDeleteRule))
        try stack.work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let wade = context.insert("Player", ["name": "Wade", "team": heat])
            try context.save()
            context.delete(wade)
            context.delete(heat)
            try context.save()
            #expect(try context.all("Team").isEmpty)
        }
    }

    @Test("a to-many view read before a change shows it")
    func liveViews() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let view = try #require(heat.value(forKey: "players") as? NSSet)
            #expect(view.count == 0)
            let wade = context.insert("Player", ["name": "Wade", "team": heat])
            #expect(view.count == 1 && view.contains(wade))
            #expect((heat.value(forKey: "players") as? Set<NSManagedObject>) == [wade])
        }
    }

    @Test("key paths cross relationships, and collection operators compute over members")
    func keyPaths() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            for (name, age) in [("Wade", 30), ("Bosh", 28)] {
                _ = context.insert("Player", ["name": name, "age": age, "team": heat])
            }
            #expect(heat.value(forKeyPath: "players.name") as? Set<String> == ["Wade", "Bosh"])
            #expect(heat.value(forKeyPath: "players.@count") as? Int == 2)
            #expect(heat.value(forKeyPath: "players.@avg.age") as? Double == 29)
            #expect(heat.value(forKeyPath: "players.@max.age") as? Int == 30)
        }
    }

    @Test(
        "an object is one member after its own side was set past its accessor, and then set again",
        arguments: [false, true])
    func primitiveSides(isSaved: Bool) throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let wade = context.insert("Player", ["name": "Wade", "team": heat])
            if isSaved { try context.save() }
            for _ in 0..<2 {
                wade.setPrimitiveValue(nil, forKey: "team")
                wade.setValue(heat, forKey: "team")
            }
            #expect((heat.value(forKey: "players") as? NSSet)?.count == 1 && heat.names("players") == ["Wade"])
            _ = context.insert("Player", ["name": "Bosh", "team": heat])
            #expect(heat.names("players") == ["Bosh", "Wade"])
            wade.setValue(nil, forKey: "team")
            #expect(heat.names("players") == ["Bosh"])
            try context.save()
        }
        try stack.reopened { context throws in
            #expect(try context.all("Team").first?.names("players") == ["Bosh"])
        }
    }
}
