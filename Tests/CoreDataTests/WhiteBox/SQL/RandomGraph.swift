import CoreData
import Foundation
import SQLSamples

/// Random teams, players and coaches in a context, and random changes to them.
struct RandomGraph {
    var random: SQLRandom

    mutating func fill(_ context: NSManagedObjectContext) {
        let teams = (0..<6).map { _ in make("Team", context) }
        let people = (0..<24).map { number in make(number % 4 == 0 ? "Coach" : "Player", context) }
        for person in people { relate(person, people, teams) }
    }

    /// Changes, deletes and inserts a few.
    mutating func change(_ all: [String: [NSManagedObject]], in context: NSManagedObjectContext) {
        let teams = all["Team"] ?? []
        let people = (all["Player"] ?? []) + (all["Coach"] ?? [])
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let object = random.one(random.chance(0.3) ? teams : people)
            let values = values(of: object.entity.name ?? "").sorted { $0.key < $1.key }
            let (key, value) = random.one(values)
            object.setValue(value.object, forKeyPath: key)
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) { relate(random.one(people), people, teams) }
        if random.chance(0.5) { context.delete(random.one(people)) }
        if random.chance(0.3) { context.delete(random.one(teams)) }
        let living = (people.filter { !$0.isDeleted }, teams.filter { !$0.isDeleted })
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let kind = random.one(["Team", "Player", "Coach"])
            let object = make(kind, context)
            if kind != "Team" { relate(object, living.0, living.1) }
        }
    }

    private mutating func make(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values(of: entity) where value.object != nil {
            object.setValue(value.object, forKeyPath: key)
        }
        return object
    }

    private mutating func values(of entity: String) -> [String: SQLTestValue] {
        entity == "Team" ? random.team() : random.person(isPlayer: entity == "Player")
    }

    private mutating func relate(_ person: NSManagedObject, _ people: [NSManagedObject], _ teams: [NSManagedObject]) {
        person.setValue(random.maybe(people), forKey: "boss")
        guard person.entity.name == "Player" else { return }
        person.setValue(random.maybe(teams), forKey: "team")
        let coaches = people.filter { $0.entity.name == "Coach" }
        var fans: [NSManagedObject] = []
        for coach in coaches where random.chance(0.4) { fans.append(coach) }
        person.setValue(NSSet(array: fans), forKey: "fans")
    }
}
