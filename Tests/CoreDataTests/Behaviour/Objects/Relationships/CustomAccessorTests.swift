import CoreData
import Foundation
import RandomSeeds
import Testing

/// Accessors as Apple's guide teaches them: announce, set the primitive value, announce again.
extension NSManagedObject {
    fileprivate func set(primitive value: Any?, _ key: String) {
        willChangeValue(forKey: key)
        setPrimitiveValue(value, forKey: key)
        didChangeValue(forKey: key)
    }

    /// Changes the members that the primitive value has.
    fileprivate func edit(primitive key: String, _ change: (NSMutableSet) -> Void) {
        willChangeValue(forKey: key)
        if let members = primitiveValue(forKey: key) as? NSMutableSet { change(members) }
        didChangeValue(forKey: key)
    }

    fileprivate func edit(orderedPrimitive key: String, _ change: (NSMutableOrderedSet) -> Void) {
        willChangeValue(forKey: key)
        if let members = primitiveValue(forKey: key) as? NSMutableOrderedSet { change(members) }
        didChangeValue(forKey: key)
    }

    /// The names of a relationship's members, in order where it is ordered.
    fileprivate func line(_ key: String) -> [String] {
        (value(forKey: key) as? NSOrderedSet)?.array.compactMap { ($0 as? NSManagedObject)?.string("name") }
            ?? names(key)
    }
}

