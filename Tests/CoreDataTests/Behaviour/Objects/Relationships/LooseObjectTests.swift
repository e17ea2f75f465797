import CoreData
import Foundation
import RandomSeeds
import Testing

@Suite("Objects in no context")
struct LooseObjectTests {
    private func make(_ name: String, _ model: NSManagedObjectModel, _ values: [String: Any] = [:]) throws
        -> NSManagedObject
    {
        let entity = try #require(model.entitiesByName[name])
        let object = NSManagedObject(entity: entity, insertInto: nil)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    @Test("they are made of a model that no coordinator uses, with their defaults at once")
    func defaults() throws {
        let thing = entity(
            "Thing",
            [
                attribute("name", .stringAttributeType, default: "new"),
                attribute("count", .integer32AttributeType, default: 7), attribute("other", .stringAttributeType),
            ])
        let model = model(thing)
        let object = NSManagedObject(entity: thing, insertInto: nil)
        #expect(!object.isFault && object.managedObjectContext == nil)
        #expect(object.string("name") == "new" && object.value(forKey: "count") as? Int == 7)
        #expect(object.primitiveValue(forKey: "name") as? String == "new" && object.string("other") == nil)
        let other = NSManagedObject(entity: thing, insertInto: nil)
        other.setValue("mine", forKey: "name")
        #expect(other.string("name") == "mine" && other.value(forKey: "count") as? Int == 7)
        // Insertion keeps what was set.
        try Stack(model).work { context throws in
            context.insert(other)
            #expect(other.string("name") == "mine" && other.value(forKey: "count") as? Int == 7)
            try context.save()
            context.refresh(other, mergeChanges: false)
            #expect(other.string("name") == "mine")
        }
    }

    @Test("they are related in every way, inverses included")
    func relating() throws {
        let model = LeagueModel.make()
        let (heat, bulls) = (try make("Team", model, ["name": "Heat"]), try make("Team", model, ["name": "Bulls"]))
        let players = try ["A", "B", "C"].map { try make("Player", model, ["name": $0]) }
        players[0].setValue(heat, forKey: "team")
        heat.mutableSetValue(forKey: "players").add(players[1])
        #expect(heat.names("players") == ["A", "B"] && players[1].object("team") === heat)
        players[0].setValue(bulls, forKey: "team")
        #expect(heat.names("players") == ["B"] && bulls.names("players") == ["A"])
        heat.setValue(NSSet(array: [players[0], players[2]]), forKey: "players")
        #expect(
            heat.names("players") == ["A", "C"] && bulls.names("players") == [] && players[1].object("team") == nil)
        heat.setValue(players[0], forKey: "captain")
        bulls.setValue(players[0], forKey: "captain")
        #expect(heat.object("captain") == nil && players[0].object("captainOf") === bulls)
        let bench = heat.mutableOrderedSetValue(forKey: "bench")
        players.forEach { bench.add($0) }
        bench.insert(players[2], at: 0)
        bench.removeObject(at: 1)
        #expect(bench.array as? [NSManagedObject] == [players[0], players[2]] || bench.count == 2)
        #expect(players.filter { $0.object("benchOf") === heat }.count == 2)
        players[0].setValue(NSSet(array: [players[1], players[2]]), forKey: "cousins")
        #expect(players[2].names("cousins") == ["A"])
        players[1].willChangeValue(forKey: "team")
        players[1].setPrimitiveValue(bulls, forKey: "team")
        players[1].didChangeValue(forKey: "team")
        #expect(bulls.names("players") == ["B"])
        #expect(NSPredicate(format: "team.name == 'Bulls'").evaluate(with: players[1]))
    }

