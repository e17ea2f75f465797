import CBench
import CoreData

extension Workloads {
    /// The salaries of each team's players.
    func traverse(pragmas: [String: String] = [:], prefetching: Bool = false) throws -> Measurement {
        var result = Measurement()
        try withContext(base, pragmas: pragmas) { context in
            let request = NSFetchRequest<Team>(entityName: "Team")
            if prefetching { request.relationshipKeyPathsForPrefetching = ["players"] }
            try result.time { result in
                let teams = try context.fetch(request)
                var salaries = 0.0
                for team in teams {
                    for case let player as Player in team.players! {
                        salaries += player.salary
                        result.n += 1
                    }
                }
                result.check = Int64(salaries)
                return teams
            }
        }
        return result
    }

    /// The same through an array of players: what is read makes no `NSSet`.
    func traverseArrays(pragmas: [String: String]) throws -> Measurement {
        var result = Measurement()
        try withContext(base, pragmas: pragmas) { context in
            try result.time { result in
                let teams = try context.fetch(NSFetchRequest<Team>(entityName: "Team"))
                var salaries = 0.0
                for team in teams {
                    for player in team.playerArray {
                        salaries += player.salary
                        result.n += 1
                    }
                }
                result.check = Int64(salaries)
                return teams
            }
        }
        return result
    }

    // MARK: Reading and changing members that are known

    /// Reads a relationship of 20,000 members again and again, which nothing has changed.
    func readMembers(_ read: @escaping (Squad) -> Int) throws -> Measurement {
        try withMembers { club, _, _, result in
            result.n = 100_000
            var count = 0
            for _ in 0..<result.n { count &+= read(club) }
            result.check = Int64(count)
        }
    }

    /// Inserts a member at an index among 20,000 and takes it out again, reading after each.
    func changeMembersAtIndex() throws -> Measurement {
        try withMembers { club, guest, count, result in
            result.n = 2000
            let bench = club.mutableOrderedSetValue(forKey: "line")
            for round in 0..<Int(result.n) / 2 {
                bench.insert(guest, at: round * 7 % count)
                result.check += Int64(bench.count)
                bench.removeObject(at: round * 7 % count)
            }
        }
    }

    /// The same of Foundation's own set.
    func changeFoundationAtIndex() throws -> Measurement {
        try withMembers { club, guest, count, result in
            let bench = NSMutableOrderedSet(array: club.lineArray)
            result.n = 2000
            for round in 0..<Int(result.n) / 2 {
                bench.insert(guest, at: round * 7 % count)
                result.check += Int64(bench.count)
                bench.removeObject(at: round * 7 % count)
            }
        }
    }

    /// Takes a member out of 20,000 and adds it again by its own side, reading a set after each.
    func changeMembers(_ read: @escaping (Squad) -> Int) throws -> Measurement {
        try withMembers { club, _, count, result in
            let members = club.memberArray
            result.check = Int64(read(club))
            result.n = 2000
            for round in 0..<Int(result.n) / 2 {
                let member = members[round * 7 % count]
                member.setValue(nil, forKey: "club")
                result.check += Int64(read(club))
                member.setValue(club, forKey: "club")
                result.check += Int64(read(club))
            }
        }
    }

    private func withMembers(
        _ body: @escaping (Squad, NSManagedObject, Int, inout Measurement) throws -> Void
    ) throws -> Measurement {
        var result = Measurement()
        let count = 20_000
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Squad.makeModel())
        bench_remove_db(work)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: work))
        try withContext(of: coordinator) { context in
            guard let club = NSEntityDescription.insertNewObject(forEntityName: "Squad", into: context) as? Squad else {
                return
            }
            let members = (0...count).map { _ in
                NSEntityDescription.insertNewObject(forEntityName: "Member", into: context)
            }
            club.setValue(NSSet(array: Array(members.dropLast())), forKey: "members")
            club.setValue(NSOrderedSet(array: Array(members.dropLast())), forKey: "line")
            try context.save()
            try result.time { try body(club, members[count], count, &$0) }
        }
        return result
    }
}

extension Team {
    private static let key = ManagedKey("players")

    /// The players as the accessor of a property typed `[Player]` gives them.
    var playerArray: [Player] { managedFetched(Self.key) ?? [] }
}

/// An object with many members, in a set and in an order.
final class Squad: NSManagedObject {
    private static let members = ManagedKey("members"), line = ManagedKey("line")

    var memberSet: Set<NSManagedObject> { managedMembers(Self.members) ?? [] }
    var memberArray: [NSManagedObject] { managedFetched(Self.members) ?? [] }
    var lineArray: [NSManagedObject] { managedFetched(Self.line) ?? [] }
    var members: NSSet? { managedToMany(Self.members) }
    var line: NSOrderedSet? { managedOrderedToMany(Self.line) }

    static func makeModel() -> NSManagedObjectModel {
        func relationship(_ name: String, to entity: NSEntityDescription, max: Int, ordered: Bool = false)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.destinationEntity) = (name, entity)
            (relationship.maxCount, relationship.isOrdered, relationship.isOptional) = (max, ordered, true)
            relationship.deleteRule = .nullifyDeleteRule
            return relationship
        }
        let (squad, member) = (NSEntityDescription(), NSEntityDescription())
        (squad.name, member.name) = ("Squad", "Member")
        squad.managedObjectClassName = "BenchCoreData.Squad"
        let members = relationship("members", to: member, max: 0)
        let line = relationship("line", to: member, max: 0, ordered: true)
        let club = relationship("club", to: squad, max: 1)
        let lineOf = relationship("lineOf", to: squad, max: 1)
        (members.inverseRelationship, club.inverseRelationship) = (club, members)
        (line.inverseRelationship, lineOf.inverseRelationship) = (lineOf, line)
        (squad.properties, member.properties) = ([members, line], [club, lineOf])
        let model = NSManagedObjectModel()
        model.entities = [squad, member]
        return model
    }
}
