import CoreData
import Foundation
import Testing

@Suite("Migration policies of the app's own")
final class MigrationPolicyTests {
    let league: MigrationLeague

    init() throws { league = try MigrationLeague(teams: 1, players: 2) }

    deinit { league.remove() }

    private func migrate(
        _ policy: AnyClass, lastName: String? = nil, to model: NSManagedObjectModel = MigrationLeague.secondModel(),
        _ prepare: (NSMigrationManager) -> Void = { _ in }
    ) throws {
        let name = String(reflecting: policy)
        try league.migrate(by: MigrationLeague.mapping(policy: name, lastName: lastName), to: model, with: prepare)
    }

    private func athletes(_ block: ([NSManagedObject]) -> Void) throws {
        try MigrationLeague.open(league.new, MigrationLeague.secondModel()) { context throws in
            block(try context.all("Athlete", sortedBy: "age"))
        }
    }

    @Test("all passes come in their order, by one instance of the class")
    func passes() throws {
        let log = CallLog()
        try migrate(WitnessPolicy.self) { $0.userInfo = ["log": log] }
        #expect(
            log.lines == [
                "begin", "create First Last0", "create First Last1", "created 2", "relate First Last0",
                "relate First Last1", "related", "validate 2 athletes", "end",
            ])
    }

    @Test("a policy makes objects itself, associates them, and finds them again")
    func ownObjects() throws {
        try migrate(SplittingPolicy.self)
        try athletes { athletes in
            #expect(athletes.map { $0.string("name") } == ["First", "First"])
            #expect(athletes.map { $0.string("lastName") } == ["Last0", "Last1"])
            #expect(athletes.allSatisfy { $0.object("club")?.string("title") == "Team 0" })
        }
    }

    @Test("objects of one source object, and none, are what the policy makes")
    func severalAndNone() throws {
        try migrate(DoublingPolicy.self)
        try athletes { athletes in
            #expect(athletes.map { $0.string("name") } == ["First Last1", "First Last1 again"])
        }
    }

    @Test("objects that a policy joins after their creation satisfy a uniqueness constraint")
    func deduplicating() throws {
        try MigrationLeague.open(league.old, MigrationLeague.firstModel()) { context throws in
            _ = context.insert("Player", ["name": "First Last0", "age": 9])
            try context.save()
        }
        let model = MigrationLeague.secondModel(uniqueName: true)
        #expect(throws: CocoaError.self) { try self.league.migrate(by: MigrationLeague.mapping(), to: model) }
        try migrate(JoiningPolicy.self, to: MigrationLeague.secondModel(uniqueName: true))
        try MigrationLeague.open(league.new, MigrationLeague.secondModel(uniqueName: true)) { context throws in
            #expect(try context.strings("name", of: "Athlete", sortedBy: "name") == ["First Last0", "First Last1"])
        }
    }

    @Test("the variables of expressions are the source, the destination, the manager, the policy and the mappings")
    func variables() throws {
        let mapping = MigrationLeague.mapping(
            policy: String(reflecting: WitnessPolicy.self),
            lastName: """
                FUNCTION($entityPolicy, "testJoin:with:and:", $source.name, $entityMapping.name, $propertyMapping.name)
                """)
        NSPredicate.registerFunction(named: "testJoin:with:and:") { policy, arguments in
            #expect(policy is WitnessPolicy)
            return arguments.map { "\($0 ?? "nil")" }.joined(separator: "|")
        }
        mapping.entityMappings[1].attributeMappings?.append(
            MigrationLeague.property("age", "$destination.age + 1 + $manager.userInfo.bonus"))
        try league.migrate(by: mapping) { $0.userInfo = ["log": CallLog(), "bonus": 100] }
        try athletes { athletes in
            #expect(
                athletes.map { $0.string("lastName") } == [
                    "First Last0|PlayerToAthlete|lastName", "First Last1|PlayerToAthlete|lastName",
                ])
            #expect(athletes.map { $0.value(forKey: "age") as? Int } == [101, 102])
        }
    }

    @Test("relationships by the source relationship's name, and back to source objects")
    func otherFunctions() throws {
        let mapping = MigrationLeague.mapping()
        mapping.entityMappings[0].relationshipMappings = []
        mapping.entityMappings[1].relationshipMappings = [
            MigrationLeague.property(
                "club",
                "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"team\", $source.team)"
            )
        ]
        try league.migrate(by: mapping)
        try athletes { #expect($0.allSatisfy { $0.object("club")?.string("title") == "Team 0" }) }
    }
}

/// What a policy has seen.
final class CallLog {
    var lines: [String] = []
}

/// Notes its calls.
final class WitnessPolicy: NSEntityMigrationPolicy {
    private var made = 0

    private func note(_ line: String, _ manager: NSMigrationManager) {
        (manager.userInfo?["log"] as? CallLog)?.lines.append(line)
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        try super.begin(mapping, with: manager)
        #expect(manager.currentEntityMapping === mapping)
        note("begin", manager)
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        made += 1
        note("create \(sInstance.string("name") ?? "")", manager)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("created \(made)", manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let source = manager.sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [dInstance])
        #expect(source.count == 1 && source[0].string("name") == dInstance.string("name"))
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
        #expect(dInstance.object("club") != nil)
        note("relate \(dInstance.string("name") ?? "")", manager)
    }

    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("related", manager)
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("validate \(try manager.destinationContext.all("Athlete").count) athletes", manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { note("end", manager) }
}

/// Splits names.
final class SplittingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let entity = try #require(manager.destinationEntity(for: mapping))
        #expect(manager.sourceEntity(for: mapping)?.name == "Player")
        let athlete = NSManagedObject(entity: entity, insertInto: manager.destinationContext)
        let names = (sInstance.string("name") ?? "").split(separator: " ").map(String.init)
        athlete.setValue(names.first, forKey: "name")
        athlete.setValue(names.last, forKey: "lastName")
        athlete.setValue(sInstance.value(forKey: "age"), forKey: "age")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: athlete, for: mapping)
        let found = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        #expect(found == [athlete])
    }
}

/// Makes two objects of one, and none of another.
final class DoublingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        guard sInstance.value(forKey: "age") as? Int == 1 else { return }
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let twin = manager.destinationContext.insert("Athlete", ["name": "First Last1 again", "age": 2])
        manager.associate(sourceInstance: sInstance, withDestinationInstance: twin, for: mapping)
    }
}

/// Deletes all but one of several objects with one name.
final class JoiningPolicy: NSEntityMigrationPolicy {
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        var names: Set<String> = []
        for athlete in try manager.destinationContext.all("Athlete", sortedBy: "age")
        where !names.insert(athlete.string("name") ?? "").inserted {
            manager.destinationContext.delete(athlete)
        }
    }
}