    @Test("inserting one inserts what it leads to, and saves all of it", arguments: [false, true])
    func inserting(byRelating: Bool) throws {
        let model = LeagueModel.make()
        let stack = try Stack(model)
        try stack.work { context throws in
            let heat = try make("Team", model, ["name": "Heat"])
            let players = try ["A", "B", "C"].map { try make("Player", model, ["name": $0]) }
            players[0].setValue(heat, forKey: "team")
            heat.setValue(NSOrderedSet(array: [players[1], players[0]]), forKey: "bench")
            players[1].setValue(NSSet(object: players[2]), forKey: "cousins")
            let lonely = try make("Player", model, ["name": "lonely"])
            if byRelating {
                context.insert("Team", ["name": "Bulls"]).mutableSetValue(forKey: "fans").add(players[2])
            } else {
                context.insert(players[2])
            }
            #expect(lonely.managedObjectContext == nil && heat.managedObjectContext === context)
            #expect((players + [heat]).allSatisfy { $0.isInserted })
            #expect(heat.names("players") == ["A"] && players[0].object("benchOf") === heat)
            try context.save()
        }
        try stack.reopened { context throws in
            let heat = try #require(try context.all("Team", "name == 'Heat'").first)
            #expect(heat.names("players") == ["A"])
            #expect(
                (heat.value(forKey: "bench") as? NSOrderedSet)?.array.map { ($0 as? NSManagedObject)?.string("name") }
                    == ["B", "A"])
            #expect(try context.all("Player", "name == 'C'").first?.names("cousins") == ["B"])
            #expect(try context.all("Player").count == 3)
        }
    }

    @Test("random relations among them are what the same relations are in a context")
    func random() throws {
        for seed in SeededGenerator.seeds(6, full: 100) {
            var generator = SeededGenerator(seed: seed)
            let model = LeagueModel.make()
            let stacks = [try Stack(model), try Stack(model)]
            let contexts = stacks.map { $0.context() }
            var objects: [[NSManagedObject]] = []
            for (index, context) in contexts.enumerated() {
                try context.performAndWait {
                    objects.append(
                        try (0..<10).map { place in
                            let (entity, name) = (place < 4 ? "Team" : "Player", ["name": "\(place)"])
                            return index == 0
                                ? context.insert(entity, name) : try make(entity, model, name)
                        })
                }
            }
            for step in 0..<80 {
                let isTeam = Bool.random(using: &generator)
                let keys =
                    isTeam
                    ? ["players", "captain", "bench", "fans"]
                    : ["team", "captainOf", "benchOf", "favourites", "cousins"]
                let key = keys.randomElement(using: &generator) ?? ""
                let place =
                    isTeam ? Int.random(in: 0..<4, using: &generator) : Int.random(in: 4..<10, using: &generator)
                let others = Array(key == "cousins" || isTeam ? 4..<10 : 0..<4)
                    .shuffled(using: &generator).prefix(Int.random(in: 0..<4, using: &generator))
                for (index, context) in contexts.enumerated() {
                    context.performAndWait {
                        let members = others.map { objects[index][$0] }
                        let description = objects[index][place].entity.relationshipsByName[key]
                        let value: Any? =
                            description?.isToMany ?? false
                            ? description?.isOrdered ?? false ? NSOrderedSet(array: members) : NSSet(array: members)
                            : members.first
                        objects[index][place].setValue(value, forKey: key)
                    }
                }
                let graphs = zip(contexts, objects).map { context, objects in
                    context.performAndWait { objects.map(graph) }
                }
                try #require(graphs[0] == graphs[1], "seed \(seed), step \(step): \(key) of \(place)")
            }
            try contexts[1].performAndWait {
                for object in objects[1] { contexts[1].insert(object) }
                try contexts[1].save()
            }
            let before = contexts[0].performAndWait { objects[0].map(graph) }
            try stacks[1].reopened { context throws in
                let saved = try context.all("Team", sortedBy: "name") + context.all("Player", sortedBy: "name")
                #expect(saved.map(graph) == before, "seed \(seed)")
            }
        }
    }

    private func graph(_ object: NSManagedObject) -> String {
        let ends = object.entity.relationshipsByName.keys.sorted().map { key -> String in
            switch object.value(forKey: key) {
            case let set as NSOrderedSet: set.array.map { ($0 as? NSManagedObject)?.string("name") ?? "" }.joined()
            case let set as NSSet:
                set.allObjects.map { ($0 as? NSManagedObject)?.string("name") ?? "" }.sorted().joined()
            case let one as NSManagedObject: one.string("name") ?? ""
            default: "-"
            }
        }
        return (object.string("name") ?? "") + ":" + ends.joined(separator: ",")
    }
}
