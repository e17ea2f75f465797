import CoreData
import Foundation
import RandomSeeds
import Testing

@Suite("Relationships of all kinds arrive as they were, whichever way a migration goes")
final class MigratedRelationshipTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("related-\(UUID().uuidString)")
    private var old: URL { testedPlace(folder.appendingPathComponent("Old.sqlite")) }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    enum Way: CaseIterable, Sendable { case inDatabase, standard, withInstancePolicy, withRelationshipPolicy }

    private static func newModel() -> NSManagedObjectModel {
        let model = LeagueModel.make()
        model.entitiesByName["Player"]?.properties.append(attribute("height", .doubleAttributeType))
        return model
    }

    private func fill(_ random: inout SeededGenerator) throws {
        try MigrationLeague.open(old, LeagueModel.make()) { context in
            let teams = (0..<4).map { context.insert("Team", ["name": "Team \($0)"]) }
            let players = (0..<40).map { context.insert("Player", ["name": "Player \($0)", "age": $0]) }
            for player in players {
                player.setValue(Bool.random(using: &random) ? teams.randomElement(using: &random) : nil, forKey: "team")
                let favourites = teams.filter { _ in Bool.random(using: &random) }
                player.setValue(NSSet(array: favourites), forKey: "favourites")
                let cousins = players.filter { _ in Int.random(in: 0..<10, using: &random) == 0 }
                player.mutableSetValue(forKey: "cousins").addObjects(from: cousins)
            }
            for team in teams {
                team.setValue(players.randomElement(using: &random), forKey: "captain")
                let bench = players.shuffled(using: &random).prefix(5)
                team.setValue(NSOrderedSet(array: Array(bench)), forKey: "bench")
            }
            try context.save()
        }
    }

    /// What leads where, by names.
    private func graph(_ url: URL, _ model: NSManagedObjectModel) throws -> [String] {
        var lines: [String] = []
        try MigrationLeague.open(url, model) { context in
            for object in try context.all("Team") + context.all("Player") {
                for relationship in object.entity.sortedRelationships {
                    let value = object.value(forKey: relationship.name)
                    let names =
                        (value as? NSOrderedSet)?.array.compactMap { ($0 as? NSManagedObject)?.string("name") }
                        ?? (value as? NSManagedObject).map { [$0.string("name") ?? ""] }
                        ?? object.names(relationship.name)
                    lines.append("\(object.string("name") ?? "").\(relationship.name) = \(names)")
                }
            }
        }
        return lines.sorted()
    }

    @Test("the graph is the same", arguments: Way.allCases)
    func all(way: Way) throws {
        var random = SeededGenerator(seed: 11)
        try fill(&random)
        let before = try graph(old, LeagueModel.make())
        #expect(before.count == 4 * 4 + 40 * 5)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: LeagueModel.make(), destinationModel: Self.newModel())
        let policy: AnyClass? =
            switch way {
            case .inDatabase, .standard: nil
            case .withInstancePolicy: InstancePolicy.self
            case .withRelationshipPolicy: RelationshipPolicy.self
            }
        for mapping in mapping.entityMappings {
            mapping.entityMigrationPolicyClassName = policy.map { String(reflecting: $0) }
        }
        let manager = NSMigrationManager(sourceModel: LeagueModel.make(), destinationModel: Self.newModel())
        manager.usesStoreSpecificMigrationManager = way == .inDatabase
        let new = testedPlace(folder.appendingPathComponent("New.sqlite"))
        try manager.migrateStore(from: old, type: .tested, mapping: mapping, to: new, type: .tested)
        #expect(try graph(new, Self.newModel()) == before, "seed 11")
    }
}

/// Makes objects of its own, and leaves relationships to the mapping.
final class InstancePolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let object = manager.destinationContext.insert(mapping.destinationEntityName ?? "")
        for key in sInstance.entity.attributesByName.keys {
            object.setValue(sInstance.value(forKey: key), forKey: key)
        }
        manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
    }
}

/// Sets all relationships when all objects are there.
final class RelationshipPolicy: NSEntityMigrationPolicy {
    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws { try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager) }
}
