import CBench
import CoreData

/// What a new version of the benchmark's model has otherwise.
enum ModelChange: String {
    case addAttribute = "migrate-add-attribute"
    case renameAttribute = "migrate-rename-attribute"
    case removeAttribute = "migrate-remove-attribute"
    case addEntity = "migrate-add-entity"
    case renameEntity = "migrate-rename-entity"
    case removeEntity = "migrate-remove-entity"

    /// Makes the change.
    func apply(to model: NSManagedObjectModel) {
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        guard let player = model.entitiesByName["Player"], let team = model.entitiesByName["Team"] else { return }
        switch self {
        case .addAttribute:
            let nickname = NSAttributeDescription()
            (nickname.name, nickname.attributeType, nickname.isOptional) = ("nickname", .stringAttributeType, true)
            player.properties.append(nickname)
        case .renameAttribute:
            let email = player.attributesByName["email"]
            email?.name = "address"
            email?.renamingIdentifier = "email"
        case .removeAttribute: player.properties.removeAll { $0.name == "email" }
        case .addEntity:
            let club = NSEntityDescription()
            club.name = "Club"
            model.entities.append(club)
        case .renameEntity: (team.name, team.renamingIdentifier) = ("Side", "Team")
        case .removeEntity:
            player.properties.removeAll { $0.name == "team" }
            model.entities.removeAll { $0 === team }
        }
    }
}

extension Workloads {
    /// A copy of the base gets another version of its model, in its file.
    func migrate(_ change: ModelChange) throws -> Measurement {
        var result = Measurement()
        bench_copy_file(base, work)
        let new = try newModel { change.apply(to: $0) }
        try result.time { result in
            result.n = bench_player_count()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: new)
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: work),
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
            try coordinator.remove(store)
        }
        result.check = bench_check_migrated(work)
        return result
    }

    /// A new store is filled by a mapping model, in which the last names are computed.
    func migrateByMapping() throws -> Measurement {
        var result = Measurement()
        bench_remove_db(work)
        let new = try newModel { model in
            let name = model.entitiesByName["Player"]?.attributesByName["lastName"]
            name?.versionHashModifier = "in capitals"
        }
        let old = try newModel { _ in }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let player = mapping.entityMappings.first { $0.destinationEntityName == "Player" }
        player?.attributeMappings?.first { $0.name == "lastName" }?.valueExpression = NSExpression(
            format: "uppercase($source.lastName)")
        try result.time { result in
            result.n = bench_player_count()
            try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
                from: URL(fileURLWithPath: base), type: .sqlite, mapping: mapping, to: URL(fileURLWithPath: work),
                type: .sqlite)
        }
        result.check = bench_check_migrated(work)
        return result
    }

    /// A changed copy of the model.
    private func newModel(_ change: (NSManagedObjectModel) -> Void) throws -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else { fatalError("a copy is a model") }
        change(copy)
        return copy
    }
}