@Suite("Custom accessors keep inverses")
struct CustomAccessorTests {
    @Test("a to-one that an accessor sets by its primitive value: both ends are there, and are saved")
    func toOne() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let (heat, bulls) = (context.insert("Team", ["name": "Heat"]), context.insert("Team", ["name": "Bulls"]))
            let wade = context.insert("Player", ["name": "Wade", "team": heat])
            try context.save()
            wade.set(primitive: bulls, "team")
            #expect(heat.names("players") == [] && bulls.names("players") == ["Wade"])
            #expect(heat.hasChanges && bulls.hasChanges && wade.hasChanges)
            wade.set(primitive: heat, "captainOf")
            #expect(heat.object("captain") === wade)
            wade.set(primitive: bulls, "captainOf")
            #expect(heat.object("captain") == nil && bulls.object("captain") === wade)
            wade.set(primitive: bulls, "benchOf")
            #expect(bulls.line("bench") == ["Wade"])
            try context.save()
        }
        try stack.reopened { context throws in
            let teams = try context.all("Team", sortedBy: "name")
            #expect(teams.map { $0.names("players") } == [["Wade"], []])
            #expect(teams[0].object("captain")?.string("name") == "Wade" && teams[1].object("captain") == nil)
            #expect(teams[0].line("bench") == ["Wade"])
        }
    }

    @Test("members that an accessor sets by the primitive value, or changes in it", arguments: [false, true])
    func toMany(isSaved: Bool) throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let (heat, bulls) = (context.insert("Team", ["name": "Heat"]), context.insert("Team", ["name": "Bulls"]))
            let players = ["A", "B", "C", "D"].map { context.insert("Player", ["name": $0]) }
            heat.setValue(NSSet(array: [players[0]]), forKey: "players")
            bulls.setValue(NSSet(array: [players[3]]), forKey: "players")
            if isSaved { try context.save() }
            heat.set(primitive: NSSet(array: [players[1], players[3]]), "players")
            #expect(heat.names("players") == ["B", "D"] && bulls.names("players") == [])
            #expect(players.map { $0.object("team") === heat } == [false, true, false, true])
            heat.edit(primitive: "players") { members in
                members.add(players[2])
                members.remove(players[1])
            }
            #expect(heat.names("players") == ["C", "D"])
            #expect(players.map { $0.object("team") === heat } == [false, false, true, true])
            heat.edit(primitive: "fans") { $0.addObjects(from: players) }
            #expect(players.allSatisfy { $0.names("favourites") == ["Heat"] })
            players[0].edit(primitive: "cousins") { $0.add(players[1]) }
            #expect(players[1].names("cousins") == ["A"])
            heat.set(primitive: NSOrderedSet(array: [players[2], players[0], players[1]]), "bench")
            #expect(heat.line("bench") == ["C", "A", "B"])
            #expect(players.map { $0.object("benchOf") === heat } == [true, true, true, false])
            heat.edit(orderedPrimitive: "bench") { members in
                members.insert(players[3], at: 1)
                members.remove(players[2])
                members.exchangeObject(at: 0, withObjectAt: 2)
            }
            #expect(heat.line("bench") == ["B", "A", "D"])
            #expect(players.map { $0.object("benchOf") === heat } == [true, true, false, true])
            try context.save()
        }
        try stack.reopened { context throws in
            let heat = try #require(try context.all("Team", "name == 'Heat'").first)
            #expect(heat.names("players") == ["C", "D"] && heat.line("bench") == ["B", "A", "D"])
            #expect(heat.names("fans") == ["A", "B", "C", "D"])
            #expect(try context.all("Player", "team.name == 'Heat'").count == 2)
            #expect(try context.all("Player", "name == 'A'").first?.names("cousins") == ["B"])
        }
    }

    @Test("the inverse follows with the last announcement, nested ones too, and not without a change")
    func announcements() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let (heat, bulls) = (context.insert("Team", ["name": "Heat"]), context.insert("Team", ["name": "Bulls"]))
            let wade = context.insert("Player", ["name": "Wade", "team": heat])
            try context.save()
            // Without a change.
            wade.willChangeValue(forKey: "team")
            wade.didChangeValue(forKey: "team")
            heat.edit(primitive: "players") { _ in }
            #expect(heat.names("players") == ["Wade"] && !bulls.hasChanges)
            // There and back.
            wade.willChangeValue(forKey: "team")
            wade.setPrimitiveValue(bulls, forKey: "team")
            wade.setPrimitiveValue(heat, forKey: "team")
            wade.didChangeValue(forKey: "team")
            #expect(heat.names("players") == ["Wade"] && !bulls.hasChanges)
            // Nested.
            wade.willChangeValue(forKey: "team")
            wade.willChangeValue(forKey: "team")
            wade.setPrimitiveValue(bulls, forKey: "team")
            wade.didChangeValue(forKey: "team")
            #expect(bulls.names("players") == ["Wade"] && heat.names("players") == [])
            wade.setPrimitiveValue(nil, forKey: "team")
            wade.didChangeValue(forKey: "team")
            #expect(bulls.names("players") == [] && wade.object("team") == nil)
            // Another relationship in between.
            heat.willChangeValue(forKey: "players")
            heat.setPrimitiveValue(NSSet(object: wade), forKey: "players")
            bulls.set(primitive: wade, "captain")
            heat.didChangeValue(forKey: "players")
            #expect(wade.object("team") === heat && wade.object("captainOf") === bulls)
            // The last announcement alone counts, as the context's note of the change.
            try context.save()
            wade.setPrimitiveValue(bulls, forKey: "team")
            wade.didChangeValue(forKey: "team")
            #expect(bulls.names("players") == ["Wade"] && heat.names("players") == [] && wade.isUpdated)
            // A regular setter after a primitive value that was never announced.
            wade.setPrimitiveValue(nil, forKey: "team")
            wade.setValue(heat, forKey: "team")
            #expect(bulls.names("players") == [] && heat.names("players") == ["Wade"])
        }
    }

    @Test("an accessor that names the objects which come and go, and has set or changed the primitive value")
    func mutations() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let heat = context.insert("Team", ["name": "Heat"])
            let players = ["A", "B", "C"].map { context.insert("Player", ["name": $0]) }
            func announce(_ kind: NSKeyValueSetMutationKind, _ objects: Set<NSManagedObject>, _ change: () -> Void) {
                heat.willChangeValue(forKey: "players", withSetMutation: kind, using: objects)
                change()
                heat.didChangeValue(forKey: "players", withSetMutation: kind, using: objects)
            }
            announce(.union, [players[0], players[1]]) {
                (heat.primitiveValue(forKey: "players") as? NSMutableSet)?.addObjects(from: Array(players[0...1]))
            }
            #expect(heat.names("players") == ["A", "B"] && players[1].object("team") === heat)
            announce(.minus, [players[0]]) { heat.setPrimitiveValue(NSSet(object: players[1]), forKey: "players") }
            #expect(heat.names("players") == ["B"] && players[0].object("team") == nil)
            announce(.set, [players[2]]) { heat.setPrimitiveValue(NSSet(object: players[2]), forKey: "players") }
            #expect(heat.names("players") == ["C"])
            #expect(players.map { $0.object("team") === heat } == [false, false, true])
            heat.willChange(.insertion, valuesAt: [0], forKey: "bench")
            heat.setPrimitiveValue(NSOrderedSet(array: [players[1], players[0]]), forKey: "bench")
            heat.didChange(.insertion, valuesAt: [0], forKey: "bench")
            #expect(heat.line("bench") == ["B", "A"] && players[0].object("benchOf") === heat)
        }
    }

    @Test("undo and redo take custom accessors back, with both ends")
    func undo() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let undo = UndoManager()
            undo.groupsByEvent = false
            let (heat, bulls) = (context.insert("Team", ["name": "Heat"]), context.insert("Team", ["name": "Bulls"]))
            let players = ["A", "B"].map { context.insert("Player", ["name": $0]) }
            for player in players { player.setValue(heat, forKey: "team") }
            heat.setValue(NSOrderedSet(array: players), forKey: "bench")
            try context.save()
            context.undoManager = undo
            undo.group { players[0].set(primitive: bulls, "team") }
            undo.group { bulls.edit(primitive: "players") { $0.add(players[1]) } }
            undo.group { heat.edit(orderedPrimitive: "bench") { $0.moveObjects(at: [0], to: 1) } }
            // Without the first announcement.
            undo.group {
                players[0].setPrimitiveValue(heat, forKey: "team")
                players[0].didChangeValue(forKey: "team")
            }
            func expect(_ heatPlayers: [String], _ bullsPlayers: [String], _ bench: [String]) {
                #expect(heat.names("players") == heatPlayers && bulls.names("players") == bullsPlayers)
                #expect(
                    players.map {
                        ($0.object("team") === heat ? heatPlayers : bullsPlayers).contains($0.string("name") ?? "")
                    } == [true, true])
                #expect(heat.line("bench") == bench)
            }
            expect(["A"], ["B"], ["B", "A"])
            context.undo()
            expect([], ["A", "B"], ["B", "A"])
            context.undo()
            expect([], ["A", "B"], ["A", "B"])
            context.undo()
            expect(["B"], ["A"], ["A", "B"])
            context.undo()
            expect(["A", "B"], [], ["A", "B"])
            for _ in 0..<4 { context.redo() }
            expect(["A"], ["B"], ["B", "A"])
        }
    }

    @Test("observers of both ends are told, of the accessor's own end once")
    func observers() throws {
        try Stack(LeagueModel.make()).work { context throws in
            let (heat, bulls) = (context.insert("Team", ["name": "Heat"]), context.insert("Team", ["name": "Bulls"]))
            let wade = context.insert("Player", ["name": "Wade", "team": heat])
            final class Log: KeyValueObserver {
                var lines: [String] = []
                func observeValue(
                    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                    context: UnsafeMutableRawPointer?
                ) {
                    let name = (object as? NSManagedObject)?.string("name") ?? ""
                    lines.append("\(name).\(keyPath ?? "") \((change?[.kindKey] as? NSNumber)?.intValue ?? 0)")
                }
            }
            let log = Log()
            wade.addObserver(log, forKeyPath: "team", context: nil)
            for team in [heat, bulls] { team.addObserver(log, forKeyPath: "players", context: nil) }
            wade.set(primitive: bulls, "team")
            // 1: set, 2: a member came, 3: one went.
            #expect(log.lines.sorted() == ["Bulls.players 2", "Heat.players 3", "Wade.team 1"])
            log.lines = []
            heat.set(primitive: NSSet(object: wade), "players")
            #expect(log.lines.sorted() == ["Bulls.players 3", "Heat.players 1", "Wade.team 1"])
        }
    }

    @Test("random relationships set by custom accessors are what regular setters make of them")
    func random() throws {
        for seed in SeededGenerator.seeds(6, full: 100) { try random(seed) }
    }

    private func random(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let stacks = [try Stack(LeagueModel.make()), try Stack(LeagueModel.make())]
        let contexts = stacks.map { $0.context() }
        var objects = contexts.map { context in
            context.performAndWait {
                (0..<4).map { context.insert("Team", ["name": "T\($0)"]) }
                    + (0..<8).map { context.insert("Player", ["name": "P\($0)"]) }
            }
        }
        for step in 0..<120 {
            let isTeam = Bool.random(using: &generator)
            let key =
                (isTeam
                ? ["players", "captain", "bench", "fans"] : ["team", "captainOf", "benchOf", "favourites", "cousins"])
                .randomElement(using: &generator) ?? ""
            let place = isTeam ? Int.random(in: 0..<4, using: &generator) : Int.random(in: 4..<12, using: &generator)
            let others = Array(key == "cousins" || isTeam ? 4..<12 : 0..<4)
                .shuffled(using: &generator).prefix(Int.random(in: 0..<4, using: &generator))
            let way = Int.random(in: 0..<4, using: &generator)
            let (saves, rolls) = (generator.chance(10), generator.chance(3))
            for (index, context) in contexts.enumerated() {
                try context.performAndWait {
                    let (object, members) = (objects[index][place], others.map { objects[index][$0] })
                    relate(object, key, members, way: index == 0 ? nil : way)
                    if saves { try context.save() } else if rolls, step > 20 { context.processPendingChanges() }
                }
            }
            let graphs = zip(contexts, objects).map { context, objects in
                context.performAndWait { objects.map(Self.describe) }
            }
            try #require(graphs[0] == graphs[1], "seed \(seed), step \(step): \(key) of \(place), way \(way)")
        }
        for context in contexts { try context.performAndWait { try context.save() } }
        objects = []
        var saved: [[String]] = []
        for stack in stacks {
            try stack.reopened { context throws in
                let all = try context.all("Team", sortedBy: "name") + context.all("Player", sortedBy: "name")
                saved.append(all.map(Self.describe))
            }
        }
        #expect(saved[0] == saved[1], "seed \(seed)")
    }

    /// - Parameter way: Nil: the regular setter; else one of the ways to write a custom one.
    private func relate(_ object: NSManagedObject, _ key: String, _ members: [NSManagedObject], way: Int?) {
        let relationship = object.entity.relationshipsByName[key]
        let value: Any? =
            relationship?.isToMany ?? false
            ? relationship?.isOrdered ?? false ? NSOrderedSet(array: members) : NSSet(array: members) : members.first
        guard let way else { return object.setValue(value, forKey: key) }
        object.willChangeValue(forKey: key)
        if way == 1 { object.willChangeValue(forKey: key) }
        switch object.primitiveValue(forKey: key) {
        case let set as NSMutableSet where way == 2: set.setSet(Set(members))
        case let set as NSMutableOrderedSet where way == 2:
            set.removeAllObjects()
            set.addObjects(from: members)
        default:
            if way == 3 { object.setPrimitiveValue(nil, forKey: key) }
            object.setPrimitiveValue(value, forKey: key)
        }
        if way == 1 { object.didChangeValue(forKey: key) }
        object.didChangeValue(forKey: key)
    }

    private static func describe(_ object: NSManagedObject) -> String {
        let relationships = object.entity.relationshipsByName.keys.sorted().map { key in
            let toOne = object.entity.relationshipsByName[key]?.isToMany ?? false ? nil : object.object(key)
            return "\(key): \(toOne?.string("name") ?? object.line(key).joined(separator: ","))"
        }
        return (object.string("name") ?? "") + " " + relationships.joined(separator: "; ")
    }
}
